import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { PARTNER_TYPE } from "./codes.ts";
import { packBody, unpackBody } from "./packed-body.ts";
import { EXCLUSION_REASONS } from "./scored-line.ts";
import type { ExclusionReason } from "./scored-line.ts";
import type { ExcludedRecordItem, RecordBody, RecordItem } from "./record.ts";

const SUBMISSION = "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d70";
const MG_MAX = 1e13;

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }).filter((each) => each.isWellFormed()),
  fc.constantFrom("", "Apple", "GBP", "VOID", "https://example.org/a.jpg", SUBMISSION, `${SUBMISSION}-1`),
);
const points = fc.integer({ min: 0, max: 100_000 });
const rating = fc.integer({ min: 1, max: 5 }) as fc.Arbitrary<1 | 2 | 3 | 4 | 5>;
const facts = {
  id: fc.oneof(
    fc.integer({ min: 1, max: 500 }).map((n) => `${SUBMISSION}-${n}`),
    text,
  ),
  externalId: text,
  name: text,
  cleanedName: text,
  imageUrl: text,
  quantity: fc.oneof(
    fc.integer({ min: 1, max: 10_000 }),
    fc.integer({ min: 1, max: 9_999_999 }).map((n) => n / 1_000),
    fc.double({ min: 1e-3, max: 1e4, noNaN: true }),
  ),
  amountMinor: fc.maxSafeInteger(),
  matchedName: text,
};
const item: fc.Arbitrary<RecordItem> = fc.record({
  ...facts,
  healthRating: rating,
  carbonRating: rating,
  co2eMg: fc.integer({ min: 0, max: MG_MAX }),
  carbonDataSource: text,
  healthPoints: points,
  carbonPoints: points,
  bonusPoints: points,
});
const excludedItem: fc.Arbitrary<ExcludedRecordItem> = fc.record({
  ...facts,
  exclusionReason: fc.constantFrom(...(Object.keys(EXCLUSION_REASONS) as ExclusionReason[])),
});
const head = {
  reference: text,
  brand: text,
  logo: text,
  location: text,
  partnerType: fc.constantFrom(...Object.values(PARTNER_TYPE)),
  timestamp: fc.oneof(
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    text,
  ),
  currency: fc.oneof(fc.constantFrom("GBP", "EUR", "JPY", "XXX"), text),
  totalAmountMinor: fc.maxSafeInteger(),
};
/** The bodies of foods, of meals with ingredients, and of receipts. */
const bodies: Readonly<Record<string, fc.Arbitrary<RecordBody>>> = {
  food: fc.record({ ...head, items: fc.array(item, { minLength: 1, maxLength: 1 }), excludedItems: fc.constant([]) }),
  meal: fc.record({ ...head, items: fc.array(item, { maxLength: 12 }), excludedItems: fc.array(excludedItem) }),
  receipt: fc.record({
    ...head,
    items: fc.array(item, { maxLength: 40 }),
    excludedItems: fc.array(excludedItem, { maxLength: 40 }),
  }),
};

for (const [kind, body] of Object.entries(bodies)) {
  test(`the body of a ${kind} is the same after it was stored`, () => {
    fc.assert(
      fc.property(body, (given) => {
        const packed = packBody(given, SUBMISSION);
        assert.ok(packed, "it is not packed");
        assert.equal(JSON.stringify(unpackBody(packed, SUBMISSION)), JSON.stringify(given));
      }),
    );
  });
}

const ITEM: RecordItem = {
  id: `${SUBMISSION}-1`,
  externalId: "food-4",
  name: "Banana",
  cleanedName: "banana",
  imageUrl: "https://images.example.org/food.jpg",
  quantity: 1,
  amountMinor: 145,
  matchedName: "Banana",
  healthRating: 1,
  carbonRating: 1,
  co2eMg: 129_000,
  carbonDataSource: "agribalyse:13005",
  healthPoints: 4,
  carbonPoints: 4,
  bonusPoints: 0,
};
const BODY: RecordBody = {
  reference: "till 7",
  brand: "Larkmeadow Market",
  logo: "",
  location: "",
  partnerType: PARTNER_TYPE.grocery,
  timestamp: "2026-11-22T22:05:29.489Z",
  currency: "GBP",
  totalAmountMinor: 145,
  items: [ITEM],
  excludedItems: [],
};

test("a body with an unknown member, or of another order, has no packed form", () => {
  const { reference, ...rest } = BODY;
  for (const unknown of [
    { ...BODY, note: "unknown" },
    { ...BODY, reason: "Gift" },
    { ...rest, reference },
    { ...BODY, items: [{ ...ITEM, note: "unknown" }] },
    { ...BODY, items: [{ ...ITEM, name: undefined }] },
  ] as unknown[])
    assert.equal(packBody(unknown as RecordBody, SUBMISSION), null);
  assert.equal(packBody({ ...BODY, brand: "\ud800" }, SUBMISSION), null, "PostgreSQL refuses it as JSON");
  assert.equal(packBody({ ...BODY, brand: "x".repeat(80_000) }, SUBMISSION), null, "PostgreSQL compresses it");
});

test("each byte that was changed is seen", () => {
  for (const body of [
    BODY,
    { ...BODY, items: Array.from({ length: 40 }, (_, i) => ({ ...ITEM, name: `Item ${i}` })) },
  ]) {
    const packed = packBody(body, SUBMISSION)!;
    for (const place of packed.keys()) {
      const changed = Buffer.from(packed);
      changed[place]! ^= 1 << (place % 8);
      assert.throws(() => unpackBody(changed, SUBMISSION), `byte ${place}`);
    }
    for (const length of [0, 3, 4, packed.length - 1]) {
      assert.throws(() => unpackBody(packed.subarray(0, length), SUBMISSION), `${length} bytes`);
    }
  }
});

test("what was stored by this form is read for good", () => {
  assert.deepEqual(
    unpackBody(
      Buffer.from(
        "AQAQBQZ0aWxsIDcFEUxhcmttZWFkb3cgTWFya2V0QEAxBgGiBUr6EUEIkQEOARENAQUGZm9vZC00BQZCYW5hbmEFBmJhbmFuYQUjaHR0cHM6Ly9pbWFnZXMuZXhhbXBsZS5vcmcvZm9vZC5qcGcxCJEBhDExCOjvBwUQYWdyaWJhbHlzZToxMzAwNTQ0MA4AvkQqEg==",
        "base64",
      ),
      SUBMISSION,
    ),
    BODY,
  );
});
