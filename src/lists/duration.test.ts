import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { DAY_MS } from "../time.ts";
import { addDuration, parseDuration } from "./duration.ts";

const moved = (from: string, duration: string, direction: -1 | 1) =>
  addDuration(new Date(from), parseDuration(duration)!, direction)?.toISOString().replace(".000Z", "Z") ?? null;

test("every part of an ISO 8601 duration counts, in any letter case", () => {
  assert.deepEqual(parseDuration("P1Y2M"), { months: 14, ms: 0 });
  assert.deepEqual(parseDuration("P2W"), { months: 0, ms: 14 * DAY_MS });
  assert.deepEqual(parseDuration("p3dT4h5M6s"), { months: 0, ms: 3 * DAY_MS + 4 * 3_600_000 + 5 * 60_000 + 6_000 });
  assert.deepEqual(parseDuration("PT0S"), { months: 0, ms: 0 });
});

test("other texts are refused: an empty duration, a repeated or misplaced part, fractions, signs", () => {
  const wrong = ["", "P", "PT", "P1DT", "1D", "P1", "P1H", "P1D1Y", "P1D1D", "P1W1D", "P1.5D", "-P1D", "P-1D", "P1D "];
  for (const text of [...wrong, "P1234567890D", "P１D", "P1Y2MT"]) assert.equal(parseDuration(text), null, text);
});

test("a day that the month does not have becomes its last day, also in leap years", () => {
  assert.equal(moved("2027-03-31T12:34:56Z", "P1M", -1), "2027-02-28T12:34:56Z");
  assert.equal(moved("2028-03-31T00:00:00Z", "P1M", -1), "2028-02-29T00:00:00Z");
  assert.equal(moved("2028-02-29T00:00:00Z", "P1Y", 1), "2029-02-28T00:00:00Z");
  assert.equal(moved("2027-01-31T00:00:00Z", "P1M", 1), "2027-02-28T00:00:00Z");
  assert.equal(moved("2027-12-31T23:59:59Z", "P1MT1S", 1), "2028-02-01T00:00:00Z");
});

test("a result outside of the range of Date is null", () => {
  assert.equal(moved("2027-01-01T00:00:00Z", "P999999999Y", 1), null);
  assert.equal(moved("2027-01-01T00:00:00Z", "P999999999Y", -1), null);
});

const dates = fc.date({ min: new Date("1990-01-01"), max: new Date("2090-01-01"), noInvalidDate: true });

test("months change the month by exactly their number, on any day", () => {
  fc.assert(
    fc.property(
      dates,
      fc.integer({ min: 0, max: 240 }),
      fc.constantFrom(-1 as const, 1 as const),
      (from, months, way) => {
        const to = addDuration(from, { months, ms: 0 }, way)!;
        const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
        assert.equal(monthOf(to), monthOf(from) + way * months);
        assert.ok(to.getUTCDate() <= from.getUTCDate());
        assert.equal(to.getTime() % DAY_MS, from.getTime() % DAY_MS, "the time of day stays");
      },
    ),
  );
});
