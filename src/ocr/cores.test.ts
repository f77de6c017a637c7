import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findCores } from "./cores.ts";

/** Probabilities of a drawing: `#` is print, `+` hardly. */
function drawn(rows: readonly string[]): Float32Array {
  return Float32Array.from(rows.join(""), (sign) => (sign === "#" ? 0.9 : sign === "+" ? 0.4 : 0));
}

describe("A core of print", () => {
  test("has a row and a column wherever it has pixels, and a hull around their edges", () => {
    const [core, ...others] = findCores(drawn(["......", ".###..", ".####.", ".###..", "......"]), 6, 5);
    assert.equal(others.length, 0);
    const { left, tops, bottoms } = core!.columns;
    assert.deepEqual([left, [...tops], [...bottoms]], [1, [1, 1, 1, 2], [3, 3, 3, 2]]);
    const corners = core!.hull.map(({ x, y }) => `${x},${y}`).toSorted();
    assert.deepEqual(corners, ["1,1", "1,4", "4,1", "4,4", "5,2", "5,3"]);
  });

  test("goes on over a corner, and ends at the edges of the picture", () => {
    const cores = findCores(
      drawn(["###....##", "###....##", "###....##", "...###.##", "...###.##", "...###.##"]),
      9,
      6,
    );
    assert.deepEqual(
      cores.map(({ columns }) => [columns.left, columns.tops.length]),
      [
        [0, 6],
        [7, 2],
      ],
    );
  });

  test("is none if it is too small, or hardly print", () => {
    assert.deepEqual(findCores(drawn(["##....", "##.+++", "...+++", "...+++"]), 6, 4), []);
  });
});
