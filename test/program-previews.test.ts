// Previews by the API and by the command.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { uuidv7 } from "../src/ids.ts";
import type { Tx } from "../src/postgres/postgres.ts";
import { preview } from "../src/programs/preview/preview.task.ts";
import { claimPreview, finishPreview, storeProgress } from "../src/programs/preview/previews.store.ts";
import { createPreviews } from "../src/programs/preview/previews.task.ts";
import type { PreviewResult } from "../src/programs/preview/schema.ts";
import { silent } from "./support/database.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

const DAY_MS = 86_400_000;

let service: TestService;
let idle: TestService;
before(async () => {
  [service, idle] = [await startService(), await startService({ isWorking: false })];
});
after(() => Promise.all([service.close(), idle.close()]));

interface Shown {
  id: string;
  state: string;
  replayed: number;
  total: number | null;
  failure: string | null;
  result: PreviewResult | null;
}

let submissions = 0;
async function eat(client: Client, userId: string, name = "Apples"): Promise<void> {
  const transactionId = `food-${submissions++}`;
  const food = {
    foodId: `own-${name}`,
    name,
    weight: 200,
    unit: "g",
    imageUrl: "https://example.org/f.jpg",
    nutrition: {},
  };
  const merchant = { name: "Larkmeadow Market" };
  const response = await client.call("POST", "/track/food", { userId, transactionId, merchant, ...food });
  assert.equal(response.statusCode, 202, response.body);
  await client.until((all) =>
    all.some((event) => event["transactionId"] === transactionId && nameOf(event) === "intake.completed"),
  );
}

const request = (client: Client, body: object) => client.call("POST", "/programs/preview", body);
async function show(client: Client, id: string): Promise<Shown> {
  const response = await client.call("GET", `/program-previews/${id}`);
  assert.equal(response.statusCode, 200, response.body);
  return response.json<{ preview: Shown }>().preview;
}

async function requested(client: Client, body: object): Promise<Shown> {
  const response = await request(client, body);
  assert.equal(response.statusCode, 200, response.body);
  return response.json<{ preview: Shown }>().preview;
}

async function finished(client: Client, body: object): Promise<Shown> {
  const { id, state } = await requested(client, body);
  assert.equal(state, "waiting");
  for (let attempt = 0; attempt < 600; attempt++) {
    const preview = await show(client, id);
    if (preview.state === "finished" || preview.state === "failed") return preview;
    await sleep(100);
  }
  throw new Error("the preview does not end");
}

test("a preview compares what was booked with the draft, by every view, and changes nothing", async () => {
  const client = await service.newClient();
  const [more, less] = [await client.enrol(), await client.enrol()];
  await eat(client, more, "Apples");
  await eat(client, less, "Cheddar");
  const counts = async () =>
    (
      await service.database.pool.query<{ all: string }>(
        "SELECT (SELECT count(*) FROM records) || ' ' || (SELECT sum(available_points) FROM balances) AS all",
      )
    ).rows[0]!.all;
  const before = await counts();
  const definition = {
    name: "More fruit",
    timeZone: "Europe/London",
    points: { food: { multiplier: 2 } },
    eligible: { foodGroups: { only: ["fruit"] } },
  };
  const { result, replayed, total } = await finished(client, { definition, days: 7, pointValue: 0.01 });
  assert.ok(result);
  assert.deepEqual([replayed, total], [2, 2]);
  const { pointsNow, pointsDraft } = result.total;
  const ofApples = result.byFoodGroup.find(({ foodGroup }) => foodGroup === "fruit")!;
  assert.deepEqual([ofApples.pointsDraft, pointsDraft], [2 * ofApples.pointsNow, 2 * ofApples.pointsNow]);
  assert.equal(result.total.costDifference, (pointsDraft - pointsNow) / 100);
  assert.deepEqual(
    [result.byDay, result.bySource].map((rows) => rows.reduce((sum, each) => sum + each.pointsDraft, 0)),
    [pointsDraft, pointsDraft],
  );
  assert.deepEqual(
    [result.users.mostGained.map(({ userID }) => userID), result.users.mostLost.map(({ userID }) => userID)],
    [[more], [less]],
  );
  assert.deepEqual([result.users.winners, result.users.losers, result.timeZone], [1, 1, "Europe/London"]);
  assert.equal(await counts(), before);
});

test("a preview of a saved version, as JSON and as CSV, with what it cannot replay", async () => {
  const client = await service.newClient();
  const [kept, gone] = [await client.enrol(), await client.enrol()];
  await eat(client, kept);
  await eat(client, kept);
  await eat(client, gone);
  const { transactions } = (await client.call("GET", `/users/${kept}/transactions`)).json<{
    transactions: { id: string }[];
  }>();
  await client.call("POST", `/users/${kept}/transactions/${transactions[0]!.id}/reversal`, { reason: "Not eaten" });
  await service.erase(gone);
  const definition = {
    name: "Later",
    campaigns: [{ id: "next", name: "Next", from: "2099-01-01", till: "2099-01-31", effect: { pointsPerRecord: 5 } }],
  };
  const saved = await client.call("POST", "/programs", { definition });
  const { version } = saved.json<{ program: { version: number } }>().program;
  const { id, result } = await finished(client, { version });
  assert.ok(result);
  assert.deepEqual(result.notReplayed, { erased: 1, withoutInputs: 0, reversed: 1, corrected: 0 });
  assert.deepEqual([result.version, result.total.records, result.total.difference], [version, 1, 0]);
  assert.match(result.notes[0]!, /^The campaign next has no day in this time/);
  const csv = await client.call("GET", `/program-previews/${id}?format=csv`);
  assert.match(String(csv.headers["content-type"]), /^text\/csv/);
  const [header, total] = csv.body.split("\n");
  assert.equal(header, "view,key,records,pointsNow,pointsDraft,difference,costNow,costDraft,costDifference");
  assert.equal(total, `total,,1,${result.total.pointsNow},${result.total.pointsDraft},0,,,`);
});

test("what is wrong in a request is named; a version of another application is not found", async () => {
  const [client, other] = [await idle.newClient(), await idle.newClient()];
  await other.call("POST", "/programs", { definition: { name: "Own" } });
  const errorsOf = async (body: object) => {
    const response = await request(client, body);
    assert.equal(response.statusCode, 400, response.body);
    return Object.keys(response.json<{ errors: object }>().errors).sort();
  };
  assert.deepEqual(await errorsOf({}), ["definition"]);
  assert.deepEqual(await errorsOf({ definition: { name: "A" }, version: 1 }), ["definition"]);
  assert.deepEqual(await errorsOf({ definition: { name: "A", eligibel: {} }, days: 93, pointValue: 0.1234567 }), [
    "days",
    "definition.eligibel",
    "pointValue",
  ]);
  assert.equal((await request(client, { version: 1 })).statusCode, 404);
});

test("an application has one preview at a time, however many are asked for at once; another one's is not found", async () => {
  const [client, other] = [await idle.newClient(), await idle.newClient()];
  const body = { definition: { name: "Own" } };
  const responses = await Promise.all(Array.from({ length: 6 }, () => request(client, body)));
  const statuses = responses.map(({ statusCode }) => statusCode).sort((a, b) => a - b);
  assert.deepEqual(statuses, [200, 503, 503, 503, 503, 503]);
  const first = responses.find(({ statusCode }) => statusCode === 200)!.json<{ preview: Shown }>().preview;
  assert.equal((await request(other, body)).statusCode, 200);
  assert.equal((await other.call("GET", `/program-previews/${first.id}`)).statusCode, 404);
  assert.equal((await client.call("GET", `/program-previews/${first.id}?format=csv`)).statusCode, 404);
  await idle.database.pool.query("DELETE FROM program_previews");
});

function previewsOf({ database, clock }: TestService, over: { runMsMax?: number; waitMs?: number } = {}) {
  const { waitMs = 0, ...limits } = over;
  const background = {
    ...database,
    snapshot: async <Result>(work: (tx: Tx) => Promise<Result>) => {
      await sleep(waitMs);
      return database.snapshot(work);
    },
  };
  const deps = { database, background, jobs: { send: async () => true }, log: silent, ...limits };
  const now = () => new Date(clock.ms);
  const newId = () => uuidv7(clock.ms, crypto.getRandomValues(new Uint8Array(10)));
  return createPreviews({ ...deps, now, newId, groupOf: () => null, pressure: { giveWay: async () => {} } });
}

test("a preview of a process that is gone is taken up, at most three times, and one that takes too long fails", async () => {
  const client = await idle.newClient();
  const { id } = await requested(client, { definition: { name: "Own" } });
  const gone = () =>
    idle.database.pool.query("UPDATE program_previews SET attempts = attempts + 1, advanced_at = to_timestamp(0)");
  await gone();
  const stopped = new AbortController();
  stopped.abort();
  await previewsOf(idle).run(stopped.signal);
  assert.equal((await show(client, id)).state, "running");
  await previewsOf(idle).run(new AbortController().signal);
  assert.equal((await show(client, id)).state, "finished");

  const lost = await requested(client, { definition: { name: "Own" } });
  for (let attempt = 0; attempt < 3; attempt++) await gone();
  await previewsOf(idle).run(new AbortController().signal);
  const failed = await show(client, lost.id);
  assert.deepEqual([failed.state, failed.failure], ["failed", "internal"]);

  const long = await requested(client, { definition: { name: "Own" } });
  await previewsOf(idle, { runMsMax: 1, waitMs: 50 }).run(new AbortController().signal);
  assert.equal((await show(client, long.id)).failure, "time_out");
});

test("a preview that fails shows how far it had come", async () => {
  const client = await idle.newClient();
  const { id } = await requested(client, { definition: { name: "Own" } });
  const [at, gone] = [new Date(idle.clock.ms), new Date(0)];
  const claimed = await claimPreview(idle.database, at, gone);
  assert.equal(claimed?.id, id);
  await storeProgress(idle.database, claimed, { replayed: 3, total: 10 }, at);
  await finishPreview(idle.database, claimed, "time_out", at);
  const { state, replayed, total } = await show(client, id);
  assert.deepEqual([state, replayed, total], ["failed", 3, 10]);
});

test("a preview gives signs of its work also while it finds its records, and reads what campaigns gave before", async () => {
  const client = await service.newClient();
  const userId = await client.enrol();
  await eat(client, userId);
  const campaign = { id: "all", name: "All", from: "2020-01-01", till: "2099-12-31", effect: { multiplier: 2 } };
  await service.database.pool.query(
    "INSERT INTO campaign_usage (application_id, campaign_id, points, users) VALUES ($1, 'all', 5, 1)",
    [client.applicationId],
  );
  const progress: (readonly [number, number | null])[] = [];
  const deps = {
    database: service.database,
    groupOf: () => null,
    now: service.now,
    stopped: new AbortController().signal,
    progress: (replayed: number, total: number | null) => void progress.push([replayed, total]),
  };
  const definition = { name: "Own", campaigns: [{ ...campaign, budget: 1_000 }] };
  await preview(deps, client.applicationId, { version: null, definition, days: 1, pointValue: null });
  const found = [0, null] as const;
  const usageRead = [0, 1] as const;
  const replayed = [1, 1] as const;
  // Usage by records and by users; then the records, and the bonuses of users.
  assert.deepEqual(progress, [found, usageRead, usageRead, replayed, replayed]);
});

test("a result is kept for a day, and the newest twenty of an application", async () => {
  const client = await idle.newClient();
  const ids: string[] = [];
  for (let n = 0; n < 22; n++) {
    ids.push((await requested(client, { definition: { name: "Own" } })).id);
    await previewsOf(idle).run(new AbortController().signal);
    idle.clock.ms += 1_000;
  }
  const kept = await idle.database.pool.query<{ id: string }>(
    "SELECT id FROM program_previews WHERE application_id = $1 ORDER BY created_at",
    [client.applicationId],
  );
  assert.deepEqual(
    kept.rows.map((row) => row.id),
    ids.slice(2),
  );
  idle.clock.ms += DAY_MS + 60_000;
  assert.equal((await client.call("GET", `/program-previews/${ids.at(-1)}`)).statusCode, 404);
  await previewsOf(idle).sweep();
  assert.equal((await idle.database.pool.query("SELECT FROM program_previews")).rowCount, 0);
});

test("the command writes a table, JSON or CSV, and reads a file or a version", async () => {
  const client = await service.newClient();
  const userId = await client.enrol();
  await eat(client, userId);
  const folder = mkdtempSync(join(tmpdir(), "program-preview-"));
  const file = join(folder, "draft.json");
  writeFileSync(file, JSON.stringify({ name: "Twice", points: { food: { multiplier: 2 } } }));
  const cli = async (...args: string[]) => {
    const command = ["bin/run.mjs", "src/cli.ts", "program", "preview", "--client-id", client.clientId, ...args];
    const env = { ...process.env, DATABASE_URL: service.databaseUrl, DATABASE_SCHEMA: service.database.schema };
    return (await promisify(execFile)(process.execPath, command, { env })).stdout;
  };
  const table = await cli("--file", file, "--days", "3", "--point-value", "0.5");
  assert.match(table, /^Twice: submissions from /);
  assert.match(table, /\n +food +1 +5 +10 +\+5 +2\.50 +5\.00 +2\.50\n/);
  assert.match(table, new RegExp(`most gained\n  ${userId}  5 → 10 \\(\\+5\\)`));
  const result = JSON.parse(await cli("--file", file, "--json")) as PreviewResult;
  assert.deepEqual([result.total.pointsNow, result.total.pointsDraft], [5, 10]);
  const out = join(folder, "out.csv");
  await cli("--file", file, "--format", "csv", "--out", out);
  assert.match(readFileSync(out, "utf8"), /\nsource,food,1,5,10,5,,,\n/);
  rmSync(folder, { recursive: true });
});
