import assert from "node:assert/strict";
import { test } from "node:test";
import { ageCheck } from "./age.ts";

const NOW = new Date("2026-10-25T09:00:00Z");

const outcome = (declaredAt: string | null, date: string | null, ageMaxDays = 30, acceptedAt = NOW) => {
  const declared = { merchantName: null, amount: null, transactionTimestamp: declaredAt };
  return ageCheck({ declared, date, acceptedAt }, ageMaxDays).outcome;
};

test("without a limit, or without any time, the age is not checked", () => {
  assert.equal(outcome("2001-01-01T00:00:00Z", "2001-01-01", 0), "not_checked");
  assert.equal(outcome(null, null), "not_checked");
});

test("the declared time counts to the second, whatever date was read", () => {
  assert.equal(outcome("2026-09-25T09:00:00.000Z", "2026-09-25"), "passed");
  assert.equal(outcome("2026-09-25T08:59:59.000Z", null), "failed");
});

test("without a declared time the printed day counts, to its end in any time zone", () => {
  assert.equal(outcome(null, "2026-10-25"), "passed");
  assert.equal(outcome(null, "2026-09-24"), "passed");
  assert.equal(outcome(null, "2026-09-23"), "failed");
});

test("a date whose day and month may be swapped counts as the later of the two past days", () => {
  assert.equal(outcome(null, "2026-05-10"), "passed", "5 October");
  assert.equal(outcome(null, "2026-05-04"), "failed", "neither 4 May nor 5 April is recent");
  assert.equal(outcome(null, "2026-08-12"), "failed", "8 December is still to come");
});
