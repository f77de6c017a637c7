import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { lockNameKey } from "../src/postgres/cell.ts";
import type { Database } from "../src/postgres/postgres.ts";
import { declaredStatements } from "../src/postgres/statement.ts";
import { openJobs } from "../src/queue/jobs.ts";
import { runCommand } from "./support/commands.ts";
import { createTestCell, createTestDatabase, silent } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";
import { watchNeighbour } from "./support/neighbour.ts";
import { mealOf } from "./support/requests.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

// Services in schemas of one database: what one of them does, no other one sees.

let shared: TestDatabase;
const services: TestService[] = [];
const clients: Client[] = [];
before(async () => {
  shared = await createTestDatabase({ listsCells: true });
  for (const schema of ["north", "south"]) {
    const service = await startService({ database: await createTestCell(shared, schema) });
    services.push(service);
    clients.push(await service.newClient());
  }
});
after(async () => {
  for (const service of services) await service.close();
  await shared.drop();
});

async function eat(client: Client, count: number): Promise<string> {
  const userId = await client.enrol();
  await Promise.all(
    Array.from({ length: count }, (_, n) => client.post("/track/meals", mealOf(userId, `meal-${n}`), 202)),
  );
  return userId;
}

test("each service does its own jobs and sends its own events, both at once", async () => {
  const userIds = await Promise.all(clients.map((client) => eat(client, 20)));
  for (const [i, client] of clients.entries()) {
    const isDone = (events: { event?: string }[]) =>
      events.filter(({ event }) => event === "intake.completed").length >= 20;
    const events = await client.until(isDone);
    const text = JSON.stringify(events);
    assert.ok(text.includes(userIds[i]!));
    assert.ok(!text.includes(userIds[1 - i]!), "an event of the other cell");
  }
  const jobs = await Promise.all(
    ["north", "south"].map((schema) =>
      shared.database.pool.query(`SELECT FROM ${schema}_jobs.queue WHERE name = 'score-intakes'`),
    ),
  );
  assert.deepEqual(
    jobs.map(({ rowCount }) => rowCount),
    [1, 1],
  );
});

test("what belongs to one cell is unknown to the other: applications, users, keys", async () => {
  const [north, south] = clients as [Client, Client];
  const userId = await north.enrol();
  const stranger = await services[1]!.app.server.inject({
    method: "GET",
    url: `/users/${userId}/summary?api-version=1.0`,
    headers: north.headers,
  });
  assert.equal(stranger.statusCode, 401, "its credentials do not open the other cell");
  assert.equal((await south.call("GET", `/users/${userId}/summary`)).statusCode, 404);
  const key = { "idempotency-key": randomUUID() };
  const sent = await Promise.all(
    [north, south].map(async (client) => {
      const body = mealOf(await client.enrol(), "meal-1");
      return (await client.call("POST", "/track/meals", body, key)).json<{ trackId: string }>().trackId;
    }),
  );
  assert.notEqual(sent[0], sent[1], "one key names two requests");
});

test("a sweep that one cell runs lets the other run the same", async (t) => {
  const [north, south] = services.map(({ database }) => database) as [TestService["database"], TestService["database"]];
  const swept: string[] = [];
  const releases: (() => void)[] = [];
  const jobs = [north, south].map((database) => openJobs({ database, isWorker: false, log: silent }));
  t.after(() => {
    for (const release of releases) release();
    return Promise.all(jobs.map((each) => each.stop(0)));
  });
  for (const [i, each] of jobs.entries()) {
    each.everyInProcess(60, "tidy", async () => {
      swept.push(["north", "south"][i]!);
      await new Promise<void>((resolve) => releases.push(resolve));
    });
  }
  for (const endsAt = performance.now() + 20_000; swept.length < 2 && performance.now() < endsAt;) await sleep(20);
  assert.deepEqual(swept.toSorted(), ["north", "south"], "both run the sweep of one name at once");
});

test("a back-up of a cell has its rows alone, and can be restored into another one", async (t) => {
  const scratch = mkdtempSync(join(tmpdir(), "rewards-cells-"));
  t.after(() => rmSync(scratch, { recursive: true, force: true }));
  const north = services[0]!;
  await eat(clients[0]!, 3);
  const to = join(scratch, "north");
  await runCommand(north.database, ["backup", "create", "--to", to], {
    env: { DATA_DIR: north.dataDir },
  });
  const west = await createTestCell(shared, "west");
  const [restored] = await runCommand<{ ok: boolean; users: number }>(
    west.database,
    ["backup", "restore", "--from", to],
    { env: { DATA_DIR: join(scratch, "west") } },
  );
  const count = async ({ database }: { database: TestService["database"] }) =>
    (await database.pool.query<{ users: number }>("SELECT count(*)::int AS users FROM users")).rows[0]!.users;
  assert.deepEqual([restored!.ok, restored!.users], [true, await count(north)]);
  assert.notEqual(await count(west), 0);
  await west.drop();
});

test("the cells of a database are listed, each with what is in it", async () => {
  const [printed] = await runCommand<{ cells: { schema: string; applications: number; isThis: boolean }[] }>(
    services[1]!.database,
    ["cell", "list"],
  );
  const listed = printed!.cells.filter(({ schema }) => schema === "north" || schema === "south");
  assert.deepEqual(
    listed.map(({ schema, applications, isThis }) => [schema, applications, isThis]),
    [
      ["north", 1, false],
      ["south", 1, true],
    ],
  );
});

test("the ledger of each cell agrees", async () => {
  for (const { database } of services) {
    const [report] = await runCommand<{ ok: boolean }>(database, ["ledger", "verify"]);
    assert.equal(report!.ok, true);
  }
});

test("a neighbour notices what is done to it, and keeps its locks: otherwise `npm run test:cells` would find nothing", async () => {
  const lock = { text: `SELECT pg_try_advisory_xact_lock(1, ${lockNameKey("$1")}) AS "isFree"`, values: ["tidy"] };
  /** What the cell under test would notice as a neighbour: nothing was done to it since it was cloned. */
  const noticed = async (work: (cell: Database) => Promise<unknown>) => {
    const own = await createTestDatabase();
    try {
      const watch = await watchNeighbour(own.url, { schema: own.database.schema, locks: [lock] });
      await work(own.database);
      return await watch.findings();
    } finally {
      await own.drop();
    }
  };
  const nothing = await noticed(async ({ pool }) => {
    const { rows } = await pool.query<{ isFree: boolean }>(lock.text, lock.values);
    assert.deepEqual(rows, [{ isFree: false }]);
  });
  assert.deepEqual(nothing, []);
  const read = await noticed(({ pool }) => pool.query("SELECT FROM users"));
  assert.match(read.join("\n"), /^\w+\.users: 1 reads, 0 writes$/);
  const sent = await noticed(async (database) => {
    const jobs = openJobs({ database, isWorker: false, log: silent });
    await jobs.start();
    await jobs.declare({ greet: { retryLimit: 0, expireInSeconds: 60 } });
    await jobs.send(database, "greet", {});
    await jobs.stop(0);
  });
  assert.ok(
    sent.some((finding) => finding.startsWith("a notice on pgboss_")),
    sent.join("\n"),
  );
  assert.ok(
    sent.some((finding) => /^\w*jobs\.\w+: \d+ reads, [1-9]\d* writes$/.test(finding)),
    sent.join("\n"),
  );
});

test("the keys of all advisory locks have the schema in them", () => {
  const taking = declaredStatements().filter(({ text }) => /pg_(?:try_)?advisory/.test(text));
  assert.ok(taking.length >= 6);
  for (const { name, text } of taking) {
    for (const [call] of text.matchAll(/pg_(?:try_)?advisory\w*\([^\n]*/g))
      assert.match(call, /current_schema\(\)/, name);
  }
});
