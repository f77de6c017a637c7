import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { timeRange } from "../lists/timeframe.ts";
import { DAY_MS } from "../time.ts";
import { PERIODS, PERIODS_MAX, spanOf, startOf } from "./periods.ts";

const NOW = new Date("2026-11-22T10:00:00Z");
const FIRST = new Date("2026-09-10T10:00:00Z");
const span = (timeframe: string, by: (typeof PERIODS)[number]) =>
  spanOf(timeRange(timeframe, NOW)!, by, { now: NOW, first: FIRST });

test("a timeframe is extended to whole days, weeks from Monday, and months", () => {
  assert.deepEqual(span("today", "day"), { by: "day", starts: ["2026-11-22"], till: "2026-11-22" });
  assert.deepEqual(span("today", "week"), { by: "week", starts: ["2026-11-16"], till: "2026-11-22" });
  assert.deepEqual(span("2026-01-31/2026-02-01", "month"), {
    by: "month",
    starts: ["2026-01-01", "2026-02-01"],
    till: "2026-02-28",
  });
  assert.deepEqual(span("2026-11-20/2026-11-22", "day")?.starts, ["2026-11-20", "2026-11-21", "2026-11-22"]);
  assert.equal(span("all", "month")?.starts[0], "2026-09-01", "from the first day of the application");
});

test("a report has at most two years of days and ten years in all", () => {
  assert.equal(span("2024-11-22/2026-11-22", "day")?.starts.length, PERIODS_MAX);
  assert.equal(span("2024-11-21/2026-11-22", "day"), null);
  assert.notEqual(span("P10Y", "month"), null);
  assert.equal(span("P11Y", "month"), null);
});

test("periods follow each other without a gap, and each day is in the one that begins last before it", () => {
  const anyDay = fc.integer({ min: 0, max: 30_000 }).map((days) => new Date(days * DAY_MS));
  fc.assert(
    fc.property(anyDay, fc.nat(700), fc.constantFrom(...PERIODS), (from, days, by) => {
      const before = new Date(from.getTime() + (days + 1) * DAY_MS);
      const { starts, till } = spanOf({ from, before }, by, { now: NOW, first: FIRST })!;
      for (const [i, start] of starts.entries()) {
        const next = starts[i + 1] ? new Date(starts[i + 1]!) : new Date(Date.parse(till) + DAY_MS);
        assert.deepEqual(startOf(new Date(next.getTime() - 1), by), new Date(start));
        assert.deepEqual(startOf(new Date(start), by), new Date(start));
      }
      assert.ok(new Date(starts[0]!) <= from && before.getTime() <= Date.parse(till) + DAY_MS);
    }),
  );
});
