import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { createPressure } from "./pressure.ts";

test("work gives way while requests press in, but not once it is late", async () => {
  let ms = 0;
  const pressure = createPressure(() => ms);
  const stored = pressure.hold(64);
  const done: string[] = [];
  const early = pressure.giveWay(0).then(() => done.push("early"));
  const late = pressure.giveWay(-4_000).then(() => done.push("late"));
  await sleep(30);
  assert.deepEqual(done, []);
  ms = 1_000;
  await late;
  assert.deepEqual(done, ["late"]);
  stored();
  ms = 1_010;
  await early;
  assert.deepEqual(done, ["late", "early"]);
});

test("requests press in when many are being stored at once, and not a few", async () => {
  let ms = 0;
  const pressure = createPressure(() => ms);
  const few = pressure.hold(63);
  assert.equal(pressure.isHigh(), false);
  await pressure.giveWay(0);
  const one = pressure.hold(1);
  assert.equal(pressure.isHigh(), true);
  one();
  assert.equal(pressure.isHigh(), true, "the next group of a burst may be smaller");
  ms = 10;
  assert.equal(pressure.isHigh(), false);
  few();
});
