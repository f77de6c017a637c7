import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Client } from "pg";
import { migrateAll } from "../src/database.ts";
import { openBeside, openDatabase } from "../src/postgres/postgres.ts";
import type { Database } from "../src/postgres/postgres.ts";
import { createTestDatabase, silent } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";
import { HAS_POOLER, isPoolerNamed, startPooler } from "./support/pooler.ts";
import type { Pooler } from "./support/pooler.ts";
import { mealOf } from "./support/requests.ts";
import { startService } from "./support/service.ts";

// The service behind a real PgBouncer in transaction mode, where one is installed. `npm run test:cells -- --pgbouncer`
// runs the other tests behind one.

const skip = !HAS_POOLER && "no pgbouncer is installed";
const CELL = "behind_pooler";
const SLOW = { name: "test.slow", text: "SELECT pg_sleep(30)" };
const CANCELLED = { code: "57014" };

const poolers: Pooler[] = [];
after(async () => {
  for (const pooler of poolers) await pooler.stop();
});

/** Returns the address of a PgBouncer in front of a database, with room for all connections of a process. */
async function poolerOf(beside: TestDatabase, connectQuery: string, connectionsMax?: number): Promise<string> {
  const pooler = await startPooler(beside.url, { rewards: connectQuery }, connectionsMax);
  poolers.push(pooler);
  return pooler.urlOf("rewards");
}

function openBehind(
  beside: TestDatabase,
  connectionString: string,
  { schema = CELL, statementTimeoutMs = 15_000 } = {},
): Database {
  return openDatabase({
    connection: { connectionString },
    session: { connectionString: beside.url },
    schema,
    connectionsMax: 8,
    named: isPoolerNamed(),
    statementTimeoutMs,
    onError: () => {},
  });
}

test("behind PgBouncer a service migrates, scores and delivers, in a schema of its own", { skip }, async (t) => {
  const beside = await createTestDatabase();
  const database = openBehind(beside, await poolerOf(beside, `SET search_path TO ${CELL}`));
  await migrateAll(database, silent);
  const drop = async () => {
    await database.close();
    await beside.drop();
  };
  const service = await startService({ database: { ...beside, database, drop } });
  t.after(() => service.close());
  const client = await service.newClient();
  const userId = await client.enrol();
  await Promise.all(
    Array.from({ length: 30 }, (_, n) => client.post("/track/meals", mealOf(userId, `meal-${n}`), 202)),
  );
  await client.until((events) => events.filter(({ event }) => event === "intake.completed").length === 30);
  const { rows } = await beside.database.pool.query<{ meals: number }>(
    `SELECT count(*)::int AS meals FROM ${CELL}.records WHERE user_id = $1`,
    [userId],
  );
  assert.equal(rows[0]!.meals, 30, "all are in its own schema");
});

test("behind a PgBouncer with another search path nothing is read or written", { skip }, async (t) => {
  const beside = await createTestDatabase();
  const [without, ofCell] = [
    openBehind(beside, await poolerOf(beside, "SELECT 1")),
    openBehind(beside, await poolerOf(beside, `SET search_path TO ${CELL}`), { schema: "public" }),
  ];
  t.after(async () => {
    for (const database of [without, ofCell]) await database.close();
    await beside.drop();
  });
  const one = { name: "test.one", text: "SELECT 1" };
  const refusal = { name: "SchemaError", message: /^DATABASE_SCHEMA is behind_pooler, .*connect_query/ };
  await assert.rejects(without.query(one), refusal);
  await assert.rejects(ofCell.query(one), {
    name: "SchemaError",
    message: /^DATABASE_SCHEMA is public, .*behind_pooler/,
  });
});

test("limits of time are those of each pool, though all share the connections of PgBouncer", { skip }, async (t) => {
  const beside = await createTestDatabase();
  const url = await poolerOf(beside, `SET search_path TO ${beside.database.schema}`, 1);
  const { schema } = beside.database;
  const requests = openBehind(beside, url, { schema, statementTimeoutMs: 200 });
  const background = openBeside(requests, { connectionsMax: 2, statementTimeoutMs: 60_000, onError: () => {} });
  const own = new Client({ connectionString: url });
  await own.connect();
  t.after(async () => {
    await own.end();
    for (const database of [requests, background]) await database.close();
    await beside.drop();
  });
  const half = { name: "test.half", text: "SELECT pg_sleep(0.5)" };
  const each = (database: Database) => [
    () => database.query(half),
    () => database.tx((tx) => tx.query(half)),
    () => database.snapshot((tx) => tx.query(half)),
  ];
  for (const [i, run] of each(requests).entries()) {
    await assert.rejects(run(), CANCELLED);
    await each(background)[i]!();
    await own.query(half.text);
  }
  await assert.rejects(
    requests.requestTx("an application", (tx) => tx.query(SLOW)),
    CANCELLED,
  );
});
