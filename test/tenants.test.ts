import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { LightMyRequestResponse } from "fastify";
import { pino } from "pino";
import { createAuthThrottle, networkOf } from "../src/http/auth-throttle.ts";
import { apiScope } from "../src/http/api-scope.ts";
import { createServer } from "../src/http/server.ts";
import { setSecretHash, setSuspended } from "../src/applications/store.ts";
import { routeOf } from "../src/http/operation.ts";
import { getUserSummary } from "../src/users/operations.ts";
import { callersOf } from "./support/applications.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let ours: Client;
let theirs: Client;
before(async () => {
  service = await startService();
  [ours, theirs] = [await service.newClient(), await service.newClient()];
});
after(() => service.close());

const NOBODY = "01890000-0000-7000-8000-000000000000";

const FOOD = {
  foodId: "apple",
  name: "Apple",
  imageUrl: "https://example.org/apple.jpg",
  merchant: { name: "Corner shop" },
  weight: 150,
  unit: "g",
  nutrition: {},
};

function meal(userId: string, transactionId: string) {
  const [imageUrl, loggedAt] = ["https://example.org/b.jpg", new Date().toISOString()];
  return { userId, transactionId, mealName: "Banana", imageUrl, loggedAt, mealType: "snack" };
}

/** Returns a problem document without the members that differ between requests. */
function problem(response: LightMyRequestResponse): object {
  const { requestId, instance, ...rest } = response.json<Record<string, unknown>>();
  assert.deepEqual([typeof requestId, typeof instance], ["string", "string"]);
  return rest;
}

/** Tracks a food of the user. Returns its id and the id of its record. */
async function credited(client: Client, userId: string, transactionId: string) {
  const { trackId } = (await client.call("POST", "/track/food", { ...FOOD, userId, transactionId })).json();
  const isAward = (event: Record<string, unknown>) =>
    nameOf(event) === "rewards.awarded" && JSON.stringify(event).includes(userId);
  const award = (await client.until((all) => all.some(isAward))).find(isAward)!;
  return { trackId, recordId: (award["data"] as { transaction: { transactionID: string } }).transaction.transactionID };
}

test("users, records and submissions of another application look like ones that do not exist", async () => {
  const userId = await ours.enrol();
  const { trackId, recordId } = await credited(ours, userId, "ours-1");
  const paths = (user: string, record: string, track: string) => [
    `/users/${user}/summary`,
    `/users/${user}/statistics`,
    `/users/${user}/transactions`,
    `/users/${user}/transactions?All=true`,
    `/users/${user}/referral-code`,
    `/users/${user}/transactions/${record}`,
    `/track/food/${track}/status`,
    `/track/meals/${track}/status`,
    `/track/receipts/${track}/status`,
    `/users/${user}/export`,
  ];
  const [real, absent] = [paths(userId, recordId, trackId), paths(NOBODY, NOBODY, NOBODY)];
  for (const [i, path] of real.entries()) {
    const [seen, unseen] = [await theirs.call("GET", path), await theirs.call("GET", absent[i]!)];
    assert.deepEqual([seen.statusCode, unseen.statusCode], [404, 404], path);
    assert.deepEqual(problem(seen), problem(unseen));
    assert.deepEqual(Object.keys(seen.headers).sort(), Object.keys(unseen.headers).sort());
  }
  assert.equal((await ours.call("GET", real[4]!)).statusCode, 200);
});

test("nothing can be submitted for a user of another application", async () => {
  const userId = await ours.enrol();
  const [row] = await service.database.query<{ count: number }>(COUNT_INTAKES);
  const attempts = (user: string): [string, object][] => [
    ["/track/meals", meal(user, "cross-1")],
    ["/track/food", { ...FOOD, userId: user, transactionId: "cross-2" }],
    ["/track/receipts/session", { userId: user }],
  ];
  const unknown = attempts(NOBODY);
  for (const [i, [path, body]] of attempts(userId).entries()) {
    const [crossed, absent] = [await theirs.call("POST", path, body), await theirs.call("POST", path, unknown[i]![1])];
    assert.equal(crossed.statusCode, 400);
    assert.deepEqual(problem(crossed), problem(absent));
    assert.deepEqual(Object.keys(crossed.json().errors), ["userId"]);
  }
  assert.deepEqual(await service.database.query(COUNT_INTAKES), [row]);
});
const COUNT_INTAKES = { name: "test.count-intakes", text: "SELECT count(*)::float8 AS count FROM intakes" };

test("a record is found only below its own user", async () => {
  const [owner, neighbour] = [await ours.enrol(), await ours.enrol()];
  const { recordId } = await credited(ours, owner, "ours-2");
  assert.equal((await ours.call("GET", `/users/${owner}/transactions/${recordId}`)).statusCode, 200);
  assert.equal((await ours.call("GET", `/users/${neighbour}/transactions/${recordId}`)).statusCode, 404);
});

test("an e-mail address of another application enrols as a separate user", async () => {
  const [a, b] = [await ours.enrol("shared@example.org"), await theirs.enrol("shared@example.org")];
  assert.notEqual(a, b);
  assert.equal((await theirs.call("GET", `/users/${b}/summary`)).json().user.numOfTransactions, 0);
});

test("a reference belongs to its application: another user of it sends a duplicate, another application does not", async () => {
  const [first, second, other] = [await ours.enrol(), await ours.enrol(), await theirs.enrol()];
  await ours.call("POST", "/track/meals", meal(first, "mine"));
  const endOf = async (client: Client, userId: string) => {
    const isEnd = (event: Record<string, unknown>) =>
      event["userId"] === userId && /completed|failed/.test(nameOf(event));
    const end = (await client.until((all) => all.some(isEnd))).find(isEnd)!;
    return end["errorType"] ?? nameOf(end);
  };
  assert.equal(await endOf(ours, first), "intake.completed");
  await ours.call("POST", "/track/meals", meal(second, "mine"));
  assert.equal(await endOf(ours, second), "DUPLICATE_MEAL");
  await theirs.call("POST", "/track/meals", meal(other, "mine"));
  assert.equal(await endOf(theirs, other), "intake.completed");
  // Each kind of submission has its own references.
  await ours.call("POST", "/track/food", { ...FOOD, userId: second, transactionId: "mine" });
  await ours.until((all) => all.some((event) => event["userId"] === second && nameOf(event) === "intake.completed"));
});

test("events go only to endpoints of their own application", async () => {
  const [here, there] = [await ours.enrol(), await theirs.enrol()];
  await credited(ours, here, "told-1");
  await credited(theirs, there, "told-2");
  assert.ok(!JSON.stringify(theirs.events()).includes(here));
  assert.ok(!JSON.stringify(ours.events()).includes(there));
});

test("missing, wrong, cut, mixed or misplaced credentials all get the same 401", async () => {
  const userId = await ours.enrol();
  const { clientId, clientSecret } = ours;
  const credentials: Record<string, Record<string, string>> = {
    none: {},
    "no secret": { "x-client-id": clientId },
    "no id": { "x-client-secret": clientSecret },
    "empty secret": { "x-client-id": clientId, "x-client-secret": "" },
    "wrong secret": { "x-client-id": clientId, "x-client-secret": theirs.clientSecret },
    "cut secret": { "x-client-id": clientId, "x-client-secret": clientSecret.slice(0, -1) },
    "longer secret": { "x-client-id": clientId, "x-client-secret": `${clientSecret}x` },
    "secret in other case": { "x-client-id": clientId, "x-client-secret": clientSecret.toUpperCase() },
    "id in other case": { "x-client-id": clientId.toUpperCase(), "x-client-secret": clientSecret },
    "crossed id": { "x-client-id": theirs.clientId, "x-client-secret": clientSecret },
    "unknown id": { "x-client-id": "app_nobody", "x-client-secret": clientSecret },
    "id of a prototype": { "x-client-id": "__proto__", "x-client-secret": clientSecret },
    basic: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}` },
  };
  const path = `/users/${userId}/summary?api-version=1.0`;
  const documents = [];
  for (const [name, headers] of Object.entries(credentials)) {
    const response = await service.app.server.inject({ method: "GET", url: path, headers });
    assert.equal(response.statusCode, 401, name);
    assert.match(String(response.headers["www-authenticate"]), /^\w+ realm="/);
    documents.push(problem(response));
  }
  const url = `${path}&x-client-id=${clientId}&x-client-secret=${clientSecret}`;
  documents.push(problem(await service.app.server.inject({ method: "GET", url })));
  for (const document of documents) assert.deepEqual(document, documents[0]);
});

test("every endpoint checks credentials before anything else", async () => {
  const endpoints: ["GET" | "POST", string][] = [
    ["POST", "/users/enroll"],
    ["POST", "/users/enroll/session"],
    ["POST", "/track/receipts/session"],
    ["POST", "/track/receipts"],
    ["GET", `/track/receipts/${NOBODY}/status`],
    ["POST", "/track/meals"],
    ["POST", "/track/food"],
    ["GET", `/users/${NOBODY}/summary`],
    ["GET", `/users/${NOBODY}/statistics`],
    ["GET", `/users/${NOBODY}/transactions`],
    ["GET", `/users/${NOBODY}/transactions/${NOBODY}`],
    ["GET", `/track/meals/${NOBODY}/status`],
    ["GET", `/track/food/${NOBODY}/status`],
  ];
  for (const [method, path] of endpoints) {
    for (const prefix of ["", "/issuers"]) {
      const response = await service.app.server.inject({ method, url: `${prefix}${path}?api-version=1.0` });
      assert.equal(response.statusCode, 401, `${method} ${prefix}${path}`);
    }
  }
});

test("a suspended application gets no webhooks; they come when it may call again", async () => {
  const suspended = await service.newClient();
  const both = [ours, suspended];
  for (const client of both) await credited(client, await client.enrol(), `suspended-${client.clientId}`);
  const sendAgain = async ({ applicationId }: Client) => {
    const { rowCount } = await service.database.pool.query(
      `UPDATE deliveries SET state = 'pending', due_at = now(), finished_at = NULL
       WHERE endpoint_id IN (SELECT id FROM endpoints WHERE application_id = $1)`,
      [applicationId],
    );
    return rowCount!;
  };
  await settled(suspended);
  await setSuspended(service.database, suspended.clientId, new Date(), new Date());
  const before = both.map(({ receiver }) => receiver.received.length);
  const [oursAgain, theirsAgain] = [await sendAgain(ours), await sendAgain(suspended)];
  await ours.until((events) => events.length >= before[0]! + oursAgain);
  assert.equal(suspended.receiver.received.length, before[1]!);
  await setSuspended(service.database, suspended.clientId, null, new Date());
  await suspended.until((events) => events.length >= before[1]! + theirsAgain);
});

/** Waits until all events of an application are delivered. */
async function settled({ applicationId }: Client): Promise<void> {
  const sql = `SELECT FROM deliveries JOIN endpoints ON endpoints.id = endpoint_id
    WHERE application_id = $1 AND state = 'pending'`;
  while ((await service.database.pool.query(sql, [applicationId])).rowCount !== 0) await sleep(50);
}

test("a suspended application is refused, and a new secret works at once", async () => {
  const client = await service.newClient();
  const userId = await client.enrol();
  await setSecretHash(
    service.database,
    client.clientId,
    { hash: createHash("sha256").update("sec_new").digest(), previousUntil: null },
    new Date(),
  );
  const url = `/users/${userId}/summary?api-version=1.0`;
  const headers = { "x-client-id": client.clientId, "x-client-secret": "sec_new" };
  assert.equal((await service.app.server.inject({ method: "GET", url, headers })).statusCode, 200);
  assert.equal((await client.call("GET", `/users/${userId}/summary`)).statusCode, 401, "the old one is over");

  const other = await service.newClient();
  await setSuspended(service.database, other.clientId, new Date(), new Date());
  const refused = await other.call("POST", "/users/enroll", {});
  assert.deepEqual([refused.statusCode, refused.json().code], [403, "ApplicationSuspended"]);
});

test("a replaced secret that stays valid works until it expires", async () => {
  const client = await service.newClient();
  const userId = await client.enrol();
  const statusOf = async (secret: string) => {
    const headers = { "x-client-id": client.clientId, "x-client-secret": secret };
    const url = `/users/${userId}/summary?api-version=1.0`;
    return (await service.app.server.inject({ method: "GET", url, headers })).statusCode;
  };
  const replaceBy = (secret: string, previousUntil: Date) => {
    const hash = createHash("sha256").update(secret).digest();
    return setSecretHash(service.database, client.clientId, { hash, previousUntil }, new Date());
  };
  await replaceBy("sec_second", new Date(Date.now() + 3_600_000));
  for (let i = 0; i < 2; i++) {
    assert.deepEqual([await statusOf("sec_second"), await statusOf(client.clientSecret)], [200, 200]);
  }
  await replaceBy("sec_third", new Date(Date.now() - 1));
  assert.deepEqual(
    [await statusOf("sec_third"), await statusOf("sec_second"), await statusOf(client.clientSecret)],
    [200, 401, 401],
  );
});

test("an address with too many failures has to wait; valid credentials still work, and the limit expires", async () => {
  let nowMs = 1_000_000;
  const server = createServer({
    log: pino({ level: "silent" }),
    publicUrl: "http://rewards.test",
    newRequestId: () => "1",
  });
  apiScope(
    server,
    callersOf(async () => null),
    (scope) => scope.get(getUserSummary.path, routeOf(getUserSummary), async () => ({})),
    createAuthThrottle(3, () => nowMs),
  );
  const ask = (remoteAddress: string) =>
    server.inject({ method: "GET", url: "/users/1/summary?api-version=1.0", remoteAddress });
  const statuses = async (address: string, times: number) => {
    const seen: number[] = [];
    for (let i = 0; i < times; i++) seen.push((await ask(address)).statusCode);
    return seen;
  };
  assert.deepEqual(await statuses("192.0.2.1", 4), [401, 401, 401, 429]);
  assert.deepEqual(await statuses("192.0.2.2", 1), [401], "another address has its own count");
  nowMs += 20_000;
  const refused = await ask("192.0.2.1");
  assert.equal(refused.headers["retry-after"], "40");
  assert.equal(refused.headers["ratelimit"], '"failed-authentications";r=0;t=40');
  assert.equal(refused.headers["ratelimit-policy"], '"failed-authentications";q=3;w=60');
  assert.equal(refused.json().code, "TooManyRequests");
  nowMs += 40_000;
  assert.deepEqual(await statuses("192.0.2.1", 1), [401]);
  await server.close();
});

test("clients that share an address with a failing one are not locked out", async () => {
  const strict = await startService({ env: { AUTH_FAILURES_PER_MINUTE: "2" }, isWorking: false });
  try {
    const client = await strict.newClient();
    const userId = await client.enrol();
    const wrong = { ...client.headers, "x-client-secret": "guess" };
    const guess = () =>
      strict.app.server.inject({ method: "GET", url: "/users/x/summary?api-version=1.0", headers: wrong });
    assert.deepEqual(
      [(await guess()).statusCode, (await guess()).statusCode, (await guess()).statusCode],
      [401, 401, 429],
    );
    assert.equal((await client.call("GET", `/users/${userId}/summary`)).statusCode, 200);
    const unseen = await strict.newClient();
    assert.equal((await unseen.call("GET", "/users/x/summary")).statusCode, 404, "one that never called before");
  } finally {
    await strict.close();
  }
});

test("all IPv6 addresses of a /64 network count as one", () => {
  assert.equal(networkOf("192.0.2.7"), "192.0.2.7");
  assert.equal(networkOf("::ffff:192.0.2.7"), "::ffff:192.0.2.7");
  assert.equal(networkOf("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2");
  assert.equal(networkOf("2001:db8::9"), "2001:db8:0:0");
  assert.equal(networkOf("::1"), "0:0:0:0");
  assert.equal(networkOf("fe80::"), "fe80:0:0:0");
});

test("an unknown id takes as long as a wrong secret", async () => {
  const userId = await ours.enrol();
  const url = `/users/${userId}/summary?api-version=1.0`;
  const timed = async (headers: Record<string, string>) => {
    const start = performance.now();
    await service.app.server.inject({ method: "GET", url, headers });
    return performance.now() - start;
  };
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
  // Alternating, so that other load on the machine affects both alike.
  const [unknown, wrong]: [number[], number[]] = [[], []];
  for (let i = 0; i < 100; i++) {
    unknown.push(await timed({ "x-client-id": `app_${i}`, "x-client-secret": "guess" }));
    wrong.push(await timed({ "x-client-id": ours.clientId, "x-client-secret": "guess" }));
  }
  const [a, b] = [median(unknown), median(wrong)];
  assert.ok(Math.abs(a - b) < 2 || Math.max(a, b) / Math.min(a, b) < 2.5, `${a} ms and ${b} ms`);
});
