import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, mock, test } from "node:test";
import type { Statement } from "../src/postgres/statement.ts";
import { hashToken } from "../src/sessions/session.ts";
import { runCommand } from "./support/commands.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

const FAILURES_MAX = 20;

let service: TestService;
let client: Client;
before(async () => {
  service = await startService({ env: { AUTH_FAILURES_PER_MINUTE: String(FAILURES_MAX) }, isWorking: false });
  client = await service.newClient({ isSandbox: true });
});
after(() => service.close());

const get = (url: string, remoteAddress = "127.0.0.1") => service.app.server.inject({ url, remoteAddress });
const person = () => ({ email: `${randomBytes(6).toString("hex")}@example.org`, firstName: "Ada", lastName: "L" });

async function open(redirectUri?: string): Promise<{ address: string; token: string }> {
  const body = { ...person(), ...(redirectUri !== undefined && { redirectUri }) };
  const { redirectUrl } = (await client.call("POST", "/users/enroll/session", body)).json();
  const { pathname, search, searchParams } = new URL(redirectUrl);
  return { address: pathname + search, token: searchParams.get("sessionId")! };
}

/** Counts the statements of sessions, those in a tx left out. */
async function sessionQueries(work: () => Promise<unknown>): Promise<number> {
  const { database } = service;
  const query = database.query.bind(database);
  let count = 0;
  const counting = mock.method(database, "query", (statement: Statement, values?: readonly unknown[]) => {
    if (statement.name.startsWith("sessions.")) count += 1;
    return query(statement, values);
  });
  await work();
  counting.mock.restore();
  return count;
}

test("an unknown link costs one query, over the limit of its address none, and good links go on from there", async () => {
  const { address } = await open();
  const unknown = () => get(`/receipts?sessionId=${randomBytes(32).toString("base64url")}`);
  assert.equal(await sessionQueries(unknown), 1);
  const statuses: number[] = [];
  const queries = await sessionQueries(async () => {
    for (let i = 0; i < 2 * FAILURES_MAX; i++) statuses.push((await unknown()).statusCode);
  });
  assert.equal(queries, FAILURES_MAX - 1);
  assert.deepEqual([statuses[0], statuses.at(-1)], [404, 429]);
  assert.ok(Number((await unknown()).headers["retry-after"]) > 0);
  assert.equal((await get(address)).statusCode, 200);
  assert.equal((await get("/")).statusCode, 200);
});

test("a link that a release before has sent works as long as its session", async () => {
  const { address, token } = await open();
  const before = randomBytes(32).toString("base64url");
  const sql = "UPDATE sessions SET token_hash = $1 WHERE token_hash = $2";
  await service.database.pool.query(sql, [hashToken(before), hashToken(token)]);
  assert.equal((await get(address.replace(token, before), "192.0.2.1")).statusCode, 200);
  assert.equal((await get(address, "192.0.2.1")).statusCode, 404);
});

test("a redirect that the operator has removed is gone from sessions that are open", async () => {
  const old = "https://old.example/back";
  const { address } = await open(old);
  const accept = () =>
    service.app.server.inject({
      method: "POST",
      url: address,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: "decision=accept",
    });
  const only = "https://new.example/back";
  await runCommand(service.database, ["app", "redirects", "--client-id", client.clientId, "--only", only]);
  assert.doesNotMatch((await get(address)).body, /old\.example/);
  const response = await accept();
  assert.equal(response.statusCode, 200, "the page shows the end itself");
  assert.doesNotMatch(JSON.stringify([response.headers, response.body]), /old\.example/);
});
