import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsOf } from "./rows.ts";
import type { OcrPage } from "../../../ocr/page.ts";
import { withAmountsRestored } from "./misread-amounts.ts";

const PITCH = 30;
const LETTER = 10;
const RIGHT = 600;

/** A page of rows. Text behind `|` ends at the right edge. */
function page(rows: readonly string[]): OcrPage {
  const box = (text: string, left: number, row: number) => {
    const [right, top, bottom] = [left + text.length * LETTER, row * PITCH, row * PITCH + 20];
    const polygon = [{ x: left, y: top }, { x: right, y: top }, { x: right, y: bottom }, { x: left, y: bottom }] as const; // prettier-ignore
    return { polygon, text, score: 0.9 };
  };
  const boxes = rows.flatMap((row, index) => {
    const [name, ...amounts] = row.split("|");
    return [
      box(name!, 0, index),
      ...amounts.map((text, i) => box(text, RIGHT - (amounts.length - 1 - i) * 120 - text.length * LETTER, index)),
    ];
  });
  return { width: RIGHT, height: rows.length * PITCH, rotation: 0, boxes };
}

const CLEAN = ["BREAD|1.35", "BUTTER|2.99", "TOTAL|21.20"];

/** Returns the text of a row after the correction, among clean rows. */
function among(row: string): string {
  return withAmountsRestored(rowsOf(page(["SHOP", CLEAN[0]!, row, ...CLEAN.slice(1)])))[2]!.text;
}

test("letters become figures where only figures are possible", () => {
  const read = { "1,OO": "1,00", "l6.85": "16.85", "84,6S": "84,65", "$16.4G": "$16.46", "-1,OO": "-1,00", "lO.95": "10.95", "O,6O B": "0,60 B", "1,B46.50": "1846.50", ".5O-": ".50-" }; // prettier-ignore
  for (const [damaged, right] of Object.entries(read)) assert.equal(among(`MILK|${damaged}`), `MILK  ${right}`);
});

test("a decimal behind a space belongs to its amount", () => {
  assert.equal(among("MINCE|4,7 9*B"), "MINCE  4,79*B");
});

test("the remains of brackets behind an amount go, if the price of one is the same", () => {
  assert.equal(among("VASE|10,99|1|10,99111"), "VASE  10,99  1  10,99");
  assert.equal(among("VASE|10,99|1|10,99:11"), "VASE  10,99  1  10,99");
  assert.equal(among("VASE|10,90|1|10,99111"), "VASE  10,90  1  10,99111");
});

test("words, sizes and codes do not change", () => {
  for (const text of ["OIL", "SO", "l", "1.5l", "3.2G", "SB", "A.BB"]) assert.equal(among(`MILK ${text}`), `MILK ${text}`);
  for (const text of ["0447", "12345678", "471"]) assert.equal(among(`TILL|${text}`), `TILL  ${text}`);
}); // prettier-ignore

test("a lost point is restored if a currency sign, a zero, or the same figure beside it or elsewhere shows that it is an amount", () => {
  assert.equal(among("RELOAD|RM 2950"), "RELOAD  RM 29.50");
  assert.equal(among("RULER|080"), "RULER  0.80");
  assert.equal(among("8557366|2120|2120"), "8557366  2120  21.20");
  assert.equal(among("CASH|2120"), "CASH  21.20");
});

test("without a column of clean amounts nothing changes", () => {
  const rows = rowsOf(page(["MILK|1,OO", "EGGS|RM 2950"]));
  assert.deepEqual(withAmountsRestored(rows), rows);
});
