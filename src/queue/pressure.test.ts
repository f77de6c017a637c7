import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { createPressure } from "./pressure.ts";

test("work gives way while requests press in, but not once it is late", async () => {
  let ms = 0;
  const pressure = createPressure(
    () => ms,
    () => ms,
  );
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
  ms = 1_100;
  await early;
  assert.deepEqual(done, ["late", "early"]);
});

test("requests press in when many are being stored at once, and not a few", async () => {
  let ms = 0;
  const pressure = createPressure(
    () => ms,
    () => ms,
  );
  const few = pressure.hold(39);
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

test("the longer a burst has lasted, the longer it goes on after a group of it, up to a tenth of a second", () => {
  const lingers = (lastedMs: number): number => {
    let ms = 0;
    const pressure = createPressure(
      () => ms,
      () => ms,
    );
    const group = pressure.hold(64);
    ms = lastedMs;
    group();
    const endMs = ms;
    while (pressure.isHigh()) ms++;
    return ms - endMs;
  };
  assert.equal(lingers(0), 10, "a pause of the event loop is no burst");
  assert.equal(lingers(40), 10);
  assert.equal(lingers(200), 50);
  assert.equal(lingers(60_000), 100);
});

test("a burst ends though the service's clock does not go on", async () => {
  const pressure = createPressure(() => 0);
  pressure.hold(64)();
  await pressure.giveWay(0);
});
