import assert from "node:assert/strict";
import { before, test } from "node:test";
import * as fc from "fast-check";
import { readCatalogue } from "../../foods/catalogue/store.ts";
import type { Catalogue } from "../../foods/catalogue/catalogue.ts";
import { createItemRaters } from "../../foods/lookup/item-rater.ts";
import type { ItemInput, ItemRater } from "../../foods/lookup/item-rater.ts";
import { matcherOf } from "../../foods/matching/match.ts";
import type { EvidenceMatch } from "../../foods/rating/evidence.ts";
import { PARTNER_TYPE } from "../codes.ts";
import { cutTo } from "../award.ts";
import { composeRecord, withAward } from "../record.ts";
import type { ComposedRecord } from "../record.ts";
import { scoredLine } from "../scored-line.ts";
import type { ScoredLine } from "../scored-line.ts";
import { packArray, unpackText } from "./packed-array.ts";
import { packInputs, unpackInputs } from "./packed-inputs.ts";

const SUBMISSION = "01a2049c-57e0-7567-9720-8c6507a42ff8";
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
/** Typed by a person: never in evidence that others share. */
const TYPED = "Grandma Rosalind's own";

let catalogue: Catalogue;
let rate: ItemRater["rate"];
before(() => {
  catalogue = readCatalogue();
  const matcher = matcherOf(catalogue);
  const resolve: Parameters<typeof createItemRaters>[0]["resolve"] = ({ name }) =>
    matcher
      .match(name.replace(TYPED, ""), { source: "food", limit: 1 })
      .map((found) => ({ ...found, by: "name" as const, product: null, reference: null, alias: null, words: [] }));
  rate = createItemRaters({ catalogue, matcher, resolve })({} as never, "application").rate;
});

const NAMES = [
  "Red lentils 500 g",
  "Beef mince",
  "Cheddar",
  "Spring water 1 l",
  "Cola",
  "Beer",
  "Olive oil",
  "qqxyz",
  "Tea",
];

const nutrient = fc.option(fc.double({ min: 0, max: 120, noNaN: true }), { nil: undefined });
const anItem = fc.record({
  name: fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom("", ` ${TYPED}`)).map((parts) => parts.join("")),
  weight: fc.constantFrom(null, 1, 150, 0.1),
  unit: fc.constantFrom(null, "g", "kg", "piece"),
  quantity: fc.constantFrom(1, 2, 0.75),
  isKnown: fc.boolean(),
  soldByWeight: fc.boolean(),
  nutrition: fc.option(fc.record({ energyKcal: nutrient, fatG: nutrient, sugarG: nutrient, saltG: nutrient })),
});
type AnItem = Omit<ItemInput, "foodId"> & { readonly isKnown: boolean; readonly soldByWeight: boolean };

function lineOf({ name, isKnown, soldByWeight, ...item }: AnItem, i: number): ScoredLine[] {
  const input = { ...item, foodId: isKnown ? "red-lentils" : null, name };
  const rating = rate(input, "food");
  if (rating.kind === "incomplete") return [];
  const facts = { id: i === 3 ? "a line of its own" : `${SUBMISSION}-${i + 1}`, externalId: input.foodId ?? "", name };
  const shown = { cleanedName: name, imageUrl: "", quantity: item.quantity, amountMinor: 100, soldByWeight };
  return [scoredLine({ ...facts, ...shown }, rating)];
}

function assertKept(record: ComposedRecord): void {
  const packed = packInputs(record, SUBMISSION);
  const { awardItems: items, award, bases, dayCut } = record;
  const own = JSON.stringify(packed.own);
  const inBytes = packArray(packed.own);
  if (inBytes) assert.equal(unpackText(inBytes), own);
  const kept = unpackInputs({ ...packed, own }, record.body, SUBMISSION);
  // As a database would return it: without members that are undefined.
  const expected: unknown = JSON.parse(JSON.stringify({ items, award, bases, dayCut }));
  assert.deepEqual(JSON.parse(JSON.stringify(kept)), expected);
  for (const text of packed.shared) assert.ok(!text.includes("Rosalind"), text);
}

test("what explains an award comes back as it was, whatever was sent, and nothing that a person typed is shared", () => {
  fc.assert(
    fc.property(fc.array(anItem, { maxLength: 8 }), fc.constantFrom("meal", "food", "receipt"), (items, source) => {
      const record = composeRecord(source, HEAD, items.flatMap(lineOf));
      assertKept(record);
      const dayCut = { limit: "points_a_day", max: 3, day: "2026-10-24", used: 2, uncutPoints: 9 } as const;
      assertKept({ ...withAward(record, cutTo(1, record.award)), dayCut });
    }),
    { numRuns: 300 },
  );
});

test("nutrition that was sent stays with the record; without it, two purchases of a food share all of its figures", () => {
  const item = { name: "Cheddar", weight: 150, unit: "g", quantity: 1, isKnown: false, soldByWeight: false };
  const sharedOf = (one: AnItem) => packInputs(composeRecord("food", HEAD, lineOf(one, 0)), SUBMISSION).shared;
  const sent = sharedOf({ ...item, nutrition: { energyKcal: 77.125, fatG: 3, sugarG: 4, saltG: 1 } });
  assert.ok(!sent[0]!.includes("51.41"), "scaled to 100 g");
  assert.deepEqual(
    sharedOf({ ...item, nutrition: null }),
    sharedOf({ ...item, weight: 20, quantity: 3, nutrition: null }),
  );
});

test("of a product, an alias and custom words nothing is shared but the figures of the food", () => {
  const [line] = lineOf(
    { name: "Cheddar", weight: 1, unit: "kg", quantity: 1, isKnown: false, soldByWeight: false, nutrition: null },
    0,
  );
  const match: EvidenceMatch = {
    ...line!.basis!.match!,
    by: "alias",
    product: { source: "own", code: "c-1", name: `${TYPED} cheese`, revision: 3 },
    reference: { id: "cheddar", name: "Cheddar", by: "name" },
    food: { id: "c-1", name: `${TYPED} cheese` },
    alias: { id: "a", name: TYPED, merchantName: null, author: "api", createdAt: "2026-10-24T10:41:00.000Z" },
    words: [{ id: "w", word: TYPED, means: "cheese", author: "api", createdAt: "2026-10-24T10:41:00.000Z" }],
  };
  assertKept(composeRecord("receipt", HEAD, [{ ...line!, basis: { ...line!.basis!, match } }]));
  const { words: _words, ...beforeWords } = match;
  assertKept(composeRecord("receipt", HEAD, [{ ...line!, basis: { ...line!.basis!, match: beforeWords } }]));
});

test("a record whose items are all the same food refers to its evidence once", () => {
  const one = {
    name: "Cheddar",
    weight: 150,
    unit: "g",
    quantity: 1,
    isKnown: false,
    soldByWeight: false,
    nutrition: null,
  };
  const record = composeRecord(
    "receipt",
    HEAD,
    [0, 1, 2].flatMap((i) => lineOf(one, i)),
  );
  assert.equal(packInputs(record, SUBMISSION).shared.length, 1);
});
