import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { isGone, isSuccess, RETRY_SCHEDULE_SECONDS, retryWaitMs } from "./retry.ts";

const HALF = 0.5;

test("a delivery is tried ten times over three days, first at once, then after 5 s", () => {
  const waits = RETRY_SCHEDULE_SECONDS.map((_, attempts) =>
    retryWaitMs(attempts + 1, RETRY_SCHEDULE_SECONDS, null, HALF),
  );
  assert.deepEqual(waits, [
    5_000,
    300_000,
    1_800_000,
    7_200_000,
    18_000_000,
    36_000_000,
    50_400_000,
    72_000_000,
    86_400_000,
    null,
  ]);
  assert.equal(RETRY_SCHEDULE_SECONDS[0], 0);
  assert.ok(RETRY_SCHEDULE_SECONDS.reduce((sum, wait) => sum + wait) > 3 * 86_400);
});

test("a wait is within 10 % of the schedule's", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
      const waitMs = retryWaitMs(2, RETRY_SCHEDULE_SECONDS, null, random)!;
      assert.ok(waitMs >= 270_000 && waitMs <= 330_000);
    }),
  );
});

test("a Retry-After longer than the schedule's wait is honoured, up to a day; a shorter one changes nothing", () => {
  assert.equal(retryWaitMs(1, RETRY_SCHEDULE_SECONDS, 120, HALF), 120_000);
  assert.equal(retryWaitMs(1, RETRY_SCHEDULE_SECONDS, 999_999, HALF), 86_400_000);
  assert.equal(retryWaitMs(1, RETRY_SCHEDULE_SECONDS, 1, HALF), 5_000);
});

test("any 2xx is a success, a redirect is not, and only 410 means gone", () => {
  assert.deepEqual([200, 202, 204, 299].map(isSuccess), [true, true, true, true]);
  assert.deepEqual([199, 301, 302, 307, 400, 410, 500].filter(isSuccess), []);
  assert.deepEqual([200, 404, 410, 500].filter(isGone), [410]);
});
