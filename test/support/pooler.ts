import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "pg-connection-string";
import { ended, freePort } from "./processes.ts";

// A real PgBouncer in transaction mode, where one is installed (Debian: pgbouncer).

const PROGRAM = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find((path) => existsSync(path));

export const HAS_POOLER = PROGRAM !== undefined;

let isNamed: boolean | undefined;

/** Whether the installed PgBouncer holds named statements: it does since 1.21. It is asked once, when it is needed. */
export function isPoolerNamed(): boolean {
  return (isNamed ??= PROGRAM !== undefined && holdsNames(String(spawnSync(PROGRAM, ["--version"]).stdout)));
}

function holdsNames(version: string): boolean {
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  return major > 1 || minor >= 21;
}

export interface Pooler {
  /** The address of a database, or of another name that `entries` has. */
  urlOf(name: string): string;
  /** Ends it at once, as a machine that is lost does. */
  kill(): Promise<void>;
  /** Starts it again, at the same address. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a PgBouncer in front of the server that `url` leads to. `entries` has names of databases, each with what a new
 * connection does first (`*`: every database of the server, by its own name; another name: that of `url`).
 */
export async function startPooler(
  url: string,
  entries: Readonly<Record<string, string>>,
  connectionsMax = 20,
): Promise<Pooler> {
  const { host, port, user, password, database } = parse(url);
  const folder = mkdtempSync(join(tmpdir(), "rewards-pooler-"));
  chmodSync(folder, 0o755);
  const own = { host: "127.0.0.1", port: await freePort() };
  const config = join(folder, "pgbouncer.ini");
  const server = `host=${host} port=${port || 5432} user=${user} password=${password}`;
  writeFileSync(
    config,
    [
      "[databases]",
      ...Object.entries(entries).map(
        ([name, first]) => `${name} = ${server} ${name === "*" ? "" : `dbname=${database}`} connect_query='${first}'`,
      ),
      "[pgbouncer]",
      `listen_addr = ${own.host}`,
      `listen_port = ${own.port}`,
      "auth_type = any",
      "pool_mode = transaction",
      `default_pool_size = ${connectionsMax}`,
      "max_client_conn = 2000",
      // The server has room for 100 connections, and a test leaves its own behind.
      "server_idle_timeout = 5",
      "unix_socket_dir =",
      ...(isPoolerNamed() ? ["max_prepared_statements = 200"] : []),
    ].join("\n"),
  );
  let child = await run(config, host!);
  const end = async () => {
    child.kill("SIGKILL");
    await ended(child);
  };
  return {
    urlOf: (name) => `postgresql://${user}@${own.host}:${own.port}/${name}`,
    kill: end,
    start: async () => {
      child = await run(config, host!);
    },
    stop: async () => {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function run(config: string, host: string): Promise<ChildProcess> {
  assert.ok(PROGRAM !== undefined, "no pgbouncer is installed");
  // It refuses to run as root, and must reach the socket of the bundled server.
  const { uid, gid } = host.startsWith("/") ? statSync(host) : { uid: 65_534, gid: 65_534 };
  const owner = process.getuid?.() === 0 ? { uid, gid } : {};
  const child = spawn(PROGRAM, [config], { stdio: ["ignore", "ignore", "pipe"], ...owner });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output = (output + String(chunk)).slice(-10_000)));
  for (const endsAt = performance.now() + 20_000; !output.includes("process up");) {
    assert.ok(performance.now() < endsAt && child.exitCode === null, output);
    await sleep(20);
  }
  return child;
}
