import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { uuidv7 } from "../../ids.ts";
import { figureOf, printable, toAttempt, toChains, toReleased, toOutcome } from "./delivery.ts";
import type { Attempt, ClaimedDelivery } from "./delivery.ts";

const AT = new Date("2026-05-01T12:00:00.000Z");
const DELIVERY: ClaimedDelivery = {
  userId: "u",
  subject: "s",
  position: 1,
  endpointId: "e",
  hasRow: true,
  isReplayed: false,
  eventId: "v",
  type: "intake.received",
  body: "{}",
  traceparent: null,
  url: "https://hooks.example.com/",
  generation: 1,
  previousSecretUntil: null,
  attempts: 0,
  leasedUntil: new Date("2026-05-01T12:00:35.000Z"),
};
const delivery = (changes: Partial<ClaimedDelivery>): ClaimedDelivery => ({ ...DELIVERY, ...changes });
const ATTEMPT: Attempt = {
  at: AT,
  durationMs: 200,
  status: 500,
  responseText: "",
  error: null,
  retryAfterSeconds: null,
};
const RETRY = { scheduleSeconds: [0, 5, 300], random: 0.5 };

test("a 2xx ends a delivery as delivered", () => {
  assert.equal(toOutcome(DELIVERY, { ...ATTEMPT, status: 204 }, RETRY).state, "delivered");
});

test("a failed attempt is due again after the schedule's wait, counted from its end", () => {
  for (const status of [500, 302, 410, null]) {
    const outcome = toOutcome(DELIVERY, { ...ATTEMPT, status }, RETRY);
    assert.equal(outcome.state, "pending");
    assert.equal(outcome.dueAt.toISOString(), "2026-05-01T12:00:05.200Z");
  }
});

test("the last failed attempt ends a delivery as failed", () => {
  assert.equal(toOutcome(delivery({ attempts: 1 }), ATTEMPT, RETRY).state, "pending");
  assert.equal(toOutcome(delivery({ attempts: 2 }), ATTEMPT, RETRY).state, "failed");
  assert.equal(toOutcome(delivery({ attempts: 7 }), ATTEMPT, RETRY).state, "failed");
});

test("a released delivery counts no attempt and is due at once", () => {
  const outcome = toReleased(DELIVERY, AT);
  assert.deepEqual([outcome.state, outcome.dueAt, outcome.attempt], ["pending", AT, null]);
});

test("first attempts of one subject go one after the other; other subjects, endpoints and retries do not wait", () => {
  const chains = toChains([
    delivery({ eventId: "third", position: 3 }),
    delivery({ eventId: "first", position: 1 }),
    delivery({ eventId: "retry", position: 2, attempts: 1 }),
    delivery({ eventId: "other subject", subject: "t" }),
    delivery({ eventId: "other endpoint", endpointId: "f" }),
  ]);
  assert.deepEqual(
    chains.map((chain) => chain.map(({ eventId }) => eventId)),
    [["first", "third"], ["retry"], ["other subject"], ["other endpoint"]],
  );
});

test("an attempt keeps the response, or the reason why there was none", () => {
  const exchange = { kind: "responded", status: 503, durationMs: 7, retryAfterSeconds: 9, head: "busy\0" } as const;
  assert.deepEqual(toAttempt(exchange, AT), {
    at: AT,
    durationMs: 7,
    status: 503,
    responseText: "busy\\u0000",
    error: null,
    retryAfterSeconds: 9,
  });
  const timedOut = { kind: "timeout", durationMs: 15_000, message: "no response in 15000 ms" } as const;
  assert.deepEqual(
    [toAttempt(timedOut, AT).status, toAttempt(timedOut, AT).error],
    [null, "timeout: no response in 15000 ms"],
  );
});

test("a response is stored printable: bounded, with whole characters and no control characters", () => {
  assert.equal(printable("ok\n\tcafé 漢字 🍎"), "ok\n\tcafé 漢字 🍎");
  assert.equal(printable("\u001b[2J\u202e\u0085"), "\\u001b[2J\\u202e\\u0085");
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 600 }), (text) => {
      const printed = printable(text);
      assert.ok(printed.length <= 512 && printed.isWellFormed());
      assert.doesNotMatch(printed, /[^\P{Cc}\n\t]|\p{Cf}/u);
    }),
  );
});

test("a delivery counts when it ends, by how: with its time from the event, unless somebody had to ask for it", () => {
  const eventId = uuidv7(AT.getTime() - 700, new Uint8Array(10));
  const figure = (changes: Partial<ClaimedDelivery>, status: number | null = 200, schedule = RETRY) =>
    figureOf(toOutcome(delivery({ eventId, ...changes }), { ...ATTEMPT, status }, schedule));
  const last = { ...RETRY, scheduleSeconds: [0] };
  assert.equal(figure({}), "first.1000", "700 ms until the attempt, and 200 more");
  assert.equal(figure({ attempts: 2 }), "later.1000");
  assert.equal(figure({ isReplayed: true }), "replayed");
  assert.equal(figure({}, 500), null, "it is due again");
  assert.equal(figure({}, 500, last), "failed");
  assert.equal(figure({ isReplayed: true }, null, last), "failed");
  assert.equal(figure({ type: "webhook.test" }), null);
  assert.equal(figureOf(toReleased(DELIVERY, AT)), null);
});
