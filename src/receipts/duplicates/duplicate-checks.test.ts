import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReceiptReading } from "../parsing/parse.ts";
import { closestMatch, haveSameNames, purchaseFingerprint, sharedFingerprint } from "./duplicate-checks.ts";

const READING = {
  merchantName: "LARKMEADOW MARKET",
  date: "2026-10-24",
  time: "10:41:00",
  lines: [{ amountMinor: 1000 }, { amountMinor: 268 }],
  totalMinor: 1268,
} as unknown as ReceiptReading;
const DECLARED = {
  merchantName: "Larkmeadow Market",
  amount: 12.68,
  transactionTimestamp: "2026-10-24T09:41:00.000Z",
};

/** The fingerprint of a purchase in hex; undefined: it has none. */
function printOf(
  changes: Partial<ReceiptReading>,
  { name = "Larkmeadow", declared = DECLARED } = {},
): string | undefined {
  return purchaseFingerprint(name, { ...READING, ...changes }, declared)?.toString("hex");
}

test("a copy ranks above another photo, another user's photo above the user's own", () => {
  const copy = { kind: "same_picture", score: 0.7, isOwn: true } as const;
  const strangers = { kind: "same_print", score: 0.8, isOwn: false } as const;
  const own = { kind: "same_print", score: 0.9, isOwn: true } as const;
  const other = { kind: "different", score: 0.99, isOwn: true } as const;
  assert.equal(closestMatch([other, own, strangers, copy]), copy);
  assert.equal(closestMatch([other, own, strangers]), strangers);
  assert.equal(closestMatch([other, own]), own);
  assert.equal(closestMatch([]), null);
});

test("merchant, minute and total identify a purchase, however its lines were read", () => {
  const own = printOf({});
  assert.equal(printOf({ lines: [], time: "10:41:59" }), own);
  assert.equal(printOf({}, { name: "LARKMEADOW" }), own);
  for (const changes of [{ time: "10:42:00" }, { totalMinor: 1269 }, { date: "2026-10-25" }]) {
    assert.notEqual(printOf(changes), own);
  }
});

test("without the time of day the lines distinguish purchases, without a date the declared date", () => {
  assert.notEqual(printOf({ time: null }), printOf({ time: null, lines: [] }));
  const nextWeek = { ...DECLARED, transactionTimestamp: "2026-10-31T09:41:00.000Z" };
  assert.notEqual(printOf({ date: null }), printOf({ date: null }, { declared: nextWeek }));
  assert.equal(printOf({ totalMinor: null }), undefined);
});

test("an application knows a purchase by merchant, minute, total and all amounts, under its own key", () => {
  const sharedOf = (changes: Partial<ReceiptReading>, { key = "key", application = "one" } = {}) =>
    sharedFingerprint(Buffer.from(key), application, "Larkmeadow", { ...READING, ...changes })?.toString("hex");
  const own = sharedOf({});
  assert.equal(sharedOf({ time: "10:41:59", lines: READING.lines.toReversed() }), own);
  for (const changes of [
    { time: "10:42:00" },
    { totalMinor: 1269 },
    { date: "2026-10-25" },
    { lines: READING.lines.slice(1) },
  ])
    assert.notEqual(sharedOf(changes), own);
  assert.notEqual(sharedOf({}, { key: "other" }), own);
  assert.notEqual(sharedOf({}, { application: "two" }), own);
  for (const changes of [{ time: null }, { date: null }, { totalMinor: null }, { lines: [] }])
    assert.equal(sharedOf(changes), undefined);
});

test("lines have the same names although some letters were misread; other goods have others", () => {
  const lines = (...names: string[]) => names.map((description, i) => ({ description, amountMinor: 100 * (i + 1) }));
  const own = lines("RED LENTILS 500G", "WHOLEMEAL BREAD", "BEEF MINCE");
  assert.ok(haveSameNames(own, lines("RED LENTILS 50OG", "WHOLEMEL BREAO", "BEEE MINCE")));
  assert.ok(haveSameNames(own, lines("RED LENTILS 500G", "XXXXX", "BEEF MINCE")));
  assert.ok(!haveSameNames(own, lines("CUCUMBER", "ORANGE JUICE", "BEEF MINCE")));
  assert.ok(!haveSameNames(own, lines("BEEF MINCE", "RED LENTILS 500G", "WHOLEMEAL BREAD")));
});
