import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { setRateLimit } from "../src/applications/store.ts";
import { createTestDatabase } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";
import { mealOf } from "./support/requests.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

// Two processes that serve one database: as such they know of each other, and listen.

let shared: TestDatabase;
let services: [TestService, TestService];
let origins: string[];
before(async () => {
  shared = await createTestDatabase({ connectionsMax: 8 });
  // The first one drops the database at its end.
  const other = { ...shared, drop: async () => {} };
  services = [await startService({ database: shared }), await startService({ database: other, isWorking: false })];
  // Of a process that was killed: the first exchange removes it.
  await shared.database.pool.query(
    "INSERT INTO serving_processes (id, seen_at, said) VALUES (gen_random_uuid(), now() - interval '2 hours', '{}')",
  );
  origins = [];
  for (const [i, { app }] of services.entries()) {
    origins.push(await app.server.listen({ host: "127.0.0.1", port: 0 }));
    await until(async () => (await processes()) === i + 1);
  }
});
after(async () => {
  await services[1].close();
  await services[0].close();
});

async function until(isDone: () => Promise<boolean>, milliseconds = 20_000): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!(await isDone())) {
    assert.ok(performance.now() < end, "in time");
    await sleep(50);
  }
}

async function processes(where = "", values: unknown[] = []): Promise<number> {
  const text = `SELECT count(*)::int AS n FROM serving_processes ${where}`;
  const { rows } = await shared.database.pool.query<{ n: number }>(text, values);
  return rows[0]!.n;
}

async function limitedClient(perMinute: number): Promise<Client> {
  const client = await services[0].newClient();
  await setRateLimit(services[0].database, client.clientId, perMinute, new Date());
  return client;
}

const callTo = async (process: number, client: Client) =>
  fetch(`${origins[process]}/users/x/summary?api-version=1.0`, { headers: client.headers });

/** Calls at the same time; the number of those that were admitted. */
async function admitted(client: Client, calls: readonly number[]): Promise<number> {
  const responses = await Promise.all(calls.map((process) => callTo(process, client)));
  for (const { status } of responses) assert.ok(status === 404 || status === 429, String(status));
  return responses.filter(({ status }) => status !== 429).length;
}

test("two processes together admit the limit of an application, however its calls are spread", async () => {
  const spread = await limitedClient(40);
  // The first process hears of the second one within ten seconds: until then it would admit all.
  const bothSince = new Date();
  await until(async () => (await processes("WHERE seen_at > $1", [bothSince])) === 2);
  assert.equal(
    await admitted(
      spread,
      Array.from({ length: 120 }, (_, i) => i % 2),
    ),
    40,
  );
  const sticky = await limitedClient(40);
  let count = 0;
  for (let second = 0; second < 8 && count < 40; second++) {
    count += await admitted(
      sticky,
      Array.from({ length: 30 }, () => 1),
    );
    assert.ok(count <= 40, `${count} of 40`);
    await sleep(1_000);
  }
  assert.ok(count >= 39, `${count} of 40`);
  // What is used up at one of them is used up at the other.
  assert.ok((await admitted(sticky, [0, 0, 0])) + count <= 40);
  const refused = await callTo(0, sticky);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) > 1);
});

test("a process that ends leaves its share to the others", async () => {
  const { app } = services[1];
  const third = await startService({ database: { ...shared, drop: async () => {} }, isWorking: false });
  await third.app.server.listen({ host: "127.0.0.1", port: 0 });
  await until(async () => (await processes()) === 3);
  await third.close();
  assert.equal(await processes(), 2);
  assert.ok(app.server.server.listening);
});

test("an Idempotency-Key that arrives at two processes at once is carried out once", async () => {
  const client = await services[0].newClient();
  const userId = await client.enrol();
  for (let round = 0; round < 5; round++) {
    const body = JSON.stringify(mealOf(userId, `meal-${round}`));
    const send = (process: number) =>
      fetch(`${origins[process]}/track/meals?api-version=1.0`, {
        method: "POST",
        headers: { ...client.headers, "content-type": "application/json", "idempotency-key": `once-${round}` },
        body,
      });
    const responses = await Promise.all([0, 1, 0, 1].map(send));
    const bodies = await Promise.all(responses.map(async (response) => [response.status, await response.text()]));
    assert.equal(bodies[0]![0], 202);
    for (const body of bodies) assert.deepEqual(body, bodies[0]);
  }
  const { rows } = await shared.database.pool.query("SELECT FROM intakes WHERE user_id = $1", [userId]);
  assert.equal(rows.length, 5);
  const enrolments = await Promise.all(
    [0, 1, 0, 1].map((process) =>
      fetch(`${origins[process]}/users/enroll?api-version=1.0`, {
        method: "POST",
        headers: { ...client.headers, "content-type": "application/json", "idempotency-key": "enrol-once" },
        body: JSON.stringify({ email: "once@example.org", firstName: "O", lastName: "N" }),
      }).then(async (response) => [response.status, await response.text()]),
    ),
  );
  assert.equal(enrolments[0]![0], 200);
  for (const enrolment of enrolments) assert.deepEqual(enrolment, enrolments[0]);
});
