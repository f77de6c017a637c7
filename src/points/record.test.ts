import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { award } from "./award.ts";
import type { Source } from "./award.ts";
import { PARTNER_TYPE } from "./codes.ts";
import { composeRecord, recordTotals } from "./record.ts";
import type { RecordHead } from "./record.ts";
import { EXCLUSION_REASONS } from "./scored-line.ts";
import type { ExclusionReason, ScoredLine } from "./scored-line.ts";

const HEAD: RecordHead = {
  reference: "meal-1",
  brand: "Green Corner",
  logo: "",
  location: "Leeds",
  partnerType: PARTNER_TYPE.restaurant,
  timestamp: "2026-03-01T12:00:00.000Z",
  currency: "GBP",
  totalAmountMinor: 850,
};

const FACTS = {
  id: "item-1",
  externalId: "f-1",
  name: "Red Lentils",
  cleanedName: "red lentils",
  imageUrl: "",
  quantity: 1,
  amountMinor: 100,
  matchedName: "Lentils, dried",
  soldByWeight: false,
  massMg: 200_000,
};

const LENTILS = {
  ...FACTS,
  exclusionReason: null,
  healthRating: 1,
  carbonRating: 1,
  co2eMg: 180_000,
  carbonDataSource: "agribalyse:20587",
  confidence: 0.9,
  plainWater: false,
} as const satisfies ScoredLine;

const BEEF = { ...LENTILS, name: "Beef mince", healthRating: 4, carbonRating: 5, co2eMg: 6_000_000 } as const;

function excluded(exclusionReason: ExclusionReason): ScoredLine {
  return { ...FACTS, exclusionReason };
}

test("each item of a record carries its own share of the points", () => {
  const { body } = composeRecord("meal", HEAD, [BEEF, LENTILS]);
  assert.deepEqual(
    body.items.map((item) => [item.name, item.healthPoints, item.carbonPoints]),
    [
      ["Beef mince", 2, 0],
      ["Red Lentils", 7, 7],
    ],
  );
});

test("the totals count points and mass, and as products the items rated A or B", () => {
  const { body } = composeRecord("meal", HEAD, [BEEF, LENTILS, { ...LENTILS, healthRating: 3, carbonRating: 2 }]);
  const { points, greenProducts, healthyProducts, co2eMg } = recordTotals(body);
  assert.deepEqual(
    { points, greenProducts, healthyProducts, co2eMg },
    {
      points: 17,
      greenProducts: 2,
      healthyProducts: 1,
      co2eMg: 6_360_000,
    },
  );
});

test("an excluded item keeps its facts and its reason, and nothing else", () => {
  const { body } = composeRecord("receipt", HEAD, [excluded("ALCOHOL"), LENTILS]);
  const { soldByWeight: _, massMg: __, ...facts } = FACTS;
  assert.deepEqual(body.excludedItems, [{ ...facts, exclusionReason: "ALCOHOL" }]);
  assert.equal(body.items.length, 1);
  assert.equal(recordTotals(body).points, 10);
});

test("an item with an uncertain match is excluded, whatever its ratings", () => {
  const { body } = composeRecord("receipt", HEAD, [{ ...LENTILS, confidence: 0.49 }]);
  assert.equal(body.items.length, 0);
  assert.equal(body.excludedItems[0]?.exclusionReason, "LOW_CONFIDENCE");
});

test("in a meal, an unmatched ingredient lowers the points, and one that is not eligible does not", () => {
  const earned = (Object.keys(EXCLUSION_REASONS) as ExclusionReason[]).map((reason) => {
    const { award } = composeRecord("meal", HEAD, [LENTILS, excluded(reason)]);
    return [reason, award.totalPoints];
  });
  assert.deepEqual(Object.fromEntries(earned), {
    NO_MATCH: 15,
    LOW_CONFIDENCE: 15,
    ALCOHOL: 30,
    TOBACCO: 30,
    INFANT_FORMULA: 30,
    SUPPLEMENT: 30,
    PET_FOOD: 30,
    NON_FOOD: 30,
    BAG: 30,
    DEPOSIT: 30,
    DISCOUNT: 30,
    REFUND: 30,
    VOID: 30,
    NOT_ELIGIBLE: 30,
  });
});

test("plain water is a rated item that earns nothing and does not lower the points", () => {
  const { body } = composeRecord("meal", HEAD, [LENTILS, { ...LENTILS, plainWater: true }]);
  assert.deepEqual(
    body.items.map((item) => item.healthPoints + item.carbonPoints),
    [30, 0],
  );
  assert.equal(recordTotals(body).greenProducts, 2);
});

const anyLine: fc.Arbitrary<ScoredLine> = fc.oneof(
  fc.constantFrom(...(Object.keys(EXCLUSION_REASONS) as ExclusionReason[])).map(excluded),
  fc
    .record({
      healthRating: fc.constantFrom(1, 2, 3, 4, 5),
      carbonRating: fc.constantFrom(1, 2, 3, 4, 5),
      co2eMg: fc.nat(1e9),
      confidence: fc.constantFrom(0.3, 0.5, 0.8),
      plainWater: fc.boolean(),
      quantity: fc.double({ min: 0, max: 9, noNaN: true }),
      soldByWeight: fc.boolean(),
      massMg: fc.option(fc.nat(2_000_000)),
    })
    .map((over) => ({ ...LENTILS, ...over })),
);
const anyLines = fc.array(anyLine, { maxLength: 10 });
const anySource = fc.constantFrom<Source>("receipt", "meal", "food");

test("the items of a record add up to its award, and every line is in it once", () => {
  fc.assert(
    fc.property(anySource, anyLines, (source, lines) => {
      const { body, award } = composeRecord(source, HEAD, lines);
      const totals = recordTotals(body);
      assert.equal(totals.points, award.totalPoints);
      assert.equal(totals.healthPoints, award.totalHealthPoints);
      assert.equal(totals.carbonPoints, award.totalCarbonPoints);
      assert.equal(body.items.length + body.excludedItems.length, lines.length);
    }),
  );
});

test("the inputs stored with a record give the same award again, also after conversion to JSON and back", () => {
  fc.assert(
    fc.property(anySource, anyLines, (source, lines) => {
      const composed = composeRecord(source, HEAD, lines);
      const stored = JSON.parse(JSON.stringify(composed)) as typeof composed;
      assert.deepEqual(award(source, stored.awardItems), stored.award);
    }),
  );
});
