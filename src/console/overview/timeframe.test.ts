import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { DAY_MS } from "../../time.ts";
import { frameOf } from "./timeframe.ts";

const NOW = new Date("2026-11-23T15:00:00Z");
const asked = (query: string) => frameOf(new URLSearchParams(query), NOW);

test("the presets end today, and each is compared with as many periods before it", () => {
  const { frame } = asked("");
  assert.equal(frame.preset, "30d");
  assert.deepEqual([frame.from, frame.till], ["2026-10-25", "2026-11-23"]);
  assert.deepEqual([frame.before[0], frame.beforeTill], ["2026-09-25", "2026-10-24"]);
  const year = asked("last=12m").frame;
  assert.deepEqual([year.from, year.before[0], year.starts.length], ["2025-12-01", "2024-12-01", 12]);
  assert.equal(asked("last=constructor").frame.preset, "30d");
  assert.equal(asked("last=7d&by=month").frame.by, "month");
});

test("own days are shown by a period that suits them; days that cannot be are said so", () => {
  const { frame, problem } = asked("from=2026-01-01&till=2026-03-31&by=week");
  assert.deepEqual([problem, frame.by, frame.from, frame.till], [null, "week", "2025-12-29", "2026-04-05"]);
  assert.equal(asked("from=2026-11-01").frame.till, "2026-11-23");
  assert.equal(asked("from=2026-11-01&till=2050-01-01").frame.till, "2026-11-23", "nothing is known of the future");
  const long = asked("from=2022-01-01&till=2026-11-01&by=day").frame;
  assert.deepEqual([long.by, long.isCoarser], ["month", true]);
  assert.equal(asked("from=x").problem, "day");
  assert.equal(asked("from=2026-02-30&till=2026-03-01").problem, "day");
  assert.equal(asked("from=2026-03-02&till=2026-03-01").problem, "order");
  assert.equal(asked("from=2015-01-01&till=2026-03-01").problem, "long");
});

test("whatever is asked for, both timeframes are next to each other, of the same length, and not too long", () => {
  const day = fc.integer({ min: 0, max: 25_000 }).map((n) => new Date(n * DAY_MS).toISOString().slice(0, 10));
  const text = fc.oneof(day, fc.string({ maxLength: 12 }));
  fc.assert(
    fc.property(text, text, fc.constantFrom("day", "week", "month", "x"), (from, till, by) => {
      const { frame } = frameOf(new URLSearchParams({ from, till, by }), NOW);
      assert.equal(frame.starts.length, frame.before.length);
      assert.ok(frame.starts.length >= 1 && frame.starts.length <= 100);
      assert.equal(Date.parse(frame.beforeTill) + DAY_MS, Date.parse(frame.from));
      assert.deepEqual([...frame.before, ...frame.starts], [...frame.before, ...frame.starts].toSorted());
      assert.ok(Date.parse(frame.till) - Date.parse(frame.before[0]!) < 3_660 * DAY_MS);
    }),
  );
});
