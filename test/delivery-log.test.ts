import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { food } from "../bench/submissions.ts";
import { runCommand } from "./support/commands.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
before(async () => {
  service = await startService();
  client = await service.newClient();
});
after(() => service.close());

interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly eventId: string;
  readonly subjectId: string;
  readonly sequence: number;
  readonly createdAt: string;
}
interface Page {
  readonly deliveries: Delivery[];
  readonly next: string | null;
}
interface ProblemBody {
  readonly code: string;
  readonly errors: Record<string, string[]>;
}

/** Sends a food and waits for its four events; returns its user and its trackId. */
async function eat(transactionId: string): Promise<{ userId: string; subjectId: string }> {
  const userId = await client.enrol();
  const response = await client.call("POST", "/track/food", food(userId, transactionId, 0));
  const subjectId = response.json<{ id: string }>().id;
  for (const endsAt = Date.now() + 60_000; Date.now() < endsAt; await sleep(20)) {
    if ((await read(`subjectId=${subjectId}&state=delivered`)).deliveries.length === 4) return { userId, subjectId };
  }
  throw new Error("the events did not come");
}

async function read(query: string, by = client): Promise<Page> {
  const response = await by.call("GET", `/webhooks/deliveries?${query}`);
  assert.equal(response.statusCode, 200, response.body);
  return response.json<Page>();
}

const STORY = ["intake.received", "intake.scored", "intake.completed", "rewards.awarded"];

test("our lists refuse a parameter they do not have and name the nearest; those of the specification ignore it", async () => {
  const userId = await client.enrol();
  for (const [path, name, meant] of [
    ["/webhooks/deliveries?eventType=intake.completed", "eventType", null],
    ["/webhooks/deliveries?evnt=intake.completed", "evnt", "event"],
    ["/webhooks/deliveries?EndpointId=1", "EndpointId", "endpointId"],
    ["/webhooks/deliveries?pagesize=1", "pagesize", "pageSize"],
    ["/webhooks/endpoints?sate=failed", "sate", null],
    ["/catalogue/aliases?pagesize=1&timefram=month", "timefram", "timeframe"],
    ["/catalogue/words?pages=1", "pages", "page"],
    ["/catalogue/match?name=milk&limits=1", "limits", "limit"],
  ] as const) {
    const response = await client.call("GET", path);
    assert.equal(response.statusCode, 400, path);
    const { errors } = response.json<ProblemBody>();
    assert.deepEqual(Object.keys(errors), [name], path);
    if (meant !== null) assert.match(errors[name]![0]!, new RegExp(`did you mean ${meant}\\?`));
  }
  for (const path of [`/users/${userId}/transactions?pagesize=1&event=x`, `/users/${userId}/summary?unknown=1`]) {
    assert.equal((await client.call("GET", path)).statusCode, 200, path);
  }
});

test("thousands of unknown parameters cost little, and few are named", async () => {
  const names = Array.from({ length: 2_000 }, (_, i) => `p${i}`).join("&");
  const response = await client.call("GET", `/webhooks/deliveries?${names}`);
  assert.equal(response.statusCode, 400);
  assert.equal(Object.keys(response.json<ProblemBody>().errors).length, 5);
});

test("the events of a submission have their order in the log and in every delivery, also those of one millisecond", async () => {
  const { subjectId } = await eat("ordered-1");
  const { deliveries } = await read(`subjectId=${subjectId}`);
  assert.deepEqual(deliveries.map(({ event }) => event).toReversed(), STORY);
  assert.deepEqual(deliveries.map(({ sequence }) => sequence).toReversed(), [1, 2, 3, 5]);
  const times = new Set(deliveries.map(({ createdAt }) => createdAt));
  assert.ok(times.size < 4, "some of them have one millisecond");
  const received = client.receiver.received.filter(({ headers }) =>
    deliveries.some(({ eventId }) => eventId === headers["webhook-id"]),
  );
  assert.deepEqual(
    received.map(({ headers }) => headers["webhook-sequence"]),
    ["1", "2", "3", "5"],
  );
});

test("the log is filtered by user, submission, reference, event and time, for its own application alone", async () => {
  const from = new Date(service.clock.ms - 1).toISOString();
  const { userId, subjectId } = await eat('quoted "reference" 1');
  await eat("another-1");
  const other = await service.newClient();
  const count = async (query: string, by = client) => (await read(query, by)).deliveries.length;
  assert.equal(await count(`userId=${userId}`), 4);
  assert.equal(await count(`userId=${userId}&event=intake.scored`), 1);
  assert.equal(await count(`transactionId=${encodeURIComponent('quoted "reference" 1')}`), 4);
  const gift = { points: 5, reason: "Gift", reference: "gift-1" };
  assert.equal((await client.call("POST", `/users/${userId}/adjustments`, gift)).statusCode, 200);
  // A delivery is in the log when its first attempt has ended.
  while ((await count("transactionId=gift-1")) === 0) await sleep(10);
  assert.equal(await count("transactionId=gift-1"), 1, "the reference of points");
  assert.equal(await count(`since=${from}&event=rewards.awarded&subjectId=${subjectId}`), 1);
  assert.equal(await count(`until=2020-01-01T00:00:00Z`), 0);
  assert.equal(await count(`since=2100-01-01T00:00:00Z`), 0);
  for (const query of [`userId=${userId}`, `subjectId=${subjectId}`, "event=intake.scored"]) {
    assert.equal(await count(query, other), 0, query);
  }
});

test("a filter that few events pass reads a bounded number of events a page, and its pages reach them all", async () => {
  const lonely = await service.newClient();
  const endpoints = (await lonely.call("GET", "/webhooks/endpoints")).json<{ endpoints: { id: string }[] }>();
  const endpointId = endpoints.endpoints[0]!.id;
  // 5,000 events of one kind above one of another.
  const insert = `WITH e AS (
      INSERT INTO events (user_id, subject, position, id, application_id, type, body, created_at)
      SELECT u, gen_random_uuid(), 1, ('0192f0c1-' || lpad(to_hex(n), 4, '0') || '-7001-8000-000000000000')::uuid, $1,
             CASE WHEN n = 1 THEN 'intake.failed' ELSE 'intake.received' END, '{}', now()
      FROM generate_series(1, 5000) AS n, gen_random_uuid() AS u RETURNING *)
    INSERT INTO deliveries (user_id, subject, position, endpoint_id, state, due_at, attempts, last_attempt_at,
                            last_duration_ms, last_status, last_answer, finished_at)
    SELECT user_id, subject, position, $2, 'delivered', now(), 1, now(), 1, 200, '', now() FROM e`;
  await service.database.pool.query(insert, [lonely.applicationId, endpointId]);
  const pages: Page[] = [];
  for (let before = ""; ;) {
    const page = await read(`event=intake.failed${before}`, lonely);
    pages.push(page);
    if (page.next === null) break;
    before = `&before=${page.next}`;
  }
  assert.deepEqual(
    pages.map(({ deliveries }) => deliveries.length),
    [0, 0, 1],
  );
  const all: string[] = [];
  for (let before = ""; ;) {
    const page = await read(`pageSize=100${before}`, lonely);
    all.push(...page.deliveries.map(({ id }) => id));
    if (page.next === null) break;
    before = `&before=${page.next}`;
  }
  assert.equal(new Set(all).size, 5_000);
});

test("one delivery shows the event that was sent; the command line has the same filters and shows it too", async () => {
  const { subjectId } = await eat("payload-1");
  const { deliveries } = await read(`subjectId=${subjectId}&event=intake.completed`);
  const { id, eventId } = deliveries[0]!;
  const response = await client.call("GET", `/webhooks/deliveries/${id}`);
  const { payload } = response.json<{ payload: object }>();
  const sent = client.receiver.received.find(({ headers }) => headers["webhook-id"] === eventId);
  assert.deepEqual(payload, JSON.parse(sent!.body));

  const own = `--client-id=${client.clientId}`;
  const filter = [`--subject-id=${subjectId}`, "--event=intake.completed"];
  const [listed] = await runCommand<Page>(service.database, ["webhook", "attempts", own, ...filter]);
  assert.deepEqual(
    listed!.deliveries.map((delivery) => delivery.id),
    [id],
  );
  const [shown] = await runCommand<{ payload: object }>(service.database, [
    "webhook",
    "delivery",
    own,
    `--delivery-id=${id}`,
  ]);
  assert.deepEqual(shown!.payload, payload);
});
