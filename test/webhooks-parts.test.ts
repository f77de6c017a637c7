import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { firstIdAt, uuidv7 } from "../src/ids.ts";
import { migrate } from "../src/postgres/migrations.ts";
import { isLockTimeout } from "../src/postgres/postgres.ts";
import { deleteEvents } from "../src/users/erasure.store.ts";
import { newEvent } from "../src/webhooks/event.ts";
import type { NewEvent } from "../src/webhooks/event.ts";
import { placeAt } from "../src/webhooks/feed/cursor.ts";
import { feedPage } from "../src/webhooks/feed/store.ts";
import { listEntries } from "../src/webhooks/log/store.ts";
import { makeParts, removeOldEvents } from "../src/webhooks/parts/parts.task.ts";
import { readParts } from "../src/webhooks/parts/store.ts";
import { createTestDatabase, emptyCell, silent } from "./support/database.ts";
import { ALL, openWorld, types } from "./support/webhooks-under-test.ts";

const DAY_MS = 86_400_000;
const RETENTION_MS = 30 * DAY_MS;
const MIGRATIONS = join(import.meta.dirname, "../migrations");
const never = new AbortController().signal;
/** Long after the first part, which ends some days after the test. */
const NOW = Math.ceil(Date.now() / DAY_MS) * DAY_MS + 100 * DAY_MS;
const daysAgo = (days: number) => NOW - days * DAY_MS;
const idAt = (ms: number) => uuidv7(ms, randomBytes(10));

/** The parts as an installation has them that has been running for some time, and a function for retention. */
async function openParts(t: TestContext, since = daysAgo(60)) {
  const world = await openWorld(t);
  const { database } = world;
  const deps = { database, log: silent, retentionMs: RETENTION_MS };
  for (let at = since; at <= NOW; at += DAY_MS) await makeParts(deps, new Date(at));
  const application = await world.application();
  const rows = async (sql: string) => (await database.pool.query<Record<string, unknown>>(sql)).rows;
  return {
    world,
    application,
    deps,
    rows,
    removeOld: (at = NOW) => removeOldEvents(deps, new Date(at), never),
    endings: async () => (await readParts(database)).map(({ ending }) => ending),
    bodies: async () => (await rows("SELECT body FROM events ORDER BY id")).map(({ body }) => body),
    feed: async (since: number) =>
      feedPage(database, application, placeAt(new Date(since)), { eventsMax: 100, bytesMax: 1e9 }),
  };
}

/** An event of a time, about a subject of the same or an earlier time. */
function eventAt(applicationId: string, at: number, { subjectAt = at, userId = idAt(at), body = "" } = {}): NewEvent {
  const subject = idAt(subjectAt);
  const event = { event: "intake.completed", trackId: subject, transactionId: "1", userId, source: "meal" };
  const made = newEvent(idAt(at), { applicationId, userId, subject }, event as never, new Date(at));
  return body === "" ? made : { ...made, body };
}

test("events of 40 days ago are gone with the part they are in, pending deliveries too; those of 20 days ago stay", async (t) => {
  const { world, application, rows, removeOld, endings, feed } = await openParts(t);
  await world.endpoint(application, "http://127.0.0.1:1/");
  const old = [40, 39, 38].map((days) => eventAt(application, daysAgo(days)));
  const kept = [20, 3, 0].map((days) => eventAt(application, daysAgo(days)));
  await world.append([...old, ...kept]);
  assert.equal((await rows("SELECT FROM events_other")).length, 0);
  const before = await endings();
  await removeOld();
  const after = await endings();
  assert.ok(before.includes("first") && !after.includes("first"));
  assert.ok(after.length < before.length && after.length <= 8, after.join());
  const ids = kept.map(({ id }) => id);
  assert.deepEqual(
    (await feed(daysAgo(50))).map(({ id }) => id),
    ids,
    "a place before the horizon continues with what is there",
  );
  const log = await listEntries(world.database, application, ALL);
  assert.deepEqual(
    log.entries.map(({ eventId }) => eventId),
    ids.toReversed(),
  );
  assert.equal((await world.deliveries()).length, 3);
});

test("an event stays for its own time when its subject is older, with its delivery, and is removed then", async (t) => {
  const { world, application, rows, removeOld, bodies } = await openParts(t);
  const receiver = await world.receiver();
  await world.endpoint(application, receiver.url);
  const late = eventAt(application, daysAgo(2), { subjectAt: daysAgo(45), body: '"late"' });
  await world.append([late, eventAt(application, daysAgo(45), { body: '"old"' })]);
  await removeOld();
  assert.deepEqual(await bodies(), ['"late"']);
  assert.equal((await rows("SELECT FROM events_other")).length, 1);
  // What comes for such a subject afterwards, and what is still due, is delivered as ever.
  await world.append([eventAt(application, daysAgo(1), { subjectAt: daysAgo(45), body: '"later"' })]);
  world.clock.ms = NOW;
  const delivery = world.openDelivery();
  await delivery.deliverDue();
  assert.equal(types(receiver).length, 2);
  await removeOld(NOW + 28 * DAY_MS + 1);
  assert.deepEqual(await bodies(), ['"later"']);
  await removeOld(NOW + 30 * DAY_MS);
  assert.deepEqual(await bodies(), []);
  assert.deepEqual(await world.deliveries(), []);
});

test("what has no part, after a clock has jumped, is stored, delivered and removed like the rest", async (t) => {
  const { world, application, deps, rows, removeOld, bodies } = await openParts(t, NOW);
  const receiver = await world.receiver();
  await world.endpoint(application, receiver.url);
  const ahead = NOW + 200 * DAY_MS;
  await world.append([eventAt(application, ahead, { body: '"ahead"' })]);
  assert.equal((await rows("SELECT FROM events_other")).length, 1);
  world.clock.ms = ahead;
  await world.openDelivery().deliverDue();
  assert.equal(types(receiver).length, 1);
  // The next part begins after it.
  assert.ok((await makeParts(deps, new Date(ahead))) > 0);
  assert.equal(await makeParts(deps, new Date(ahead)), 0);
  const [tomorrow] = [Math.floor(ahead / DAY_MS) * DAY_MS + DAY_MS];
  assert.ok((await readParts(world.database)).some(({ from }) => from === tomorrow));
  await world.append([eventAt(application, tomorrow, { body: '"tomorrow"' })]);
  assert.equal((await rows("SELECT FROM events_other")).length, 1);
  await removeOld(ahead + RETENTION_MS + 1);
  assert.deepEqual(await bodies(), ['"tomorrow"']);
});

test("a part that others read is not waited for with everybody behind, and dropped when they are done", async (t) => {
  const { world, application, rows, removeOld, endings } = await openParts(t);
  await world.append([eventAt(application, daysAgo(40))]);
  const before = await endings();
  const reader = await world.database.pool.connect();
  await reader.query("BEGIN");
  await reader.query("SELECT count(*) FROM events");
  let failure: unknown;
  const removing = removeOld().catch((error: unknown) => (failure = error));
  // Behind a lock that waits for the reader this would not end: the reader goes on until after it.
  for (let i = 0; i < 20; i++) await world.append([eventAt(application, daysAgo(0))]);
  await removing;
  assert.ok(isLockTimeout(failure), String(failure));
  assert.deepEqual(await endings(), before);
  await reader.query("COMMIT");
  reader.release();
  await removeOld();
  assert.ok((await endings()).length < before.length);
  assert.equal((await rows("SELECT FROM events")).length, 20);
});

test("the events of a user are erased in all parts, with their deliveries", async (t) => {
  const { world, application } = await openParts(t);
  await world.endpoint(application, "http://127.0.0.1:1/");
  const userId = idAt(daysAgo(40));
  const times = [40, 29, 20, 10, 0, -300].map((days) => eventAt(application, daysAgo(days), { userId }));
  await world.append([...times, eventAt(application, daysAgo(20))]);
  assert.equal(await deleteEvents(world.database, userId), 6);
  assert.equal((await world.deliveries()).length, 1);
});

test("an installation from before there were parts keeps its events, and an earlier process goes on beside", async (t) => {
  const { database, drop } = await createTestDatabase();
  t.after(drop);
  await emptyCell(database);
  await migrate(database, MIGRATIONS, silent, (name) => name < "0067");
  const query = (sql: string, values: unknown[] = []) => database.pool.query<Record<string, unknown>>(sql, values);
  await query(
    "INSERT INTO applications (id, client_id, name, secret_hash, is_sandbox, created_at, updated_at) VALUES (gen_random_uuid(), 'a', 'a', sha256(''), false, now(), now())",
  );
  const application = String((await query("SELECT id FROM applications")).rows[0]!["id"]);
  const add = async (at: number) => {
    const subject = idAt(at);
    const values = [idAt(at), application, subject];
    await query(
      `INSERT INTO events (user_id, subject, position, id, application_id, type, body, created_at)
       VALUES ($2, $3, 1, $1, $2, 'intake.received', '{}', now())`,
      values,
    );
    // As a process of the release before writes them.
    const insert = `INSERT INTO deliveries (user_id, subject, position, endpoint_id, state, due_at)
       VALUES ($2, $3, 1, $1, 'pending', now())
       ON CONFLICT (user_id, subject, position, endpoint_id) DO UPDATE SET due_at = excluded.due_at`;
    await query(insert, values);
    await query(insert, values);
    return subject;
  };
  const [now, before] = [Date.now(), Date.now() - 20 * DAY_MS];
  const old = await add(before);
  await add(now);
  await migrate(database, MIGRATIONS, silent);
  const count = async (table: string) => Number((await query(`SELECT count(*) AS n FROM ${table}`)).rows[0]!["n"]);
  assert.deepEqual([await count("events_first"), await count("deliveries_first")], [2, 2]);
  await add(now);
  await add(now + 400 * DAY_MS);
  assert.deepEqual([await count("events_first"), await count("events_other"), await count("deliveries")], [3, 1, 4]);
  await query("DELETE FROM events WHERE subject = $1", [old]);
  assert.deepEqual([await count("events"), await count("deliveries")], [3, 3]);
});

test("rows whose clock was far ahead are no obstacle to the migration", async (t) => {
  const { database, drop } = await createTestDatabase();
  t.after(drop);
  await emptyCell(database);
  await migrate(database, MIGRATIONS, silent, (name) => name < "0067");
  const far = firstIdAt(Date.now() + 400 * DAY_MS);
  const sql = `INSERT INTO events (user_id, subject, position, id, application_id, type, body, created_at)
               VALUES ($1, $1, 1, $1, $1, 'intake.received', '{}', now())`;
  await database.pool.query(sql, [far]);
  await migrate(database, MIGRATIONS, silent);
  const { rows } = await database.pool.query("SELECT tableoid::regclass::text AS part FROM events");
  assert.deepEqual(rows, [{ part: "events_other" }]);
  const deps = { database, log: silent, retentionMs: RETENTION_MS };
  assert.ok((await makeParts(deps, new Date())) > 0);
});
