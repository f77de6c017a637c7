import assert from "node:assert/strict";
import { test } from "node:test";
import { explain } from "./explanation.ts";
import type { ExplainedRow } from "./explanation.ts";
import { composeRecord, recordTotals } from "./record.ts";
import type { ScoredLine } from "./scored-line.ts";
import { DEFAULT_TERMS } from "./terms.ts";
import { OPERATION, PARTNER_TYPE, RECORD_STATUS } from "./codes.ts";

const HEAD = {
  reference: "r",
  brand: "",
  logo: "",
  location: "",
  partnerType: PARTNER_TYPE.unspecified,
  timestamp: "2026-10-24T10:41:00.000Z",
  currency: "GBP",
  totalAmountMinor: 100,
};

function line(id: string, quantity: number, soldByWeight: boolean, confidence = 0.9): ScoredLine {
  return {
    id,
    externalId: "",
    name: id,
    cleanedName: id,
    imageUrl: "",
    quantity,
    amountMinor: 100,
    matchedName: id,
    soldByWeight,
    massMg: 434_000,
    exclusionReason: null,
    confidence,
    plainWater: false,
    healthRating: 1,
    carbonRating: 2,
    co2eMg: 1_000,
    carbonDataSource: "test:1",
  };
}

function row(lines: readonly ScoredLine[], changes: Partial<ExplainedRow> = {}): ExplainedRow {
  const { body, awardItems, award, bases } = composeRecord("receipt", HEAD, lines);
  return {
    id: "t",
    applicationId: "a",
    userId: "u",
    sequence: 1,
    source: "receipt",
    submissionId: "s",
    relatedId: null,
    isLifetime: true,
    operation: OPERATION.earn,
    status: RECORD_STATUS.completed,
    ...recordTotals(body),
    otherPoints: 0,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    body,
    rule: award.rule,
    catalogueVersion: "foods-1",
    ruleInputs: { items: awardItems, award, bases },
    ...changes,
  };
}

test("a receipt's line sold by weight counts each started kilogram, and its text says so", () => {
  const { items } = explain(row([line("bananas", 0.652, true)]), DEFAULT_TERMS);
  const points = items[0]!.steps.find((step) => step.step === "points");
  assert.ok(points?.step === "points");
  assert.deepEqual([points.healthBase, points.carbonBase, points.weight], [5, 4, "200"]);
  assert.match(points.text, /100 hundredths of a unit \(0.652 kg or l, each started one counts\)/);
});

test("a cap is explained", () => {
  const { arithmetic } = explain(row(Array.from({ length: 20 }, (_, i) => line(`item ${i}`, 5, false))), DEFAULT_TERMS);
  assert.deepEqual([arithmetic.capped, arithmetic.pointsMax], [true, 150]);
  assert.match(arithmetic.text, /cut to the most that one may earn, 150/);
});

test("a line that the rule does not accept is explained as excluded", () => {
  const { items } = explain(row([line("sure", 1, false), line("unsure", 1, false, 0.49)]), DEFAULT_TERMS);
  assert.deepEqual(
    items.map(({ counted, steps }) => [counted, steps.at(-1)?.step]),
    [
      [true, "points"],
      [false, "exclusion"],
    ],
  );
});

test("a record that was erased with its user still has an explanation of its totals", () => {
  const { items, totalPoints } = explain(row([line("bananas", 1, false)], { ruleInputs: {} }), DEFAULT_TERMS);
  assert.deepEqual([items, totalPoints], [[], 9]);
});
