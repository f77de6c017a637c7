import assert from "node:assert/strict";
import { test } from "node:test";
import { drawReceipt } from "./drawing.ts";
import { SAMPLE_MOMENT, SAMPLE_OUTCOMES, drawSample, isSampleOutcome } from "./outcomes.ts";
import type { SampleOutcome } from "./outcomes.ts";
import { COLUMNS, printReceipt, totalMinorOf } from "./sample.ts";
import type { SampleReceipt } from "./sample.ts";

const OUTCOMES = Object.keys(SAMPLE_OUTCOMES).filter((name) => isSampleOutcome(name));

function receiptOf(outcome: SampleOutcome): SampleReceipt {
  const sample = SAMPLE_OUTCOMES[outcome](SAMPLE_MOMENT);
  assert.equal(sample.kind, "receipt");
  return sample.kind === "receipt" ? sample.receipt : assert.fail();
}

function printed(receipt: SampleReceipt): string[] {
  return printReceipt(receipt).flatMap((row) => (row.kind === "text" ? [row.text.replaceAll(/ +/g, " ").trim()] : []));
}

test("a British receipt names the shop, prices each line and adds up", () => {
  const receipt = receiptOf("completed");
  const rows = printed(receipt);
  assert.equal(rows[0], "LARKMEADOW MARKET");
  for (const row of [
    "SEMI SKIMMED MILK 2PT 1.45",
    "0.632 kg @ £0.99/kg 0.63",
    "2 @ £0.95 1.90",
    "PROMO DISCOUNT -0.75",
    "TOTAL £22.68",
    "VISA CONTACTLESS 22.68",
    "**** **** **** 4821",
    "24/10/2026 10:41",
  ])
    assert.ok(rows.includes(row), row);
});

test("a German receipt has decimal commas, tax marks, the change and a tax table", () => {
  const rows = printed(receiptOf("completed_de"));
  for (const row of [
    "Bananen 0,94 B",
    "0,632 kg x 1,49 EUR/kg",
    "2 Stk x 0,99",
    "SUMME EUR 19,46",
    "BAR 25,00",
    "RÜCKGELD 5,54",
    "A 19% 1,71 0,33 2,04",
    "24.10.2026 10:41",
  ])
    assert.ok(rows.includes(row), row);
});

test("the tax table splits exactly the amount paid", () => {
  const receipt = receiptOf("completed_de");
  const cents = printed(receipt)
    .filter((row) => /^[AB] \d+% /.test(row))
    .map((row) =>
      row
        .split(" ")
        .slice(2)
        .map((figure) => Number(figure.replace(",", ""))),
    );
  for (const [net = 0, tax = 0, gross = 0] of cents) assert.equal(net + tax, gross);
  assert.equal(
    cents.reduce((sum, figures) => sum + (figures[2] ?? 0), 0),
    totalMinorOf(receipt),
  );
});

test("no row is wider than the paper", () => {
  for (const outcome of OUTCOMES) {
    const sample = SAMPLE_OUTCOMES[outcome](SAMPLE_MOMENT);
    if (sample.kind !== "receipt") continue;
    for (const row of printReceipt(sample.receipt))
      if (row.kind === "text") assert.ok(row.text.length * row.scale <= COLUMNS, row.text);
  }
});

test("a copy without the header has no shop, only the number and the time of the sale", () => {
  assert.deepEqual(printed(receiptOf("merchant_name_not_found")).slice(0, 5), [
    "CUSTOMER COPY",
    "Receipt No 0032 1 7740",
    "24/10/2026 10:41",
    "-".repeat(COLUMNS),
    "WHITE BREAD 800G 1.19",
  ]);
});

test("there is a sample for every error code of receipts", () => {
  for (const code of [
    "MERCHANT_NAME_NOT_FOUND",
    "NO_VALID_FOOD_ITEMS",
    "NOT_AUTHENTIC",
    "ALREADY_EXISTS",
    "INTERNAL_ERROR",
  ])
    assert.ok(isSampleOutcome(code.toLowerCase()), code);
  assert.ok(isSampleOutcome("completed"));
});

test("a name of an object's built-in member is no sample", () => {
  for (const name of ["", "toString", "__proto__", "Completed"]) assert.equal(isSampleOutcome(name), false);
});

test("a sample drawn twice is the same, without fonts and text elements", () => {
  for (const outcome of OUTCOMES) {
    const drawing = drawSample(outcome, SAMPLE_MOMENT);
    assert.deepEqual(drawing, drawSample(outcome, SAMPLE_MOMENT));
    assert.doesNotMatch(drawing.svg, /<text|font/);
  }
});

test("the typeface has currency signs and the letters of European languages", () => {
  const base = receiptOf("completed");
  const lines = [
    "£ € $ ¢ % & @ #",
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝß",
    "àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿ",
    "ĄąĆćČčĘęŁłŃńŐőŒœŘřŚśŠšŰűŹźŻżŽž",
  ];
  drawReceipt({ ...base, lines: lines.map((name) => ({ name, amountMinor: 100 })) });
});

test("a character without an outline is an error, not a gap in the print", () => {
  const base = receiptOf("completed");
  assert.throws(() => drawReceipt({ ...base, lines: [{ name: "漢字", amountMinor: 100 }] }), /no outline/);
});
