import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { readCatalogue } from "../foods/catalogue/store.ts";
import { shippedMatcherOf } from "../foods/matching/learned/store.ts";
import type { ItemInput } from "../foods/lookup/item-rater.ts";
import { createRater, MASS_MG_MAX } from "../foods/rating/rate.ts";
import type { RateInput, RateResult } from "../foods/rating/rate.ts";
import { recordTotals } from "../points/record.ts";
import type { ReceiptLine, ReceiptReading } from "./parsing/parse.ts";
import type { NewReceipt } from "./receipt.ts";
import { enrich, withVoids } from "./enrichment.ts";
import type { Enriched } from "./enrichment.ts";
import { composeReceiptRecord } from "./receipt-record.ts";

function line(description: string, amountMinor: number, changes: Partial<ReceiptLine> = {}): ReceiptLine {
  return {
    kind: "item",
    description,
    cleanedName: description.toLowerCase(),
    quantity: 1,
    unit: "piece",
    unitPriceMinor: null,
    amountMinor,
    accuracy: 0.99,
    ...changes,
  };
}

function reading(lines: readonly ReceiptLine[], changes: Partial<ReceiptReading> = {}): ReceiptReading {
  return {
    isReceipt: true,
    receiptScore: 1,
    merchantName: "LARKMEADOW",
    businessName: "Larkmeadow",
    merchantKind: "grocery",
    merchantAddress: "14 Harbour Lane",
    country: "GB",
    currency: "GBP",
    date: "2026-10-24",
    time: "10:41:00",
    lines,
    subTotalMinor: null,
    discountsMinor: 0,
    taxMinor: null,
    roundingMinor: null,
    totalMinor: 740,
    paidMinor: null,
    changeMinor: null,
    cardLast4: null,
    accuracy: 0.99,
    fieldAccuracy: { merchantName: 0.99, date: 0.99, total: 0.99 },
    repairs: [],
    ...changes,
  };
}

const LOOKED_UP: RateInput[] = [];

/** Knows lentils, and recognises a bag. */
function rate(input: RateInput): RateResult {
  LOOKED_UP.push(input);
  const food = { id: "lentils", name: "Lentils" };
  if (/BAG/.test(input.name)) return { kind: "excluded", reason: "bag", massMg: null, food: null, confidence: 0.9 };
  if (!/LENTILS/.test(input.name)) {
    return { kind: "excluded", reason: "no_match", massMg: null, food: null, confidence: 0 };
  }
  const rated = { kind: "rated", food, confidence: 0.99, massMg: 500_000, healthRating: 1, carbonRating: 2 } as const;
  return { ...rated, co2eMg: 700_000, carbonDataSource: "test:1", isWater: false } as unknown as RateResult;
}

const RATER = { rate, catalogueVersion: "test" };

function enriched(lines: readonly ReceiptLine[], changes?: Partial<ReceiptReading>): Enriched {
  const result = enrich("r", reading(lines, changes), null, RATER);
  if (result.kind === "failed") assert.fail(result.errorMessage);
  return result.enriched;
}

test("a line sold by weight is rated by its weight, a counted one by its pieces and the pack in its name", () => {
  LOOKED_UP.length = 0;
  const { lines } = enriched([
    line("LENTILS LOOSE", 90, { quantity: 632, unit: "g" }),
    line("LENTILS 500G", 290, { quantity: 2 }),
  ]);
  assert.deepEqual(
    LOOKED_UP.map(({ weight, unit, quantity }) => [weight, unit, quantity]),
    [
      [632, "g", 1],
      [null, null, 2],
    ],
  );
  assert.deepEqual(
    lines.map(({ quantity, soldByWeight }) => [quantity, soldByWeight]),
    [
      [0.632, true],
      [2, false],
    ],
  );
});

test("a discount, a bag and an unknown line are shown, each with the reason why it earns nothing", () => {
  const { lines } = enriched([
    line("LENTILS", 145),
    line("MEMBER DISCOUNT", -75, { kind: "discount" }),
    line("DEPOSIT BACK", -25),
    line("BAG", 30),
    line("XQZ", 99),
  ]);
  assert.deepEqual(
    lines.map(({ exclusionReason }) => exclusionReason),
    [null, "DISCOUNT", "REFUND", "BAG", "NO_MATCH"],
  );
});

test("a void cancels its item, and neither earns points", () => {
  const { lines } = enriched([
    line("LENTILS", 145),
    line("RED LENTILS", 150),
    line("RED LENTILS", -150, { kind: "void" }),
  ]);
  assert.deepEqual(
    lines.map(({ exclusionReason }) => exclusionReason),
    [null, "VOID", "VOID"],
  );
});

test("one of two pieces can be voided", () => {
  const [item] = withVoids([line("LENTILS", 290, { quantity: 2 }), line("LENTILS", -145, { kind: "void" })]);
  assert.deepEqual([item!.quantity, item!.amountMinor, item!.isVoided], [1, 145, false]);
});

test("a nameless void cancels the nearest line above with its amount; one without such a line stays alone", () => {
  const nameless = { kind: "void", cleanedName: "" } as const;
  const net = withVoids([
    line("A", 100),
    line("B", 145),
    line("C", 145),
    line("", -145, nameless),
    line("", -7, nameless),
  ]);
  assert.deepEqual(
    net.map(({ isVoided }) => isVoided),
    [false, false, true, true, true],
  );
});

test("voids never leave more of an item than there was, nor less than nothing", () => {
  const lines = fc.array(
    fc.record({ name: fc.constantFrom("a", "b", ""), minor: fc.integer({ min: 1, max: 500 }), isVoid: fc.boolean() }),
  );
  fc.assert(
    fc.property(lines, (drawn) => {
      const receipt = drawn.map(({ name, minor, isVoid }) =>
        line(name, isVoid ? -minor : minor, { kind: isVoid ? "void" : "item", quantity: 3 }),
      );
      withVoids(receipt).forEach((net, i) => {
        if (net.kind === "void") return;
        assert.ok(net.amountMinor >= 0 && net.amountMinor <= receipt[i]!.amountMinor);
        assert.ok(net.quantity >= 0 && net.quantity <= 3);
      });
    }),
  );
});

test("the merchant is the one read, else the declared one if it is in the text, else not found", () => {
  const lines = [line("LENTILS", 145)];
  const nameless = { merchantName: null, businessName: null };
  assert.equal(enriched(lines).businessName, "Larkmeadow");
  const declared = enrich("r", reading(lines, nameless), "Corner Shop", RATER);
  assert.ok(declared.kind === "enriched");
  const { businessName, businessId } = declared.enriched;
  assert.deepEqual([businessName, businessId], ["Corner Shop", "corner-shop"]);
  const unknown = enrich("r", reading(lines, nameless), null, RATER);
  assert.ok(unknown.kind === "failed");
  assert.equal(unknown.errorCode, "MERCHANT_NAME_NOT_FOUND");
});

test("a receipt without a rated line has no valid food items", () => {
  const result = enrich("r", reading([line("BAG", 30), line("XQZ", 99)]), null, RATER);
  assert.ok(result.kind === "failed");
  assert.equal(result.errorCode, "NO_VALID_FOOD_ITEMS");
});

test("a currency that is not shown is assumed to be pounds, and marked as assumed", () => {
  const { currency, isCurrencyAssumed } = enriched([line("LENTILS", 145)], { currency: null });
  assert.deepEqual([currency, isCurrencyAssumed], ["GBP", true]);
});

const RECEIPT: NewReceipt = {
  id: "r",
  applicationId: "a",
  userId: "u",
  reference: "t-1",
  source: "api",
  declared: { merchantName: null, amount: null, transactionTimestamp: null },
  isSample: false,
  imageKey: "",
  imageSha256: Buffer.alloc(32),
  moreImages: [],
  traces: null,
  acceptedAt: new Date("2026-10-25T00:00:00Z"),
};

test("the record has the total read, the printed time if none was declared, and points by units", () => {
  const lines = [line("LENTILS", 290, { quantity: 2 }), line("BAG", 30)];
  const { body } = composeReceiptRecord(RECEIPT, reading(lines), enriched(lines));
  assert.deepEqual(
    [body.totalAmountMinor, body.timestamp, body.brand, body.location, body.partnerType],
    [740, "2026-10-24T10:41:00.000Z", "Larkmeadow", "14 Harbour Lane", 1],
  );
  // A for health, B for carbon: 5 + 4 a unit.
  assert.equal(recordTotals(body).points, 18);
});

test("without a total or a date the lines' sum and the time of acceptance are used", () => {
  const lines = [line("LENTILS", 290), line("OFF", -40, { kind: "discount" })];
  const { body } = composeReceiptRecord(RECEIPT, reading(lines, { totalMinor: null, date: null }), enriched(lines));
  assert.deepEqual([body.totalAmountMinor, body.timestamp], [250, "2026-10-25T00:00:00.000Z"]);
});

test("a line is looked up in the language of the shop's country", () => {
  const languageIn = (country: string | null) => {
    const asked: unknown[] = [];
    const asking = (input: ItemInput) => {
      asked.push(input.language);
      return rate(input);
    };
    enrich("r", reading([line("LENTILS", 290)], { country }), null, { rate: asking, catalogueVersion: "test" });
    return asked;
  };
  assert.deepEqual(languageIn("IT"), ["it"]);
  assert.deepEqual(languageIn("CH"), [null]);
  assert.deepEqual(languageIn(null), [null]);
});

test("a receipt's largest quantities are booked exactly, or not at all", () => {
  const catalogue = readCatalogue();
  const real = { rate: createRater(catalogue, shippedMatcherOf(catalogue)).rate, catalogueVersion: "test" };
  const quantity = fc.constantFrom(0.001, 1, 999_999, 1e9, Number.MAX_SAFE_INTEGER / 1_000);
  const unit = fc.constantFrom(...(["piece", "kg", "g", "l", "ml", "lb", "oz"] as const));
  const description = fc.constantFrom(
    "BEEF MINCE",
    "COFFEE BEANS 30KG",
    "WATER 12X2L",
    "MILK 2PT",
    "CARRIER BAG",
    "QWZX",
  );
  const rows = fc.array(fc.record({ description, quantity, unit }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(rows, (given) => {
      const lines = given.map(({ description, ...more }) => line(description, 1_000_000_000, more));
      const result = enrich("r", reading(lines), null, real);
      if (result.kind === "failed") return assert.equal(result.errorCode, "NO_VALID_FOOD_ITEMS");
      const record = composeReceiptRecord(RECEIPT, reading(lines), result.enriched);
      const { co2eMg, points } = recordTotals(record.body);
      assert.ok([co2eMg, points].every(Number.isSafeInteger), `${co2eMg} ${points}`);
      for (const { massMg } of result.enriched.lines) assert.ok(massMg === null || massMg <= MASS_MG_MAX);
    }),
    { seed: 20_261_122 },
  );
});

test("a grocer of the dictionary that was declared and is on the receipt decides the kind of shop that no word shows", () => {
  const lines = [line("LENTILS", 740)];
  const kindOf = (merchantKind: ReceiptReading["merchantKind"], name?: Parameters<typeof composeReceiptRecord>[3]) =>
    composeReceiptRecord(RECEIPT, reading(lines, { merchantKind }), enriched(lines), name).body.partnerType;
  const grocer = { isNamed: true, wordShare: 1, chainKind: "grocery" } as const;
  assert.deepEqual([kindOf("other"), kindOf("other", grocer), kindOf("restaurant", grocer)], [9, 1, 2]);
  assert.equal(kindOf("other", { ...grocer, isNamed: false }), 9);
});
