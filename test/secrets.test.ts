import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { jobsSchema } from "../src/postgres/cell.ts";
import { createTestDatabase } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";
import { freePort, runCli, startProcess } from "./support/processes.ts";
import type { ProcessSettings, ServiceProcess } from "./support/processes.ts";

// Runs a process with all its logs: its output and its stored data are searched for secrets.
interface Credentials {
  clientId: string;
  clientSecret: string;
  webhookSecret: string;
}

let testDatabase: TestDatabase;
let settings: ProcessSettings;
let service: ServiceProcess;
let credentials: Credentials;
const dataDir = mkdtempSync(join(tmpdir(), "rewards-secrets-"));
before(async () => {
  testDatabase = await createTestDatabase();
  settings = { dataDir, port: await freePort(), env: { ...testDatabase.env, LOG_LEVEL: "debug" } };
  service = await startProcess(settings);
  const args = ["app", "create", "--name", "Sample shop", "--sandbox", "--webhook-url", "http://127.0.0.1:9/hook"];
  credentials = await runCli<Credentials>(settings, ...args);
});
after(async () => {
  await service.stop();
  await testDatabase.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const EMAIL = "private.person@example.org";

async function call(method: string, path: string, body?: object, more: Record<string, string> = {}) {
  const headers = {
    "x-client-id": credentials.clientId,
    "x-client-secret": credentials.clientSecret,
    ...(body && { "content-type": "application/json" }),
    ...more,
  };
  const url = `${service.url}${path}${path.includes("?") ? "&" : "?"}api-version=1.0`;
  return fetch(url, { method, headers, redirect: "manual", ...(body && { body: JSON.stringify(body) }) });
}

/** Every row of every table as text; binary columns as PostgreSQL writes them, in hex. */
async function dump(): Promise<string> {
  const { schema } = testDatabase.database;
  const tables = await testDatabase.database.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname IN ($1, $2)`,
    [schema, jobsSchema(schema)],
  );
  const rows: string[] = [];
  for (const { name } of tables.rows) {
    const found = await testDatabase.database.pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`);
    rows.push(...found.rows.map(({ row }) => row));
  }
  assert.ok(rows.length > 5 && rows.some((row) => row.includes(credentials.clientId)));
  return rows.join("\n");
}

/** The bytes of every file below the data folder. */
function files(): Buffer {
  const entries = readdirSync(dataDir, { recursive: true, withFileTypes: true });
  return Buffer.concat(
    entries.filter((entry) => entry.isFile()).map((entry) => readFileSync(join(entry.parentPath, entry.name))),
  );
}

let sessionId: string;

test("the whole of a day's work is done, and some of it goes wrong", async () => {
  const person = { email: EMAIL, firstName: "Privatia", lastName: "Secretson" };
  const { user } = (await (await call("POST", "/users/enroll", person)).json()) as { user: { userID: string } };
  const session = (await (await call("POST", "/users/enroll/session", person)).json()) as { redirectUrl: string };
  sessionId = new URL(session.redirectUrl).searchParams.get("sessionId")!;
  assert.ok(sessionId.length >= 22);
  const page = `/enroll?sessionId=${sessionId}`;
  assert.equal((await fetch(`${service.url}${page}`)).status, 200);
  const meal = { userId: user.userID, transactionId: "m-1", mealName: "Banana", imageUrl: "x", mealType: "snack" };
  assert.equal((await call("POST", "/track/meals", { ...meal, loggedAt: new Date().toISOString() })).status, 202);
  assert.equal((await call("POST", "/track/meals", { userId: EMAIL })).status, 400);
  assert.equal((await call("GET", "/users/x/summary", undefined, { "x-client-secret": "wrong" })).status, 401);
  assert.equal((await call("GET", "/users/x%0a%7B%22level%22:60%7D/summary", undefined)).status, 404);
  assert.equal((await call("GET", `/users/x/summary?sessionId=${sessionId}`)).status, 404);

  // An internal error while the request holds all secrets: the table is missing for a moment.
  const { pool } = testDatabase.database;
  await pool.query("ALTER TABLE user_emails RENAME TO elsewhere");
  const broken = await call("POST", "/users/enroll", { ...person, email: `other.${EMAIL}` });
  const brokenPage = await fetch(`${service.url}${page}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "decision=accept",
    redirect: "manual",
  });
  await pool.query("ALTER TABLE elsewhere RENAME TO user_emails");
  assert.deepEqual([broken.status, brokenPage.status], [500, 500]);
  assert.doesNotMatch(`${await broken.text()}${await brokenPage.text()}`, /user_emails|relation|INSERT|\.ts:\d/);
});

test("the log holds no secret, no session and nobody's name or address", async () => {
  const lines = service.output().trim().split("\n");
  assert.ok(
    lines.some((line) => line.includes("request failed")),
    "it logs the error",
  );
  for (const secret of [
    credentials.clientSecret,
    credentials.webhookSecret,
    sessionId,
    EMAIL,
    "Privatia",
    "Secretson",
  ]) {
    const line = lines.find((text) => text.includes(secret));
    assert.equal(line, undefined, `${secret.slice(0, 6)}… is in the log`);
  }
});

test("every line of the log is one JSON object that the service wrote, whatever was sent", async () => {
  for (const line of service.output().trim().split("\n")) {
    const { level, time } = JSON.parse(line) as { level: number; time: string };
    assert.ok(level <= 50 && !Number.isNaN(Date.parse(time)), line);
  }
});

test("secrets and session ids are not stored, neither as text nor as bytes", async () => {
  const [tables, data] = [await dump(), files()];
  for (const secret of [credentials.clientSecret, credentials.webhookSecret, sessionId]) {
    const bare = secret.replace(/^(sec_|whsec_)/, "");
    for (const spelling of [bare, Buffer.from(bare).toString("hex"), Buffer.from(bare, "base64").toString("hex")]) {
      assert.ok(!tables.includes(spelling), `${secret.slice(0, 6)}… is in a table`);
      assert.ok(!data.includes(spelling), `${secret.slice(0, 6)}… is in a file`);
    }
  }
});

test("a service that is stopped has said so, and nothing more", async () => {
  const closed = once(service.child, "close");
  assert.equal(await service.stop(), 0);
  await closed;
  const lines = service.output().trim().split("\n");
  assert.match(lines.at(-1)!, /"msg":"stopped"/, "also of its own PostgreSQL nothing is said after it");
});
