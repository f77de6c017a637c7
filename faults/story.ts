import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { sampleImage } from "../src/receipts/samples/sample-image.task.ts";
import { randomness } from "../src/receipts/samples/seeded-noise.ts";
import { totalMinorOf } from "../src/receipts/samples/sample.ts";
import { SAMPLE_MOMENT, SAMPLE_OUTCOMES } from "../src/receipts/samples/outcomes.ts";
import { audit } from "./audit.ts";
import type { Audit } from "./audit.ts";
import { createCustomer } from "./customer.ts";
import type { Credentials, Customer } from "./customer.ts";
import { openInbox } from "./inbox.ts";
import type { Inbox } from "./inbox.ts";
import type { Topology } from "./topology.ts";
import { RECIPES, planSteps } from "./workload.ts";
import type { Step } from "./workload.ts";

/** Purchases of different shops or days, so that none is another's duplicate. */
const PICTURES = ["completed", "completed_de", "already_exists"] as const;
const USERS = 4;
const SENDERS = 6;
/**
 * Pause between two submissions of a sender: at most 60 a second in all, so that a long run can be audited one by
 * one.
 */
const PAUSE_MS = 100;
/** The share of attempts that the second endpoint refuses. */
const REFUSED = 0.05;
/** Longest time that the second endpoint takes to respond. */
const ANSWER_MS_MAX = 250;
/** Submissions accepted before each strike, which follows after up to MOMENT_MS_MAX. */
const ACCEPTED_BETWEEN = 50;
const MOMENT_MS_MAX = 1_000;
/**
 * Submissions that a story may have for each strike, as a multiple of those before it. While strikes take long, the
 * senders rest: otherwise a story on a slow machine would grow with its time.
 */
const SUBMITTED_FACTOR = 4;
/** Three pictures are read in seconds; on a machine with twenty busy processes it took more than two minutes. */
const CALM_MS = 600_000;

/** Of the application whose users have a test clock. */
const EXPIRY = ["--expire-months", "1", "--notice-days", "0"];

interface App extends Credentials {
  readonly webhookSecret: string;
}

export interface Story {
  readonly strikes: readonly string[];
  readonly audit: Audit;
  /** What names it in stored rows and files: ids of its applications and users, and part of its references. */
  readonly traces: readonly string[];
  /** Of these, the ids of users whose application may move. */
  readonly movable: readonly string[];
}

export interface StoryOptions<Fault extends string> {
  readonly topology: Topology<Fault>;
  readonly seed: number;
  readonly faults: readonly Fault[];
  readonly log: (line: string) => void;
  readonly acceptedBetween?: number;
  /** Number of pictures; by default all. */
  readonly receipts?: number;
  /** Stories that run at once begin their strikes together: before that none of them expects any. */
  readonly isPrepared?: () => Promise<void>;
  /** Strikes of all stories that run at once, which may strike the same things; by default those of `faults`. */
  readonly strikesInAll?: number;
}

interface Inboxes {
  readonly steady: Inbox;
  readonly moody: Inbox;
  readonly expiring: Inbox;
}

/**
 * Runs one application under faults: submits a seeded workload, strikes in a seeded order meanwhile, lets everything
 * end, and audits. `faults` are struck one after the other. A seed always gives the same story, except for its
 * timing.
 */
export async function runStory<Fault extends string>(options: StoryOptions<Fault>): Promise<Story> {
  const { topology, seed, faults, log, acceptedBetween = ACCEPTED_BETWEEN } = options;
  const random = randomness(seed);
  const steady = await openInbox(() => false);
  const moody = await openMoody(random);
  const expiring = await openInbox(() => false);
  const stopping = new AbortController();
  try {
    const prepared = await prepare(options, { steady, moody, expiring });
    const { customer, userIds, sandbox, pointsOf, pictures, traces } = prepared;
    topology.traveller?.begin(prepared.clientId);
    await options.isPrepared?.();
    let acceptedMax = SUBMITTED_FACTOR * acceptedBetween;
    const plan = planSteps(random, { users: USERS, pictures, prefix: `ref-${seed}` });
    const send = async () => {
      if (customer.accepted.length >= acceptedMax) return;
      const step = plan.next().value;
      if (step.kind === "intake") pointsOf.set(step.reference, pointsOf.get(calmReference(step))!);
      await (step.kind === "expiry" ? sandbox : customer).submit(step);
    };
    const senders = Array.from({ length: SENDERS }, () => sendUntil(stopping.signal, send));
    const sending = Promise.all(senders);
    sending.catch(() => {});
    const strikes: string[] = [];
    for (const fault of faults) {
      const enough = customer.accepted.length + acceptedBetween;
      while (customer.accepted.length < enough) await Promise.race([sleep(10), sending]);
      await sleep(random() * MOMENT_MS_MAX);
      log(`${strikes.length + 1}/${faults.length} ${fault}, ${customer.accepted.length} accepted so far`);
      await topology.strike(fault, random);
      strikes.push(fault);
      acceptedMax = customer.accepted.length + SUBMITTED_FACTOR * acceptedBetween;
    }
    stopping.abort();
    await sending;
    const struck = { strikes: options.strikesInAll ?? strikes.length, sandbox: { customer: sandbox, inbox: expiring } };
    const audited = await audit({ customer, userIds, inboxes: [steady, moody], pointsOf, ...struck });
    return { strikes, audit: audited, traces, movable: userIds };
  } finally {
    stopping.abort();
    await steady.close();
    await moody.close();
    await expiring.close();
  }
}

/** Adds the applications of a story, with their users and rewards, and sees what each submission earns in calm. */
async function prepare<Fault extends string>(
  { topology, seed, receipts = PICTURES.length }: StoryOptions<Fault>,
  { steady, moody, expiring }: Inboxes,
) {
  const name = `Faults ${seed}`;
  const pictures = await Promise.all(PICTURES.slice(0, receipts).map(pictureOf));
  const newCustomer = async (args: readonly string[]) => {
    const app = await topology.cli<App>("app", "create", "--name", name, ...args);
    const userIds: string[] = [];
    const customer = createCustomer({ ...addressesOf(topology), credentials: app, userIds, pictures });
    for (let i = 0; i < USERS; i++) userIds.push(await customer.enrol(`user-${i}-${seed}@example.org`));
    return { app, customer, userIds };
  };
  const calm = await newCustomer([]);
  const pointsOf = await calmResults(calm.customer, calm.userIds[0]!, pictures.length);
  const struck = await newCustomer(["--webhook-url", steady.url]);
  const { app, customer, userIds } = struck;
  steady.secret = app.webhookSecret;
  const endpoint = ["webhook", "add", "--client-id", app.clientId, "--url", moody.url];
  moody.secret = (await topology.cli<{ secret: string }>(...endpoint)).secret;

  await customer.addRewards();
  const sandbox = await newCustomer(["--sandbox", "--webhook-url", expiring.url]);
  expiring.secret = sandbox.app.webhookSecret;
  await topology.cli("app", "points", "--client-id", sandbox.app.clientId, ...EXPIRY);
  const ids = [calm, struck, sandbox].flatMap((each) => [each.app.clientId, ...each.userIds]);
  const traces = [`ref-${seed}-`, ...ids];
  return {
    clientId: app.clientId,
    customer,
    userIds,
    sandbox: sandbox.customer,
    pointsOf,
    pictures: pictures.length,
    traces,
  };
}

/** The addresses of the cell that an application is in, as its integrator knows them. */
function addressesOf(topology: Topology): { urls: () => readonly string[]; onMoved: ((to: string) => void) | null } {
  const { follow } = topology;
  let urls = () => topology.urls();
  return { urls: () => urls(), onMoved: follow ? (address) => (urls = () => follow(address)) : null };
}

/** Sends again and again, also after a strike that failed: only the signal ends it. */
async function sendUntil(stopping: AbortSignal, send: () => Promise<void>): Promise<void> {
  while (!stopping.aborted) {
    await sleep(PAUSE_MS);
    await send();
  }
}

/** An endpoint that refuses some attempts, and is slow: events are in memory when a process is killed. */
function openMoody(random: () => number): Promise<Inbox> {
  return openInbox(
    () => random() < REFUSED,
    () => random() * ANSWER_MS_MAX,
  );
}

/** The points of each recipe and picture without strikes: all later results must be the same. */
async function calmResults(customer: Customer, userId: string, pictures: number): Promise<Map<string, number>> {
  const pointsOf = new Map<string, number>();
  const calm: Step[] = [
    ...RECIPES.flatMap((_, recipe) =>
      (["food", "meal"] as const).map((source) => {
        const step = { kind: "intake", source, recipe, user: 0, copies: 1 } as const;
        return { ...step, reference: calmReference(step) };
      }),
    ),
    ...Array.from({ length: pictures }, (_, picture) => ({ kind: "receipt", picture, user: 0 }) as const),
  ];
  for (const step of calm) await customer.submit(step);
  for (const deadline = Date.now() + CALM_MS; pointsOf.size < calm.length; await sleep(100)) {
    assert.ok(Date.now() < deadline, `only ${[...pointsOf.keys()].join(", ")} were completed in calm`);
    const { body } = await customer.get(`/users/${userId}/transactions?pageSize=100`);
    const { transactions } = body as {
      transactions: { totalPoints: number; transaction: { externalTransactionID: string } }[];
    };
    for (const { totalPoints, transaction } of transactions) {
      pointsOf.set(transaction.externalTransactionID, totalPoints);
    }
  }
  return pointsOf;
}

function calmReference({ source, recipe }: { source: string; recipe: number }): string {
  return `calm-${source}-${recipe}`;
}

async function pictureOf(outcome: (typeof PICTURES)[number], index: number) {
  const sample = SAMPLE_OUTCOMES[outcome](SAMPLE_MOMENT);
  return {
    image: await sampleImage(outcome, index + 1),
    fields: {
      transactionId: `receipt-${outcome}`,
      amount: String(totalMinorOf(sample.receipt) / 100),
      merchantName: sample.receipt.merchant?.name ?? "",
      transactionTimestamp: `${SAMPLE_MOMENT.date}T${SAMPLE_MOMENT.time}:00Z`,
    },
  };
}
