import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { ProblemError, createRewards } from "rewards-service-sdk";
import type { Rewards } from "rewards-service-sdk";
import { sampleImage } from "../src/receipts/samples/sample-image.task.ts";
import { PEOPLE, RECEIPTS, REWARDS, foodOf, mealOf, pick, programOf, randomOf } from "./people.ts";
import type { Random } from "./people.ts";
import type { Receiver } from "./receiver.ts";
import type { Credentials, Service } from "./service.ts";
import { heading, paint, say, sayForNow, step } from "./terminal.ts";

/** Of the person who looks at the console; the domain is reserved for examples. */
const EMAIL = "you@example.org";
const DAYS = 30;
const DAY_MS = 24 * 3_600_000;
/** The service reads its clock this often, and a little more. */
const CLOCK_MS = 60;
/** A publication starts 10 seconds later. */
const PUBLISHED_MS = 15_000;
/** Receipts that are read at a time: those of a day may end on the next. */
const READING_MAX = 3;
/** From then on optional receipts are left out. */
const BUDGET_MS = 15_000;
const READING_MS_MAX = 60_000;

export interface MonthContext {
  readonly service: Service;
  readonly receiver: Receiver;
  readonly clockFile: string;
}

interface State {
  readonly rewards: Rewards;
  readonly random: Random;
  readonly startedMs: number;
  readonly users: string[];
  readonly receipts: string[];
  readonly rewardIds: readonly string[];
  readonly redirectUri: string;
  readonly counts: { meals: number; redemptions: number };
  readonly unreliable: Endpoint;
}

/** Writes the clock that the service starts with: a month ago, in the morning. */
export async function startClock(clockFile: string): Promise<void> {
  await writeFile(clockFile, String(differenceOn(0)));
}

/** What the clock of a day differs from now: the last day is today. */
function differenceOn(day: number): number {
  return (day - (DAYS - 1)) * DAY_MS;
}

/** Lets a sample application live for a month, through the API, and prints the link into its console. */
export async function playMonth({ service, receiver, clockFile }: MonthContext): Promise<void> {
  const startedMs = performance.now();
  say();
  say(paint("bold", "REWARDS SERVICE"));
  say("A sample application lives through a month, day by day; then you see it in the console.");
  heading("Starting", "everything runs on this machine, on an empty folder");
  await service.ready();
  say(step("Service", performance.now() - startedMs, `${service.url}, a month ago by its clock`));
  const state = await begin(service, receiver, startedMs);
  await publishProgram(state, clockFile);
  const person = service.cli(["console", "user", "add", "--email", EMAIL, "--name", "You", "--role", "operator"]);
  // Looked at below; if the month fails first, nobody else would.
  person.catch(() => {});

  heading("A month", "through the API, as an integrator's server calls it");
  for (let day = 0; day < DAYS; day++) {
    await setClock(clockFile, differenceOn(day) + (day === 0 ? PUBLISHED_MS : 0));
    if (day === DAYS - 1) state.unreliable.breakDown();
    await live(state, day);
    sayForNow(`day ${day + 1} of ${DAYS}: ${state.users.length} people, ${state.counts.meals} meals and foods`);
  }
  const { users, receipts, counts } = state;
  const submitted = `${users.length} people, ${counts.meals} meals and foods, ${receipts.length} receipts`;
  say(step("Month", performance.now() - startedMs, `${submitted}, ${counts.redemptions} redemptions`));
  heading("The console", "choose a password, and you are in; the link works once");
  say(paint(["bold", "green"], (await linkOf(person, clockFile, service)).link));
  const openedMs = performance.now() - startedMs;
  say(step("Link", openedMs, "open it now: the last receipts are read meanwhile"));
  await dispute(state, service.url);
  await readingUntil(state, 0);
  say(
    step("Receipts", performance.now() - startedMs - openedMs, "all are read; somebody reports a wrong price on one"),
  );
}

/** A link lasts for a day from when it was made, by the clock of then: this one is made again, of now. */
async function linkOf(person: Promise<unknown>, clockFile: string, service: Service) {
  await person;
  await setClock(clockFile, 0);
  return service.cli<{ link: string }>(["console", "user", "link", "--email", EMAIL]);
}

async function setClock(clockFile: string, differenceMs: number): Promise<void> {
  await writeFile(clockFile, String(differenceMs));
  await sleep(CLOCK_MS);
}

/** Creates the application with an endpoint that works and one that fails now and then, and its rewards. */
async function begin(service: Service, receiver: Receiver, startedMs: number): Promise<State> {
  const { redirectUri } = receiver;
  const [reliable, unreliable] = [await startEndpoint("app", Infinity), await startEndpoint("newsletter", 30)];
  const addresses = ["--webhook-url", reliable.url, "--redirect-uri", redirectUri];
  const { clientId, clientSecret } = await service.cli<Credentials>([
    "app",
    "create",
    "--name",
    "Greener baskets",
    "--sandbox",
    ...addresses,
  ]);
  const rewards = createRewards({ baseUrl: service.url, clientId, clientSecret });
  await rewards.createWebhookEndpoint({ url: unreliable.url, description: "Newsletter, fails now and then" });
  const rewardIds: string[] = [];
  for (const reward of REWARDS) rewardIds.push((await rewards.addReward(reward)).reward.id);
  say(step("Application", performance.now() - startedMs, "a sandbox with two webhook endpoints and three rewards"));
  const counts = { meals: 0, redemptions: 0 };
  return {
    rewards,
    random: randomOf(7),
    startedMs,
    users: [],
    receipts: [],
    rewardIds,
    redirectUri,
    counts,
    unreliable,
  };
}

interface Endpoint {
  readonly url: string;
  /** From now on it fails always. */
  breakDown(): void;
}

/**
 * A receiver of webhooks that fails for one in `failsEvery`. It keeps no process alive, and verifies nothing:
 * signatures of a month ago are too old.
 */
async function startEndpoint(path: string, failsEvery: number): Promise<Endpoint> {
  let count = 0;
  let isBroken = false;
  const server = createServer((request, response) => {
    request.resume();
    count += 1;
    response.writeHead(isBroken || count % failsEvery === 0 ? 503 : 204).end();
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`,
    breakDown: () => {
      isBroken = true;
    },
  };
}

async function publishProgram({ rewards }: State, clockFile: string): Promise<void> {
  const dayOf = (day: number) => new Date(Date.now() + differenceOn(day)).toISOString().slice(0, 10);
  const definition = programOf(dayOf(0), dayOf(DAYS + 30));
  const { program } = await rewards.saveProgram({ definition, note: "The first programme" });
  await rewards.publishProgram(String(program.version), {});
  await setClock(clockFile, differenceOn(0) + PUBLISHED_MS);
}

/** One day: some people enrol, many eat, a few redeem, adjust, or upload a receipt. */
async function live(state: State, day: number): Promise<void> {
  const { rewards, random, users } = state;
  const wanted = Math.min(PEOPLE.length, 6 + Math.ceil((day * 2) / 3));
  for (const person of PEOPLE.slice(users.length, wanted)) users.push((await rewards.enrollUser(person)).user.userID);
  const now = Date.now() + differenceOn(day);
  const eaters = users.filter(() => random() < 0.35 + day / 100);
  await Promise.all(
    eaters.map((userId, i) => {
      // A minute for each: references are made of the time.
      const at = new Date(now - (i + 1) * 60_000);
      state.counts.meals += 1;
      return random() < 0.6
        ? rewards.trackMeal(mealOf(random, userId, day, at))
        : rewards.trackFood(foodOf(random, userId, day, at));
    }),
  );
  if (day > 3) await redeem(state, day);
  if (day % 9 === 5) {
    const adjustment = { points: 15, reason: "Goodwill", reference: `goodwill-${day}`, countsAsEarned: false };
    await rewards.adjustPoints(pick(random, users), adjustment);
  }
  await buy(state, day);
}

/** Two people redeem what they can afford; who cannot is refused, as in life. */
async function redeem({ rewards, random, users, rewardIds, counts }: State, day: number): Promise<void> {
  for (const n of [1, 2]) {
    const [userId, rewardId] = [pick(random, users), pick(random, rewardIds)];
    const redeemed = await rewards.redeemPoints(userId, { rewardId, reference: `r-${day}-${n}` }).catch(refused);
    if (!redeemed) continue;
    counts.redemptions += 1;
    const { id } = redeemed.transaction;
    if (day % 7 === 0)
      await rewards.refundRedemption(userId, id, { reason: "Out of stock in the shop" }).catch(refused);
  }
}

function refused(error: unknown): null {
  if (error instanceof ProblemError) return null;
  throw error;
}

/** Uploads the sample receipts of the day, when few others are being read. */
async function buy(state: State, day: number): Promise<void> {
  const { rewards, random, users, receipts, startedMs } = state;
  for (const { sample, isOptional } of RECEIPTS.filter((receipt) => receipt.day === day)) {
    if (isOptional && performance.now() - startedMs > BUDGET_MS) continue;
    await readingUntil(state, READING_MAX - 1);
    const userId = pick(random, users);
    const transactionTimestamp = new Date(Date.now() + differenceOn(day)).toISOString();
    // A sample is not compared with what is declared.
    const declared = { merchantName: "Larkmeadow Market", amount: 22.68, transactionTimestamp };
    const fields = { userId, transactionId: `shop-${day}`, ...declared, testBlobUri: `sample:${sample}` };
    receipts.push((await rewards.uploadReceipt(fields)).receiptID);
  }
}

/** Waits until at most `max` receipts are being read. */
async function readingUntil({ rewards, receipts }: State, max: number): Promise<void> {
  for (const deadline = Date.now() + READING_MS_MAX; ; await sleep(100)) {
    const statuses = await Promise.all(receipts.slice(-READING_MAX).map((id) => rewards.getReceiptStatus(id)));
    const open = statuses.filter(({ status, held }) => status !== "Completed" && status !== "Failed" && !held);
    if (open.length <= max) return;
    if (Date.now() > deadline) throw new Error(`${open.length} receipts are still being read.`);
  }
}

/** Somebody uploads a receipt on the hosted page, and reports what is wrong on it. */
async function dispute({ rewards, users, receipts, redirectUri }: State, url: string): Promise<void> {
  const userId = users[0]!;
  const { redirectUrl } = await rewards.openReceiptSession({ userId, redirectUri });
  const form = new FormData();
  const at = new Date();
  const moment = { date: at.toISOString().slice(0, 10), time: at.toISOString().slice(11, 16) };
  form.set("receiptImage", new Blob([new Uint8Array(await sampleImage("completed", 3, moment))]), "receipt.jpg");
  const page = new URL(redirectUrl, url);
  const sent = await fetch(page, { method: "POST", body: form });
  await sent.body?.cancel();
  const { receipts: listed } = await rewards.listReceipts({ userId, pageSize: 1 });
  const receiptId = listed[0]?.receiptID;
  if (receiptId === undefined) throw new Error("The receipt of the hosted page was not accepted.");
  receipts.push(receiptId);
  const { receiptStatusDoc } = await rewards.waitForReceipt(receiptId);
  const line = receiptStatusDoc.enrichStateData?.items[0]?.id;
  if (line === undefined) return;
  page.pathname += "/disputes";
  page.searchParams.set("line", line);
  const fields = { kind: "wrong_price", expected: "1.20", note: "The shelf said less" };
  const reported = await fetch(page, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
  await reported.body?.cancel();
}
