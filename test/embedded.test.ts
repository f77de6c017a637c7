import assert from "node:assert/strict";
import { fork, spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { EmbeddedError, joinEmbedded, startEmbedded } from "../src/postgres/embedded/embedded.ts";
import type { EmbeddedConnection, EmbeddedServer } from "../src/postgres/embedded/embedded.ts";
import { endPostmaster, isPostmaster, readPostmaster } from "../src/postgres/embedded/postmaster.ts";
import { silent } from "./support/database.ts";
import { clusterParent } from "./support/memory.ts";

const isRoot = process.geteuid?.() === 0;
const NOBODY = 65534;

const scratch = mkdtempSync(join(clusterParent(), "rewards-embedded-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

function emptyDataDir(): string {
  return join(mkdtempSync(join(scratch, "test-")), "data");
}

let cluster: Promise<string> | undefined;

/** A folder in which a service has run before: a copy, since making a cluster takes a second of fsync. */
async function usedDataDir(dataDir = emptyDataDir()): Promise<string> {
  cluster ??= (async () => {
    const dir = emptyDataDir();
    await (await startEmbedded({ dataDir: dir, log: silent })).stop();
    return join(dir, "postgres");
  })();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  cpSync(await cluster, join(dataDir, "postgres"), { recursive: true });
  chmodSync(join(dataDir, "postgres"), 0o700);
  return dataDir;
}

async function start(t: TestContext, dataDir: string): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir, log: silent });
  t.after(() => server.stop());
  return server;
}

async function startCommand(t: TestContext, dataDir: string): Promise<EmbeddedServer> {
  const server = await joinEmbedded({ dataDir, log: silent, mayCreate: false });
  t.after(() => server.stop());
  return server;
}

/** Another process that owns `dataDir`, in a process group of its own, as a shell would start it. */
async function startOwner(
  t: TestContext,
  dataDir: string,
): Promise<{ owner: ChildProcess; connection: EmbeddedConnection }> {
  const owner = forkOwner(t, dataDir);
  const connection = (await messageOf(owner)) as EmbeddedConnection;
  t.after(() => rmSync(connection.host, { recursive: true, force: true }));
  return { owner, connection };
}

function forkOwner(t: TestContext, dataDir: string): ChildProcess {
  const owner = fork(join(import.meta.dirname, "support/embedded-owner.ts"), [dataDir], { detached: true });
  t.after(() => owner.kill("SIGKILL"));
  return owner;
}

async function messageOf(owner: ChildProcess): Promise<unknown> {
  const exit = once(owner, "exit").then(() => assert.fail("the owner ended"));
  return ((await Promise.race([once(owner, "message"), exit])) as unknown[])[0];
}

async function query(connection: EmbeddedConnection, sql: string): Promise<unknown[]> {
  const client = new Client({ ...connection });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows.flatMap((row) => Object.values(row));
  } finally {
    await client.end();
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const since = Date.now(); Date.now() - since < 20_000; await sleep(20)) if (await condition()) return;
  assert.fail("waited 20 s for what should have come true");
}

test("what was written is there after a stop and a start, and a stop leaves no process and no socket", async (t) => {
  const dataDir = await usedDataDir();
  const first = await start(t, dataDir);
  await query(first.connection, "CREATE TABLE kept AS SELECT 42 AS value");
  const pid = readPostmaster(join(dataDir, "postgres"))?.pid ?? 0;
  await first.stop();
  await first.stop();
  assert.equal(isPostmaster(pid, join(dataDir, "postgres")), false);
  assert.equal(existsSync(first.connection.host), false);
  const second = await start(t, dataDir);
  assert.deepEqual(await query(second.connection, "SELECT value FROM kept"), [42]);
});

test("a command makes no database where there is none, leaves nothing behind and names the folder; one that may does", async (t) => {
  const missing = emptyDataDir();
  const empty = emptyDataDir();
  mkdirSync(empty);
  for (const dataDir of [missing, empty]) {
    await assert.rejects(startCommand(t, dataDir), (error: Error) => {
      assert.ok(error instanceof EmbeddedError);
      return error.message.startsWith(`There is no database in ${dataDir}.`);
    });
  }
  assert.deepEqual([existsSync(missing), readdirSync(empty)], [false, []]);
  // A service that was killed while it made its first database left its name there.
  writeFileSync(join(empty, "owner.json"), JSON.stringify({ role: "service", pid: 1 }));
  await assert.rejects(startCommand(t, empty), EmbeddedError);
  const server = await joinEmbedded({ dataDir: missing, log: silent, mayCreate: true });
  await server.stop();
  assert.ok(existsSync(join(missing, "postgres")));
});

test("the server is durable, sorts by code point, and only its socket leads to it", async (t) => {
  const { connection } = await start(t, await usedDataDir());
  const shown = [];
  for (const name of ["fsync", "synchronous_commit", "listen_addresses", "server_encoding"]) {
    shown.push(...(await query(connection, `SHOW ${name}`)));
  }
  assert.deepEqual(shown, ["on", "on", "", "UTF8"]);
  assert.deepEqual(await query(connection, "SELECT 'Z' < 'a' AND 'z' < 'ä' AND upper('ä') = 'Ä'"), [true]);
  assert.equal(statSync(connection.host).mode & 0o777, 0o700);
});

test("a data folder may be deep and have spaces in its name", async (t) => {
  const dataDir = join(emptyDataDir(), "a folder with spaces ".repeat(4), "and another below it ".repeat(4));
  const { connection } = await start(t, dataDir);
  assert.ok(Buffer.byteLength(dataDir) > 107);
  assert.deepEqual(await query(connection, "SELECT 1"), [1]);
});

test("root's home of mode 700 is no hindrance", { skip: !isRoot && "needs root" }, async (t) => {
  const home = mkdtempSync("/root/rewards-embedded-");
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const dataDir = await usedDataDir(join(home, "data"));
  const { connection } = await start(t, dataDir);
  assert.deepEqual(await query(connection, "SELECT 1"), [1]);
  assert.notEqual(statSync(join(dataDir, "postgres")).uid, 0);
});

test("a second service on the folder stops with a line that names the first", async (t) => {
  const dataDir = await usedDataDir();
  const { connection } = await start(t, dataDir);
  await assert.rejects(startEmbedded({ dataDir, log: silent }), (error) => {
    assert.ok(error instanceof EmbeddedError);
    assert.match(error.message, new RegExp(`Another process \\(${process.pid}\\) is running on`));
    return true;
  });
  assert.deepEqual(await query(connection, "SELECT 1"), [1]);
});

test("after kill -9 of the owner the next one starts, with all that was committed", async (t) => {
  const dataDir = await usedDataDir();
  const { owner, connection } = await startOwner(t, dataDir);
  await query(connection, "CREATE TABLE kept AS SELECT 42 AS value");
  owner.kill("SIGKILL");
  const next = await start(t, dataDir);
  assert.deepEqual(await query(next.connection, "SELECT value FROM kept"), [42]);
});

test("after kill -9 of the owner and of PostgreSQL the next one starts, with all that was committed", async (t) => {
  const dataDir = await usedDataDir();
  const { owner, connection } = await startOwner(t, dataDir);
  await query(connection, "CREATE TABLE kept AS SELECT 42 AS value");
  const pid = readPostmaster(join(dataDir, "postgres"))?.pid ?? 0;
  process.kill(pid, "SIGKILL");
  owner.kill("SIGKILL");
  const next = await start(t, dataDir);
  assert.deepEqual(await query(next.connection, "SELECT value FROM kept"), [42]);
});

test("a server that a killed owner left running is ended cleanly", async (t) => {
  const dataDir = await usedDataDir();
  const { owner, connection } = await startOwner(t, dataDir);
  const clusterDir = join(dataDir, "postgres");
  const { pid = 0 } = readPostmaster(clusterDir) ?? {};
  assert.equal(isPostmaster(pid, clusterDir), true);
  owner.kill("SIGSTOP"); // it would start it again
  await endPostmaster(clusterDir, silent);
  assert.equal(isPostmaster(pid, clusterDir), false);
  assert.equal(readPostmaster(clusterDir), undefined);
  await assert.rejects(query(connection, "SELECT 1"));
});

test("a left-over postmaster.pid whose number is another program's now does not matter", async (t) => {
  const dataDir = await usedDataDir();
  await (await start(t, dataDir)).stop();
  const file = join(dataDir, "postgres", "postmaster.pid");
  writeFileSync(file, `${process.pid}\n${dataDir}/postgres\n1\n5432\n/tmp\n\n  1 1\nready   \n`);
  const { connection } = await start(t, dataDir);
  assert.deepEqual(await query(connection, "SELECT 1"), [1]);
  assert.notEqual(Number(readFileSync(file, "utf8").split("\n")[0]), process.pid);
});

test("a kill -9 in the middle of the very first start leaves nothing that the next one trips over", async (t) => {
  const dataDir = emptyDataDir();
  const owner = forkOwner(t, dataDir);
  await until(() => existsSync(dataDir) && readdirSync(dataDir).some((name) => name.startsWith("postgres.new")));
  owner.kill("SIGKILL");
  const { connection } = await start(t, dataDir);
  assert.deepEqual(await query(connection, "SELECT 1"), [1]);
});

test("a Ctrl-C, which goes to the whole process group, does not reach the server", async (t) => {
  const { owner, connection } = await startOwner(t, await usedDataDir());
  process.kill(-(owner.pid ?? Number.NaN), "SIGINT");
  assert.equal(await messageOf(owner), "interrupted");
  assert.deepEqual(await query(connection, "SELECT 1"), [1]);
});

test("when PostgreSQL is killed, its owner hears of it and it comes back by itself", async (t) => {
  const dataDir = await usedDataDir();
  const server = await start(t, dataDir);
  await query(server.connection, "CREATE TABLE kept AS SELECT 42 AS value");
  const exit = new Promise((resolve) => server.onExit(resolve));
  process.kill(readPostmaster(join(dataDir, "postgres"))?.pid ?? 0, "SIGKILL");
  assert.deepEqual(await exit, { code: null, signal: "SIGKILL", isFinal: false });
  await until(() =>
    query(server.connection, "SELECT 1").then(
      () => true,
      () => false,
    ),
  );
  assert.deepEqual(await query(server.connection, "SELECT value FROM kept"), [42]);
});

test("a command joins the server of the running service, and leaves it running", async (t) => {
  const dataDir = await usedDataDir();
  const { connection } = await start(t, dataDir);
  const command = await startCommand(t, dataDir);
  assert.deepEqual(command.connection, connection);
  await command.stop();
  assert.deepEqual(await query(connection, "SELECT 1"), [1]);
});

test("without a service a command starts the server for its moment; one that joined it is waited for", async (t) => {
  const dataDir = await usedDataDir();
  const first = await startCommand(t, dataDir);
  const second = await startCommand(t, dataDir);
  let isOver = false;
  const stopped = first.stop().then(() => (isOver = true));
  await sleep(200);
  assert.equal(isOver, false);
  assert.deepEqual(await query(second.connection, "SELECT 1"), [1]);
  await second.stop();
  await stopped;
  assert.equal(readPostmaster(join(dataDir, "postgres")), undefined);
});

test("a service that starts while a command has the server waits for it", async (t) => {
  const dataDir = await usedDataDir();
  const command = await startCommand(t, dataDir);
  const service = startEmbedded({ dataDir, log: silent });
  await sleep(200);
  await command.stop();
  t.after(async () => (await service).stop());
  assert.deepEqual(await query((await service).connection, "SELECT 1"), [1]);
});

test("data of another major version is refused, untouched, with the way out", async (t) => {
  const dataDir = await usedDataDir();
  await (await start(t, dataDir)).stop();
  writeFileSync(join(dataDir, "postgres", "PG_VERSION"), "17\n");
  await assert.rejects(
    startEmbedded({ dataDir, log: silent }),
    /PostgreSQL 17, and the bundled one is 18: .*restore a back-up/,
  );
});

test("a folder that cannot be used is refused in one line", async () => {
  const dataDir = emptyDataDir();
  writeFileSync(dataDir, "a file");
  await assert.rejects(startEmbedded({ dataDir, log: silent }), /^EmbeddedError: DATA_DIR .*data cannot be used: /);
});

test("an ordinary user gets the same", { skip: !isRoot && "this is one" }, async (t) => {
  const asUser = { uid: NOBODY, gid: NOBODY, cwd: "/" };
  const canRead = spawnSync(process.execPath, ["-e", "fs.accessSync(process.argv[1])", import.meta.filename], asUser);
  if (canRead.status !== 0) return t.skip("this folder is closed to ordinary users");
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = ["--test", "--test-name-pattern=a start,|kill|Ctrl-C", import.meta.filename];
  const run = spawn(process.execPath, args, { ...asUser, env, stdio: ["ignore", "pipe", "pipe"] });
  t.after(() => run.kill("SIGKILL"));
  let output = "";
  run.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  run.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(run, "close")) as [number | null];
  assert.equal(code, 0, output);
});
