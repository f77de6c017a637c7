import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { bonusesOfRun, firstDayOf, lastDayOf, streakKey, unitOf, withUnit } from "./streaks.ts";
import type { Run } from "./streaks.ts";

/** Adds days in the order given, as booking does. Returns the runs and the days that made a bonus due. */
function addAll(units: readonly number[], length: number): { runs: readonly Run[]; due: number[] } {
  let runs: readonly Run[] = [];
  const due: number[] = [];
  for (const unit of units) {
    const added = withUnit(runs, unit, length);
    if (!added) continue;
    runs = added.runs;
    if (added.isDue) due.push(unit);
  }
  return { runs: runs.toSorted((a, b) => a.first - b.first), due };
}

const units = fc.array(fc.integer({ min: 20_000, max: 20_040 }), { maxLength: 60 });
const lengths = fc.integer({ min: 2, max: 9 });

test("seven days in a row give a bonus on the seventh, and then counting starts anew", () => {
  const days = Array.from({ length: 15 }, (_, i) => i);
  assert.deepEqual(addAll(days, 7).due, [6, 13]);
  assert.deepEqual(addAll([0, 1, 2, 4, 5, 6, 7, 8, 9, 10], 7).due, [10]);
});

test("a day that becomes known late joins what was before and after it", () => {
  assert.deepEqual(addAll([1, 2, 3, 5, 6, 7, 4], 7).due, [4]);
  // 2 to 8 gave one; the first day adds none, and with 9 to 14 it makes the second.
  assert.deepEqual(addAll([2, 3, 4, 5, 6, 7, 8, 1, 9, 10, 11, 12, 13, 14], 7).due, [8, 14]);
});

test("any order of booking gives the same bonuses, and no day is in two", () => {
  fc.assert(
    fc.property(units, lengths, fc.infiniteStream(fc.nat()), (days, length, random) => {
      const inOrder = addAll(
        days.toSorted((a, b) => a - b),
        length,
      );
      const anyOrder = addAll(
        days
          .map((day) => [random.next().value!, day] as const)
          .sort((a, b) => a[0] - b[0])
          .map(([, day]) => day),
        length,
      );
      assert.deepEqual(anyOrder.runs, inOrder.runs);
      assert.equal(anyOrder.due.length, inOrder.due.length);
      assert.equal(new Set(anyOrder.due).size, anyOrder.due.length, "a day makes one bonus due at most");
      // As many as whole streaks fit into the runs of days, so that no day is used twice.
      const fit = inOrder.runs.reduce((sum, run) => sum + bonusesOfRun(run, length), 0);
      assert.equal(anyOrder.due.length, fit);
      const known = new Set(days);
      for (const { first, last } of anyOrder.runs) {
        for (let day = first; day <= last; day++) assert.ok(known.delete(day), "each day is in one run");
      }
      assert.equal(known.size, 0);
    }),
  );
});

test("the number of bonuses never falls when a day becomes known", () => {
  fc.assert(
    fc.property(units, lengths, (days, length) => {
      let before = 0;
      for (let i = 1; i <= days.length; i++) {
        const { length: now } = addAll(days.slice(0, i), length).due;
        assert.ok(now === before || now === before + 1);
        before = now;
      }
    }),
  );
});

test("days and weeks are those of the time zone; weeks begin on Monday", () => {
  const late = Date.parse("2026-11-22T23:30:00Z");
  const dayOf = (zone: string) => firstDayOf(unitOf(late, "day", zone), "day");
  assert.deepEqual([dayOf("UTC"), dayOf("Europe/Berlin")], ["2026-11-22", "2026-11-23"]);
  const week = unitOf(late, "week", "UTC");
  assert.deepEqual([firstDayOf(week, "week"), lastDayOf(week, "week")], ["2026-11-16", "2026-11-22"]);
  assert.equal(unitOf(late, "week", "Europe/Berlin"), week + 1);
  assert.equal(lastDayOf(unitOf(late, "day", "UTC"), "day"), "2026-11-22");
});

test("the days of any year are numbered without a gap, in any time zone", () => {
  const zones = fc.constantFrom("UTC", "Europe/London", "America/Sao_Paulo", "Pacific/Chatham", "Africa/Casablanca");
  const days = fc.integer({ min: 18_000, max: 24_000 });
  fc.assert(
    fc.property(days, zones, fc.constantFrom("day" as const, "week" as const), (day, zone, every) => {
      const noon = Temporal.PlainDate.from(firstDayOf(day, "day")).toZonedDateTime({
        timeZone: zone,
        plainTime: "12:00",
      });
      const next = noon.add(every === "day" ? { days: 1 } : { weeks: 1 });
      assert.equal(unitOf(next.epochMilliseconds, every, zone), unitOf(noon.epochMilliseconds, every, zone) + 1);
    }),
  );
});

test("other points go on with the same streak; another length, zone or source begins a new one", () => {
  const week = { id: "week", every: "day", length: 7, points: 30, sources: ["meal", "receipt"] } as const;
  const key = streakKey(week, "UTC");
  assert.equal(streakKey({ ...week, points: 5, sources: ["receipt", "meal"] }, "UTC"), key);
  const others = [
    { ...week, length: 8 },
    { ...week, every: "week" },
    { ...week, sources: ["meal"] },
  ] as const;
  const keys = [...others.map((each) => streakKey(each, "UTC")), streakKey(week, "Europe/Berlin")];
  assert.equal(new Set([key, ...keys]).size, 5);
});
