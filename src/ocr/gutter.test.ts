import assert from "node:assert/strict";
import { test } from "node:test";
import { withinGutters } from "./gutter.ts";
import type { Rectangle } from "./image.ts";

const PICTURE = { width: 800, height: 1000 };

function line(x: number, y: number, width: number, angle = 0): Rectangle {
  return { x, y, width, height: 24, angle, bend: 0 };
}

/** Names and amounts of a receipt in the middle. */
const OWN = Array.from({ length: 18 }, (_, i) => 100 + 40 * i).flatMap((y) => [line(290, y, 260), line(510, y, 60)]);

/** Lines of another one beyond its right edge, at rows of another height. */
const beyond = (pitch: number, angle = 0): Rectangle[] =>
  Array.from({ length: 14 }, (_, i) => line(680, 110 + pitch * i + 120 * Math.sin(angle), 220, angle));

test("lines beyond a gutter that continue no row are another paper's, at the same angle and at a similar one", () => {
  assert.deepEqual(withinGutters([...OWN, ...beyond(33)], PICTURE), OWN);
  assert.deepEqual(withinGutters([...OWN, ...beyond(47, 0.05)], PICTURE), OWN);
});

test("amounts beyond a gutter continue the rows: straight, at an angle, and beyond a fold", () => {
  assert.deepEqual(withinGutters(OWN, PICTURE), OWN);
  const tilted = OWN.map((r) => ({ ...r, y: r.y + 0.15 * r.x, angle: Math.atan(0.15) }));
  assert.deepEqual(withinGutters(tilted, PICTURE), tilted);
  const wide = Array.from({ length: 18 }, (_, i) => 100 + 40 * i).flatMap((y) => [
    line(250, y, 260),
    line(550, y + 0.1 * 150, 240, Math.atan(0.1)),
  ]);
  assert.deepEqual(withinGutters(wide, PICTURE), wide);
});

test("nothing is left out where a line crosses the gutter, or fewer than eight can be compared", () => {
  const crossed = [...OWN, ...beyond(33), line(500, 60, 400)];
  assert.deepEqual(withinGutters(crossed, PICTURE), crossed);
  const few = [...OWN, ...beyond(33).slice(0, 7)];
  assert.deepEqual(withinGutters(few, PICTURE), few);
});

test("a thousand lines are compared within two seconds of the processor", () => {
  const many = Array.from({ length: 1_000 }, (_, i) => line(i % 2 === 0 ? 200 : 600, 20 * Math.floor(i / 2), 200));
  const before = process.cpuUsage();
  withinGutters(many, PICTURE);
  assert.ok(process.cpuUsage(before).user < 2_000_000);
});
