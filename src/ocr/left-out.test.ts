import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rectangle } from "./image.ts";
import { withoutLeftOut } from "./left-out.ts";

function line(x: number, y: number, width: number, angle = 0, height = 20): Rectangle {
  return { x, y, width, height, angle, bend: 0 };
}

test("the end of a line that was left out before is left out, at its angle", () => {
  const letter = line(300, 100, 400, 0.2);
  const end = line(300 - 180 * Math.cos(0.2), 100 - 180 * Math.sin(0.2), 40);
  const amount = line(300 - 180, 100, 40);
  assert.deepEqual(withoutLeftOut([end, amount], [letter]), [amount]);
});

test("lines in a rectangle of several lines are the receipt's", () => {
  const rows = [line(300, 80, 200), line(300, 110, 200)];
  assert.deepEqual(withoutLeftOut(rows, [line(300, 95, 400, 0, 60)]), rows);
});
