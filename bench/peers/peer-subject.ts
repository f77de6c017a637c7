import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { NO_LOG } from "../../src/log.ts";
import { startEmbedded } from "../../src/postgres/embedded/embedded.ts";
import type { EmbeddedConnection } from "../../src/postgres/embedded/embedded.ts";
import { freePort, postmasterPid } from "../../test/support/processes.ts";
import { callerOf } from "../call.ts";
import { cpuMsOfTree } from "../cpu.ts";
import { headersOf, submissionsOf } from "../subject.ts";
import type { Subject } from "../subject.ts";
import { withSurroundings } from "../surroundings.ts";
import { peerFoods } from "./catalogue.ts";

const ROOT = join(import.meta.dirname, "../..");
const DIST = join(import.meta.dirname, "dist");
const USERS = 200;
const START_MS_MAX = 60_000;

/** What the comparison needs of either service. */
export type Compared = Pick<Subject, "send" | "settled" | "cpu" | "close">;

interface Seeded {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly userIds: readonly string[];
}

/** Compiles the peer: decorators with metadata are more than Node strips. */
export async function buildPeer(): Promise<void> {
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const compiling = promisify(execFile)(process.execPath, [compiler, "-p", join(import.meta.dirname, "nest")]);
  await compiling.catch((error: { stdout?: string }) => {
    throw new Error(`the peer does not compile:\n${error.stdout}`);
  });
}

/**
 * Starts the peer on a bundled PostgreSQL of its own, with its defaults, as the bench starts the service; with a
 * generator and a receiver of its own. "serve" accepts only.
 */
export async function startPeer(role: "start" | "serve"): Promise<Compared> {
  return withSurroundings("rewards-peer-", async ({ dataDir, receiver, generator, closers, close }) => {
    const postgres = await startEmbedded({ dataDir, log: NO_LOG });
    closers.push(postgres.stop);
    const env = environment(postgres.connection, role, await freePort());
    const { clientId, clientSecret, userIds } = await seed(env, (await receiver.ask({})).url);
    const service = await start(env);
    closers.push(service.stop);
    const headers = headersOf({ clientId, clientSecret });
    const url = `http://127.0.0.1:${env["PORT"]}`;
    return {
      ...submissionsOf({ url, headers, userIds, call: callerOf(url, headers), generator, receiver }),
      cpu: () => ({
        nodeMs: cpuMsOfTree(service.pid),
        readingMs: 0,
        postgresMs: cpuMsOfTree(postmasterPid(dataDir)!),
        receiverMs: cpuMsOfTree(receiver.pid),
      }),
      close,
    };
  });
}

function environment(connection: EmbeddedConnection, role: string, port: number): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    NODE_ENV: "production",
    ROLE: role,
    PORT: String(port),
    DB_HOST: connection.host,
    DB_PORT: String(connection.port),
    DB_USER: connection.user,
    DB_PASSWORD: connection.password,
    DB_NAME: connection.database,
  };
}

async function seed(env: Record<string, string>, webhookUrl: string): Promise<Seeded> {
  const child = spawn(process.execPath, [join(DIST, "seed.js")], { env, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify({ webhookUrl, users: USERS, foods: peerFoods() }));
  return (await json(child.stdout)) as Seeded;
}

async function start(env: Record<string, string>): Promise<{ pid: number; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [join(DIST, "main.js")], { env, stdio: ["ignore", "inherit", "inherit"] });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const stop = async (): Promise<void> => {
    if (hasEnded()) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  for (const deadline = Date.now() + START_MS_MAX; ; await sleep(50)) {
    const ready = await fetch(`http://127.0.0.1:${env["PORT"]}/health`).catch(() => null);
    if (ready?.ok) return { pid: child.pid!, stop };
    if (hasEnded() || Date.now() > deadline) {
      await stop();
      throw new Error("the peer did not start");
    }
  }
}
