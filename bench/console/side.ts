// The service with a filled database, and what the addresses of its console name.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { PAGE_SIZE } from "../../src/console/pager.ts";
import { callerOf } from "../call.ts";
import type { Grown } from "../growth/fill.ts";
import { fillWhileDown, startFilled } from "../growth/filled.ts";
import type { Filled } from "../growth/filled.ts";
import { bookOriginals } from "../growth/models.ts";
import type { Progress } from "../progress.ts";
import type { Subject } from "../subject.ts";
import { FAILING_ENDPOINT, fillConsole } from "./fill.ts";
import { makeModels, makePreview } from "./models.ts";
import type { Models } from "./models.ts";
import { daysAt } from "./pages.ts";
import type { Days, Places } from "./pages.ts";

/** Of a thousand submissions: with a million records there are 98,000 receipts. */
const RECEIPTS = 100;
const CONSOLE = { CONSOLE: "true" };
/** Each start sends the webhooks of all endpoints to its own receiver, but for this one. */
const FAILS = `UPDATE endpoints SET url = 'http://127.0.0.1:9/newsletter', failing_since = now() - interval '2 days'
  WHERE description = $1`;
/** The work that a start begins, such as verifying the ledger, may take this long. */
const QUIET_MS_MAX = 300_000;
const QUIET_SHARE = 0.1;
const QUIET_WINDOW_MS = 3_000;

/** Of the figures of reports, and of the counts of unknown names. */
const DIFFERENCES = `SELECT (SELECT count(*)::int FROM report_deltas)
  + (SELECT count(*)::int FROM unknown_name_changes) AS deltas`;

export interface ConsoleSide extends Filled {
  readonly grown: Grown;
  readonly places: Places;
  /** Headers of somebody who is signed in. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What was filled. */
interface Contents {
  readonly grown: Grown;
  readonly models: Models;
}

/** Starts a service, fills its database, and signs in to its console. A `folder` stays, and is not filled again. */
export async function startConsoleSide(
  { records, folder }: { records: number; folder?: string | undefined },
  progress: Progress,
  signal: AbortSignal,
): Promise<ConsoleSide> {
  // First: it takes minutes to come to what needs them.
  const days = daysAt(new Date());
  progress("console: starting the service");
  const filling = {
    folder,
    name: "console.json",
    env: CONSOLE,
    isSandbox: true,
    fill: (subject: Subject, client: Client) => fillSide(subject, client, records, progress),
    find: async (subject: Subject, client: Client, { grown, models }: Contents) => {
      await client.query(FAILS, [FAILING_ENDPOINT]);
      await quiet(subject, client, progress);
      const headers = await signIn(subject);
      return { grown, headers, places: await placesIn(client, subject, models, days) };
    },
  };
  return startFilled(filling, signal);
}

async function fillSide(subject: Subject, client: Client, records: number, progress: Progress): Promise<Contents> {
  await bookOriginals(subject, progress);
  const models = await makeModels(subject, progress);
  const foodId = await aFood(subject);
  const { rows } = await client.query<{ id: string }>("SELECT id FROM applications");
  const applicationId = rows[0]!.id;
  const submissions = Math.ceil(records / 10) * 10;
  const growth = { submissions, applicationIds: [applicationId], receipts: RECEIPTS, progress };
  const grown = await fillWhileDown(subject, client, growth, () =>
    fillConsole(client, { applicationId, records: submissions, models, foodId, progress }),
  );
  progress("console: figures of reports from the records");
  await subject.cli("report", "rebuild");
  return { grown, models };
}

/** Waits until figures and counts are added up and the work that a start begins has ended. */
async function quiet(subject: Subject, client: Client, progress: Progress): Promise<void> {
  for (const deadline = Date.now() + QUIET_MS_MAX; ;) {
    const before = subject.cpu();
    await sleep(QUIET_WINDOW_MS);
    const after = subject.cpu();
    const usedMs = after.nodeMs + after.postgresMs - before.nodeMs - before.postgresMs;
    const { rows } = await client.query<{ deltas: number }>(DIFFERENCES);
    const { deltas } = rows[0]!;
    if (deltas === 0 && usedMs < QUIET_SHARE * QUIET_WINDOW_MS) return;
    progress(`console: waiting for quiet: ${deltas} differences, ${usedMs.toFixed(0)} ms of work in 3 s`);
    if (Date.now() > deadline) throw new Error("the service does not become quiet");
  }
}

/** Adds somebody by the command line, who sets a password by the link, and returns the cookie. */
async function signIn({ cli, url }: Subject): Promise<Record<string, string>> {
  const email = `bench-${randomBytes(4).toString("hex")}@example.org`;
  const person = ["--email", email, "--name", "Bench", "--role", "operator"];
  const { link } = await cli<{ link: string }>("console", "user", "add", ...person);
  const password = randomBytes(16).toString("hex");
  const token = new URL(link).searchParams.get("token")!;
  const response = await fetch(`${url}/console/link`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ token, password, repeated: password }),
  });
  await response.text();
  const cookie = response.headers.getSetCookie()[0]?.split(";")[0];
  if (response.status !== 303 || cookie === undefined) throw new Error(`signing in responded with ${response.status}`);
  return { cookie, "accept-language": "en" };
}

/** Finds what addresses name: rows by SQL, the rest as an integrator would. */
async function placesIn(client: Client, subject: Subject, models: Models, days: Days): Promise<Places> {
  const find = finderIn(client);
  const { completedId, heldId, failedIds, largestReceiptId, largestHeldId } = models;
  const { redemption, version, largestVersion, rewardId, poolId } = models;
  return {
    applicationId: await find.id("SELECT id FROM applications"),
    ...(await peopleIn(find, models)),
    ...(await namesIn(subject)),
    ...(await deliveriesIn(find, subject)),
    redemption,
    completedId,
    failedId: failedIds[0]!,
    heldId,
    disputedId: await find.id("SELECT id FROM receipts WHERE open_disputes > 0 ORDER BY md5(id::text) LIMIT 1"),
    largestReceiptId,
    largestHeldId,
    deepReceiptId: await find.deep("receipts"),
    deepEntryId: await find.deep("audit_entries"),
    reference: await find.id("SELECT reference AS id FROM receipts ORDER BY md5(id::text) LIMIT 1"),
    previewId: await makePreview(subject, version),
    largestVersion,
    version,
    rewardId,
    poolId,
    rewardPages: await rewardPagesIn(subject),
    ...days,
  };
}

/** Of all rewards: those of the models, and what the submissions to copy redeemed. */
async function rewardPagesIn({ url, headers }: Subject): Promise<number> {
  const { count } = await callerOf(url, headers)<{ count: number }>("GET", `/rewards?page=1&pageSize=${PAGE_SIZE}`);
  return Math.ceil(count / PAGE_SIZE);
}

interface Finder {
  one<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row>;
  id(text: string, values?: readonly unknown[]): Promise<string>;
  /** The id before nine tenths of the ids of a table. */
  deep(table: string): Promise<string>;
}

function finderIn(client: Client): Finder {
  const one = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row> => {
    const { rows } = await client.query<Row>(text, [...values]);
    if (!rows[0]) throw new Error(`nothing found by ${text}`);
    return rows[0];
  };
  const id = async (text: string, values: readonly unknown[] = []): Promise<string> =>
    (await one<{ id: string }>(text, values)).id;
  const deep = (table: string) =>
    id(`SELECT id FROM ${table} ORDER BY id OFFSET (SELECT count(*) / 10 FROM ${table}) LIMIT 1`);
  return { one, id, deep };
}

async function peopleIn({ one, id }: Finder, { largestReceiptId }: Models) {
  const largest = await one<{ id: string; records: number }>(
    "SELECT user_id AS id, records::int AS records FROM balances ORDER BY balances.records DESC LIMIT 1",
  );
  const busyUserId = await id("SELECT user_id AS id FROM balances ORDER BY balances.records DESC OFFSET 1 LIMIT 1");
  const userId = await id(
    "SELECT user_id AS id FROM balances WHERE records BETWEEN 11 AND 14 ORDER BY md5(user_id::text) LIMIT 1",
  );
  return {
    userId,
    busyUserId,
    largestUserId: largest.id,
    historyPages: Math.ceil(largest.records / PAGE_SIZE),
    recordId: await id("SELECT id FROM records WHERE user_id = $1 AND operation = 1 LIMIT 1", [userId]),
    largestRecord: await one<Places["largestRecord"]>(
      `SELECT user_id AS "userId", id AS "recordId" FROM records WHERE submission_id = $1 ORDER BY sequence LIMIT 1`,
      [largestReceiptId],
    ),
  };
}

async function namesIn(subject: Subject) {
  const call = callerOf(subject.url, subject.headers);
  const list = (page: number) =>
    call<{ names: { id: string }[]; count: number }>(
      "GET",
      `/catalogue/unknown-names?page=${page}&pageSize=${PAGE_SIZE}`,
    );
  const { names, count } = await list(1);
  const page = Math.ceil(count / PAGE_SIZE);
  const last = await list(page);
  return { nameId: names[0]!.id, deepName: { id: last.names[0]!.id, page }, foodId: await aFood(subject) };
}

/** The id of a food of the catalogue. */
async function aFood({ url, headers }: Subject): Promise<string> {
  const call = callerOf(url, headers);
  const { candidates } = await call<{ candidates: { foodId: string }[] }>("GET", "/catalogue/match?name=oat%20milk");
  return candidates[0]!.foodId;
}

async function deliveriesIn({ id, deep }: Finder, subject: Subject) {
  const call = callerOf(subject.url, subject.headers);
  const first = async (query: string) =>
    (await call<{ deliveries: { id: string }[] }>("GET", `/webhooks/deliveries?pageSize=1${query}`)).deliveries[0]!.id;
  const failingEndpointId = await id("SELECT id FROM endpoints WHERE description = $1", [FAILING_ENDPOINT]);
  const endpointId = await id("SELECT id FROM endpoints WHERE id <> $1", [failingEndpointId]);
  return {
    endpointId,
    failingEndpointId,
    deepDeliveryId: `${await deep("events")}.${endpointId}`,
    deliveryId: await first(""),
    failedDeliveryId: await first("&state=failed"),
  };
}
