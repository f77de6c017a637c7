import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client as Connection } from "pg";
import { createFiles } from "../src/files.ts";
import type { Files } from "../src/files.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { DAY_MS } from "../src/time.ts";
import { eraseUser, sweepErased } from "../src/users/erase.task.ts";
import { erasedWithLeftovers, markErased } from "../src/users/erasure.store.ts";
import { STORED_FORMS } from "../src/stored-forms.ts";
import { exportUserData } from "../src/users/personal-data.store.ts";
import { runCommand } from "./support/commands.ts";
import { silent } from "./support/database.ts";
import { NOTHING, filesIn, leftoversOf } from "./support/leftovers.ts";
import { multipart } from "./support/multipart.ts";
import { GROCERIES, formFor, pageOf, picture } from "./support/groceries.ts";
import { startReceipts } from "./support/receipts-under-test.ts";
import type { TestClient } from "./support/receipts-client.ts";
import type { ReceiptsUnderTest } from "./support/receipts-under-test.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { startWebhookReceiver } from "./support/webhook-receiver.ts";

const dataDir = mkdtempSync(join(tmpdir(), "rewards-erasure-"));
let service: TestService;
let client: Client;
/** Called before an image is stored. */
let beforePut = async (): Promise<void> => {};
before(async () => {
  const disk = createFiles({ dir: join(dataDir, "files") });
  const files: Files = {
    ...disk,
    put: async (key, path) => {
      await beforePut();
      await disk.put(key, path);
    },
  };
  service = await startService({ env: { DATA_DIR: dataDir }, files });
  client = await service.newClient();
  await service.app.server.listen({ host: "127.0.0.1", port: 0 });
});
afterEach(() => {
  beforePut = async () => {};
});
after(async () => {
  await service.close();
  rmSync(dataDir, { recursive: true, force: true });
});

let people = 0;

/** A new user whose address is in no other text. */
async function newPerson(): Promise<{ userId: string; email: string }> {
  const email = `person-${++people}-${randomBytes(4).toString("hex")}@example.org`;
  return { userId: await client.enrol(email), email };
}

function erase(userId: string, env: Record<string, string> = {}): Promise<object[]> {
  return runCommand(service.database, ["user", "erase", `--user-id=${userId}`], { env: { DATA_DIR: dataDir, ...env } });
}

const leftOf = ({ userId, email }: { userId: string; email: string }) =>
  leftoversOf(service.database, [userId, email], join(dataDir, "files"));

function meal(userId: string, reference: string): Record<string, unknown> {
  return {
    userId,
    transactionId: reference,
    mealName: "Lentil stew",
    imageUrl: "https://example.org/stew.jpg",
    mealType: "dinner",
    loggedAt: new Date().toISOString(),
    ingredients: [{ foodId: "my-1", name: "Lentils", weight: 200, unit: "g" }],
  };
}

async function form(userId: string): Promise<{ headers: Record<string, string>; payload: Buffer }> {
  const { headers, payload } = await multipart({ fields: formFor(userId), image: await picture() });
  return { headers: { ...client.headers, ...headers }, payload };
}

async function upload(userId: string) {
  const url = "/track/receipts?api-version=1.0";
  return service.app.server.inject({ method: "POST", url, ...(await form(userId)) });
}

/** A connection that holds what its statements lock until `release`. */
async function holding(...statements: [text: string, values: unknown[]][]): Promise<{ release: () => Promise<void> }> {
  const connection = new Connection({ connectionString: service.databaseUrl });
  await connection.connect();
  await connection.query("BEGIN");
  for (const [text, values] of statements) await connection.query(text, values);
  return {
    release: async () => {
      await connection.query("ROLLBACK");
      await connection.end();
    },
  };
}

/** Waits until a statement of the service waits for a lock. */
async function untilBlocked(pattern: string): Promise<void> {
  const text = `SELECT count(*)::int AS n FROM pg_stat_activity
                WHERE wait_event_type = 'Lock' AND datname = current_database() AND query ~ $1`;
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(5)) {
    const { rows } = await service.database.pool.query<{ n: number }>(text, [pattern]);
    if (rows[0]!.n > 0) return;
  }
  throw new Error(`no statement with ${pattern} was blocked`);
}

/** A promise with its resolver. */
function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: () => resolve() };
}

/** Waits until no intake or receipt of the application is unfinished, and no delivery is due. */
async function settled(): Promise<void> {
  const text = `SELECT (SELECT count(*) FROM intakes WHERE finished_at IS NULL)::int
                     + (SELECT count(*) FROM receipts WHERE error_code IS NULL AND stage <> 'Completed')::int
                     + (SELECT count(*) FROM deliveries WHERE state = 'pending')::int AS n`;
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(20)) {
    const { rows } = await service.database.pool.query<{ n: number }>(text);
    if (rows[0]!.n === 0) return;
  }
  throw new Error("work is left over");
}

test("a meal whose batch waits while its user is erased is not stored after the erasure", async () => {
  const person = await newPerson();
  // The statement has read the user already, and waits for the reference.
  const other = await holding([
    `INSERT INTO submission_references (application_id, kind, reference, submission_id) VALUES ($1, 'meal', $2, $3)`,
    [client.applicationId, "erased-meanwhile", person.userId],
  ]);
  const submitted = client.call("POST", "/track/meals", meal(person.userId, "erased-meanwhile"));
  await untilBlocked("submission_references");
  const erased = erase(person.userId);
  await Promise.race([erased, sleep(1_000)]);
  await other.release();
  const response = await submitted;
  await erased;
  assert.ok([202, 400, 503].includes(response.statusCode), response.body);
  await settled();
  assert.deepEqual(await leftOf(person), NOTHING);
});

test("an upload that is being stored while its user is erased leaves neither a row nor its image", async () => {
  const person = await newPerson();
  const [storing, released] = [gate(), gate()];
  beforePut = async () => {
    storing.open();
    await released.opened;
  };
  const uploaded = upload(person.userId);
  await storing.opened;
  await erase(person.userId);
  released.open();
  const response = await uploaded;
  assert.equal(response.statusCode, 400, response.body);
  assert.deepEqual(response.json<{ errors: object }>().errors, { userId: ["names no enrolled user"] });
  assert.deepEqual(await leftOf(person), NOTHING);
});

test("an upload that has half arrived while its user is erased leaves neither a row nor its image", async () => {
  const person = await newPerson();
  const { headers, payload } = await form(person.userId);
  const { port } = service.app.server.server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  const lines = Object.entries({ host: "x", connection: "close", "content-length": payload.length, ...headers });
  socket.write(`POST /track/receipts?api-version=1.0 HTTP/1.1\r\n`);
  socket.write(`${lines.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n`);
  socket.write(payload.subarray(0, payload.length - 60));
  while (filesIn(join(dataDir, "files", "tmp")).length === 0) await sleep(5);
  await erase(person.userId);
  socket.write(payload.subarray(payload.length - 60));
  let response = "";
  for await (const chunk of socket) response += String(chunk);
  assert.match(response, /^HTTP\/1\.1 400 [\s\S]*names no enrolled user/);
  assert.deepEqual(await leftOf(person), NOTHING);
});

test("a record and events that are being written while their user is erased keep nothing of the person", async () => {
  const person = await newPerson();
  const other = await holding([`SELECT FROM balances WHERE user_id = $1 FOR UPDATE`, [person.userId]]);
  await client.call("POST", "/track/meals", meal(person.userId, "being-booked"));
  // The tx of the scoring holds the intake, and waits for the balance.
  await untilBlocked("FROM balances");
  const erased = erase(person.userId);
  await sleep(300);
  await other.release();
  await erased;
  await settled();
  assert.deepEqual(await leftOf(person), NOTHING);
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("a meal that is stored but not scored when its user is erased earns nothing and leaves nothing", async () => {
  const person = await newPerson();
  const other = await holding([`SELECT FROM balances WHERE user_id = $1 FOR UPDATE`, [person.userId]]);
  const idle = await holding([`LOCK TABLE records IN SHARE MODE`, []]);
  await other.release();
  await client.call("POST", "/track/meals", meal(person.userId, "not-scored"));
  await untilBlocked("INSERT INTO records");
  const erased = erase(person.userId);
  await sleep(200);
  await idle.release();
  await erased;
  await settled();
  assert.deepEqual(await leftOf(person), NOTHING);
});

test("a webhook that is being delivered while its user is erased leaves nothing when its attempt ends", async () => {
  const person = await newPerson();
  const [arrived, released] = [gate(), gate()];
  const slow = await startWebhookReceiver((_, response) => {
    arrived.open();
    void released.opened.then(() => response.writeHead(500).end(`no: ${person.userId}`));
  });
  const added = await client.call("POST", "/webhooks/endpoints", { url: `${slow.url}/slow` });
  await client.call("POST", "/track/meals", meal(person.userId, "being-delivered"));
  await arrived.opened;
  await client.until((events) => events.some(({ userId }) => userId === person.userId));
  await erase(person.userId);
  released.open();
  await sleep(300);
  await client.call("DELETE", `/webhooks/endpoints/${added.json<{ id: string }>().id}`);
  await slow.close();
  assert.deepEqual(await leftOf(person), NOTHING);
});

test("a session, an enrolment and a stored response in progress while their user is erased leave nothing", async () => {
  const person = await newPerson();
  const key = randomBytes(8).toString("hex");
  // Each has read the user, and waits to store its response under the key.
  const other = await holding([`LOCK TABLE idempotency_keys IN EXCLUSIVE MODE`, []]);
  const post = (url: string, payload: object, n: number) =>
    service.app.server.inject({
      method: "POST",
      url: `${url}?api-version=1.0`,
      headers: { ...client.headers, "idempotency-key": `${key}-${n}` },
      payload,
    });
  const enrolment = { email: person.email, firstName: "Ada", lastName: "Lovelace" };
  const calls = [
    post("/users/enroll", enrolment, 1),
    post("/track/receipts/session", { userId: person.userId }, 2),
    post("/track/meals", meal(person.userId, "keyed"), 3),
  ];
  await untilBlocked("idempotency_keys");
  await sleep(300);
  const erased = erase(person.userId);
  await Promise.race([erased, sleep(1_000)]);
  await other.release();
  await erased;
  const responses = await Promise.all(calls);
  assert.ok(
    responses.every(({ statusCode }) => statusCode < 500 || statusCode === 503),
    responses.map(({ body }) => body).join("\n"),
  );
  await settled();
  // The address may have enrolled anew, as somebody else, when it was free again.
  assert.deepEqual(await leftoversOf(service.database, [person.userId]), NOTHING);
});

test("a second erasure finishes what the first has left", async () => {
  const person = await newPerson();
  await client.call("POST", "/track/meals", meal(person.userId, "left-over"));
  await client.until((events) =>
    events.some((event) => nameOf(event) === "intake.completed" && event["userId"] === person.userId),
  );
  await settled();
  await erase(person.userId);
  assert.deepEqual(await leftOf(person), NOTHING);
  // As an interrupted erasure, or a process of the release before, leaves them.
  await service.database.pool.query(
    `INSERT INTO intakes (user_id, id, application_id, source, reference, state, submission, accepted_at)
     VALUES ($1, gen_random_uuid(), $2, 'meal', 'left', 'received', '{"name": "left"}', now() + interval '1 hour')`,
    [person.userId, client.applicationId],
  );
  await service.database.pool.query(
    `INSERT INTO events (user_id, subject, position, id, application_id, type, body, created_at)
     VALUES ($1, gen_random_uuid(), 1, gen_random_uuid(), $2, 'intake.received', '{}', now())`,
    [person.userId, client.applicationId],
  );
  assert.deepEqual((await leftOf(person)).rows, { events: 1, intakes: 1 });
  await erase(person.userId);
  await erase(person.userId);
  assert.deepEqual(await leftOf(person), NOTHING);
});

test("with traffic of every kind an erasure at any moment leaves nothing", async () => {
  const rounds = 6;
  for (let round = 0; round < rounds; round++) {
    const person = await newPerson();
    const { userId } = person;
    let isOver = false;
    const statuses = new Map<string, number>();
    const send = async (kind: string, call: () => Promise<{ statusCode: number; body: string }>) => {
      for (let n = 0; !isOver; n++) {
        const { statusCode, body } = await call();
        assert.ok(statusCode < 500 || statusCode === 503, body);
        statuses.set(`${kind} ${statusCode}`, (statuses.get(`${kind} ${statusCode}`) ?? 0) + 1);
        await sleep(Math.random() * 5);
      }
    };
    let meals = 0;
    const traffic = [
      ...Array.from({ length: 4 }, () =>
        send("meal", () => client.call("POST", "/track/meals", meal(userId, `${userId}-${++meals}`))),
      ),
      send("upload", () => upload(userId)),
      send("session", () => client.call("POST", "/track/receipts/session", { userId })),
      send("summary", () => client.call("GET", `/users/${userId}/summary`)),
    ];
    await sleep(50 + Math.random() * 250);
    await erase(userId);
    await sleep(100);
    isOver = true;
    await Promise.all(traffic);
    await settled();
    assert.deepEqual(await leftOf(person), NOTHING, `round ${round}: ${JSON.stringify([...statuses])}`);
  }
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

/** Runs the command on the receipts under test, whose files are not below a DATA_DIR. */
async function eraseReceiptUser(receipts: ReceiptsUnderTest, userId: string, env: Record<string, string> = {}) {
  const dir = mkdtempSync(join(tmpdir(), "rewards-erasure-link-"));
  try {
    mkdirSync(dir, { recursive: true });
    symlinkSync(receipts.dir, join(dir, "files"));
    await runCommand(receipts.database, ["user", "erase", `--user-id=${userId}`], { env: { DATA_DIR: dir, ...env } });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

test("a receipt that is being read while its user is erased leaves nothing, at whatever stage", async () => {
  const receipts = await startReceipts();
  try {
    const app = await receipts.client();
    for (const pausedAt of ["reading", "receipt_extracted", "receipt_validated", "receipt_completed"]) {
      const userId = await app.enrol();
      const [paused, released] = [gate(), gate()];
      receipts.read = async () => {
        if (pausedAt === "reading") {
          paused.open();
          await released.opened;
        }
        return pageOf([...GROCERIES, `RECEIPT ${pausedAt.length}00${people}`]);
      };
      // The tx of a stage holds the receipt while it writes its event.
      receipts.beforeEvent = async (type) => {
        if (type !== pausedAt) return;
        paused.open();
        await Promise.race([released.opened, sleep(300)]);
      };
      const id = await app.accepted({ fields: formFor(userId), image: await picture() });
      const processed = receipts.process(id);
      await paused.opened;
      const erased = eraseReceiptUser(receipts, userId);
      await Promise.race([erased, sleep(150)]);
      released.open();
      await Promise.all([processed, erased]);
      assert.deepEqual(await leftoversOf(receipts.database, [userId, id], receipts.dir), NOTHING, pausedAt);
    }
    assert.deepEqual((await verifyLedger(receipts.database)).differences, []);
  } finally {
    receipts.beforeEvent = async () => {};
    await receipts.close();
  }
});

/** The end of a receipt: its error code, or its stage and points. */
async function earned(receipts: ReceiptsUnderTest, app: TestClient, userId: string, image: Buffer): Promise<string> {
  const id = await app.accepted({ fields: formFor(userId), image });
  await receipts.process(id);
  const { status, errorCode } = await app.status(id);
  return errorCode ?? status;
}

test("who is erased and enrols again earns nothing with the same photo, nor with another one of the same purchase", async () => {
  const receipts = await startReceipts();
  receipts.read = async () => pageOf(GROCERIES);
  const days = (n: number) => ({ ERASED_RECEIPT_DAYS: String(n) });
  try {
    const app = await receipts.client();
    const email = "again@example.org";
    const [photo, second] = [await picture(), await picture()];
    const first = await app.enrol(email);
    assert.equal(await earned(receipts, app, first, photo), "Completed");
    await eraseReceiptUser(receipts, first);
    const { rows: kept } = await receipts.database.pool.query<{ row: string }>(
      "SELECT row_to_json(e)::text AS row FROM erased_receipts AS e",
    );
    assert.equal(kept.length, 2);
    assert.deepEqual(await leftoversOf(receipts.database, [first, email], receipts.dir), NOTHING);

    const again = await app.enrol(email);
    assert.notEqual(again, first);
    assert.equal(await earned(receipts, app, again, photo), "NOT_AUTHENTIC");
    assert.equal(await earned(receipts, app, again, second), "ALREADY_EXISTS");
    // Nobody else of the application earns with the same purchase either; another application knows nothing.
    const neighbour = await app.enrol("neighbour@example.org");
    assert.equal(await earned(receipts, app, neighbour, photo), "NOT_AUTHENTIC");
    assert.equal(await earned(receipts, app, neighbour, second), "NOT_AUTHENTIC");
    const elsewhere = await receipts.client();
    const there = await elsewhere.enrol(email);
    assert.equal(await earned(receipts, elsewhere, there, photo), "Completed");

    // Nothing is kept of what has earned nothing; with 0 days not even of what has.
    await eraseReceiptUser(receipts, again);
    await eraseReceiptUser(receipts, there, days(0));
    const { rows } = await receipts.database.pool.query("SELECT FROM erased_receipts");
    assert.equal(rows.length, 2);
    const third = await elsewhere.enrol(email);
    assert.equal(await earned(receipts, elsewhere, third, second), "Completed");
  } finally {
    await receipts.close();
  }
});

test("a daily sweep removes what still belongs to erased users, with images, and the hashes that are old enough", async () => {
  const receipts = await startReceipts();
  receipts.read = async () => pageOf(GROCERIES);
  const { database, files } = receipts;
  const sweep = (erasedReceiptDays: number, at: Date) =>
    sweepErased({ database, files, erasedReceiptDays, now: () => at, log: silent }, new AbortController().signal);
  const keptRows = async () => (await database.pool.query("SELECT FROM erased_receipts")).rows.length;
  try {
    const app = await receipts.client();
    const people = await Promise.all([1, 2, 3].map((n) => app.enrol(`swept-${n}@example.org`)));
    const living = await app.enrol("living@example.org");
    for (const [i, id] of [...people, living].entries()) {
      receipts.read = async () => pageOf(GROCERIES.map((row) => row.replace("10:41", `10:4${i + 1}`)));
      assert.equal(await earned(receipts, app, id, await picture()), "Completed");
    }
    // As erasures leave them that end after their first step.
    for (const id of people) await database.tx((tx) => markErased(tx, id, receipts.clock.now));
    assert.notDeepEqual(await leftoversOf(database, people), NOTHING);
    assert.equal(await sweep(30, receipts.clock.now), 3);
    assert.deepEqual(await leftoversOf(database, people), NOTHING);
    assert.equal(receipts.storedFiles().length, 1);
    assert.equal(await keptRows(), 6);
    assert.equal(await sweep(30, new Date(receipts.clock.now.getTime() + 29 * DAY_MS)), 0);
    assert.equal(await keptRows(), 6);
    await sweep(30, new Date(receipts.clock.now.getTime() + 30 * DAY_MS));
    assert.equal(await keptRows(), 0);
    assert.deepEqual((await verifyLedger(database)).differences, []);
    assert.equal((await leftoversOf(database, [living])).rows["receipts"], 1);
  } finally {
    await receipts.close();
  }
});

test("an erasure whose time ends among images counts those that it has removed, and the next one removes the others", async () => {
  const receipts = await startReceipts();
  const { database, files } = receipts;
  try {
    const app = await receipts.client();
    const userId = await app.enrol("interrupted@example.org");
    for (const minute of [1, 2, 3]) {
      receipts.read = async () => pageOf(GROCERIES.map((row) => row.replace("10:41", `10:4${minute}`)));
      assert.equal(await earned(receipts, app, userId, await picture()), "Completed");
    }
    let begun = 0;
    const remove: Files["remove"] = (key) => {
      begun++;
      return files.remove(key);
    };
    const deps = { database, erasedReceiptDays: 0 };
    const first = await eraseUser(
      { ...deps, files: { remove }, isTimeOver: () => begun > 0 },
      userId,
      receipts.clock.now,
    );
    assert.deepEqual([first?.images, first?.isFinished, receipts.storedFiles().length], [1, false, 2]);
    const rest = await eraseUser({ ...deps, files }, userId, receipts.clock.now);
    assert.deepEqual([rest?.isFinished, receipts.storedFiles().length], [true, 0]);
  } finally {
    await receipts.close();
  }
});

test("the daily sweep finds each kind of row that may be left of an erased user alone", async () => {
  for (const insert of [
    `INSERT INTO record_references (application_id, kind, reference, user_id, record_id)
     SELECT application_id, 'adjustment', 'left', user_id, id FROM records WHERE user_id = $1 LIMIT 1`,
    "INSERT INTO expiry_notices (user_id, expires_at) VALUES ($1, now())",
    "INSERT INTO expiry_sums (user_id, sequence, credits, returns) VALUES ($1, 1, '[]', '[]')",
    `INSERT INTO record_sums (user_id, first_sequence, last_sequence, cause, bonus_type, earning_events, lifetime_points,
       total_points, health_points, carbon_points, bonus_points, green_products, healthy_products, co2e_mg)
     VALUES ($1, 1, 1, 'bonus', 5, 0, 5, 5, 0, 0, 5, 0, 0, 0)`,
    "INSERT INTO test_clocks (user_id, ahead_ms) VALUES ($1, 0)",
  ]) {
    const { userId } = await newPerson();
    const gift = { points: 5, reason: "Gift", reference: `gift ${userId}` };
    assert.equal((await client.call("POST", `/users/${userId}/adjustments`, gift)).statusCode, 200);
    await service.erase(userId);
    const found = () => erasedWithLeftovers(service.database, "00000000-0000-0000-0000-000000000000", 1_000);
    assert.ok(!(await found()).includes(userId));
    await service.database.pool.query(insert, [userId]);
    assert.ok((await found()).includes(userId), insert);
    await service.database.pool.query("DELETE FROM record_references WHERE user_id = $1", [userId]);
  }
});

test("while one user's row is locked for seconds, everybody else's meals are accepted at once", async () => {
  const [person, neighbour] = [await newPerson(), await newPerson()];
  const other = await service.newClient();
  const stranger = await other.enrol();
  const locked = await holding(["SELECT FROM users WHERE id = $1 FOR UPDATE", [person.userId]]);
  const startedAt = performance.now();
  const waiting = client.call("POST", "/track/meals", meal(person.userId, "user-is-locked"));
  for (let n = 0; n < 10; n++) {
    const [own, foreign] = await Promise.all([
      client.call("POST", "/track/meals", meal(neighbour.userId, `beside-${n}`)),
      other.call("POST", "/track/meals", meal(stranger, `elsewhere-${n}`)),
    ]);
    assert.deepEqual([own.statusCode, foreign.statusCode], [202, 202]);
  }
  const elapsedMs = performance.now() - startedAt;
  const { statusCode, headers } = await waiting;
  assert.deepEqual([statusCode, headers["retry-after"]], [503, "1"]);
  // Of this database: tests of other processes share the server.
  const { rows } = await service.database.pool.query(
    "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
  );
  assert.equal(rows.length, 0, "no connection waits");
  const late = client.call("POST", "/track/meals", meal(person.userId, "user-is-locked"));
  await sleep(300);
  await locked.release();
  assert.equal((await late).statusCode, 202);
  assert.ok(elapsedMs < 20_000, `${elapsedMs} ms`);
});

test("a meal that waits for another lock is separated from its batch, and the others are stored", async () => {
  const person = await newPerson();
  const other = await service.newClient();
  const stranger = await other.enrol();
  const reference = "held-elsewhere";
  const locked = await holding([
    `INSERT INTO submission_references (application_id, kind, reference, submission_id) VALUES ($1, 'meal', $2, $3)`,
    [client.applicationId, reference, person.userId],
  ]);
  const startedAt = performance.now();
  const [blocked, ...others] = await Promise.all([
    client.call("POST", "/track/meals", meal(person.userId, reference)),
    ...Array.from({ length: 20 }, (_, n) => other.call("POST", "/track/meals", meal(stranger, `separated-${n}`))),
  ]);
  assert.deepEqual(new Set(others.map(({ statusCode }) => statusCode)), new Set([202]));
  assert.equal(blocked.statusCode, 503);
  assert.ok(performance.now() - startedAt < 15_000);
  await locked.release();
  assert.equal((await client.call("POST", "/track/meals", meal(person.userId, reference))).statusCode, 202);
});

test("an export is of one moment, takes no lock, and waits for none", async () => {
  const person = await newPerson();
  await client.call("POST", "/track/meals", meal(person.userId, "exported"));
  await settled();
  const locked = await holding(["SELECT FROM users WHERE id = $1 FOR UPDATE", [person.userId]]);
  const to = mkdtempSync(join(tmpdir(), "rewards-export-"));
  try {
    const exported = runCommand(service.database, ["user", "export", `--user-id=${person.userId}`, `--to=${to}`], {
      env: { DATA_DIR: dataDir },
    });
    await Promise.race([exported, sleep(20_000).then(() => assert.fail("the export waits"))]);
    const { profile, transactions } = JSON.parse(readFileSync(join(to, "export.json"), "utf8"));
    assert.deepEqual([profile.length, profile[0].email, transactions.length], [1, person.email, 1]);
  } finally {
    await locked.release();
    rmSync(to, { recursive: true, force: true });
  }
  await service.database.snapshot(async (tx) => {
    await tx.query({ name: "test.first-read", text: "SELECT 1" });
    await client.call("POST", "/track/meals", meal(person.userId, "after-the-moment"));
    const parts = await exportUserData(tx, person.userId, STORED_FORMS);
    assert.equal(parts["intakes"]?.length, 1);
  });
  await erase(person.userId);
  await assert.rejects(
    runCommand(service.database, ["user", "export", `--user-id=${person.userId}`, `--to=${to}`], {
      env: { DATA_DIR: dataDir },
    }),
    /erased already/,
  );
});
