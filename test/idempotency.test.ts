import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { LightMyRequestResponse } from "fastify";
import { pino } from "pino";
import { setSecretHash } from "../src/applications/store.ts";
import { createIdempotency } from "../src/idempotency/idempotency.task.ts";
import { routeOf } from "../src/http/operation.ts";
import { apiScope } from "../src/http/api-scope.ts";
import { createServer } from "../src/http/server.ts";
import { keyedRequest } from "../src/idempotency/key.ts";
import * as storedResponses from "../src/idempotency/store.ts";
import { rotateWebhookSecret } from "../src/webhooks/endpoints/operations.ts";
import { callersIn } from "./support/applications.ts";
import { foodOf, isReplayed, postWithKey, refusedAs } from "./support/keyed-requests.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
let userId: string;
before(async () => {
  // Nothing is scored or read here: what is accepted is what counts.
  service = await startService({ isWorking: false });
  client = await service.newClient();
  userId = await client.enrol();
});
after(() => service.close());

let keys = 0;
const newKey = () => `key-${keys++}`;
const food = (transactionId: string, over: object = {}) => foodOf(userId, transactionId, over);
const post = (path: string, body: object, key: string, headers = client.headers) =>
  postWithKey(service, headers, path, body, key);

async function count(table: "intakes" | "idempotency_keys"): Promise<number> {
  const [row] = await service.database.query<{ count: number }>({
    name: `test.count-${table}`,
    text: `SELECT count(*)::float8 AS count FROM ${table}`,
  });
  return row!.count;
}

/** Waits until `count` statements wait for another tx. */
async function lockWaits(wanted: number): Promise<void> {
  const text = `SELECT count(*)::float8 AS waiting FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(5)) {
    const [row] = await service.database.query<{ waiting: number }>({ name: "test.lock-waits", text });
    if (row!.waiting >= wanted) return;
  }
  throw new Error("nobody waits");
}

test("the same key is a different one for another path, and for another application", async () => {
  const [key, other] = [newKey(), await service.newClient()];
  await post("/track/food", food(`scope-${key}`), key);
  refusedAs(await post("/catalogue/aliases", { name: "apple", foodId: "apple" }, key), 422, "IdempotencyKeyReused");
  const theirs = food(`scope-${key}`, { userId: await other.enrol() });
  const response = await post("/track/food", theirs, key, other.headers);
  assert.deepEqual([response.statusCode, isReplayed(response)], [202, false]);
});

test("the prefix /issuers, spaces in the JSON and null for a missing member do not make a different request", async () => {
  const key = newKey();
  const first = await post("/track/food", food(`prefix-${key}`), key);
  const again = await service.app.server.inject({
    method: "POST",
    url: "/issuers/track/food?api-version=1.0",
    headers: { ...client.headers, "content-type": "application/json", "idempotency-key": key },
    payload: JSON.stringify({ ...food(`prefix-${key}`), quantity: null, logId: null }, null, 4),
  });
  assert.deepEqual([again.json(), isReplayed(again)], [first.json(), true]);
});

test("a key is 1 to 255 visible characters; anything else is named in the problem", async () => {
  for (const key of ["", " ", "a b", "ü", "x".repeat(256), "a, b"]) {
    const response = await post("/track/food", food("error"), key);
    refusedAs(response, 400, "ValidationFailed");
    assert.deepEqual(Object.keys(response.json().errors), ["Idempotency-Key"]);
  }
  assert.equal((await post("/track/food", food("long"), "~".repeat(255))).statusCode, 202);
});

test("a refused request leaves its key free for the corrected one", async () => {
  const key = newKey();
  assert.equal((await post("/track/food", food(`correct-${key}`, { weight: -1 }), key)).statusCode, 400);
  const nobody = "01890000-0000-7000-8000-000000000000";
  assert.equal((await post("/track/food", food(`correct-${key}`, { userId: nobody }), key)).statusCode, 400);
  assert.equal((await post("/track/receipts/session", { userId: nobody }, key)).statusCode, 400);
  const corrected = await post("/track/food", food(`correct-${key}`), key);
  assert.deepEqual([corrected.statusCode, isReplayed(corrected)], [202, false]);
});

test("a request repeated after a lost response earns once and ends once", async () => {
  const working = await startService();
  try {
    const app = await working.newClient();
    const user = await app.enrol();
    const send = async () => {
      const headers = { ...app.headers, "idempotency-key": "lost" };
      const body = food("lost", { userId: user });
      const url = "/track/food?api-version=1.0";
      const response = await working.app.server.inject({ method: "POST", url, headers, payload: body });
      return response.json<{ trackId: string }>().trackId;
    };
    const trackId = await send();
    const isEnd = (event: Record<string, unknown>) => /completed|failed/.test(nameOf(event));
    await app.until((all) => all.some(isEnd));
    for (let i = 0; i < 3; i++) assert.equal(await send(), trackId);
    // The events of this later submission arrive after any events of the repetitions.
    await app.call("POST", "/track/food", food("after", { userId: user }));
    const ends = (await app.until((all) => all.filter(isEnd).length > 1)).filter(isEnd);
    assert.deepEqual(
      ends.map((event) => [nameOf(event), event["transactionId"]]),
      [
        ["intake.completed", "lost"],
        ["intake.completed", "after"],
      ],
    );
    assert.equal((await app.call("GET", `/users/${user}/transactions`)).json<{ count: number }>().count, 2);
  } finally {
    await working.close();
  }
});

test("a key that another process is just storing is waited for: its commit decides", async () => {
  for (const outcome of ["commit", "rollback"] as const) {
    const key = newKey();
    const { keyHash } = keyedRequest({ applicationId: "", clientSecret: "", key, target: "", content: "" });
    const { applicationId } = client;
    const taken = { keyHash, fingerprint: Buffer.alloc(32), status: 200, response: Buffer.from("{}"), isSealed: false };
    let waiting: Promise<LightMyRequestResponse>[] = [];
    const theirs = service.database.tx(async (tx) => {
      await storedResponses.keep(tx, {
        ...taken,
        applicationId,
        id: randomUUID(),
        userId: null,
        createdAt: new Date(),
      });
      waiting = [post("/track/food", food(`wait-${key}`), key), post("/track/receipts/session", { userId }, key)];
      await lockWaits(2);
      if (outcome === "rollback") throw new Error("their process ends");
    });
    await theirs.catch(() => {});
    const codes = (await Promise.all(waiting)).map(({ statusCode }) => statusCode);
    // Freed, it belongs to the one of the two that comes first, and is another request's for the other.
    if (outcome === "commit") assert.deepEqual(codes, [422, 422]);
    else assert.ok(/^(202,422|422,200)$/.test(codes.join()), codes.join());
  }
});

test("an effect whose response cannot be stored is rolled back, and the next attempt is the first", async () => {
  const table = { name: "test.create-effects", text: "CREATE TABLE test_effects (at timestamptz)" };
  await service.database.query(table);
  let isFailing = true;
  const idempotency = createIdempotency({
    database: service.database,
    storedResponses: {
      find: storedResponses.find,
      keep: async (tx, kept) => {
        if (isFailing) throw new Error("the process ends between effect and response");
        return storedResponses.keep(tx, kept);
      },
    },
    now: () => new Date(),
    newId: randomUUID,
  });
  const server = createServer({ log: pino({ level: "silent" }), publicUrl: "http://r.test", newRequestId: randomUUID });
  apiScope(server, callersIn(service.database), (scope) =>
    // An example of any operation: the code under test runs between its request and its effect.
    scope.post(rotateWebhookSecret.path, routeOf(rotateWebhookSecret), (request, reply) =>
      idempotency.once(request, reply, async (tx) => {
        await tx.query({ name: "test.effect", text: "INSERT INTO test_effects VALUES (now())" });
        return { response: { isDone: true }, userId: null };
      }),
    ),
  );
  const send = async () => {
    const headers = { ...client.headers, "idempotency-key": "effect" };
    const response = await server.inject({
      method: "POST",
      url: "/webhooks/endpoints/x/rotate-secret?api-version=1.0",
      headers,
      payload: {},
    });
    const counted = { name: "test.count-effects", text: "SELECT count(*)::float8 AS effects FROM test_effects" };
    return [response.statusCode, (await service.database.query<{ effects: number }>(counted))[0]!.effects];
  };
  assert.deepEqual(await send(), [500, 0]);
  isFailing = false;
  assert.deepEqual(await send(), [200, 1]);
  assert.deepEqual(await send(), [200, 1]);
});

test("a batch of many with and without keys stores each once", async () => {
  const before = await count("intakes");
  const key = newKey();
  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      i % 3 === 0
        ? client.call("POST", "/track/food", food(`mixed-${key}-${i}`))
        : post("/track/food", food(`mixed-${key}-${i % 6}`), `${key}-${i % 6}`),
    ),
  );
  assert.ok(responses.every(({ statusCode }) => statusCode === 202));
  // Twenty without a key, and of the keyed ones numbers 1, 2, 4 and 5.
  assert.equal(await count("intakes"), before + 20 + 4);
});

test("a response is stored for 24 hours and deleted after", async () => {
  const key = newKey();
  await post("/track/food", food(`kept-${key}`), key);
  const now = service.clock.ms;
  const signal = new AbortController().signal;
  const hour = 3_600_000;
  await storedResponses.sweep(service.database, new Date(now - hour), signal);
  assert.ok(isReplayed(await post("/track/food", food(`kept-${key}`), key)));
  assert.ok((await storedResponses.sweep(service.database, new Date(now + hour), signal)) > 0);
  assert.equal(await count("idempotency_keys"), 0);
  const again = await post("/track/food", food(`kept-${key}`), key);
  assert.deepEqual([again.statusCode, isReplayed(again)], [202, false]);
});

test("neither the key nor the response can be read from the database", async () => {
  const key = `robin@example.org-${newKey()}`;
  const { redirectUrl } = (await post("/track/receipts/session", { userId }, key)).json<{ redirectUrl: string }>();
  const token = new URL(redirectUrl).searchParams.get("sessionId")!;
  const [row] = await service.database.query<{ text: string }>({
    name: "test.kept-text",
    text: `SELECT string_agg(encode(response, 'escape') || encode(key_hash, 'escape'), ' ') AS text FROM idempotency_keys`,
  });
  for (const secret of [token, "redirectUrl", "robin"]) assert.ok(!row!.text.includes(secret), secret);
});

test("an erased user leaves no stored response", async () => {
  const user = await client.enrol("to-erase@example.org");
  const before = await count("idempotency_keys");
  await post("/track/food", food("to-erase", { userId: user }), newKey());
  await post("/track/receipts/session", { userId: user }, newKey());
  await post("/users/enroll", { email: "to-erase@example.org", firstName: "Ada", lastName: "L" }, newKey());
  assert.equal(await count("idempotency_keys"), before + 3);
  await service.erase(user);
  assert.equal(await count("idempotency_keys"), before);
});

test("after the client secret was replaced, a response with a secret is lost, one of ids is not; no effect happens twice", async () => {
  const owner = await service.newClient();
  const body = food("rotated", { userId: await owner.enrol() });
  const [foodKey, sessionKey] = [newKey(), newKey()];
  const first = await post("/track/food", body, foodKey, owner.headers);
  await post("/track/receipts/session", { userId: body.userId }, sessionKey, owner.headers);
  const before = await count("intakes");
  await setSecretHash(
    service.database,
    owner.clientId,
    { hash: createHash("sha256").update("sec_new").digest(), previousUntil: null },
    new Date(),
  );
  const headers = { ...owner.headers, "x-client-secret": "sec_new" };
  const response = await post("/track/food", body, foodKey, headers);
  assert.deepEqual([response.json(), isReplayed(response)], [first.json(), true]);
  const lost = await post("/track/receipts/session", { userId: body.userId }, sessionKey, headers);
  refusedAs(lost, 409, "IdempotencyAnswerLost");
  assert.equal(await count("intakes"), before);
});
