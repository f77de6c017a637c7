import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { rowsOf } from "./rows.ts";
import type { OcrPage, TextBox } from "../../../ocr/page.ts";

/** Boxes on a grid, bent by `lift`: the number of pixels that a point is moved down, by its x. */
function page(
  cells: readonly [text: string, left: number, right: number, row: number][],
  lift: (x: number) => number,
): OcrPage {
  const boxes = cells.map(([text, left, right, row]): TextBox => {
    const y = row * 30;
    const corner = (x: number, dy: number) => ({ x, y: y + dy + lift(x) });
    return { text, score: 1, polygon: [corner(left, 0), corner(right, 0), corner(right, 20), corner(left, 20)] };
  });
  return { width: 600, height: 400, rotation: 0, boxes };
}

const LIST: readonly [string, number, number, number][] = [
  ["SEMI SKIMMED MILK", 0, 250, 0],
  ["1.45", 500, 560, 0],
  ["WHOLEMEAL BREAD 800G", 0, 300, 1],
  ["2.10", 500, 560, 1],
  ["TOTAL TO PAY TODAY", 0, 260, 2],
  ["3.55", 500, 560, 2],
];
const EXPECTED = ["SEMI SKIMMED MILK  1.45", "WHOLEMEAL BREAD 800G  2.10", "TOTAL TO PAY TODAY  3.55"];

describe("names and prices printed on one line are one row", () => {
  test("on straight paper", () => assert.deepEqual(rowsOf(page(LIST, () => 0)).map(({ text }) => text), EXPECTED)); // prettier-ignore

  test("on tilted paper, where a price is a whole row lower than its name", () => {
    assert.deepEqual(rowsOf(page(LIST, (x) => 0.07 * x)).map(({ text }) => text), EXPECTED); // prettier-ignore
  });

  const bend = 0.0002;
  const bent = page(LIST, (x) => bend * x * x);

  test("on bent paper, by the bend that the long names show", () => {
    const measured = bent.boxes.map((box) => (box.text.length > 10 ? { ...box, bend } : box));
    assert.deepEqual(rowsOf({ ...bent, boxes: measured }).map(({ text }) => text), EXPECTED); // prettier-ignore
  });

  test("on bent paper, where names and prices only tilt in different ways", () => {
    assert.deepEqual(rowsOf(bent).map(({ text }) => text), EXPECTED); // prettier-ignore
  });

  test("on tilted paper whose boxes are all found straight, where a short name is far from its price", () => {
    const names = ["WHOLEMEAL BREAD 800G SLICED", "SEMI SKIMMED MILK FOUR PINTS", "MATURE CHEDDAR 400G STRONG", "PINK LADY APPLES PACK OF SIX", "EGGS"]; // prettier-ignore
    const list = names.flatMap((name, row): [string, number, number, number][] => [
      [name, 0, 14 * name.length, row],
      ["1.45", 500, 560, row],
    ]);
    const { boxes, ...paper } = page(list, () => 0);
    const hung = boxes.map((box): TextBox => {
      const [a, b, c, d] = box.polygon;
      const lower = (p: typeof a) => ({ x: p.x, y: p.y + (0.025 * (a.x + b.x)) / 2 });
      return { ...box, polygon: [lower(a), lower(b), lower(c), lower(d)] };
    });
    assert.deepEqual(rowsOf({ ...paper, boxes: hung }).map(({ text }) => text), names.map((name) => `${name}  1.45`)); // prettier-ignore
  });

  test("whatever order the boxes come in", () => {
    assert.deepEqual(rowsOf(page(LIST.toReversed(), (x) => -0.05 * x)).map(({ text }) => text), EXPECTED); // prettier-ignore
  });
});

test("texts near each other are one cell, a wide gap separates cells", () => {
  const [row] = rowsOf(page([["BREAD", 0, 80, 0], ["BROWN", 90, 170, 0], ["2.10", 500, 560, 0]], () => 0)); // prettier-ignore
  assert.deepEqual(row?.cells.map(({ text }) => text), ["BREAD BROWN", "2.10"]); // prettier-ignore
});
