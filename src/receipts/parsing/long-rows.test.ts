import assert from "node:assert/strict";
import { test } from "node:test";
import { dictionary } from "../../../test/support/typed-receipt.ts";
import type { OcrPage } from "../../ocr/page.ts";
import { cardLast4In } from "./totals/card-number.ts";
import { parseReceipt } from "./parse.ts";

const ROWS = 60;
const LETTERS = 10_000;
/** What patterns repeat: blanks, marks, masks, figures, letters, and pairs of them. */
const REPEATED = [
  " ",
  "*",
  "x",
  ".",
  "-",
  "•",
  "0",
  "1",
  "A",
  "é",
  "w",
  "£",
  "(",
  "\t",
  "\n",
  "* ",
  "1 ",
  "1.",
  "a ",
  ", ",
  "**-",
  "x1",
  "www.",
  "ad ",
  "Rs",
  "1,00 ",
];

/** A page of rows that are each one box of repeated text between two words. */
function pageOf(text: string): OcrPage {
  const box = (top: number) => ({
    text: `MILK ${text} 1.25 A`,
    score: 0.99,
    polygon: [
      [10, top],
      [900, top],
      [900, top + 20],
      [10, top + 20],
    ] as const,
  });
  return {
    width: 1_000,
    height: ROWS * 30 + 60,
    boxes: Array.from({ length: ROWS }, (_, i) => box(20 + i * 30)),
  } as unknown as OcrPage;
}

test("rows of 10,000 repeated letters are read in the time of any page, whatever repeats", () => {
  const slow: string[] = [];
  for (const repeated of REPEATED) {
    const page = pageOf(repeated.repeat(LETTERS / repeated.length));
    const start = performance.now();
    parseReceipt(page, dictionary);
    const ms = performance.now() - start;
    if (process.env["SHOW_TIMES"]) console.log(JSON.stringify(repeated), Math.round(ms));
    if (ms > 5_000) slow.push(`${JSON.stringify(repeated)}: ${Math.round(ms)} ms`);
  }
  assert.deepEqual(slow, []);
});

test("the digits of a card are found in time that grows with the text, in every form of a mask", () => {
  for (const mask of ["*", "x", "•", "-", "*-", "***-", "**** ", "*** 1"]) {
    const start = performance.now();
    cardLast4In([`${mask.repeat(200_000)}!`]);
    assert.ok(performance.now() - start < 2_000, mask);
  }
  for (const [text, digits] of [
    ["VISA ************1234", "1234"],
    ["CARD **** **** 1234", "1234"],
    ["CARD **** ****-1234", "1234"],
    ["CARD ****-1234", "1234"],
    ["CARD -****1234", "1234"],
    ["CARD XXXX XXXX  1234", "1234"],
    ["CARD xxxx12345", null],
    ["CARD **1234", null],
    ["CARD **-1234", null],
  ] as const) {
    assert.equal(cardLast4In([text]), digits, text);
  }
});
