import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { verifyWebhook } from "rewards-service-sdk";
import { claimNext } from "../src/receipts/turns.store.ts";
import { claimExpired } from "../src/sessions/store.ts";
import { findApplication } from "../src/applications/store.ts";
import { MoveRefused } from "../src/moving/alone.task.ts";
import { moveApplication, cleanMove, STEPS } from "../src/moving/move.task.ts";
import { findTables, numberedColumns, countRowsOf } from "../src/moving/rows.store.ts";
import { RULES, inOrder, withoutRule } from "../src/moving/rules.ts";
import { headersWith } from "./support/applications.ts";
import { runCommand } from "./support/commands.ts";
import { createTestDatabase } from "./support/database.ts";
import { formFor } from "./support/groceries.ts";
import { foodOf, isReplayed } from "./support/keyed-requests.ts";
import { mealOf } from "./support/requests.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import {
  Killed,
  SOUTH,
  callAt,
  eater,
  filesOf,
  isDone,
  move,
  movingFrom,
  outcomesWritten,
  rowsIn,
  startTwoCells,
  undo,
} from "./support/two-cells.ts";
import type { TwoCells } from "./support/two-cells.ts";
import { acceptedReceipt } from "./support/uploads.ts";
import { startWebhookReceiver } from "./support/webhook-receiver.ts";

// An application moves from one cell to another: nothing of it is lost, or lives in both.

let cells: TwoCells;
let north: TestService;
let south: TestService;
before(async () => {
  cells = await startTwoCells("schemas", { listsCells: true });
  ({ north, south } = cells);
});
after(() => cells.close());

/** The balance of a user at a service; the status where it does not respond with one. */
async function points(service: TestService, client: Client, userId: string): Promise<unknown> {
  const response = await callAt(service, client, "GET", `/users/${userId}/summary`);
  return response.statusCode === 200 ? response.json() : response.statusCode;
}

test("a whole life moves: points, receipts, keys, sessions, webhooks; the old address names the new one", async (t) => {
  const client = await north.newClient({ isSandbox: true });
  const [neighbour, resident] = [await north.newClient(), await south.newClient()];
  const [neighboursUser, residentsUser] = [await eater(neighbour), await eater(resident)];
  const failing = { is: true };
  const receiver = await startWebhookReceiver((_, response) => response.writeHead(failing.is ? 500 : 200).end());
  t.after(() => receiver.close());

  // A life.
  const key = { "idempotency-key": randomUUID() };
  const enrolment = { email: "ada@example.org", firstName: "Ada", lastName: "Lovelace" };
  const enrolled = await client.call("POST", "/users/enroll", enrolment, key);
  const userId = enrolled.json<{ user: { userID: string } }>().user.userID;
  const mealKey = { "idempotency-key": randomUUID() };
  const meal = mealOf(userId, "breakfast");
  const eaten = await client.call("POST", "/track/meals", meal, mealKey);
  await client.post("/track/food", foodOf(userId, "xq", { name: "Zzyx unheard of" }), 202);
  const receiptId = await acceptedReceipt(north, client, { fields: formFor(userId) });
  const sent = () => client.events().map((event) => nameOf(event));
  await client.until(() => sent().includes("receipt_completed"));
  await client.post(`/users/${userId}/adjustments`, { points: 500, reason: "A gift", reference: "gift" });
  const bought = { points: 50, reward: { name: "A coffee", codes: "made" }, reference: "coffee" };
  const redeemed = await client.post(`/users/${userId}/redemptions`, bought);
  const scoped = await headersWith(north, client, ["users.read"]);
  const session = await client.post("/users/enroll/session", { ...enrolment, email: "grace@example.org" });
  const pageUrl = new URL(JSON.stringify(session).match(/https?:[^"]*sessionId=[^"]*/)![0]);
  const page = `${pageUrl.pathname}${pageUrl.search}`;
  await client.post("/webhooks/endpoints", { url: `${receiver.url}/hook` });
  await client.post("/track/meals", mealOf(userId, "lunch"), 202);
  for (const endsAt = Date.now() + 30_000; receiver.received.length === 0 && Date.now() < endsAt;) await sleep(20);
  assert.ok(receiver.received.length > 0, "the failing endpoint was attempted");
  await client.until((events) => events.filter(isDone).length >= 2);
  for (const each of [client, neighbour]) await outcomesWritten(north, each);
  await outcomesWritten(south, resident);
  const summary = await client.get(`/users/${userId}/summary`);
  const transactions = await client.get(`/users/${userId}/transactions`);
  const status = await client.get<{ stage: string }>(`/track/receipts/${receiptId}/status`);
  const rows = await rowsIn(north.database, client);
  const others = [await rowsIn(north.database, neighbour), await rowsIn(south.database, resident)];
  const waiting = receiver.received.length;

  const moved = await move(movingFrom(north, south), client);

  // Everything is at the new address.
  assert.equal(moved.images, 1);
  assert.deepEqual(await rowsIn(south.database, client), rows);
  assert.deepEqual((await callAt(south, client, "GET", `/users/${userId}/summary`)).json(), summary);
  assert.deepEqual((await callAt(south, client, "GET", `/users/${userId}/transactions`)).json(), transactions);
  const there = (await callAt(south, client, "GET", `/track/receipts/${receiptId}/status`)).json<typeof status>();
  assert.deepEqual(withoutLinks(there), withoutLinks(status));
  const blob = /"blobUrl":"([^"]+)"/.exec(JSON.stringify(there))![1]!;
  assert.equal((await south.app.server.inject({ url: blob.replace("http://rewards.test", "") })).statusCode, 200);
  assert.equal((await callAt(south, { headers: scoped }, "GET", `/users/${userId}/summary`)).statusCode, 200);
  assert.equal((await south.app.server.inject({ url: page })).statusCode, 200);

  // A request that is sent again with its key has its first response.
  for (const [path, body, first, its] of [
    ["/users/enroll", enrolment, enrolled, key],
    ["/track/meals", meal, eaten, mealKey],
  ] as const) {
    const again = await callAt(south, client, "POST", path, body, its);
    assert.deepEqual([again.statusCode, again.body], [first.statusCode, first.body]);
    assert.ok(isReplayed(again));
  }
  const twice = await callAt(south, client, "POST", `/users/${userId}/redemptions`, bought);
  assert.equal(twice.json<{ code?: string }>().code, "ReferenceUsed", twice.body);
  assert.ok(JSON.stringify(redeemed).includes("coffee"));

  // What waited is sent once, from there, with the secret that the integrator has.
  failing.is = false;
  await south.database.pool.query("UPDATE deliveries SET due_at = now() WHERE state = 'pending'");
  for (const endsAt = Date.now() + 30_000; receiver.received.length < 2 * waiting && Date.now() < endsAt;)
    await sleep(50);
  const mine = client.receiver.received.length;
  await callAt(south, client, "POST", "/track/meals", mealOf(userId, "supper"));
  await client.until((events) => events.filter(isDone).length >= 3);
  for (const { headers, body } of client.receiver.received.slice(mine)) {
    await verifyWebhook(headers, body, client.webhookSecret);
  }
  const ids = client.receiver.received.map(({ headers }) => headers["webhook-id"]);
  assert.equal(new Set(ids).size, ids.length, "no event came twice");

  // The old address.
  const refused = await client.call("POST", "/track/meals", mealOf(userId, "too late"));
  assert.equal(refused.statusCode, 410);
  assert.deepEqual(
    [refused.json<{ code: string }>().code, refused.json<{ movedTo: string }>().movedTo],
    ["ApplicationMoved", SOUTH],
  );
  assert.equal((await client.call("GET", `/users/${userId}/summary`)).statusCode, 410);
  assert.equal((await client.call("GET", "/events", undefined, { "x-client-secret": "sec_wrong" })).statusCode, 401);
  const visited = await north.app.server.inject({ url: page });
  assert.deepEqual([visited.statusCode, visited.headers["location"]], [307, `${SOUTH}${page}`]);
  await assert.rejects(
    north.database.pool.query("UPDATE balances SET records = records WHERE user_id = $1", [userId]),
    { code: "57P0M" },
  );
  await assert.rejects(runCommand(north.database, ["app", "resume", "--client-id", client.clientId]), /has moved/);
  await assert.rejects(runCommand(north.database, ["app", "limit", "--client-id", client.clientId]), /has moved/);

  // Nobody else noticed; all agree.
  assert.deepEqual([await rowsIn(north.database, neighbour), await rowsIn(south.database, resident)], others);
  await neighbour.post("/track/meals", mealOf(neighboursUser, "second"), 202);
  await resident.post("/track/meals", mealOf(residentsUser, "second"), 202);
  for (const each of [neighbour, resident]) await each.until((events) => events.filter(isDone).length >= 2);
  for (const { database } of [north, south]) {
    const [verified] = await runCommand<{ ok: boolean }>(database, ["ledger", "verify"]);
    assert.ok(verified!.ok);
  }

  // What is left here is removed, but for the note.
  const [listed] = await runCommand<{ cells: { schema: string; moves: { state: string; address: string }[] }[] }>(
    north.database,
    ["cell", "list"],
  );
  const noted = listed!.cells.flatMap(({ moves }) => moves);
  assert.deepEqual(
    noted.map(({ state, address }) => [state, address]),
    [["done", SOUTH]],
  );
  const application = (await findApplication(north.database, client.applicationId))!;
  const left = { source: north.database, files: { source: filesOf(north) }, report: () => {} };
  const { pool } = north.database;
  const alien = "30000000-0000-4000-8000-000000000001";
  await pool.query("ALTER TABLE users DISABLE TRIGGER USER");
  await pool.query(`CREATE TABLE alien AS SELECT * FROM users WHERE id = '${userId}';
    UPDATE alien SET id = '${alien}', email = 'alien@example.org'`);
  await pool.query("INSERT INTO users SELECT * FROM alien");
  await pool.query("DROP TABLE alien");
  const stored = () => new Set(readdirSync(join(north.dataDir, "files"), { recursive: true, encoding: "utf8" }));
  const images = stored();
  await assert.rejects(cleanMove(left, application, new Date()), /rows that were not copied: users/);
  assert.deepEqual(stored(), images, "a refused one removes no image");
  await pool.query(`DELETE FROM users WHERE id = '${alien}'`);
  await pool.query("ALTER TABLE users ENABLE TRIGGER USER");
  const cleaned = await cleanMove(left, application, new Date());
  assert.equal(cleaned.images, 1);
  assert.deepEqual(await rowsIn(north.database, client), { applications: 1, credentials: 1 });
  assert.deepEqual(await rowsIn(north.database, neighbour).then(({ users }) => users), others[0]!["users"]);
  assert.equal((await client.call("GET", `/users/${userId}/summary`)).statusCode, 410);
  await assert.rejects(cleanMove(left, application, new Date()), MoveRefused);
});

function withoutLinks(status: object): unknown {
  return JSON.parse(JSON.stringify(status).replaceAll(/"blobUrl":"[^"]+"/g, '"blobUrl":""'));
}

/** Whether a service responds for an application, by its row: processes remember an application for two seconds. */
async function isLive({ database }: TestService, { applicationId }: Client): Promise<boolean> {
  const application = await findApplication(database, applicationId);
  return application !== null && application.closedAt === null;
}

test("killed after any step, the command goes on: one side responds in the end, and never both", async () => {
  for (const step of STEPS) {
    const client = await north.newClient();
    const userId = await eater(client);
    const before = await points(north, client, userId);
    await assert.rejects(move(movingFrom(north, south, step), client), Killed, step);
    const isOpened = step === "opened" || step === "noted";
    assert.deepEqual([await isLive(north, client), await isLive(south, client)], [false, isOpened], step);
    const hasSwitched = STEPS.indexOf(step) >= STEPS.indexOf("switched");
    const { movedTo } = (await findApplication(north.database, client.applicationId))!;
    assert.equal(movedTo, hasSwitched ? SOUTH : null, step);
    if (hasSwitched) await assert.rejects(undo(movingFrom(north, south), client), MoveRefused);
    await move(movingFrom(north, south), client);
    assert.deepEqual([await isLive(north, client), await isLive(south, client)], [false, true], step);
    assert.deepEqual(await points(south, client, userId), before, step);
    // Once more changes nothing.
    await move(movingFrom(north, south), client);
  }
});

test("undone before the switch, everything is as before, and nothing is left at the target", async () => {
  for (const step of STEPS.slice(0, STEPS.indexOf("switched"))) {
    const client = await north.newClient();
    const userId = await eater(client);
    await outcomesWritten(north, client);
    const rows = await rowsIn(north.database, client);
    await assert.rejects(move(movingFrom(north, south, step), client), Killed);
    await undo(movingFrom(north, south), client);
    assert.ok(await isLive(north, client));
    assert.deepEqual([await rowsIn(north.database, client), await rowsIn(south.database, client)], [rows, {}], step);
    // Nothing is frozen any more.
    await north.database.pool.query("UPDATE users SET city = 'Kiel' WHERE id = $1", [userId]);
  }
});

test("a copy that differs is not used: the application is open again, and the target has nothing of it", async (t) => {
  const client = await north.newClient();
  await eater(client);
  const at = south.database.pool;
  await at.query(`CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
                  $$ BEGIN NEW.last_name := 'Changed'; RETURN NEW; END $$`);
  await at.query("CREATE TRIGGER spoil BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION spoil()");
  t.after(() => at.query("DROP FUNCTION IF EXISTS spoil() CASCADE"));
  await assert.rejects(move(movingFrom(north, south), client), /users: 1 rows, with other values/);
  assert.ok(await isLive(north, client));
  assert.deepEqual(await rowsIn(south.database, client), {});
});

test("what cannot be is refused before anything is closed", async () => {
  const client = await north.newClient();
  const application = (await findApplication(north.database, client.applicationId))!;
  const refusedWith = async (pattern: RegExp, deps = movingFrom(north, south)) => {
    await assert.rejects(
      moveApplication(deps, application, SOUTH),
      (error) => error instanceof MoveRefused && pattern.test(error.message),
    );
    assert.equal((await findApplication(north.database, application.id))!.closedAt, null);
  };
  await refusedWith(/this cell itself/, movingFrom(north, north));
  const at = south.database.pool;
  await at.query("UPDATE installation SET key = sha256(key)");
  await refusedWith(/another installation key/);
  await at.query("UPDATE installation SET key = (SELECT $1::bytea)", [
    (await north.database.pool.query<{ key: Buffer }>("SELECT key FROM installation")).rows[0]!.key,
  ]);
  await at.query("INSERT INTO migrations SELECT '9999_of_tomorrow', checksum FROM migrations LIMIT 1");
  await refusedWith(/different migrations/);
  await at.query("DELETE FROM migrations WHERE name LIKE '9999%'");
  await at.query("CREATE TABLE of_nobody (application_id uuid)");
  await refusedWith(/no rule for the tables of_nobody/);
  await at.query("DROP TABLE of_nobody");
  await at.query(
    `INSERT INTO applications (id, client_id, secret_hash, name, is_sandbox, created_at, updated_at)
     VALUES (gen_random_uuid(), $1, sha256(''), 'Other', false, now(), now())`,
    [client.clientId],
  );
  await refusedWith(/its id or client id/);
});

test("what goes through all applications leaves a closed one alone, and goes on for the others", async () => {
  const [client, other] = [await north.newClient(), await north.newClient()];
  for (const each of [client, other]) {
    await each.post("/users/enroll/session", { email: "a@example.org", firstName: "A", lastName: "B" });
  }
  await assert.rejects(move(movingFrom(north, south, "closed"), client), Killed);
  await north.database.pool.query(
    "UPDATE sessions SET expires_at = created_at + interval '1 ms' WHERE application_id = ANY ($1)",
    [[client.applicationId, other.applicationId]],
  );
  await assert.rejects(move(movingFrom(north, south, "frozen"), client), Killed);
  // Or the service's own sweep has found it.
  await north.database.tx((tx) => claimExpired(tx, new Date(), 500));
  const { rows } = await north.database.pool.query(
    "SELECT application_id FROM sessions WHERE application_id = ANY ($1) AND expired_at IS NOT NULL",
    [[client.applicationId, other.applicationId]],
  );
  assert.deepEqual(rows, [{ application_id: other.applicationId }]);
  await eater(other);
  await undo(movingFrom(north, south), client);
});

test("the readers leave receipts of a closed application alone, and read those of others", async (t) => {
  const service = await startService({ isWorking: false });
  t.after(() => service.close());
  const [client, other] = [await service.newClient(), await service.newClient()];
  for (const each of [client, other]) await acceptedReceipt(service, each, { fields: formFor(await each.enrol()) });
  await service.database.pool.query("UPDATE applications SET closed_at = now() WHERE id = $1", [client.applicationId]);
  const claim = () => claimNext(service.database, service.now(), new Date(service.now().getTime() + 60_000), []);
  assert.equal((await claim())?.receipt.applicationId, other.applicationId);
  assert.equal(await claim(), null);
});

test("each table has a rule that PostgreSQL can carry out, and all that name an application or a user are carried", async () => {
  const found = await findTables(north.database);
  assert.deepEqual(withoutRule(found), [], "a table without a rule would be left behind: src/moving/rules.ts");
  const names = new Set(found.map(({ name }) => name));
  assert.deepEqual(
    Object.keys(RULES).filter((name) => !names.has(name)),
    [],
  );
  for (const table of inOrder(found)) {
    assert.equal(await countRowsOf(north.database, table, randomUUID()), 0, table.name);
    const isOfSomebody = table.columns.some((column) => /^(application_id|user_id)$/.test(column));
    const stays = ["application_moves", "console_grants", "reading_turns"];
    if (isOfSomebody && !stays.includes(table.name)) assert.notEqual(table.rule.kind, "stays", table.name);
  }
  const numbered = (await numberedColumns(north.database)).map(({ table, column }) => `${table}.${column}`);
  assert.deepEqual(numbered, ["voucher_codes.place"], "numbers of two cells meet: may they be equal?");
});

test("between two databases an application moves away, is removed there, and comes back", async (t) => {
  const pair = await startTwoCells("databases");
  t.after(() => pair.close());
  const [here, there] = [pair.north, pair.south];
  const client = await here.newClient();
  const userId = await eater(client);
  const before = await points(here, client, userId);
  await move(movingFrom(here, there), client);
  await assert.rejects(move(movingFrom(there, here), client, "https://north.example"), /--clean there first/);
  const left = { source: here.database, files: { source: filesOf(here) }, report: () => {} };
  await cleanMove(left, (await findApplication(here.database, client.applicationId))!, new Date());
  await move(movingFrom(there, here), client, "https://north.example");
  assert.deepEqual([await isLive(here, client), await isLive(there, client)], [true, false]);
  await sleep(2_100);
  assert.deepEqual([await points(here, client, userId), await points(there, client, userId)], [before, 410]);
});

test("by the command line, between two databases: the cell is made, the application moved and removed", async (t) => {
  const base = mkdtempSync(join(tmpdir(), "rewards-move-"));
  const from = await createTestDatabase();
  const to = await createTestDatabase();
  t.after(async () => {
    await to.drop();
    await from.drop();
    rmSync(base, { recursive: true, force: true });
  });
  const env = { DATA_DIR: join(base, "here"), TARGET_DATABASE_URL: to.url, TARGET_DATA_DIR: join(base, "there") };
  mkdirSync(env.DATA_DIR);
  const run = (...args: string[]) => runCommand<Record<string, unknown>>(from.database, args, { env });
  await run("cell", "create", "--schema", "west");
  await assert.rejects(run("cell", "create", "--schema", "west"), /there is a cell west already/);
  const [made] = await run("app", "create", "--name", "Mover", "--webhook-url", "https://example.org/hooks");
  const clientId = String(made!["clientId"]);
  const moving = ["app", "move", "--client-id", clientId, "--to-schema", "west"];
  await assert.rejects(run(...moving, "--address", "http://west.example"), /must be an https address/);
  await assert.rejects(run(...moving, "--undo"), /is not moving/);
  const [moved] = await run(...moving, "--address", "https://west.example/");
  assert.deepEqual([moved!["clientId"], moved!["movedTo"], moved!["rows"]], [clientId, "https://west.example", 2]);
  const [cleaned] = await run("app", "move", "--client-id", clientId, "--clean");
  assert.equal(cleaned!["rows"], 1, "its endpoint");
  await assert.rejects(run(...moving, "--address", "https://west.example"), /has moved to https:\/\/west.example/);
  const keys = await Promise.all([
    from.database.pool.query("SELECT key FROM installation"),
    to.database.pool.query("SELECT key FROM west.installation"),
  ]);
  assert.deepEqual(keys[0].rows, keys[1].rows);
  const there = await to.database.pool.query("SELECT client_id, closed_at, suspended_at FROM west.applications");
  assert.deepEqual(there.rows, [{ client_id: clientId, closed_at: null, suspended_at: null }]);
});
