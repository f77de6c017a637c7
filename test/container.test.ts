import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
} from "node:fs";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import sharp from "sharp";
import { createTestDatabase } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";
import { multipart } from "./support/multipart.ts";
import { environment, freePort, serviceOf } from "./support/processes.ts";
import type { ProcessSettings, ServiceProcess } from "./support/processes.ts";

// What the Dockerfile does, without a container engine: its folder is assembled by the same script, and is run by an
// unprivileged user that may not write to it, in both roles. `npm run test:container`: it installs packages.

const ROOT = join(import.meta.dirname, "..");
const run = promisify(execFile);
const UID = 10_001;
const isRoot = process.getuid?.() === 0;
/** Of 450 MB, what is left beside the base image (debian:trixie-slim, some 80 MB). */
const MEGABYTES_MAX = 360;

let out: string;
let folder: string;
let testDatabase: TestDatabase | undefined;
let proxy: Server | undefined;
let databaseEnv: Readonly<Record<string, string>>;
before(async () => {
  out = mkdtempSync(join(tmpdir(), "rewards-container-"));
  folder = join(out, "app");
  await run("sh", [join(ROOT, "deploy/container/assemble.sh"), folder], { maxBuffer: 64 * 1024 * 1024 });
  chmodSync(out, 0o755);
  mkdirSync(join(out, "data"), { mode: 0o700 });
  if (isRoot) chownSync(join(out, "data"), UID, UID);
  testDatabase = await createTestDatabase();
  // The socket of the test's server is for its own user only.
  // Such an address has no host, which URL does not take.
  const url = new URL(testDatabase.url.replace("@/", "@localhost/"));
  const socket = url.searchParams.get("host");
  const port = url.port || "5432";
  const target = socket === null ? { host: url.hostname, port: Number(port) } : { path: `${socket}/.s.PGSQL.${port}` };
  const listening = createServer((client) => {
    const server = connect(target);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on("error", () => to.destroy());
      from.pipe(to);
    }
  }).listen(0, "127.0.0.1");
  proxy = listening;
  await once(listening, "listening");
  url.hostname = "127.0.0.1";
  url.port = `${(listening.address() as AddressInfo).port}`;
  url.search = "";
  const { env } = testDatabase;
  // Behind a PgBouncer, which has an address of its own, what goes to the server itself goes this way.
  databaseEnv = { ...env, [env["DATABASE_SESSION_URL"] ? "DATABASE_SESSION_URL" : "DATABASE_URL"]: url.href };
});
after(async () => {
  proxy?.close();
  await testDatabase?.drop();
  rmSync(out, { recursive: true, force: true });
});

function bytesOf(path: string): number {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0);
}

test("the folder is small, and has models and no tools, tests, maps or other platforms", () => {
  const megabytes = bytesOf(folder) / 1e6;
  assert.ok(megabytes < MEGABYTES_MAX, `${Math.round(megabytes)} MB`);
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  };
  const installed = Object.keys(devDependencies).filter((name) => existsSync(join(folder, "node_modules", name)));
  // A dependency of what runs: of Fastify's compiler.
  assert.deepEqual(
    installed.filter((name) => !["ajv", "ajv-formats"].includes(name)),
    [],
  );
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  assert.deepEqual(
    files.filter((file) => /^src\/.*\.test\.ts$|\.map$|win32\/|darwin\//.test(file)),
    [],
  );
  assert.ok(files.some((file) => /ocr-models\/.*\.onnx$/.test(file)));
  for (const absent of ["test", "bench", "eval", "docs", ".git", "data"]) assert.ok(!existsSync(join(folder, absent)));
});

function start(settings: ProcessSettings): ChildProcess {
  return spawn(join(folder, "node"), ["src/main.ts", settings.role!], {
    cwd: folder,
    env: { ...environment(settings), HOST: "127.0.0.1", HOME: "/nonexistent", NODE_COMPILE_CACHE: "" },
    stdio: ["ignore", "pipe", "pipe"],
    ...(isRoot && { uid: UID, gid: UID }),
  });
}

async function isHealthy(...args: string[]): Promise<boolean> {
  return run(join(folder, "node"), [join(folder, "health.mjs"), ...args]).then(
    () => true,
    () => false,
  );
}

test("as an unprivileged user both roles start, read a receipt, are healthy, and end with 0 under load", async (t) => {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const env = { ...databaseEnv, OCR_PROCESSES: "1", METRICS_PORT: `${metricsPort}` };
  const common = { dataDir: join(out, "data"), port };
  const serving: ProcessSettings = { ...common, role: "serve", env: { ...env, METRICS_PORT: "0" } };
  const working: ProcessSettings = { ...common, role: "work", env };
  const health = `http://127.0.0.1:${port}/health/ready`;
  assert.equal(await isHealthy(health), false, "before the start");
  const services: ServiceProcess[] = [];
  t.after(() => Promise.all(services.map((service) => service.stop())));
  for (const settings of [serving, working]) services.push(await serviceOf(start(settings), settings));
  const [serve, work] = services as [ServiceProcess, ServiceProcess];
  assert.ok(await isHealthy(health));
  assert.ok(await isHealthy(`http://127.0.0.1:${metricsPort}/metrics`));
  const cli = ["src/cli.ts", "app", "create", "--name", "Sample shop", "--sandbox", "--json"];
  const { stdout } = await run(join(folder, "node"), cli, { cwd: folder, env: environment(serving) });
  const { clientId, clientSecret } = JSON.parse(stdout) as { clientId: string; clientSecret: string };
  const headers = { "x-client-id": clientId, "x-client-secret": clientSecret };
  const call = async (path: string, body: object | Buffer, type = "application/json") => {
    const payload = Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body);
    const url = `${serve.url}${path}${path.includes("?") ? "&" : "?"}api-version=1.0`;
    return fetch(url, { method: "POST", headers: { ...headers, "content-type": type }, body: payload });
  };
  const person = { email: "a@example.org", firstName: "A", lastName: "B" };
  const enrolled = (await (await call("/users/enroll", person)).json()) as { user: { userID: string } };
  const { userID: userId } = enrolled.user;
  const image = await sharp({ create: { width: 600, height: 800, channels: 3, background: "white" } })
    .jpeg()
    .toBuffer();
  const declared = { merchantName: "Larkmeadow Market", amount: "22.68", transactionTimestamp: "2026-10-24T10:41:00Z" };
  const form = await multipart({ fields: { ...declared, userId, transactionId: "r-1" }, image });
  const path = "/track/receipts?testBlobUri=sample:completed";
  const uploaded = await call(path, form.payload, form.headers["content-type"]);
  assert.equal(uploaded.status, 200);
  const { receiptID } = (await uploaded.json()) as { receiptID: string };
  const statusUrl = `${serve.url}/track/receipts/${receiptID}/status?api-version=1.0`;
  let status = "";
  for (const deadline = Date.now() + 60_000; !status.includes("Completed") && Date.now() < deadline; await sleep(200)) {
    status = await (await fetch(statusUrl, { headers })).text();
  }
  assert.match(status, /Completed/, work.output());
  let isOver = false;
  const load = (async () => {
    for (let n = 0; !isOver; n++) {
      const food = {
        userId,
        logId: `f-${n}`,
        foodId: "f",
        name: "Banana",
        weight: 120,
        unit: "g",
        imageUrl: "https://e.org/b",
      };
      await call("/track/food", { ...food, merchant: { name: "M" }, nutrition: { energyKcal: 100 } }).catch(() => {});
    }
  })();
  await sleep(500);
  const startedMs = performance.now();
  assert.deepEqual(await Promise.all([serve.stop(), work.stop()]), [0, 0], `${serve.output()}${work.output()}`);
  assert.ok(performance.now() - startedMs < 15_000);
  isOver = true;
  await load;
  assert.equal(await isHealthy(health), false, "after the stop");
  assert.deepEqual(
    readdirSync(join(folder, "src")).toSorted(),
    readdirSync(join(ROOT, "src"))
      .filter((name) => !name.endsWith(".test.ts"))
      .toSorted(),
  );
});
