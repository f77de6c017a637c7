import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { OPERATION, PARTNER_TYPE, RECORD_STATUS } from "./codes.ts";
import { recordTotals } from "./record.ts";
import type { RecordBody, RecordItem } from "./record.ts";
import { NO_BONUS, NO_REWARD, presentRecord } from "./transaction.ts";
import type { RecordRow } from "./transaction.ts";

const ITEM: RecordItem = {
  id: "0198a000-0000-7000-8000-000000000002",
  externalId: "",
  name: "BIO LINSEN 500G",
  cleanedName: "bio linsen",
  imageUrl: "",
  quantity: 2,
  amountMinor: 398,
  matchedName: "Lentils, dried",
  healthRating: 1,
  carbonRating: 2,
  co2eMg: 1_250_000,
  carbonDataSource: "agribalyse:20587",
  healthPoints: 10,
  carbonPoints: 8,
  bonusPoints: 0,
};

const BODY: RecordBody = {
  reference: "till-4711",
  brand: "Dorfmarkt",
  logo: "https://example.com/logo.png",
  location: "Hauptstraße 1",
  partnerType: PARTNER_TYPE.grocery,
  timestamp: "2026-03-01T09:30:00.000Z",
  currency: "EUR",
  totalAmountMinor: 1097,
  items: [ITEM],
  excludedItems: [
    {
      id: "0198a000-0000-7000-8000-000000000003",
      externalId: "",
      name: "PILS 0,5L",
      cleanedName: "pils",
      imageUrl: "",
      quantity: 1,
      amountMinor: 699,
      matchedName: "Beer",
      exclusionReason: "ALCOHOL",
    },
  ],
};

const ROW: RecordRow = {
  id: "0198a000-0000-7000-8000-000000000001",
  applicationId: "0198a000-0000-7000-8000-00000000000a",
  userId: "0198a000-0000-7000-8000-00000000000b",
  sequence: 1,
  source: "receipt",
  submissionId: "0198a000-0000-7000-8000-00000000000c",
  relatedId: null,
  isLifetime: true,
  operation: OPERATION.earn,
  status: RECORD_STATUS.completed,
  ...recordTotals(BODY),
  otherPoints: 0,
  createdAt: new Date(Date.UTC(2026, 2, 1, 10)),
  updatedAt: new Date(Date.UTC(2026, 2, 1, 10, 0, 0, 5)),
  body: BODY,
};

test("a stored receipt is shown as the Transaction record, every member present", () => {
  assert.deepEqual(presentRecord(ROW), {
    id: ROW.id,
    userID: ROW.userId,
    totalPoints: 18,
    operation: 1,
    transaction: {
      brand: "Dorfmarkt",
      createdAt: "2026-03-01T10:00:00.000Z",
      excludedItems: [
        {
          externalId: "",
          name: "PILS 0,5L",
          cleanedName: "pils",
          qty: 1,
          pricePerUnit: 6.99,
          partnerType: 1,
          bonusPoints: 0,
          healthPoints: 0,
          id: "0198a000-0000-7000-8000-000000000003",
          imageURL: "",
          totalServicePoints: 0,
          totalCO2e: 0,
          carbonImpactRating: null,
          healthImpactRating: null,
          carbonDataSource: "",
          matchedIngredientName: "Beer",
          exclusionReason: "ALCOHOL",
        },
      ],
      items: [
        {
          externalId: "",
          name: "BIO LINSEN 500G",
          cleanedName: "bio linsen",
          qty: 2,
          pricePerUnit: 1.99,
          partnerType: 1,
          bonusPoints: 0,
          healthPoints: 10,
          id: "0198a000-0000-7000-8000-000000000002",
          imageURL: "",
          totalServicePoints: 18,
          totalCO2e: 1.25,
          carbonImpactRating: 2,
          healthImpactRating: 1,
          carbonDataSource: "agribalyse:20587",
          matchedIngredientName: "Lentils, dried",
        },
      ],
      externalTransactionID: "till-4711",
      location: "Hauptstraße 1",
      logo: "https://example.com/logo.png",
      partnerType: 1,
      transactionSource: 1,
      transactionID: ROW.id,
      timestamp: "2026-03-01T09:30:00.000Z",
      totalAmount: 10.97,
      totalBonusPoints: 0,
      totalCO2e: 1.25,
      totalGreenProducts: 1,
      totalHealthPoints: 10,
      totalPoints: 18,
      updatedAt: "2026-03-01T10:00:00.005Z",
      userID: ROW.userId,
    },
    reward: NO_REWARD,
    bonus: NO_BONUS,
    status: 2,
    createdAt: "2026-03-01T10:00:00.000Z",
    updatedAt: "2026-03-01T10:00:00.005Z",
  });
});

test("each source has its code", () => {
  const codes = (["receipt", "meal", "food"] as const).map(
    (source) => presentRecord({ ...ROW, source }).transaction.transactionSource,
  );
  assert.deepEqual(codes, [1, 2, 3]);
});

test("an empty reward is a full object, where only validTill is null", () => {
  const nulls = Object.entries(NO_REWARD).filter(([, value]) => value === null);
  assert.deepEqual(nulls, [["validTill", null]]);
});

test("amounts are shown in the decimals of their currency", () => {
  const [yen, dinar] = ["JPY", "KWD"].map(
    (currency) => presentRecord({ ...ROW, body: { ...BODY, currency } }).transaction,
  );
  assert.equal(yen?.totalAmount, 1097);
  assert.equal(yen?.items[0]?.pricePerUnit, 199);
  assert.equal(dinar?.totalAmount, 1.097);
});

test("a record's points and CO2e are the exact sums over its items", () => {
  const anyItem = fc
    .record({ healthPoints: fc.nat(50), carbonPoints: fc.nat(50), bonusPoints: fc.nat(50), co2eMg: fc.nat(1e9) })
    .map((over) => ({ ...ITEM, ...over }));
  fc.assert(
    fc.property(fc.array(anyItem, { maxLength: 20 }), (items) => {
      const { transaction, totalPoints } = presentRecord({
        ...ROW,
        ...recordTotals({ items }),
        body: { ...BODY, items },
      });
      assert.equal(
        transaction.items.reduce((sum, item) => sum + item.totalServicePoints, 0),
        totalPoints,
      );
      assert.equal(transaction.totalPoints, totalPoints);
      assert.equal(
        Math.round(transaction.totalCO2e * 1e6),
        items.reduce((sum, item) => sum + item.co2eMg, 0),
      );
    }),
  );
});

test("nothing in a record is undefined, and it reads the same after JSON", () => {
  const record = presentRecord(ROW);
  assert.deepEqual(JSON.parse(JSON.stringify(record)), record);
});
