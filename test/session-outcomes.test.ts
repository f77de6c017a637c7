import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import type { Create } from "sharp";
import { uuidv7 } from "../src/ids.ts";
import { createSessionEnding } from "../src/sessions/ending.task.ts";
import { appendEvents } from "../src/webhooks/outbox.store.ts";
import { runCommand } from "./support/commands.ts";
import { multipart } from "./support/multipart.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

interface Opened {
  readonly id: string;
  readonly token: string;
  /** The page's path and query. */
  readonly address: string;
}

let service: TestService;
let client: Client;
before(async () => {
  service = await startService();
  client = await service.newClient({ isSandbox: true });
});
after(() => service.close());

async function open(path: string, body: object, by = client): Promise<Opened> {
  const response = await by.call("POST", path, body);
  assert.equal(response.statusCode, 200, response.body);
  const { redirectUrl, id } = response.json<{ redirectUrl: string; id: string }>();
  const { pathname, search, searchParams } = new URL(redirectUrl);
  return { id, token: searchParams.get("sessionId")!, address: pathname + search };
}

const openEnrolment = (email: string, by = client) =>
  open("/users/enroll/session", { email, firstName: "Ada", lastName: "Lovelace" }, by);

const decide = (address: string, decision: string, of = service) =>
  of.app.server.inject({
    method: "POST",
    url: address,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: `decision=${decision}`,
  });

interface Stored {
  readonly type: string;
  readonly body: string;
  readonly user_id: string;
}

/** The stored events of a session. */
async function eventsOf(id: string, of = service): Promise<Stored[]> {
  const sql = "SELECT type, body, user_id FROM events WHERE subject = $1";
  return (await of.database.pool.query<Stored>(sql, [id])).rows;
}

const lookUp = async (id: string, by = client) =>
  (await by.call("GET", `/sessions/${id}`)).json<Record<string, unknown>>();

/** Waits for the sweep; fails after a minute. */
async function untilEvent(id: string, of: TestService): Promise<Stored[]> {
  for (const endsAt = Date.now() + 60_000; Date.now() < endsAt; await sleep(50)) {
    const events = await eventsOf(id, of);
    if (events.length > 0) return events;
  }
  throw new Error("the session's event did not come");
}

test("an enrolment that was accepted has one event and a lookup, also if the user never returns; neither has the token", async () => {
  const { id, token, address } = await openEnrolment("accepts@example.org");
  assert.deepEqual([(await lookUp(id))["state"], (await lookUp(id))["userId"]], ["open", null]);
  const responses = await Promise.all(Array.from({ length: 5 }, () => decide(address, "accept")));
  assert.equal(responses.filter(({ statusCode }) => statusCode < 400).length, 1);

  const status = await lookUp(id);
  assert.deepEqual([status["kind"], status["state"], typeof status["userId"]], ["enrolment", "completed", "string"]);
  const events = await eventsOf(id);
  assert.deepEqual(
    events.map(({ type }) => type),
    ["session.completed"],
  );
  assert.deepEqual(JSON.parse(events[0]!.body).session, status);
  const sent = await client.until((all) => all.some((event) => nameOf(event) === "session.completed"));
  assert.equal(sent.filter((event) => nameOf(event) === "session.completed").length, 1);
  const { rows } = await service.database.pool.query<{ rows: string }>(
    "SELECT (SELECT string_agg(events::text, '') FROM events) || (SELECT string_agg(sessions::text, '') FROM sessions) AS rows",
  );
  assert.ok(!rows[0]!.rows.includes(token));
});

test("a declined enrolment has an event without any data of the person", async () => {
  const { id, address } = await openEnrolment("declines@example.org");
  await decide(address, "decline");
  const [event, ...others] = await eventsOf(id);
  assert.deepEqual([event!.type, event!.user_id, others.length], ["session.declined", id, 0]);
  assert.doesNotMatch(event!.body, /declines|Ada|Lovelace/);
  assert.equal((await lookUp(id))["state"], "declined");
});

test("a session that nobody completes expires once, keeps no data of the person, and cannot be completed after its event", async (t) => {
  // Its sweep runs at the start of its work, and then every 15 s.
  const idle = await startService({ isWorking: false });
  t.after(() => idle.close());
  const by = await idle.newClient();
  const userId = await by.enrol();
  const enrolment = await openEnrolment("never@example.org", by);
  const receipt = await open("/track/receipts/session", { userId, merchantName: "Larkmeadow" }, by);
  idle.clock.ms += 1_801_000;
  assert.equal((await lookUp(enrolment.id, by))["state"], "expired");
  await idle.app.startWork();
  for (const [{ id }, user] of [
    [enrolment, null],
    [receipt, userId],
  ] as const) {
    const events = await untilEvent(id, idle);
    assert.deepEqual(
      events.map(({ type }) => type),
      ["session.expired"],
    );
    assert.equal(JSON.parse(events[0]!.body).session.userId, user);
  }
  const sql = "SELECT request::text FROM sessions WHERE id = ANY ($1)";
  const { rows } = await idle.database.pool.query<{ request: string }>(sql, [[enrolment.id, receipt.id]]);
  assert.deepEqual(
    rows.map(({ request }) => request),
    ["{}", "{}"],
  );
  // A process whose clock is behind.
  idle.clock.ms -= 1_801_000;
  assert.equal((await decide(enrolment.address, "accept", idle)).statusCode, 404);
  assert.equal((await eventsOf(enrolment.id, idle)).length, 1);
});

test("a session is found by its own application alone, by its id alone", async () => {
  const other = await service.newClient();
  const { id, token } = await openEnrolment("own@example.org");
  for (const [by, wanted] of [
    [other, id],
    [client, token],
    [client, "x"],
    [client, "00000000-0000-7000-8000-000000000000"],
  ] as const) {
    assert.equal((await by.call("GET", `/sessions/${wanted}`)).statusCode, 404);
  }
  assert.equal((await client.call("GET", `/issuers/sessions/${id}`)).statusCode, 200);
});

test("thousands of expired sessions are ended in batches, each with one event, by two sweeps at once; erased users get none", async () => {
  const erased = await client.enrol();
  const count = 2_500;
  await service.database.pool.query(
    "UPDATE users SET erased_at = now(), email = '', first_name = '', last_name = '' WHERE id = $1",
    [erased],
  );
  const { rows } = await service.database.pool.query<{ id: string }>(
    `INSERT INTO sessions (token_hash, application_id, page, request, created_at, expires_at, user_id)
     SELECT sha256(n::text::bytea), $1, 'receipt', jsonb_build_object('n', n), now() - interval '2 hours',
            now() - interval '1 hour', CASE WHEN n <= 10 THEN $3::uuid END
     FROM generate_series(1, $2::int) AS n RETURNING id`,
    [client.applicationId, count, erased],
  );
  const { database } = service;
  const batches: number[] = [];
  const ending = createSessionEnding({
    database,
    now: () => new Date(),
    newId: () => uuidv7(Date.now(), randomBytes(10)),
    publish: async (tx, events) => {
      batches.push(events.length);
      await appendEvents(tx, events, { firstWaitSeconds: 3_600, lease: null });
    },
  });
  const { signal } = new AbortController();
  await Promise.all([ending.sweepExpired(signal), ending.sweepExpired(signal)]);
  await ending.sweepExpired(signal);
  const ids = rows.map(({ id }) => id);
  const sql =
    "SELECT count(*)::int AS n, count(DISTINCT subject)::int AS subjects FROM events WHERE subject = ANY ($1)";
  const { rows: counted } = await database.pool.query<{ n: number; subjects: number }>(sql, [ids]);
  assert.deepEqual(counted, [{ n: count - 10, subjects: count - 10 }]);
  assert.ok(Math.max(...batches) <= 500, String(batches));
  await database.pool.query("DELETE FROM events WHERE subject = ANY ($1)", [ids]);
});

test("a receipt session completes with its receipt; erasing the user leaves neither session nor event", async () => {
  const userId = await client.enrol();
  const { id, address } = await open("/track/receipts/session", { userId });
  const noise = {
    width: 600,
    height: 900,
    channels: 3,
    background: "white",
    noise: { type: "gaussian", mean: 128, sigma: 40 },
  };
  const image = await sharp({ create: noise as Create })
    .jpeg()
    .toBuffer();
  const form = await multipart({ fields: {}, image });
  const sent = await service.app.server.inject({ method: "POST", url: address, ...form });
  assert.equal(sent.statusCode, 200, sent.body);
  const status = await lookUp(id);
  assert.deepEqual([status["kind"], status["state"], status["userId"]], ["receipt", "completed", userId]);
  const { rows } = await service.database.pool.query("SELECT FROM receipts WHERE id = $1", [status["receiptId"]]);
  assert.equal(rows.length, 1);
  assert.equal((await eventsOf(id))[0]!.type, "session.completed");

  const env = { DATA_DIR: service.dataDir };
  await runCommand(service.database, ["user", "erase", `--user-id=${userId}`], { env });
  assert.equal((await client.call("GET", `/sessions/${id}`)).statusCode, 404);
  assert.deepEqual(await eventsOf(id), []);
});
