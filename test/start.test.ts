import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createTestDatabase } from "./support/database.ts";
import { freePort, spawnService } from "./support/processes.ts";

const dataDir = mkdtempSync(join(tmpdir(), "rewards-start-"));
process.on("exit", () => rmSync(dataDir, { recursive: true, force: true }));

const BURST = 1_500;
const SMALL_BACKLOG =
  (process.platform !== "linux" && "the system's limit is not known") ||
  (Number(readFileSync("/proc/sys/net/core/somaxconn", "utf8")) < BURST && "the system accepts fewer");

/** Starts the service with settings that it cannot start with. Returns its exit code and its error output. */
async function refusedStart(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const child = spawnService({ dataDir, port: await freePort(), env: { LOG_LEVEL: "silent", ...env } });
  let output = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    output += String(chunk);
  });
  await once(child, "exit");
  return { code: child.exitCode, output };
}

test("without its database the service prints one line and ends with an error", async () => {
  const { code, output } = await refusedStart({
    DATABASE_URL: `postgres://robin:secret@127.0.0.1:${await freePort()}/x`,
  });
  assert.equal(code, 1);
  assert.match(output, /^PostgreSQL cannot be reached at DATABASE_URL.*\n$/);
  assert.doesNotMatch(output, /secret/);
});

test("all invalid settings are named at once", async () => {
  const { code, output } = await refusedStart({ PORT: "http", SESSION_TTL_SECONDS: "5", LOG_LEVEL: "loud" });
  assert.equal(code, 1);
  for (const name of ["PORT", "SESSION_TTL_SECONDS", "LOG_LEVEL"]) assert.match(output, new RegExp(`${name} must be`));
});

test("a port in use is reported in one line", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const { code, output } = await refusedStart({ PORT: String(port) });
  other.close();
  assert.equal(code, 1);
  assert.equal(
    output,
    `Cannot listen on 127.0.0.1:${port}: another process listens there. Stop it, or set another PORT.\n`,
  );
});

test(
  "a burst of connections is accepted by the system while the service is busy",
  { skip: SMALL_BACKLOG },
  async () => {
    const database = await createTestDatabase({ connectionsMax: 2 });
    const port = await freePort();
    const env = { ...database.env, LOG_LEVEL: "info" };
    const child = spawnService({ role: "serve", dataDir, port, env });
    let output = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      output += String(chunk);
    });
    const sockets: Socket[] = [];
    try {
      while (!output.includes("listens on")) await sleep(50);
      // It accepts none of them itself.
      child.kill("SIGSTOP");
      let connected = 0;
      for (let n = 0; n < BURST; n++) sockets.push(connect(port, "127.0.0.1", () => connected++).on("error", () => {}));
      const endsAt = performance.now() + 20_000;
      while (connected < BURST && performance.now() < endsAt) await sleep(50);
      assert.equal(connected, BURST);
    } finally {
      for (const socket of sockets) socket.destroy();
      child.kill("SIGKILL");
      await once(child, "exit");
      await database.drop();
    }
  },
);

test("a signal to npm alone, as a supervisor sends it, ends the service with 0", async () => {
  const database = await createTestDatabase({ connectionsMax: 2 });
  const env = { ...process.env, ...database.env, DATA_DIR: dataDir, LOG_LEVEL: "info" };
  const child = spawn("npm", ["run", "--silent", "work"], {
    cwd: join(import.meta.dirname, ".."),
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += String(chunk);
    if (output.includes("background work has started")) child.kill("SIGTERM");
  });
  await once(child, "exit");
  const pid = Number(/"pid":(\d+)/.exec(output)?.[1]);
  try {
    assert.equal(child.exitCode, 0, output);
    assert.throws(() => process.kill(pid, 0), { code: "ESRCH" }, "the service is gone when npm is");
  } catch (error) {
    process.kill(pid, "SIGKILL");
    throw error;
  }
  await database.drop();
});
