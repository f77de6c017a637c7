import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { findApplication } from "../src/applications/store.ts";
import { MoveRefused } from "../src/moving/alone.task.ts";
import { cleanMove } from "../src/moving/move.task.ts";
import { REMOVAL_STEPS, removeApplication } from "../src/moving/remove.task.ts";
import type { RemovalDeps, RemovalStep } from "../src/moving/remove.task.ts";
import { digestOf, findTables } from "../src/moving/rows.store.ts";
import { RULES, inOrder, isRemoved, lookedUpIn } from "../src/moving/rules.ts";
import { headersWith } from "./support/applications.ts";
import { runCommand } from "./support/commands.ts";
import { formFor } from "./support/groceries.ts";
import { foodOf } from "./support/keyed-requests.ts";
import { mealOf } from "./support/requests.ts";
import { nameOf } from "./support/service.ts";
import type { Client } from "./support/service.ts";
import {
  Killed,
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

// An application is removed with everything of it, and with nothing of another one.

let cells: TwoCells;
before(async () => {
  cells = await startTwoCells();
});
after(() => cells.close());

const sql = (text: string, values: unknown[] = []) => cells.north.database.pool.query(text, values);
/** What removes an application, with short waits. */
function removing(over: Partial<RemovalDeps> = {}): RemovalDeps {
  const { source: database, waits, now, report } = movingFrom(cells.north, cells.south);
  return { database, files: filesOf(cells.north), waits, now, report, ...over };
}

/** The process is killed after a step. */
function killedAfter(step: RemovalStep): Partial<RemovalDeps> {
  return {
    onStep: (done) => {
      if (done === step) throw new Killed(step);
    },
  };
}

interface Life {
  readonly userId: string;
  readonly receiptId: string;
  /** The address of a hosted page. */
  readonly page: string;
  readonly scoped: Record<string, string>;
  /** Texts that name it: of people, of keys, of addresses. */
  readonly names: readonly string[];
}

/** Lets an application have rows of nearly every kind. `word` is in all texts that are its own. */
async function live(client: Client, word: string, failingUrl: string): Promise<Life> {
  const { north } = cells;
  const person = { email: `${word}@example.org`, firstName: `${word}first`, lastName: `${word}last` };
  const enrolled = await client.call("POST", "/users/enroll", person, { "idempotency-key": randomUUID() });
  const userId = enrolled.json<{ user: { userID: string } }>().user.userID;
  await client.call("POST", "/track/meals", mealOf(userId, `${word} meal`), { "idempotency-key": randomUUID() });
  await client.post("/track/food", foodOf(userId, `${word}food`, { name: `Zzyx ${word}` }), 202);
  const receiptId = await acceptedReceipt(north, client, { fields: formFor(userId) });
  await client.until((events) => events.map(nameOf).includes("receipt_completed"));
  await client.post(`/users/${userId}/adjustments`, { points: 500, reason: `${word} gift`, reference: `${word}gift` });
  const coffee = { points: 50, reward: { name: `${word} coffee`, codes: "made" }, reference: `${word}coffee` };
  await client.post(`/users/${userId}/redemptions`, coffee);
  const scoped = await headersWith(north, client, ["users.read"]);
  const other = { ...person, email: `${word}2@example.org` };
  const session = await client.post("/users/enroll/session", other);
  const url = new URL(JSON.stringify(session).match(/https?:[^"]*sessionId=[^"]*/)![0]);
  await client.post("/webhooks/endpoints", { url: `${failingUrl}/${word}` });

  await client.post("/track/meals", mealOf(userId, `${word} lunch`), 202);
  await client.until((events) => events.filter(isDone).length >= 3);
  await sql("INSERT INTO erased_receipts SELECT $1, sha256($2::bytea), '2026-01-01'", [client.applicationId, word]);
  await outcomesWritten(north, client);
  return { userId, receiptId, page: `${url.pathname}${url.search}`, scoped, names: [word, userId, receiptId] };
}

/** The tables, but for the append-only log, that have a text anywhere in a row. */
async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const having: string[] = [];
  for (const { name } of await findTables(cells.north.database)) {
    const { rows } = await sql(`SELECT 1 FROM "${name}" AS each WHERE each::text LIKE ANY ($1) LIMIT 1`, [
      texts.map((text) => `%${text}%`),
    ]);
    if (rows.length > 0 && RULES[name]!.kind !== "log") having.push(name);
  }
  return having;
}

/** The digests of the rows of an application, but for what background work adds up at any time. */
async function digests({ applicationId }: Client): Promise<Record<string, unknown>> {
  const { database } = cells.north;
  const found: Record<string, unknown> = {};
  for (const table of inOrder(await findTables(database)).filter(isRemoved)) {
    if (table.rule.kind === "carried" && (table.rule.isLoose || /^(report_|unknown_name_)/.test(table.name))) continue;
    found[table.name] = await digestOf(database, table, applicationId);
  }
  return found;
}

const images = () => {
  const all = readdirSync(join(cells.north.dataDir, "files"), { recursive: true, encoding: "utf8" });
  return all.filter((name) => name.endsWith(".jpg")).toSorted();
};

async function entriesOf({ applicationId }: Client) {
  const { rows } = await sql(
    `SELECT action, subject, status FROM changes LEFT JOIN change_outcomes ON change_id = id
     WHERE application_id = $1 AND action LIKE 'app.remov%' ORDER BY id`,
    [applicationId],
  );
  return rows;
}

async function isSound(): Promise<boolean> {
  return (await runCommand<{ ok: boolean }>(cells.north.database, ["ledger", "verify"]))[0]!.ok;
}

interface Printed {
  readonly isRemoved: boolean;
  readonly sums: string;
  readonly images: number;
  readonly removed: Record<string, number>;
  readonly left: Record<string, number>;
}

/** The command of the operator. */
async function removeBy(client: Client, name: string, onPrint?: (value: object) => void): Promise<Printed> {
  const { database, dataDir } = cells.north;
  const args = ["app", "remove", "--client-id", client.clientId, "--yes-remove", name];
  return (await runCommand<Printed>(database, args, { env: { DATA_DIR: dataDir }, ...(onPrint && { onPrint }) }))[0]!;
}

test("of two whole lives one is removed: no row, text or file is left of it, and the other one is as before", async (t) => {
  const { north } = cells;
  const receiver = await startWebhookReceiver((_, response) => response.writeHead(500).end());
  t.after(() => receiver.close());
  const [client, neighbour] = [await north.newClient({ isSandbox: true }), await north.newClient({ isSandbox: true })];
  await sql("UPDATE applications SET name = 'Going' WHERE id = $1", [client.applicationId]);
  const life = await live(client, "qvanish", receiver.url);
  const other = await live(neighbour, "qremain", receiver.url);
  const before = await digests(neighbour);
  const rows = await rowsIn(north.database, client);
  const named = await tablesWith([...life.names, client.applicationId]);
  for (const name of ["users", "records", "receipts", "sessions", "events", "endpoints", "idempotency_keys"]) {
    assert.ok(named.includes(name), `${name} would show what is left`);
  }
  const pictures = images();
  const { rows: sums } = await sql(
    `SELECT count(*)::int AS users, sum(records)::int AS records, sum(available_points)::int AS points
     FROM users JOIN balances ON user_id = id WHERE application_id = $1`,
    [client.applicationId],
  );

  await assert.rejects(removeBy(client, "going"), /--yes-remove is not the name/);
  const elsewhere = ["app", "remove", "--client-id", client.clientId, "--yes-remove", "Going"];
  await assert.rejects(
    runCommand(north.database, elsewhere, { env: { DATA_DIR: join(north.dataDir, "elsewhere") } }),
    /there are images, but no folder/,
  );
  assert.equal((await client.call("GET", `/users/${life.userId}/summary`)).statusCode, 200);
  const removal = await removeBy(client, "Going");

  // Proof of counts.
  assert.ok(removal.isRemoved);
  assert.deepEqual(removal.left, {});
  assert.equal(removal.images, 1);
  const { users, records, points } = sums[0]!;
  assert.equal(removal.sums, `users ${users}, records ${records}, points ${points}`);
  for (const [name, count] of Object.entries(rows)) {
    const rule = RULES[name]!;
    if (rule.kind === "carried") assert.equal(removal.removed[name], count, name);
  }
  const noted = await entriesOf(client);
  assert.deepEqual(noted, [{ action: "app.removal", subject: removal.sums, status: 200 }]);

  // By no rule: no table has a text of it, and no folder a file.
  assert.deepEqual(await tablesWith([...life.names, client.applicationId, client.clientId]), []);
  assert.deepEqual(
    images(),
    pictures.filter((name) => !name.includes(life.receiptId)),
  );
  assert.equal(images().length, pictures.length - 1);

  // Its keys and pages are dead.
  await sleep(2_100); // Processes remember an application for two seconds.
  assert.equal((await client.call("GET", `/users/${life.userId}/summary`)).statusCode, 401);
  const scoped = await north.app.server.inject({
    url: `/users/${life.userId}/summary?api-version=1.0`,
    headers: life.scoped,
  });
  assert.equal(scoped.statusCode, 401);
  assert.equal((await north.app.server.inject({ url: life.page })).statusCode, 404);

  // The other one lives on.
  assert.deepEqual(await digests(neighbour), before);
  assert.equal((await north.app.server.inject({ url: other.page })).statusCode, 200);
  await neighbour.post("/track/meals", mealOf(other.userId, "supper"), 202);
  await neighbour.until((events) => events.filter(isDone).length >= 4);
  assert.ok(await isSound());
  await assert.rejects(removeBy(client, "Going"), /no application with this client id/);
});

test("the tables in which rows of others are looked up are removed last: a count by users needs the users", async () => {
  const tables = inOrder(await findTables(cells.north.database));
  assert.deepEqual([...lookedUpIn(tables)].toSorted(), ["credentials", "events", "product_sources", "users"]);
});

test("killed after any step, the command goes on, and nothing is left", async () => {
  const neighbour = await cells.north.newClient();
  await eater(neighbour);
  await outcomesWritten(cells.north, neighbour);
  const before = await digests(neighbour);
  for (const step of REMOVAL_STEPS) {
    const client = await cells.north.newClient();
    const userId = await eater(client);
    await assert.rejects(removeApplication(removing(killedAfter(step)), client.applicationId), Killed, step);
    if (step === "gone") {
      await assert.rejects(removeApplication(removing(), client.applicationId), MoveRefused);
    } else {
      assert.ok((await findApplication(cells.north.database, client.applicationId))!.closedAt, step);
      const { left, sums } = await removeApplication(removing(), client.applicationId);
      assert.deepEqual(left, {}, step);
      assert.match(sums, /^users 1, records 1, points [1-9]/, "as before the first run");
    }
    assert.deepEqual(await tablesWith([userId, client.applicationId]), [], step);
    assert.deepEqual(
      (await entriesOf(client)).map(({ status }) => status),
      [200],
      step,
    );
  }
  assert.deepEqual(await digests(neighbour), before);
  assert.ok(await isSound());
});

test("killed between two pages of rows, the command goes on; each page is a tx of its own", async () => {
  const client = await cells.north.newClient();
  await sql(
    "INSERT INTO erased_receipts SELECT $1, sha256(n::text::bytea), '2026-01-01' FROM generate_series(1, 12000) AS n",
    [client.applicationId],
  );
  const report = (line: string) => {
    if (line.startsWith("erased_receipts: 5000 ")) throw new Killed(line);
  };
  await assert.rejects(removeApplication(removing({ report }), client.applicationId), Killed);
  const { rows } = await sql("SELECT count(*)::int AS n FROM erased_receipts WHERE application_id = $1", [
    client.applicationId,
  ]);
  assert.deepEqual(rows, [{ n: 7_000 }]);
  const { removed, left } = await removeApplication(removing(), client.applicationId);
  assert.deepEqual([removed["erased_receipts"], left], [7_000, {}]);
});

test("removed while it is called and its receipts are read: nothing of it comes back, and another one loses nothing", async () => {
  const { north } = cells;
  const [client, neighbour] = [await north.newClient(), await north.newClient()];
  const [userId, othersUser] = [await eater(client), await eater(neighbour)];
  const seen = new Set<number>();
  let meals = 0;
  let isOver = false;
  const calls = async () => {
    for (let n = 1; !isOver; n++) {
      const person = { email: `e${n}@example.org`, firstName: "E", lastName: "F" };
      // Wrong credentials are limited by address, which all share.
      if (!seen.has(401)) {
        seen.add((await client.call("POST", "/track/meals", mealOf(userId, `meal ${n}`))).statusCode);
        seen.add((await client.call("POST", "/users/enroll", person)).statusCode);
      }
      await neighbour.post("/track/meals", mealOf(othersUser, `meal ${n}`), 202);
      meals += 1;
    }
  };
  const calling = calls();
  for (let n = 0; n < 3; n++) await acceptedReceipt(north, client, { fields: formFor(userId) });
  const waits = { ...removing().waits, closedMs: 2_500 };
  const { left } = await removeApplication(removing({ waits }), client.applicationId);
  await sleep(1_500); // What processes collect is written within a second.
  isOver = true;
  await calling;
  assert.deepEqual(left, {});
  assert.deepEqual(seen, new Set([200, 202, 401]));
  assert.deepEqual(await tablesWith([userId, client.applicationId, client.clientId]), []);
  await neighbour.until((events) => events.filter(isDone).length >= 1 + meals);
  assert.ok(await isSound());
});

test("during the removal a call gets a problem, a page is gone, and commands refuse the application", async () => {
  const { north } = cells;
  const client = await north.newClient();
  const userId = await eater(client);
  const person = { email: "during@example.org", firstName: "A", lastName: "B" };
  const session = await client.post("/users/enroll/session", person);
  const url = new URL(JSON.stringify(session).match(/https?:[^"]*sessionId=[^"]*/)![0]);
  await assert.rejects(removeApplication(removing(killedAfter("closed")), client.applicationId), Killed);
  assert.equal((await north.app.server.inject({ url: `${url.pathname}${url.search}` })).statusCode, 404);
  await sleep(2_100);
  const refused = await client.call("POST", "/track/meals", mealOf(userId, "too late"));
  assert.deepEqual([refused.statusCode, refused.json<{ code: string }>().code], [401, "Unauthorized"]);
  const stored = async () => (await sql("SELECT * FROM applications WHERE id = $1", [client.applicationId])).rows;
  const closed = await stored();
  for (const command of ["resume", "rotate-secret", "limit", "redirects"]) {
    const run = runCommand(north.database, ["app", command, "--client-id", client.clientId]);
    await assert.rejects(run, /moving or being removed/);
  }
  assert.deepEqual(await stored(), closed, "what is refused changes nothing");
  await assert.rejects(move(movingFrom(north, cells.south), client), /being removed/);
  await assert.rejects(undo(movingFrom(north, cells.south), client), /is not moving/);
  assert.deepEqual((await removeApplication(removing(), client.applicationId)).left, {});
});

test("what cannot be removed is counted, named, and exits with 1; then the command goes on", async (t) => {
  const client = await cells.north.newClient();
  const userId = await eater(client);
  await sql("CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$");
  await sql(`CREATE TRIGGER keep BEFORE DELETE ON records FOR EACH ROW WHEN (OLD.user_id = '${userId}')
             EXECUTE FUNCTION keep()`);
  t.after(() => sql("DROP FUNCTION IF EXISTS keep() CASCADE"));
  let printed: object = {};
  await assert.rejects(
    removeBy(client, "Test application", (value) => (printed = value)),
    /rows of it are left in balances, records$/,
  );
  assert.deepEqual((printed as Printed).isRemoved, false);
  assert.equal((printed as Printed).left["records"], 1);
  assert.deepEqual(
    (await entriesOf(client)).map(({ status }) => status),
    [null],
    "it has not ended",
  );
  await sql("DROP FUNCTION keep() CASCADE");
  assert.deepEqual((await removeApplication(removing(), client.applicationId)).left, {});
  assert.deepEqual(await tablesWith([userId, client.applicationId]), []);
});

test("one that is moving is not removed; of one that has moved the note is, and the other cell keeps it", async () => {
  const { north, south } = cells;
  const client = await north.newClient();
  await eater(client);
  const application = (await findApplication(north.database, client.applicationId))!;
  await assert.rejects(move(movingFrom(north, south, "frozen"), client), Killed);
  await assert.rejects(removeApplication(removing(), client.applicationId), /it is moving/);
  await move(movingFrom(north, south), client);
  await assert.rejects(removeApplication(removing(), client.applicationId), /app move --clean first/);
  const left = { source: north.database, files: { source: filesOf(north) }, report: () => {} };
  await cleanMove(left, application, new Date());
  const there = await rowsIn(south.database, client);
  const { removed, left: none } = await removeApplication(removing(), client.applicationId);
  // The last use of its key is written within a second.
  assert.deepEqual([{ ...removed, credential_uses: 0 }, none], [{ applications: 1, credential_uses: 0 }, {}]);
  assert.deepEqual(await tablesWith([client.applicationId]), []);
  assert.deepEqual(await rowsIn(south.database, client), there);
});
