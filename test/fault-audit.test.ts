import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { presentEndpoint } from "../src/webhooks/endpoints/endpoint.ts";
import { presentEntry } from "../src/webhooks/log/entry.ts";
import { listEntries } from "../src/webhooks/log/store.ts";
import { storyFaults } from "../faults/audit-stories.ts";
import type { Seen } from "../faults/inbox.ts";
import { ALL, START, openWorld, story, types } from "./support/webhooks-under-test.ts";
import type { Received } from "./support/webhook-receiver.ts";

// The audit of the injected failures, against stored attempts of real deliveries.

/** Sends the events of a meal to an endpoint that loses the first attempt of `lost`, and what the audit reads of it. */
async function delivered(t: TestContext, lost: string | null) {
  const world = await openWorld(t);
  const cut = new Set<string>();
  const arrived: Received[] = [];
  const receiver = await world.receiver((received, response) => {
    const { event } = JSON.parse(received.body) as { event: string };
    if (event === lost && !cut.has(event)) {
      cut.add(event);
      return response.destroy();
    }
    arrived.push(received);
    return response.end("ok");
  });
  const application = await world.application();
  const endpoint = await world.endpoint(application, receiver.url);
  await world.append(story(application));
  const delivery = world.openDelivery();
  await delivery.deliverDue();
  world.clock.ms += 10_000;
  await delivery.deliverDue();
  assert.equal(arrived.length, 3, types(receiver).join());

  const get = async (path: string) => {
    if (path === "/webhooks/endpoints") {
      const stored = await world.endpointNow(endpoint);
      return { status: 200, body: { endpoints: [presentEndpoint(stored, new Date(START))] } };
    }
    const query = { ...ALL, subjectId: new URLSearchParams(path.split("?")[1]).get("subjectId"), endpointId: endpoint };
    const { entries } = await listEntries(world.database, application, query);
    return { status: 200, body: { deliveries: entries.map(presentEntry), next: null } };
  };
  const seen = arrived.map(({ headers, body }): [string, Seen] => {
    const { event, trackId } = JSON.parse(body) as { event: string; trackId: string };
    const webhookId = String(headers["webhook-id"]);
    const rest = { related: "", isReserved: false, points: null, bodySha256: "", attempts: 1, isAnswered: true };
    return [webhookId, { webhookId, type: event, subject: trackId, ...rest }];
  });
  const [[, { subject }] = assert.fail()] = seen;
  const customer = { accepted: [{ id: subject, source: "meal", key: "order-1" } as const], get };
  return {
    subject,
    seen,
    broken: (events: readonly [string, Seen][]) =>
      storyFaults({ url: receiver.url, seen: new Map(events) }, new Map(), customer),
  };
}

const arrivedAs = (subject: string, ...order: string[]) => [`${subject} arrived as ${order.join(", ")}`];

test("an event that overtook one whose first attempt had failed breaks no promise", async (t) => {
  const { seen, broken } = await delivered(t, "intake.received");
  assert.deepEqual(
    seen.map(([, { type }]) => type),
    ["intake.scored", "intake.completed", "intake.received"],
  );
  assert.deepEqual(await broken(seen), []);
});

test("a wrong order is found: without a failed first attempt, or with one of another event", async (t) => {
  const kept = await delivered(t, null);
  const [received, scored, completed] = kept.seen;
  assert.deepEqual(await kept.broken(kept.seen), []);
  assert.deepEqual(
    await kept.broken([scored!, received!, completed!]),
    arrivedAs(kept.subject, "intake.scored", "intake.received", "intake.completed"),
  );

  const failed = await delivered(t, "intake.scored");
  const [first, last, late] = failed.seen;
  assert.deepEqual(await failed.broken([first!, last!, late!]), []);
  assert.deepEqual(
    await failed.broken([last!, first!, late!]),
    arrivedAs(failed.subject, "intake.completed", "intake.received", "intake.scored"),
  );
});

test("a failed first attempt excuses no event that never arrived, and none that came under two ids", async (t) => {
  const { subject, seen, broken } = await delivered(t, "intake.received");
  const [scored, completed, received] = seen;
  assert.deepEqual(await broken([scored!, completed!]), arrivedAs(subject, "intake.scored", "intake.completed"));
  assert.deepEqual(await broken([scored!, received!]), arrivedAs(subject, "intake.scored", "intake.received"));
  const twice = ["other id", { ...scored![1], webhookId: "other id" }] as [string, Seen];
  assert.equal((await broken([...seen, twice])).length, 1);
  assert.deepEqual(await broken([]), ["no event of order-1 arrived"]);
});
