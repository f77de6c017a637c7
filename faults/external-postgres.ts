import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess, SpawnSyncReturns } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { ended, freePort, hasEnded } from "../test/support/processes.ts";

/** A PostgreSQL that no service starts, as operators have one: reached by network, with its own settings of disk. */
export interface ExternalPostgres {
  readonly url: string;
  readonly version: string;
  /** Kills it, as a power cut does, and starts it again; done when it has recovered. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** Ten processes with 13 connections for SQL and 5 for queues, and commands. */
const CONNECTIONS_MAX = 300;
const START_MS_MAX = 60_000;
const NOBODY = { uid: 65_534, gid: 65_534 };

/** The folder of the programs of an installed PostgreSQL, the newest one; undefined: none is installed. */
function findPrograms(): string | undefined {
  const version = (path: string) => Number(/(\d+)\/bin/.exec(path)?.[1] ?? 0);
  const found = globSync(["/usr/lib/postgresql/*/bin/initdb", "/usr/pgsql-*/bin/initdb", "/usr/local/bin/initdb"]);
  return found.toSorted((a, b) => version(b) - version(a))[0]?.replace(/\/initdb$/, "");
}

/** Starts an installed PostgreSQL on loopback with data in a new folder below `dir`. */
export async function startExternal(dir: string): Promise<ExternalPostgres> {
  const programs = findPrograms();
  assert.ok(programs !== undefined, "no PostgreSQL is installed; Debian has the package postgresql");
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? NOBODY : {};
  const data = join(dir, "external-postgres");
  mkdirSync(data, { mode: 0o700 });
  const passwordFile = `${data}.password`;
  const password = randomBytes(16).toString("hex");
  writeFileSync(passwordFile, password);
  if (isRoot) {
    for (const path of [data, passwordFile]) chownSync(path, NOBODY.uid, NOBODY.gid);
    chmodSync(dir, 0o755);
  }
  const initdb = ["-D", data, "-U", "rewards", "-A", "scram-sha-256", `--pwfile=${passwordFile}`, "-E", "UTF8"];
  succeeded(spawnSync(join(programs, "initdb"), [...initdb, "--locale=C"], { ...owner, encoding: "utf8" }));
  const port = await freePort();
  const url = `postgresql://rewards:${password}@127.0.0.1:${port}/postgres`;
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", `max_connections=${CONNECTIONS_MAX}`];
  const args = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
  const start = () => startServer(() => spawn(join(programs, "postgres"), args, { ...owner, stdio: "ignore" }), url);
  let { child, version } = await start();
  return {
    url,
    version,
    crash: async () => {
      child.kill("SIGKILL");
      await ended(child);
      ({ child } = await start());
    },
    stop: async () => {
      child.kill("SIGINT");
      await ended(child);
    },
  };
}

/** Starts it again until it runs: processes of a killed one end by themselves, and it refuses to start before. */
async function startServer(run: () => ChildProcess, url: string): Promise<{ child: ChildProcess; version: string }> {
  const deadline = Date.now() + START_MS_MAX;
  for (let child = run(); ; await sleep(100)) {
    const version = await versionOf(url).catch((error: Error) => error);
    if (typeof version === "string") return { child, version };
    if (Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`the external PostgreSQL did not start: ${version.message}`);
    }
    if (hasEnded(child)) child = run();
  }
}

async function versionOf(connectionString: string): Promise<string> {
  const client = new Client({ connectionString });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query<{ version: string }>("SELECT current_setting('server_version') AS version")).rows[0]!
      .version;
  } finally {
    await client.end().catch(() => {});
  }
}

function succeeded({ status, stderr, error }: SpawnSyncReturns<string>): void {
  if (error || status !== 0) throw error ?? new Error(stderr);
}
