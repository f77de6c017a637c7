import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { HOUR_MS } from "../../time.ts";
import { PERIODS, periodOf } from "./periods.ts";

test("a day may have 23 or 25 hours, a week begins on Monday, a month on its first day", () => {
  const hours = (iso: string, zone: string) => {
    const { fromMs, untilMs } = periodOf(Date.parse(iso), "day", zone);
    return (untilMs - fromMs) / HOUR_MS;
  };
  assert.deepEqual(
    ["2026-03-29T12:00:00Z", "2026-10-25T12:00:00Z", "2026-11-22T12:00:00Z"].map((iso) => hours(iso, "Europe/London")),
    [23, 25, 24],
  );
  const sundayEvening = Date.parse("2026-11-22T23:30:00Z");
  const firsts = ["UTC", "Europe/Berlin"].flatMap((zone) =>
    PERIODS.map((period) => periodOf(sundayEvening, period, zone).first),
  );
  assert.deepEqual(firsts, ["2026-11-22", "2026-11-16", "2026-11-01", "2026-11-23", "2026-11-23", "2026-11-01"]);
});

test("every moment is in its period, and the moment after it is in the next", () => {
  const zones = fc.constantFrom("UTC", "Europe/London", "America/Sao_Paulo", "Pacific/Chatham", "Africa/Casablanca");
  const moments = fc.integer({ min: Date.parse("2020-01-01"), max: Date.parse("2035-01-01") });
  fc.assert(
    fc.property(moments, fc.constantFrom(...PERIODS), zones, (ms, period, zone) => {
      const { fromMs, untilMs } = periodOf(ms, period, zone);
      assert.ok(fromMs <= ms && ms < untilMs);
      assert.equal(periodOf(untilMs - 1, period, zone).fromMs, fromMs);
      assert.equal(periodOf(untilMs, period, zone).fromMs, untilMs);
    }),
  );
});
