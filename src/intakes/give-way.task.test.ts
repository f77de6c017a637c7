import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../postgres/postgres.ts";
import { createAcceptance } from "./accept.task.ts";
import type { AcceptanceDeps } from "./accept.task.ts";
import { giveWay } from "./give-way.task.ts";
import { mealSubmission } from "./intake.ts";

const ID = "0192f0c1-0000-7000-8000-000000000001";

test("scoring waits while intakes press in, but not once it is late", async () => {
  let [asked, ms] = [0, 0];
  const now = () => new Date(ms);
  await giveWay(new Date(0), { isPressed: () => ++asked < 4, now });
  assert.equal(asked, 4);
  const isPressed = () => {
    ms += 1_000;
    return true;
  };
  await giveWay(new Date(0), { isPressed, now });
  assert.equal(ms, 5_000);
});

test("intakes press in while a batch of many is being stored, and not for a few", async () => {
  const stored = Promise.withResolvers<[]>();
  const acceptance = createAcceptance({
    database: { query: () => stored.promise } as unknown as Database,
    outbox: { parameters: () => ({ firstWaitSeconds: 0, lease: null }), send: () => {}, abandon: () => {} },
    newId: () => ID,
    sendJob: async () => {},
    log: { debug: () => {} },
  } as unknown as AcceptanceDeps);
  const at = new Date();
  const body = {
    userId: "u",
    transactionId: "t",
    mealName: "Lunch",
    mealType: "lunch" as const,
    imageUrl: "https://example.org/l.jpg",
    loggedAt: at.toISOString(),
    ingredients: [],
  };
  const submission = mealSubmission(body, at);
  assert.ok(!("errors" in submission));
  const arrival = { id: ID, applicationId: ID, userId: ID, source: "meal" as const, acceptedAt: at, key: null };
  const arrivals = (count: number) => Array.from({ length: count }, () => ({ ...arrival, submission }));
  const few = acceptance.accept(arrivals(31));
  assert.equal(acceptance.isPressed(), false);
  const one = acceptance.accept(arrivals(1));
  assert.equal(acceptance.isPressed(), true);
  stored.resolve([]);
  await Promise.all([few, one]);
  assert.equal(acceptance.isPressed(), false);
});
