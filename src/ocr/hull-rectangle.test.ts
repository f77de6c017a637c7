import assert from "node:assert/strict";
import { test } from "node:test";
import { lyingWith, otherAngles } from "./hull-rectangle.ts";

/** The corners of a box of this size, turned by an angle. */
function hull(width: number, height: number, angle: number) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([u, v]) => ({ x: 100 + (u! * width * cos - v! * height * sin) / 2, y: 100 + (u! * width * sin + v! * height * cos) / 2 })); // prettier-ignore
}

test("the angles of other papers are those of several lines, apart from the page's", () => {
  const page = [-0.04, -0.03, -0.03, -0.02, 0, 0.02];
  assert.deepEqual(otherAngles(page, -0.03), [], "bent paper has many angles");
  const letters = [-0.36, -0.35, -0.35, -0.34, ...page, 0.2, 0.21, 0.22, 0.23, 0.24];
  assert.deepEqual(otherAngles(letters, -0.03), [-0.35, 0.22]);
  assert.deepEqual(otherAngles([...page, 0.2, 0.21, 0.22], -0.03), [], "three lines are too few");
});

test("a short box lies as its paper does, though another paper has more lines", () => {
  const amount = hull(40, 20, -0.03);
  assert.equal(lyingWith(amount, -0.35, [-0.03]).angle, -0.03);
  assert.equal(lyingWith(amount, -0.03, [-0.35]).angle, -0.03);
});

test("a box that is nearly as large at the angle of the page has that angle", () => {
  assert.equal(lyingWith(hull(20, 20, 0.1), 0, [0.1]).angle, 0);
});
