import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "pg-connection-string";
import { migrateAll } from "../src/database.ts";
import { openDatabase } from "../src/postgres/postgres.ts";
import type { Database } from "../src/postgres/postgres.ts";
import { createTestDatabase, silent } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";
import { freePort } from "./support/processes.ts";
import { mealOf } from "./support/requests.ts";
import { startService } from "./support/service.ts";

// The service behind a real PgBouncer in transaction mode, where one is installed (Debian: pgbouncer).

const PROGRAM = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find((path) => existsSync(path));
const skip = PROGRAM === undefined && "no pgbouncer is installed";
const isNamed = PROGRAM !== undefined && holdsNames(String(spawnSync(PROGRAM, ["--version"]).stdout));
const CELL = "behind_pooler";

/** PgBouncer holds named statements since 1.21. */
function holdsNames(version: string): boolean {
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  return major > 1 || minor >= 21;
}

const folders: string[] = [];
const children: ChildProcess[] = [];
after(async () => {
  for (const child of children) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Starts a PgBouncer in front of a database, with room for all connections of a process; returns how it is reached. */
async function startPooler(beside: TestDatabase, connectQuery: string): Promise<{ host: string; port: number }> {
  const { host, port = null, user, password, database } = parse(beside.url);
  const folder = mkdtempSync(join(tmpdir(), "rewards-pooler-"));
  folders.push(folder);
  chmodSync(folder, 0o755);
  const own = { host: "127.0.0.1", port: await freePort() };
  const config = join(folder, "pgbouncer.ini");
  const server = `host=${host} port=${port === "" || port === null ? 5432 : port} dbname=${database} user=${user} password=${password}`;
  writeFileSync(
    config,
    [
      "[databases]",
      `rewards = ${server} connect_query='${connectQuery}'`,
      "[pgbouncer]",
      `listen_addr = ${own.host}`,
      `listen_port = ${own.port}`,
      "auth_type = any",
      "pool_mode = transaction",
      "default_pool_size = 20",
      "unix_socket_dir =",
      ...(isNamed ? ["max_prepared_statements = 200"] : []),
    ].join("\n"),
  );
  // It refuses to run as root, and must reach the socket of the bundled server.
  const { uid, gid } = host!.startsWith("/") ? statSync(host!) : { uid: 65_534, gid: 65_534 };
  const owner = process.getuid?.() === 0 ? { uid, gid } : {};
  const child = spawn(PROGRAM!, [config], { stdio: ["ignore", "ignore", "pipe"], ...owner });
  children.push(child);
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += String(chunk)));
  for (const endsAt = performance.now() + 20_000; !output.includes("process up");) {
    assert.ok(performance.now() < endsAt && child.exitCode === null, output);
    await sleep(20);
  }
  return own;
}

function openBehind(beside: TestDatabase, pooler: { host: string; port: number }): Database {
  return openDatabase({
    connection: { ...pooler, user: "rewards", database: "rewards" },
    session: { connectionString: beside.url },
    schema: CELL,
    connectionsMax: 8,
    named: isNamed,
    statementTimeoutMs: 15_000,
    onError: () => {},
  });
}

test("behind PgBouncer a service migrates, scores and delivers, in a schema of its own", { skip }, async (t) => {
  const beside = await createTestDatabase();
  const database = openBehind(beside, await startPooler(beside, `SET search_path TO ${CELL}`));
  await migrateAll(database, silent);
  const drop = async () => {
    await database.close();
    await beside.drop();
  };
  const env = { DATABASE_NAMED_STATEMENTS: String(isNamed) };
  const service = await startService({ database: { ...beside, database, drop }, env });
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

test("behind a PgBouncer without the search path nothing is read or written", { skip }, async (t) => {
  const beside = await createTestDatabase();
  const database = openBehind(beside, await startPooler(beside, "SELECT 1"));
  t.after(async () => {
    await database.close();
    await beside.drop();
  });
  await assert.rejects(database.query({ name: "test.one", text: "SELECT 1" }), {
    name: "SchemaError",
    message: /^DATABASE_SCHEMA is behind_pooler, .*connect_query/,
  });
});
