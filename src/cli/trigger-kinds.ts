import { setTimeout as sleep } from "node:timers/promises";
import type { Meal, Rewards } from "rewards-service-sdk";
import { SAMPLE_OUTCOMES, SAMPLE_MOMENT } from "../receipts/samples/outcomes.ts";
import { DAY_MS } from "../time.ts";
import type { EventType } from "../webhooks/event.ts";
import { Refusal } from "./command.ts";

/** A submission that causes an event for a user of a sandbox, and the last event of it. */
export interface Trigger {
  readonly about: string;
  readonly lastEvent: EventType;
  /** Returns the session whose events to print, if they belong to no user. */
  send(rewards: Rewards, input: TriggerInput): Promise<string | void>;
}

/** The user it is for, its reference, and the time now. */
export interface TriggerInput {
  readonly userId: string;
  /** The same user, as an enrolment names it. */
  readonly person: { readonly email: string; readonly firstName: string; readonly lastName: string };
  /** Lets a session expire at once, in the database. */
  readonly expireSession: (sessionId: string) => Promise<void>;
  /** Has a receipt as the one that was uploaded in the session of a page's address, in the database. */
  readonly completeReceiptSession: (redirectUrl: string, receiptId: string) => Promise<void>;
  /** Lets the points of the application expire, in the database, unless they do already. */
  readonly turnExpiryOn: () => Promise<void>;
  /** Lets the application have tiers, unless it has some. Returns the points of the first that nobody begins with. */
  readonly startTiers: () => Promise<number>;
  readonly reference: string;
  readonly now: Date;
  readonly mealWindowDays: number;
}

const IMAGE_URL = "https://example.org/picture.jpg";
/** Half a second each: a reading takes a few. */
const LIST_ATTEMPTS = 120;
const MERCHANT = "Larkmeadow Market";

const meal = ({ userId, reference, now }: TriggerInput): Meal => ({
  userId,
  transactionId: reference,
  mealName: "Porridge with banana",
  imageUrl: IMAGE_URL,
  loggedAt: now.toISOString(),
  mealType: "breakfast",
  ingredients: [
    { foodId: "1", name: "Porridge oats", weight: 50, unit: "g", amount: 0.2, currency: "GBP" },
    { foodId: "2", name: "Banana", amount: 0.25, currency: "GBP" },
  ],
});

const creditedMeal: Trigger = {
  about: "a meal that is credited",
  lastEvent: "rewards.awarded",
  send: async (rewards, input) => {
    await rewards.trackMeal(meal(input));
  },
};

const creditedFood: Trigger = {
  about: "a food that is credited",
  lastEvent: "rewards.awarded",
  send: async (rewards, { userId, reference }) => {
    await rewards.trackFood({
      userId,
      transactionId: reference,
      foodId: "1",
      name: "Greek yogurt",
      imageUrl: IMAGE_URL,
      merchant: { name: MERCHANT },
      weight: 150,
      unit: "g",
      nutrition: { energyKcal: 146, proteinG: 13.5, carbsG: 6, fatG: 7.5, sugarG: 6, fiberG: 0, saltG: 0.15 },
    });
  },
};

/** Creates a trigger of a meal that fails; `change` returns the members that are wrong. */
const failing = (about: string, change: (input: TriggerInput) => Partial<Meal>): Trigger => ({
  about,
  lastEvent: "intake.failed",
  send: async (rewards, input) => {
    await rewards.trackMeal({ ...meal(input), ...change(input) });
  },
});

const oldMeal = failing("a meal that is too old: OLD_MEAL_LOG", ({ now, mealWindowDays }) => ({
  loggedAt: new Date(now.getTime() - (mealWindowDays + 1) * DAY_MS).toISOString(),
}));

const duplicateMeal: Trigger = {
  about: "a meal with a reference that exists already: DUPLICATE_MEAL",
  lastEvent: "intake.failed",
  send: async (rewards, input) => {
    await creditedMeal.send(rewards, input);
    await creditedMeal.send(rewards, input);
  },
};

const LAST_EVENTS: Readonly<Record<string, EventType>> = {
  completed: "rewards.awarded",
  completed_de: "rewards.awarded",
  held: "receipt_held",
};

/** Creates a trigger of a sample receipt; each is named after its outcome. */
const receipt = (sample: string): Trigger => ({
  about: `the sample receipt ${sample}`,
  lastEvent: LAST_EVENTS[sample] ?? "receipt_failed",
  send: async (rewards, { userId, reference }) => {
    await rewards.uploadReceipt({
      userId,
      transactionId: reference,
      merchantName: MERCHANT,
      amount: 22.68,
      transactionTimestamp: `${SAMPLE_MOMENT.date}T${SAMPLE_MOMENT.time}:00Z`,
      testBlobUri: `sample:${sample}`,
    });
  },
});

const correction: Trigger = {
  about: "a receipt without a known shop that is corrected and then credited",
  lastEvent: "receipt_corrected",
  send: async (rewards, input) => {
    await receipt("merchant_name_not_found").send(rewards, input);
    const failed = await untilListed(rewards, { transactionId: input.reference, status: "Failed" });
    await rewards.correctReceipt(failed, { reason: "Logo only", merchantName: MERCHANT });
  },
};

const dispute: Trigger = {
  about: "a sample receipt whose total the user reports as wrong on the hosted page",
  lastEvent: "receipt_disputed",
  send: async (rewards, input) => {
    const { userId, reference: transactionId, completeReceiptSession } = input;
    await receipt("completed").send(rewards, input);
    const receiptId = await untilListed(rewards, { transactionId, status: "Completed" });
    const { redirectUrl } = await rewards.openReceiptSession({ userId });
    await completeReceiptSession(redirectUrl, receiptId);
    const form = new URL(redirectUrl);
    form.pathname += "/disputes";
    form.searchParams.set("about", "wrong_total");
    const body = new URLSearchParams({ expected: "24.68", note: "The last line is not mine" });
    const response = await fetch(form, { method: "POST", body, redirect: "manual" });
    await response.body?.cancel();
    if (response.status >= 400) throw new Refusal(`the page responded to the dispute with ${response.status}`);
  },
};

/** Waits until a receipt is in the list with these filters, and returns its id. */
async function untilListed(rewards: Rewards, filters: Parameters<Rewards["listReceipts"]>[0]): Promise<string> {
  for (let attempt = 0; attempt < LIST_ATTEMPTS; attempt++) {
    const { receipts } = await rewards.listReceipts(filters);
    if (receipts[0]) return receipts[0].receiptID;
    await sleep(500);
  }
  throw new Refusal("the receipt was not read in time; is the service running?");
}

const adjustment: Trigger = {
  about: "an adjustment of 50 points",
  lastEvent: "points.adjusted",
  send: async (rewards, { userId, reference }) => {
    await rewards.adjustPoints(userId, { points: 50, reason: "Goodwill gift", reference });
  },
};

const bonus: Trigger = {
  about: "a welcome bonus of 50 points",
  lastEvent: "bonus.awarded",
  send: async (rewards, { userId, reference }) => {
    await rewards.awardBonus(userId, { points: 50, type: 2, reason: "Welcome", reference });
  },
};

const reversal: Trigger = {
  about: "an adjustment that is reversed",
  lastEvent: "points.reversed",
  send: async (rewards, { userId, reference }) => {
    const { transaction } = await rewards.adjustPoints(userId, { points: 50, reason: "Goodwill gift", reference });
    await rewards.reverseTransaction(userId, transaction.id, { reason: "Given twice" });
  },
};

/** Gives the user points and redeems them for a voucher. Returns its record. */
async function redeemed(rewards: Rewards, { userId, reference }: TriggerInput, reserve = false) {
  await rewards.adjustPoints(userId, { points: 50, reason: "Goodwill gift", reference });
  const reward = { name: "A free coffee", brand: MERCHANT, codes: "made" as const };
  return (await rewards.redeemPoints(userId, { points: 50, reward, reference, reserve })).transaction;
}

/** Creates a trigger of a redemption, and of what follows it. */
const redemption = (
  about: string,
  lastEvent: EventType,
  follow: (rewards: Rewards, input: TriggerInput) => Promise<unknown>,
): Trigger => ({
  about,
  lastEvent,
  send: async (rewards, input) => {
    await follow(rewards, input);
  },
});

/** Creates a trigger of points that expire: their user's time is moved to some days before. */
const expiry = (about: string, lastEvent: EventType, daysBefore: number): Trigger => ({
  about: `${about}; it sets an expiry after 12 months if the application has none`,
  lastEvent,
  send: async (rewards, { userId, reference, turnExpiryOn }) => {
    await turnExpiryOn();
    await rewards.adjustPoints(userId, { points: 50, reason: "Goodwill gift", reference });
    const { pointsExpiring } = (await rewards.getUserSummary(userId)).user;
    const now = new Date(Date.parse(pointsExpiring!.expiresAt) - daysBefore * DAY_MS);
    await rewards.moveTestClock(userId, { now: now.toISOString() });
  },
});

const tier: Trigger = {
  about: "a user who rises to another tier; it publishes a programme with tiers if the application has none",
  lastEvent: "tier.changed",
  send: async (rewards, { userId, reference, startTiers }) => {
    const points = await startTiers();
    await rewards.adjustPoints(userId, { points, reason: "Goodwill gift", reference, countsAsEarned: true });
  },
};

/** Creates a trigger of the consent page, where the user decides. */
const decision = (lastEvent: EventType, decided: "accept" | "decline"): Trigger => ({
  about: `the consent page of a session, with the decision: ${decided}`,
  lastEvent,
  send: async (rewards, { person }) => {
    const { redirectUrl, id } = await rewards.openEnrolmentSession(person);
    const body = new URLSearchParams({ decision: decided });
    const response = await fetch(redirectUrl, { method: "POST", body, redirect: "manual" });
    await response.body?.cancel();
    return decided === "decline" ? id : undefined;
  },
});

const expiredSession: Trigger = {
  about: "a session for the upload page that nobody uses; it takes up to a minute",
  lastEvent: "session.expired",
  send: async (rewards, { userId, expireSession }) => {
    const { id } = await rewards.openReceiptSession({ userId });
    await expireSession(id);
  },
};

/** The triggers by event. */
const EVENTS = {
  "intake.received": creditedMeal,
  "intake.scored": creditedMeal,
  "intake.completed": creditedMeal,
  "intake.failed": oldMeal,
  receipt_uploaded: receipt("completed"),
  receipt_extracted: receipt("completed"),
  receipt_validated: receipt("completed"),
  receipt_completed: receipt("completed"),
  receipt_failed: receipt("not_authentic"),
  receipt_held: receipt("held"),
  receipt_corrected: correction,
  receipt_disputed: dispute,
  "rewards.awarded": creditedFood,
  "bonus.awarded": bonus,
  "points.adjusted": adjustment,
  "points.reversed": reversal,
  "points.redeemed": redemption("50 points that are redeemed for a voucher", "points.redeemed", (rewards, input) =>
    redeemed(rewards, input),
  ),
  "redemption.confirmed": redemption(
    "a reservation that is confirmed",
    "redemption.confirmed",
    async (rewards, input) => rewards.confirmRedemption(input.userId, (await redeemed(rewards, input, true)).id),
  ),
  "voucher.used": redemption("a voucher that is used at a till", "voucher.used", async (rewards, input) =>
    rewards.useVoucher((await redeemed(rewards, input)).reward.code, { till: "Till 7" }),
  ),
  "points.refunded": redemption("a redemption that is refunded", "points.refunded", async (rewards, input) =>
    rewards.refundRedemption(input.userId, (await redeemed(rewards, input)).id, { reason: "The shop was closed" }),
  ),
  "points.expiring": expiry("points that expire tomorrow", "points.expiring", 1),
  "points.expired": expiry("points that have expired", "points.expired", 0),
  "tier.changed": tier,
  "session.completed": decision("session.completed", "accept"),
  "session.declined": decision("session.declined", "decline"),
  "session.expired": expiredSession,
} satisfies Readonly<Record<EventType, Trigger>>;

/** All triggers, by event and by outcome. */
export const TRIGGERS: ReadonlyMap<string, Trigger> = new Map<string, Trigger>([
  ...Object.entries(EVENTS),
  ["meal", creditedMeal],
  ["food", creditedFood],
  ["old_meal_log", oldMeal],
  ["duplicate_meal", duplicateMeal],
  [
    "data_incomplete",
    failing("a meal with an amount without its currency: DATA_INCOMPLETE", () => ({
      ingredients: [{ foodId: "1", name: "Banana", amount: 0.25 }],
    })),
  ],
  [
    "no_valid_food",
    failing("a meal without any food: NO_VALID_FOOD_ITEMS (for a receipt: no_valid_food_items)", () => ({
      ingredients: [{ foodId: "1", name: "Claw hammer" }],
    })),
  ],
  ...Object.keys(SAMPLE_OUTCOMES).map((sample) => [sample, receipt(sample)] as const),
]);
