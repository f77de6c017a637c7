import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { createPressure } from "./pressure.ts";

/** A pressure with a clock that the test moves. */
function withClock() {
  const clock = { ms: 0 };
  const now = (): number => clock.ms;
  return { clock, pressure: createPressure(now, now) };
}

test("work gives way while requests press in, but not once it is late", async () => {
  const { clock, pressure } = withClock();
  const stored = pressure.hold(64);
  clock.ms = 500;
  const done: string[] = [];
  const early = pressure.giveWay(0).then(() => done.push("early"));
  const late = pressure.giveWay(-4_000).then(() => done.push("late"));
  await sleep(30);
  assert.deepEqual(done, []);
  clock.ms = 1_000;
  await late;
  assert.deepEqual(done, ["late"]);
  stored();
  clock.ms = 1_500;
  await early;
  assert.deepEqual(done, ["late", "early"]);
});

test("requests press in when many are being stored for a while, and not a few", async () => {
  const { clock, pressure } = withClock();
  pressure.hold(35);
  clock.ms = 10_000;
  assert.equal(pressure.isHigh(), false);
  await pressure.giveWay(0);
  pressure.hold(16);
  assert.equal(pressure.isHigh(), false, "they have just come");
  clock.ms += 200;
  assert.equal(pressure.isHigh(), true);
});

test("an even load with a pause of the event loop is no burst", () => {
  const { clock, pressure } = withClock();
  pressure.hold(15);
  clock.ms = 1_000;
  const late = pressure.hold(75);
  clock.ms += 10;
  assert.equal(pressure.isHigh(), false);
  late();
});

test("a burst goes on between two groups of its requests, and ends within a tenth of a second", () => {
  const { clock, pressure } = withClock();
  const group = pressure.hold(64);
  clock.ms = 200;
  group();
  clock.ms += 10;
  assert.equal(pressure.isHigh(), true, "the next group is on its way");
  clock.ms += 90;
  assert.equal(pressure.isHigh(), false);
});

test("a burst ends though the service's clock does not go on", async () => {
  const pressure = createPressure(() => 0);
  const stored = pressure.hold(64);
  await sleep(150);
  stored();
  await pressure.giveWay(0);
  assert.equal(pressure.isHigh(), false);
});
