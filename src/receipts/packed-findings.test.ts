import assert from "node:assert/strict";
import { before, test } from "node:test";
import { readCatalogue } from "../foods/catalogue/store.ts";
import { shippedMatcherOf } from "../foods/matching/learned/store.ts";
import { createRater } from "../foods/rating/rate.ts";
import type { OcrPage } from "../ocr/page.ts";
import { composeRecord } from "../points/record.ts";
import type { ComposedRecord } from "../points/record.ts";
import type { ScoredLine } from "../points/scored-line.ts";
import { passed, doubtful } from "./checks/check.ts";
import { enrichedOf, rateLines } from "./enrichment.ts";
import type { Findings } from "./findings.ts";
import { packFindings, readingOf, unpackFindings } from "./packed-findings.ts";
import { unpackPage } from "./packed-forms.ts";
import type { ReceiptReading } from "./parsing/parse.ts";

const RECEIPT = "01a2049c-57e0-7567-9720-8c6507a42ff8";
const NAMES = ["Red lentils 500 g", "Cheddar", "Spring water 1 l", "Beer", "qqxyz", "Leek pie mix"];
const PAGE: OcrPage = {
  width: 900,
  height: 1_600,
  rotation: 90,
  boxes: [
    { polygon: [at(1, 2), at(30.5, 2), at(30, 9), at(1, 9)], text: "LENTILS 500G", score: 0.98 },
    { polygon: [at(1, 12), at(30, 12), at(30, 19), at(1, 19)], text: "1.45", score: 0.5, bend: -0.001 },
  ],
};

function at(x: number, y: number) {
  return { x, y };
}

let lines: ScoredLine[];
let reading: ReceiptReading;
before(() => {
  const catalogue = readCatalogue();
  const rater = createRater(catalogue, shippedMatcherOf(catalogue));
  const line = { kind: "item", quantity: 1, unit: "piece", amountMinor: 145, accuracy: 0.9 } as const;
  const read = NAMES.map((description) => ({ ...line, description, cleanedName: description }));
  const all = [...read, { ...line, kind: "discount", description: "OFF", cleanedName: "OFF", amountMinor: -10 }];
  reading = { lines: all, merchantName: "LARKMEADOW", currency: "GBP", totalMinor: 860 } as unknown as ReceiptReading;
  lines = rateLines(RECEIPT, reading, [], rater.rate);
});

/** Packs a receipt with these lines, and returns what is read again. */
function keptOf(record: ComposedRecord, enriched: readonly ScoredLine[]): { kept: Findings; bytes: number } {
  const when = new Date("2026-11-22T12:00:00.123Z");
  const findings = {
    Extracted: {
      data: { reading, page: PAGE, name: { isNamed: true, wordShare: 1 }, isAmountPrinted: true },
      at: when,
    },
    Enriched: { data: enrichedOf(reading, "Larkmeadow", enriched, "foods-1"), at: when },
    Validated: { data: { checks: [passed("readable", 1, "r"), doubtful("lines_add_up", 0.3, "x")] }, at: when },
    Scored: { data: record, at: when },
  };
  const { facts, packed, page } = packFindings(findings, record, "t");
  assert.deepEqual(facts.checks, [{ name: "lines_add_up", outcome: "doubtful" }]);
  assert.deepEqual(unpackPage(page!), PAGE);
  assert.deepEqual(readingOf(packed), reading);
  const { page: _page, ...extracted } = findings.Extracted.data;
  const kept = unpackFindings(packed, record);
  assert.deepEqual(kept, { ...findings, Extracted: { ...findings.Extracted, data: extracted } });
  return { kept, bytes: packed.length };
}

const recordOf = (some: readonly ScoredLine[]) => composeRecord("receipt", {} as ComposedRecord["body"], some);

test("the findings of a completed receipt come back as they were, with the lines of its record", () => {
  const plain = lines.map(({ basis: _basis, ...line }) => line as ScoredLine);
  assert.ok(plain.some((line) => line.exclusionReason === "NO_MATCH"));
  const { bytes } = keptOf(recordOf(plain), plain);
  // Lines that are not those of the record are kept themselves.
  const others = plain.map((line) => ({ ...line, cleanedName: `${line.cleanedName} as corrected` }));
  assert.ok(keptOf(recordOf(plain), others).bytes > bytes);
});

test("a line that the rule did not accept comes back with the ratings of its evidence, or is kept as it was", () => {
  const unsure = lines.map((line) => (line.exclusionReason === null ? { ...line, confidence: 0.2 } : line));
  keptOf(recordOf(unsure), unsure);
});
