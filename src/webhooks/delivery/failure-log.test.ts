import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createFailureLog } from "./failure-log.task.ts";
import type { ClaimedDelivery, Outcome } from "./delivery.ts";

const AT = new Date("2026-05-01T12:00:00.000Z");

function failed(endpointId: string, error: string, state: Outcome["state"] = "pending"): [ClaimedDelivery, Outcome] {
  const key = { userId: "u", subject: "s", position: 1, endpointId };
  const leasedUntil = AT;
  const delivery: ClaimedDelivery = {
    ...key,
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
    leasedUntil,
  };
  const attempt = { at: AT, durationMs: 7, status: null, responseText: "", error, retryAfterSeconds: null };
  return [delivery, { delivery, state, dueAt: AT, attempt }];
}

function logged() {
  const lines: Record<string, unknown>[] = [];
  const write = (fields: object) => void lines.push(fields as Record<string, unknown>);
  return { lines, log: { debug: write, info: write, warn: write, error: write } };
}

test("an endpoint that is down has its first failure in the log, then one line a minute with the number and the last error", () => {
  mock.timers.enable({ apis: ["setInterval"] });
  try {
    const { lines, log } = logged();
    const failures = createFailureLog({ log });
    for (let minute = 0; minute < 10; minute++) {
      for (let i = 0; i < 5_000; i++) failures.note(...failed("down", `network: ${minute}.${i}`, "pending"));
      failures.note(...failed("down", `network: last of ${minute}`, "failed"));
      mock.timers.tick(60_000);
    }
    assert.equal(lines.length, 11);
    assert.deepEqual([lines[0]!["failed"], lines[1]!["failed"], lines[10]!["failed"]], [1, 5_000, 5_001]);
    const { givenUp, last } = lines[10]! as { givenUp: number; last: { error: string } };
    assert.deepEqual([givenUp, last.error], [1, "network: last of 9"]);
    // Quiet for a minute: the next failure is shown at once again.
    mock.timers.tick(120_000);
    failures.note(...failed("down", "network: again"));
    assert.equal(lines.length, 12);
    failures.stop();
    assert.equal(lines.length, 12);
  } finally {
    mock.timers.reset();
  }
});

test("however many endpoints fail, a minute has at most a hundred and one lines", () => {
  mock.timers.enable({ apis: ["setInterval"] });
  try {
    const { lines, log } = logged();
    const failures = createFailureLog({ log });
    for (let round = 0; round < 3; round++)
      for (let i = 0; i < 2_000; i++) failures.note(...failed(`endpoint-${i}`, "timeout: no response"));
    assert.equal(lines.length, 100);
    mock.timers.tick(60_000);
    assert.equal(lines.length, 201);
    const sum = lines.reduce((total, { failed: count }) => total + Number(count), 0);
    assert.equal(sum, 6_000);
    failures.stop();
  } finally {
    mock.timers.reset();
  }
});
