import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRewards } from "rewards-service-sdk";
import type { IntakeStatus, ReceiptStatus, Rewards, User } from "rewards-service-sdk";
// A customer of the API would take a photo; the demo draws one.
import { sampleImage } from "../src/receipts/samples/sample-image.task.ts";
import { PERSON, RECEIPT, food, meal } from "./purchases.ts";
import type { Delivery, Receiver } from "./receiver.ts";
import type { Credentials, Service } from "./service.ts";
import { heading, paint, say, sayForNow, step, stepForNow } from "./terminal.ts";
import { showItems, showSummary, showWayIn, showWebhook } from "./results.ts";

const PHOTO_SEED = 1;
const RECEIPT_MS_MAX = 90_000;
const INTAKE_MS_MAX = 20_000;
const WEBHOOKS_MS_MAX = 20_000;
const POLL_MS = 50;
const COFFEE_POINTS = 20;

/** The parts that the story needs. */
export interface DemoContext {
  readonly service: Service;
  readonly receiver: Receiver;
  /** A folder for the photo. */
  readonly folder: string;
  /** The service runs on after the story, so that calls to try are worth showing. */
  readonly staysOpen: boolean;
}

/** Plays the whole story. Rejects where any step of it fails. */
export async function playStory({ service, receiver, folder, staysOpen }: DemoContext): Promise<void> {
  say();
  say(paint("bold", "REWARDS SERVICE"));
  say("A photo of a till receipt, a meal and a food become ratings, points and signed webhooks.");

  heading("Starting", "everything runs on this machine, on an empty folder");
  const credentials = await start(service, receiver);
  const { clientId, clientSecret } = credentials;
  const rewards = createRewards({ baseUrl: service.url, clientId, clientSecret });
  const enrolled = await timed(() => rewards.enrollUser(PERSON));
  const { userID, lifetimePoints } = enrolled.value.user;
  say(step("User", enrolled.tookMs, `${PERSON.firstName} ${PERSON.lastName}, ${lifetimePoints} points`));

  heading("Sending", "with the SDK, as an integrator's server does");
  const sent = await send(rewards, userID, folder);

  heading("The receipt, stage by stage");
  const receipt = await followReceipt(rewards, sent.receiptID);
  heading("The meal and the food");
  const mealStatus = await followIntake("Meal", () => rewards.getMealStatus(sent.mealId));
  const foodStatus = await followIntake("Food", () => rewards.getFoodStatus(sent.foodId));

  showItems(receipt, mealStatus, foodStatus);

  heading("Webhooks", `as they arrive at ${receiver.webhookUrl}, signatures by Standard Webhooks`);
  await allWebhooks(receiver);

  const { user } = await rewards.getUserSummary(userID);
  showSummary(user);
  check(receipt, [mealStatus, foodStatus], user);

  heading("A reward", "some of the points become a voucher, which a till uses once");
  await spend(rewards, user);
  heading("An item is returned to the shop", "its points are taken back by a record of their own");
  await takeBack(rewards, userID, receipt);

  const redirectUri = receiver.redirectUri;
  const guest = { ...PERSON, email: "kim@example.org", firstName: "Kim", redirectUri };
  const pages = {
    enrolment: (await rewards.openEnrolmentSession(guest)).redirectUrl,
    receipt: (await rewards.openReceiptSession({ userId: userID, redirectUri })).redirectUrl,
  };
  for (const page of Object.values(pages)) await assertServed(page);
  if (staysOpen) showWayIn(service.url, credentials, userID, pages);
}

async function start(service: Service, receiver: Receiver): Promise<Credentials> {
  const ready = await during("Service", "starting with its own PostgreSQL", () => service.ready());
  say(step("Service", ready.tookMs, `${service.url}, with its own PostgreSQL`));
  const addresses = ["--webhook-url", receiver.webhookUrl, "--redirect-uri", receiver.redirectUri];
  const created = await during("Application", "created with the operator's command line", () =>
    service.cli<Credentials>(["app", "create", "--name", "Demo", "--sandbox", ...addresses]),
  );
  receiver.trust(created.value.webhookSecret);
  say(step("Application", created.tookMs, `a sandbox, its webhooks go to ${receiver.webhookUrl}`));
  return created.value;
}

async function send(rewards: Rewards, userId: string, folder: string) {
  const now = new Date();
  const drawn = await during("Photo", "drawing a receipt like a phone's photo", () =>
    sampleImage("completed", PHOTO_SEED, tillClock(now)),
  );
  const photo = join(folder, "receipt.jpg");
  await writeFile(photo, drawn.value);
  say(step("Photo", drawn.tookMs, `${photo} (until the demo ends)`));
  const fields = { ...RECEIPT, userId, transactionId: "demo-receipt", transactionTimestamp: now.toISOString() };
  const receipt = await timed(() => rewards.uploadReceipt({ ...fields, receiptImage: drawn.value }));
  const kilobytes = Math.round(drawn.value.length / 1000);
  say(
    step("Receipt", receipt.tookMs, `${kilobytes} kB by multipart upload, ${RECEIPT.merchantName}, ${RECEIPT.amount}`),
  );
  const dinner = await timed(() => rewards.trackMeal(meal(userId, now)));
  say(step("Meal", dinner.tookMs, "Lentil curry with rice, 5 ingredients"));
  const snack = await timed(() => rewards.trackFood(food(userId, "demo-food")));
  say(step("Food", snack.tookMs, "Greek yogurt, 150 g"));
  return { receiptID: receipt.value.receiptID, mealId: dinner.value.trackId, foodId: snack.value.trackId };
}

/** Shows each stage when it ends, with its duration by the service's clock, until the last one. */
async function followReceipt(rewards: Rewards, receiptId: string): Promise<ReceiptStatus> {
  const shown = new Set<string>();
  for (const startedAt = performance.now(); ; await sleep(POLL_MS)) {
    const status = await rewards.getReceiptStatus(receiptId);
    let previousMs: number | null = null;
    let next = "";
    for (const { stage, about, createdAt, found } of stagesOf(status)) {
      if (createdAt === undefined) {
        next ||= stepForNow(stage, performance.now() - startedAt, about);
        continue;
      }
      const endedMs = Date.parse(createdAt);
      if (!shown.has(stage)) say(step(stage, previousMs === null ? null : endedMs - previousMs, found));
      shown.add(stage);
      previousMs = endedMs;
    }
    if (status.status === "Completed") return status;
    if (status.status === "Failed") {
      throw new Error(`The receipt failed with ${status.errorCode}: ${status.errorMessage}`);
    }
    if (performance.now() - startedAt > RECEIPT_MS_MAX) {
      throw new Error(`The receipt is still ${status.status} after ${RECEIPT_MS_MAX / 1000} s.`);
    }
    sayForNow(next);
  }
}

/** Returns each stage with its end, if it has ended, and its result. */
function stagesOf({ receiptStatusDoc }: ReceiptStatus) {
  const { uploadStateData, extractedStateData, enrichStateData, validatedStateData } = receiptStatusDoc;
  const { scoredStateData, completedStateData } = receiptStatusDoc;
  const { merchantName, total, currency, items } = extractedStateData?.extractedData ?? {};
  const matched = enrichStateData?.items.filter(({ exclusionReason }) => exclusionReason === null);
  const passed = validatedStateData?.checks.filter(({ outcome }) => outcome === "passed");
  const stage = (name: string, about: string, data: { createdAt: string } | undefined, found: string) => ({
    stage: name,
    about,
    found,
    createdAt: data?.createdAt,
  });
  return [
    stage("Uploaded", "", uploadStateData, "stored, without the metadata of the camera"),
    stage(
      "Extracted",
      "reading the photo (the models are loaded for the first one)",
      extractedStateData,
      `${merchantName}, ${total?.toFixed(2)} ${currency}, ${items?.length} lines read`,
    ),
    stage(
      "Enriched",
      "looking up the lines",
      enrichStateData,
      `${matched?.length} of ${enrichStateData?.items.length} lines matched to foods`,
    ),
    stage(
      "Validated",
      "checking the receipt",
      validatedStateData,
      `${passed?.length} of ${validatedStateData?.checks.length} checks passed: merchant, amount, day, arithmetic, …`,
    ),
    stage(
      "Scored",
      "computing points",
      scoredStateData,
      `${scoredStateData?.items.length} items rated, ${scoredStateData?.totals.totalCo2e.toFixed(1)} kg CO2e`,
    ),
    stage("Completed", "booking", completedStateData, `${completedStateData?.totalPoints} points booked`),
  ];
}

async function followIntake(name: string, getStatus: () => Promise<IntakeStatus>): Promise<IntakeStatus> {
  for (const deadline = Date.now() + INTAKE_MS_MAX; ; await sleep(POLL_MS)) {
    const status = await getStatus();
    const { scored, completed, createdAt, lastUpdated } = status;
    if (scored && completed) {
      const tookMs = Date.parse(lastUpdated) - Date.parse(createdAt);
      const items = `${scored.items.length} item${scored.items.length === 1 ? "" : "s"} rated`;
      say(
        step(name, tookMs, `${items}, ${scored.totalCo2e.toFixed(2)} kg CO2e, ${completed.totalPoints} points booked`),
      );
      return status;
    }
    if (status.status === "failed")
      throw new Error(`The ${name} failed with ${status.errorType}: ${status.errorMessage}`);
    if (Date.now() > deadline) throw new Error(`The ${name} is still ${status.status}.`);
  }
}

/** Shows the webhooks of the three submissions, and later ones as they arrive. */
async function allWebhooks(receiver: Receiver): Promise<void> {
  const isCompleted = ({ event }: Delivery) =>
    event.event === "receipt_completed" || event.event === "intake.completed" ? (event.totalPoints ?? 0) > 0 : false;
  const isAwarded = ({ event }: Delivery) => event.eventType === "rewards.awarded";
  const count = (test: (delivery: Delivery) => boolean) => receiver.deliveries.filter(test).length;
  let shown = 0;
  for (const deadline = Date.now() + WEBHOOKS_MS_MAX; ; await sleep(POLL_MS)) {
    for (; shown < receiver.deliveries.length; shown++) showWebhook(receiver.deliveries, receiver.deliveries[shown]!);
    if (count(isCompleted) === 3 && count(isAwarded) === 3) break;
    if (Date.now() > deadline)
      throw new Error("Webhooks are missing: three completed and three awarded were expected.");
  }
  const refused = receiver.deliveries.filter(({ refusal }) => refusal !== null);
  if (refused.length > 0) throw new Error(`${refused.length} webhooks had an invalid signature.`);
  receiver.onDelivery((delivery) => showWebhook(receiver.deliveries, delivery));
}

/** Checks that the summary is the sum of the points of the three submissions. */
function check(receipt: ReceiptStatus, intakes: readonly IntakeStatus[], user: User): void {
  const earned = [
    receipt.receiptStatusDoc.completedStateData?.totalPoints ?? 0,
    ...intakes.map(({ completed }) => completed?.totalPoints ?? 0),
  ];
  const sum = earned.reduce((all, points) => all + points, 0);
  if (earned.some((points) => points <= 0)) throw new Error(`Something earned nothing: ${earned.join(", ")} points.`);
  if (user.lifetimePoints !== sum || user.numOfTransactions !== earned.length) {
    throw new Error(`The user has ${user.lifetimePoints} points of ${user.numOfTransactions}, not ${sum} of 3.`);
  }
}

/** Redeems a reward of the catalogue, and uses its voucher. Checks the balance. */
async function spend(rewards: Rewards, { userID, availablePoints }: User): Promise<void> {
  const { reward } = await rewards.addReward({
    name: "A free coffee",
    points: COFFEE_POINTS,
    stock: 100,
    codes: "made",
  });
  const redeemed = await timed(() => rewards.redeemPoints(userID, { rewardId: reward.id, reference: "demo-coffee" }));
  const { transaction, balance } = redeemed.value;
  const { code, name } = transaction.reward;
  say(step("Redemption", redeemed.tookMs, `${name} for ${COFFEE_POINTS} points, with the code ${code}`));
  const used = await timed(() => rewards.useVoucher(code, { till: "Till 7" }));
  say(
    step("Till", used.tookMs, `the voucher is ${used.value.voucher.state}, ${balance.availablePoints} points are left`),
  );
  if (balance.availablePoints !== availablePoints - COFFEE_POINTS) throw new Error("The balance is wrong.");
}

/** Reverses the item of the receipt that earned most, and shows the points before and after. Checks both sums. */
async function takeBack(rewards: Rewards, userId: string, { receiptStatusDoc }: ReceiptStatus): Promise<void> {
  const { items = [] } = receiptStatusDoc.scoredStateData ?? {};
  const returned = items.toSorted((a, b) => b.totalServicePoints - a.totalServicePoints)[0];
  const recordId = receiptStatusDoc.completedStateData?.transactionID;
  if (!returned || !recordId) throw new Error("The receipt has no items.");
  const { user: before } = await rewards.getUserSummary(userId);
  const body = { reason: "Returned to the shop", items: [returned.id] };
  const reversed = await timed(() => rewards.reverseTransaction(userId, recordId, body));
  const { transaction, balance } = reversed.value;
  say(step("Reversal", reversed.tookMs, `${returned.name}: ${transaction.totalPoints} points`));
  const change = (name: string, from: number, to: number) => `${from} → ${paint("bold", String(to))} ${name}`;
  const { availablePoints, lifetimePoints } = balance;
  say(
    step(
      "Balance",
      null,
      `${change("to spend", before.availablePoints, availablePoints)}, ${change("earned", before.lifetimePoints, lifetimePoints)}`,
    ),
  );
  const points = returned.totalServicePoints;
  const isRight =
    before.availablePoints - availablePoints === points && before.lifetimePoints - lifetimePoints === points;
  if (points <= 0 || !isRight) throw new Error("The balance after the reversal is wrong.");
}

async function assertServed(page: string): Promise<void> {
  const response = await fetch(page);
  await response.body?.cancel();
  if (!response.ok) throw new Error(`A hosted page responded with ${response.status}.`);
}

/** Returns a time as the till prints it, in this machine's time zone: `YYYY-MM-DD` and `HH:MM`. */
function tillClock(at: Date): { date: string; time: string } {
  const two = (value: number) => String(value).padStart(2, "0");
  return {
    date: `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
    time: `${two(at.getHours())}:${two(at.getMinutes())}`,
  };
}

async function timed<Value>(work: () => Promise<Value>): Promise<{ value: Value; tookMs: number }> {
  const startedAt = performance.now();
  return { value: await work(), tookMs: performance.now() - startedAt };
}

/** Does the work, and shows that it is running. */
async function during<Value>(name: string, about: string, work: () => Promise<Value>) {
  const startedAt = performance.now();
  const show = () => sayForNow(stepForNow(name, performance.now() - startedAt, about));
  show();
  const timer = setInterval(show, 2 * POLL_MS);
  try {
    return await timed(work);
  } finally {
    clearInterval(timer);
  }
}
