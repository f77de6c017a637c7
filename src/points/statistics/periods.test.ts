import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { statisticsPeriods } from "./periods.ts";
import type { Period } from "./periods.ts";

const NOW = new Date("2026-11-22T12:00:00Z");
const ENROLLED = new Date("2026-03-15T08:00:00Z");
const show = ({ from, before }: Period) =>
  [from, before].map((date) => date.toISOString().replace(/(T00:00:00)?\.000Z$/, "")).join(" ");
const periods = (timeframe: string, now = NOW, enrolledAt = ENROLLED) => {
  const found = statisticsPeriods(timeframe, now, enrolledAt);
  return found && { ...found, shown: [show(found), show(found.previous)] };
};

test("a timeframe is compared with the day, week, month or year before, or with the same length before", () => {
  const shown = (timeframe: string) => periods(timeframe)!.shown;
  assert.deepEqual(shown("today"), ["2026-11-22 2026-11-22T12:00:00", "2026-11-21 2026-11-21T12:00:00"]);
  assert.deepEqual(shown("yesterday"), ["2026-11-21 2026-11-22", "2026-11-20 2026-11-21"]);
  assert.deepEqual(shown("Week"), ["2026-11-16 2026-11-22T12:00:00", "2026-11-09 2026-11-15T12:00:00"]);
  assert.deepEqual(shown("month"), ["2026-11-01 2026-11-22T12:00:00", "2026-10-01 2026-10-22T12:00:00"]);
  assert.deepEqual(shown("year"), ["2026-01-01 2026-11-22T12:00:00", "2025-01-01 2025-11-22T12:00:00"]);
  const thirty = ["2026-10-23T12:00:00 2026-11-22T12:00:00", "2026-09-23T12:00:00 2026-10-23T12:00:00"];
  assert.deepEqual([shown("30d"), shown("P30D")], [thirty, thirty]);
  assert.deepEqual(shown("2m"), ["2026-09-22T12:00:00 2026-11-22T12:00:00", "2026-07-22T12:00:00 2026-09-22T12:00:00"]);
  assert.deepEqual(shown("2026-01-01/2026-03-31"), ["2026-01-01 2026-04-01", "2025-10-01 2026-01-01"]);
  assert.deepEqual(shown("2026-11-10/2026-11-12"), ["2026-11-10 2026-11-13", "2026-11-07 2026-11-10"]);
});

test("an open start is the enrolment, at most two years before the end; an open end is now", () => {
  assert.equal(periods("all")!.shown[0], "2026-03-15T08:00:00 2026-11-22T12:00:00");
  assert.equal(periods("../2026-06-30")!.shown[0], "2026-03-15T08:00:00 2026-07-01");
  assert.equal(periods("all", NOW, new Date("2020-01-01"))!.shown[0], "2024-11-22T12:00:00 2026-11-22T12:00:00");
  assert.equal(periods("2026-11-01/..")!.shown[0], "2026-11-01 2026-11-22T12:00:00");
});

test("more than two years, and what is no timeframe, is refused; a time to come or before the enrolment is empty", () => {
  for (const wrong of ["3y", "P731D", "25m", "2024-01-01/2026-01-01", "2024-01-01/..", "soon", ""]) {
    assert.equal(periods(wrong), null, wrong);
  }
  for (const right of ["2y", "24m", "P2Y", "2024-01-01/2025-12-31"]) assert.ok(periods(right), right);
  assert.deepEqual(periods("2027-01-01/..")!.months, []);
  assert.deepEqual(periods("../2026-01-31")!.months, []);
});

test("a month is compared with the month before, and a part of one with the same part", () => {
  const months = (timeframe: string, now = NOW) =>
    periods(timeframe, now)!.months.map((each) => `${show(each)} after ${show(each.previous)}`);
  assert.deepEqual(months("2026-09-20/.."), [
    "2026-09-20 2026-10-01 after 2026-08-20 2026-09-01",
    "2026-10-01 2026-11-01 after 2026-09-01 2026-10-01",
    "2026-11-01 2026-11-22T12:00:00 after 2026-10-01 2026-10-22T12:00:00",
  ]);
  assert.deepEqual(months("month", new Date("2026-03-31T12:00:00Z")), [
    "2026-03-01 2026-03-31T12:00:00 after 2026-02-01 2026-02-28T12:00:00",
  ]);
});

test("the months of any timeframe follow each other without a gap, from its start to its end", () => {
  const dates = fc.date({ min: new Date("1990-01-01"), max: new Date("2090-01-01"), noInvalidDate: true });
  const word = fc.oneof(
    fc.constantFrom("all", "today", "yesterday", "week", "month", "year"),
    fc.tuple(fc.nat(800), fc.constantFrom("d", "w", "m", "y")).map(([n, unit]) => `${n}${unit}`),
    fc.tuple(dates, fc.nat(750)).map(([date, n]) => `${date.toISOString().slice(0, 10)}/P${n}D`),
  );
  fc.assert(
    fc.property(word, dates, dates, (timeframe, now, enrolledAt) => {
      const found = statisticsPeriods(timeframe, now, enrolledAt);
      if (!found) return;
      const { from, before, previous, months } = found;
      assert.ok(from <= before && previous.from <= previous.before && previous.before <= before);
      assert.ok(months.length <= 25);
      const ends = [from, ...months.map((each) => each.before)];
      assert.deepEqual(
        months.map((each) => each.from),
        ends.slice(0, -1),
      );
      assert.deepEqual(ends.at(-1), months.length > 0 ? before : from);
      for (const each of months) assert.ok(each.previous.before <= each.before && each.previous.from < each.from);
    }),
  );
});
