import assert from "node:assert/strict";
import { test } from "node:test";
import { parseReceipt } from "../src/receipts/parsing/parse.ts";
import type { ReceiptReading } from "../src/receipts/parsing/parse.ts";
import { toMinor } from "../src/points/money.ts";
import { asRead } from "../eval/typed/collection.ts";
import { drawnSummaries } from "../eval/typed/summaries.ts";
import type { Summary } from "../eval/typed/summaries.ts";
import { dictionary, typedPage } from "./support/typed-receipt.ts";

const CLEAN: readonly [Summary, ReceiptReading][] = drawnSummaries(1, 0).map((summary) => [
  summary,
  readingOf(summary),
]);

function readingOf({ print }: Summary): ReceiptReading {
  return parseReceipt(typedPage(asRead(print)), dictionary);
}

function isRight({ total, currency }: Summary, reading: ReceiptReading): boolean {
  return reading.totalMinor === toMinor(total, currency);
}

test("no rightly printed total is corrected, whatever is printed between and around the sums", () => {
  const corrected = CLEAN.filter(([, { repairs }]) => repairs.some((repair) => repair.startsWith("total:")));
  assert.deepEqual(
    corrected.map(([{ print }]) => print),
    [],
  );
});

test("a total beside its usual word is read in 26 countries", () => {
  const usual = CLEAN.filter(([{ isInvented }]) => !isInvented);
  assert.equal(usual.length, 130);
  assert.deepEqual(
    usual.flatMap(([summary, reading]) =>
      isRight(summary, reading) ? [] : [`${summary.print}: ${reading.totalMinor}`],
    ),
    [],
  );
});

test("without known words a wrong total is rare, and hardly one is missing", () => {
  const invented = CLEAN.filter(([{ isInvented }]) => isInvented);
  const wrong = invented.filter(([summary, reading]) => !isRight(summary, reading));
  assert.equal(invented.length, 48);
  assert.ok(wrong.length <= 1, wrong.map(([{ print }]) => print).join("\n\n"));
});

test("misread figures leave most totals right, since payment, goods and taxes show them", () => {
  const usual = drawnSummaries(1, 0.02).filter(({ isInvented }) => !isInvented);
  const right = usual.filter((summary) => isRight(summary, readingOf(summary)));
  assert.ok(right.length >= 0.96 * usual.length, `${right.length} of ${usual.length}`);
});
