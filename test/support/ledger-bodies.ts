// The bodies of points, rewards, vouchers and of the review of receipts, valid and almost valid.
import type { Caller } from "./fuzz-caller.ts";
import {
  absent,
  clearable,
  currency,
  flag,
  instant,
  integer,
  list,
  number,
  object,
  oneOf,
  required,
  text,
  valueOf,
  word,
} from "./near-misses.ts";
import type { Member, Members } from "./near-misses.ts";

const DAY_MS = 86_400_000;
const daysAhead = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

const reason = required(word("Because"));
const reference = required(word("once"));
const price = integer(5, 0, 1e9);
const tier = integer(0, 0, 4);

/** An address that a page shows. */
const shownAddress = {
  value: "https://example.org/a.jpg",
  wrong: [
    ...text("x", 2048).wrong,
    "x",
    "/a.jpg",
    "//example.org/a.jpg",
    "http://example.org/a.jpg",
    "javascript:alert(1)",
    "data:image/png;base64,AA",
    "file:///etc/passwd",
  ],
};

/** A list of texts; `wrong` are further entries that it refuses. */
const texts = (value: string, max: number, length: number, wrong: readonly unknown[] = []): Member => ({
  value: [value],
  wrong: [
    null,
    {},
    "x",
    1,
    true,
    { 0: value },
    Array(max + 1).fill(value),
    ...[...wrong, null, 1, true, [], {}, [value], "\0", "\ud800", "x".repeat(length + 1)].map((entry) => [entry]),
    [value, 1],
  ],
});

const details = {
  brand: text("Tea & Co"),
  category: text("Drinks"),
  description: text("A cup", 1000),
  imageUrl: shownAddress,
  logoUrl: shownAddress,
  value: number(2.5, 0, 1e9),
  currency,
  offer: text("One cup"),
  terms: texts("One a day", 20, 255),
  location: text("Leeds"),
  tier,
};

const limits = {
  validFrom: clearable(instant(daysAhead(-1))),
  validTill: clearable(instant(daysAhead(30))),
  stock: clearable(integer(10, 0, 1e9)),
};

const ownReward = {
  name: required(word("Tea")),
  ...details,
  validTill: instant(daysAhead(30)),
  codes: oneOf("none", ["", "None", "pool", "own"]),
  code: text("MINE-1"),
};

const newLine = {
  id: absent(text("x")),
  remove: absent({ value: true, wrong: [...flag(true).wrong, true] }),
  notFood: absent(flag(true)),
  name: required(word("Bananas")),
  foodId: word("bananas"),
  quantity: required(number(0.6, 0, 1e5)),
  unit: oneOf("kg", ["", "KG", "g", "pieces"]),
  totalPrice: required(number(0.63, -1e6, 1e6)),
};

const noCodes = ["", " ", "A 1", "-A1", ".A1", "A/1", "A%31", "é", "Ａ1", "../A", "A\n"];

/** What a correction can say. */
const CORRECTED = {
  merchantName: word("Larkmeadow Market"),
  transactionTimestamp: instant("2026-01-31T12:00:00Z"),
  totalAmount: number(7.4, 0, 1e6),
  items: list(object(newLine), 500),
};

/** The bodies by their operations, as in the test. */
export const LEDGER_BODIES: Readonly<Record<string, (caller: Caller) => Members>> = {
  "POST /users/{id}/adjustments": () => {
    const points = integer(5, -1e9, 1e9);
    return {
      points: required({ ...points, wrong: [...points.wrong, 0] }),
      reason,
      reference,
      countsAsEarned: flag(true),
    };
  },
  "POST /users/{id}/bonuses": ({ ids }) => ({
    points: required(integer(5, 1, 1e9)),
    type: required(integer(5, 1, 5)),
    reason,
    reference,
    profile: object({ profileId: required(text(ids["/users/{id}"]!)) }),
  }),
  "POST /users/{id}/transactions/{transactionId}/reversal": () => ({
    reason,
    // The record is an adjustment, which has no items: whatever is named is unknown.
    items: absent({ value: [], wrong: [[], ...texts("nothing", 1_000, 255, ["", "nothing", "__proto__"]).wrong] }),
  }),
  "POST /users/{id}/test-clock": () => ({ advanceDays: required(integer(1, 0, 3_660)) }),
  "POST /users/{id}/test-clock to a time": () => {
    const now = instant(daysAhead(60));
    const others = ["2020-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", daysAhead(3_700)];
    return { now: required({ ...now, wrong: [...now.wrong, ...others] }) };
  },
  "POST /rewards": () => ({
    name: required(word("Tea")),
    points: required(price),
    ...details,
    ...limits,
    codes: oneOf("made", ["", "Made", "own", "pool "]),
  }),
  "PATCH /rewards/{id}": () => ({ name: word("Tea"), points: price, ...details, ...limits }),
  "POST /rewards/{id}/codes": () => {
    const codes = texts("TEA-3", 1_000, 64, noCodes);
    return { codes: required({ ...codes, wrong: [...codes.wrong, []] }) };
  },
  "POST /users/{id}/redemptions": ({ ids }) => ({
    rewardId: required(text(ids["/rewards/{id}"]!, 64)),
    reference,
    tier,
    reserve: flag(true),
    holdSeconds: integer(60, 1, 3_600),
  }),
  "POST /users/{id}/redemptions of an own reward": () => ({
    points: required(price),
    reward: required(object(ownReward)),
    reference: required(word("another")),
  }),
  "POST /vouchers/{code}/use": () => ({ till: text("Till 7"), reference: text("sale-1") }),
  "POST /users/{id}/redemptions/{transactionId}/refund": () => ({ reason }),
  "POST /track/receipts/{id}/corrections": () => ({ reason, ...CORRECTED }),
  "POST /track/receipts/{id}/corrections/preview": () => CORRECTED,
  "POST /track/receipts/{id}/decision": () => ({
    decision: required(oneOf("accept", ["", "Accept", "accept ", "hold", "toString"])),
    reason,
  }),
  "POST /track/disputes/{id}/reject": () => ({ reason }),
};

/** Bodies whose members are each valid by themselves. */
export function wrongTogether(caller: Caller): readonly (readonly [operation: string, body: object])[] {
  const right = (operation: string) => valueOf(LEDGER_BODIES[operation]!(caller));
  const reward = right("POST /rewards");
  const redemption = right("POST /users/{id}/redemptions");
  const own = right("POST /users/{id}/redemptions of an own reward");
  const { currency: _, ...withoutCurrency } = reward;
  const correct = (more: object) => ["POST /track/receipts/{id}/corrections", { reason: "Misread", ...more }] as const;
  const redeem = (body: object) => ["POST /users/{id}/redemptions", body] as const;
  return [
    ["POST /users/{id}/test-clock", {}],
    ["POST /users/{id}/test-clock", { advanceDays: 1, now: daysAhead(60) }],
    ["POST /rewards", { ...reward, validTill: reward["validFrom"] }],
    ["POST /rewards", withoutCurrency],
    ["PATCH /rewards/{id}", { validFrom: daysAhead(2), validTill: daysAhead(1) }],
    ["PATCH /rewards/{id}", { value: 2 }],
    redeem({ reference: "x" }),
    redeem({ ...redemption, reward: own["reward"] }),
    redeem({ ...redemption, points: 5 }),
    redeem({ ...redemption, reserve: false }),
    redeem({ reference: "x", reward: own["reward"] }),
    redeem({ ...own, holdSeconds: 60 }),
    redeem({ ...own, reward: { name: "Tea", code: "MINE", codes: "made" } }),
    redeem({ ...own, reward: { name: "Tea", value: 2 } }),
    correct({}),
    correct({ items: [] }),
    correct({ items: [{ id: "1" }] }),
    correct({ items: [{ name: "Bananas", quantity: 1 }] }),
    correct({ items: [{ id: "1", remove: true, name: "Bananas" }] }),
    correct({ items: [{ id: "1", notFood: true, foodId: "bananas" }] }),
    correct({ items: ["1", "1"].map((id) => ({ id, name: "Bananas" })) }),
  ];
}
