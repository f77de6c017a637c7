import assert from "node:assert/strict";
import { test } from "node:test";
import { authenticate, isAmountPrinted } from "./authenticate.ts";
import type { Evidence } from "./authenticate.ts";
import { nameEvidence } from "./name.ts";
import type { ReceiptReading } from "../parsing/parse.ts";

const READING = {
  merchantName: "LARKMEADOW MARKET",
  date: "2026-10-24",
  time: "10:41:00",
  lines: [{ amountMinor: 1000 }, { amountMinor: 268 }],
  totalMinor: 1268,
  taxMinor: null,
  roundingMinor: null,
  paidMinor: null,
  cardLast4: "4242",
  accuracy: 0.95,
} as unknown as ReceiptReading;

const DECLARED = {
  merchantName: "Larkmeadow Market",
  amount: 12.68,
  transactionTimestamp: "2026-10-24T09:41:00.000Z",
  cardLastFour: "4242",
};

function evidence(
  changes: Partial<Omit<Evidence, "declared" | "reading">> & {
    declared?: Partial<Evidence["declared"]>;
    reading?: Partial<ReceiptReading>;
  } = {},
): Evidence {
  return {
    isSample: false,
    name: { isNamed: true, wordShare: 1 },
    isAmountPrinted: false,
    currency: "GBP",
    acceptedAt: new Date("2026-10-25T09:00:00Z"),
    traces: { editors: [], evenShare: 0.1, moirePeak: 1.4 },
    ...changes,
    declared: { ...DECLARED, ...changes.declared },
    reading: { ...READING, ...changes.reading },
  };
}

/** The outcome of one check, and whether the receipt is rejected. */
function verdict(name: string, changes: Parameters<typeof evidence>[0]): [string | undefined, boolean] {
  const { checks, failure } = authenticate(evidence(changes));
  return [checks.find((check) => check.name === name)?.outcome, failure !== null];
}

/** The verdict on a declared amount. */
function amountOf(amount: number, reading: Partial<ReceiptReading> = {}): [string | undefined, boolean] {
  return verdict("amount_as_declared", { declared: { amount }, reading });
}

/** The verdict on a declared time. */
function dayOf(transactionTimestamp: string): [string | undefined, boolean] {
  return verdict("time_as_declared", { declared: { transactionTimestamp } });
}

/** The verdict on a declared name, by the evidence for it in the text. */
function merchantOf(isNamed: boolean, wordShare: number | null): [string | undefined, boolean] {
  return verdict("merchant_as_declared", { name: { isNamed, wordShare } });
}

test("a receipt that agrees with the declared purchase passes every check", () => {
  const { checks, failure } = authenticate(evidence());
  assert.equal(failure, null);
  assert.deepEqual(
    checks.filter(({ outcome }) => outcome !== "passed"),
    [],
  );
});

test("each check has a name of its own, a score from 0 to 1 and a reason", () => {
  const { checks } = authenticate(evidence({ declared: { amount: 99 } }));
  assert.equal(new Set(checks.map(({ name }) => name)).size, checks.length);
  for (const { score, reason } of checks) assert.ok(score >= 0 && score <= 1 && reason.length > 10);
});

test("the amount may differ by rounding and a small tip, not by more", () => {
  for (const amount of [12.68, 12.7, 12.63, 12.8]) assert.deepEqual(amountOf(amount), ["passed", false]);
  for (const amount of [12.0, 126.8, 1.27]) assert.deepEqual(amountOf(amount), ["failed", true]);
  assert.deepEqual(amountOf(13.5, { paidMinor: 1350 }), ["passed", false]);
});

test("the card's last four digits contradict only what is declared and printed", () => {
  const cardOf = (cardLastFour: string | null, cardLast4: string | null) =>
    verdict("card_as_declared", { declared: { cardLastFour }, reading: { cardLast4 } });
  assert.deepEqual(cardOf("4242", "4242"), ["passed", false]);
  assert.deepEqual(cardOf("4243", "4242"), ["failed", true]);
  assert.deepEqual(cardOf("4243", null), ["not_checked", false]);
  assert.deepEqual(cardOf(null, "4242"), ["not_checked", false]);
});

test("an amount on the receipt is not rejected because of a total that the lines don't confirm", () => {
  const changes = { declared: { amount: 73.55 }, isAmountPrinted: true };
  assert.deepEqual(verdict("amount_as_declared", { ...changes, reading: { lines: [] } }), ["doubtful", false]);
  assert.deepEqual(verdict("amount_as_declared", changes), ["failed", true]);
  const rows = ["TOTAL EXCHANGED 35.14", "TOTAL PAYABLE RM 73.55"];
  assert.ok(isAmountPrinted(rows, 73.55, "MYR"));
  assert.equal(isAmountPrinted(rows, 7.35, "MYR"), false);
  // Figures are read as hundredths, which dong don't have.
  assert.ok(isAmountPrinted(["TONG CONG 45000,00"], 45_000, "VND"));
});

test("the day may differ by one, since the till's time zone is unknown", () => {
  for (const time of ["2026-10-23T00:00:00.000Z", "2026-10-25T23:59:59.999Z"]) {
    assert.deepEqual(dayOf(time), ["passed", false]);
  }
  for (const time of ["2026-10-22T23:59:59.999Z", "2026-10-26T00:00:00.000Z", "2025-10-24T09:41:00.000Z"]) {
    assert.deepEqual(dayOf(time), ["failed", true]);
  }
});

test("a date whose day and month may be swapped contradicts neither reading", () => {
  const changes = { reading: { date: "2026-04-03" }, declared: { transactionTimestamp: "2026-03-04T12:00:00.000Z" } };
  assert.deepEqual(verdict("time_as_declared", changes), ["passed", false]);
});

test("a value that was not declared, or is not on the receipt, contradicts nothing", () => {
  const nothing = { merchantName: null, amount: null, transactionTimestamp: null };
  assert.equal(authenticate(evidence({ declared: nothing })).failure, null);
  const shown = { merchantName: null, totalMinor: null, date: null };
  const name = { isNamed: false, wordShare: 0 };
  assert.equal(authenticate(evidence({ reading: shown, name })).failure, null);
});

test("the merchant is contradicted if none of the distinctive words of its name are on the receipt", () => {
  assert.deepEqual(merchantOf(true, 0), ["passed", false]);
  assert.deepEqual(merchantOf(false, 0.5), ["doubtful", false]);
  assert.deepEqual(merchantOf(false, null), ["doubtful", false]);
  assert.deepEqual(merchantOf(false, 0), ["failed", true]);
});

test("a name is searched in whole words, long ones also with a misread letter; common words don't count", () => {
  const rows = ["LARKMEAD0W MARKET LTD", "14 Harbour Lane"];
  assert.ok(nameEvidence(rows, "Larkmeadow Market", []).isNamed);
  assert.equal(nameEvidence(rows, "Larkmeadow and More", []).wordShare, 0.5);
  assert.equal(nameEvidence(rows, "Pennywell Market", []).wordShare, 0);
  assert.equal(nameEvidence(rows, "The Market Shop", []).wordShare, null);
  assert.deepEqual(nameEvidence(rows, null, []), { isNamed: false, wordShare: null });
});

test("lines that don't add up, a future date and poor legibility lower scores and reject nothing", () => {
  assert.deepEqual(verdict("lines_add_up", { reading: { lines: [] } }), ["doubtful", false]);
  const tomorrow = { reading: { date: "2026-10-28" }, declared: { transactionTimestamp: null } };
  assert.deepEqual(verdict("date_is_past", tomorrow), ["doubtful", false]);
  assert.deepEqual(verdict("readable", { reading: { accuracy: 0.3 } }), ["doubtful", false]);
});

test("tax on top and rounding are part of the sum", () => {
  assert.equal(verdict("lines_add_up", { reading: { totalMinor: 1369, taxMinor: 101, paidMinor: 1268 } })[0], "passed");
  assert.equal(verdict("lines_add_up", { reading: { totalMinor: 1270, roundingMinor: 2 } })[0], "passed");
});

test("the declared amount may include a tip up to a quarter, only in a restaurant", () => {
  const restaurant = { merchantKind: "restaurant" } as const;
  assert.deepEqual(amountOf(15.2, restaurant), ["passed", false]);
  assert.deepEqual(amountOf(15.9, restaurant), ["failed", true]);
  assert.deepEqual(amountOf(11.5, restaurant), ["failed", true]);
  assert.deepEqual(amountOf(15.2), ["failed", true]);
});

test("an editor's name and an even picture lower scores and reject nothing", () => {
  const traces = { editors: ["GIMP"], evenShare: 0.9 };
  assert.deepEqual(verdict("picture_unedited", { traces }), ["doubtful", false]);
  assert.deepEqual(verdict("picture_is_photo", { traces }), ["doubtful", false]);
  assert.deepEqual(verdict("picture_of_paper", { traces: { ...traces, moirePeak: 4 } }), ["doubtful", false]);
  assert.deepEqual(verdict("picture_of_paper", { traces: { ...traces, moirePeak: 1.5 } }), ["passed", false]);
  assert.deepEqual(verdict("picture_of_paper", { traces }), ["not_checked", false]);
  assert.deepEqual(verdict("picture_unedited", { traces: null }), ["not_checked", false]);
});

test("a sample is not compared with the declared purchase", () => {
  const changes = { isSample: true, declared: { amount: 999 }, name: { isNamed: false, wordShare: 0 } };
  assert.deepEqual(verdict("amount_as_declared", changes), ["not_checked", false]);
});
