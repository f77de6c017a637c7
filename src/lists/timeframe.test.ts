import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { timeRange } from "./timeframe.ts";

/** A range as strings, to the second. */
function range(timeframe: string, now: string): string | null {
  const found = timeRange(timeframe, new Date(now));
  const show = (date: Date | null) => date?.toISOString().replace(".000Z", "Z") ?? "..";
  return found && `${show(found.from)}/${show(found.before)}`;
}

test("words are calendar days, weeks from Monday, months and years in UTC, to date", () => {
  const friday = "2027-01-08T12:34:56Z";
  assert.equal(range("all", friday), "../..");
  assert.equal(range("today", friday), "2027-01-08T00:00:00Z/..");
  assert.equal(range("yesterday", friday), "2027-01-07T00:00:00Z/2027-01-08T00:00:00Z");
  assert.equal(range("week", friday), "2027-01-04T00:00:00Z/..");
  assert.equal(range("month", friday), "2027-01-01T00:00:00Z/..");
  assert.equal(range("year", friday), "2027-01-01T00:00:00Z/..");
  assert.equal(range("WeEk", "2027-01-10T23:59:59Z"), "2027-01-04T00:00:00Z/..", "Sunday ends a week");
  assert.equal(range("week", "2027-01-11T00:00:00Z"), "2027-01-11T00:00:00Z/..", "Monday begins one");
});

test("the turn of the year and leap days are handled like other days", () => {
  assert.equal(range("yesterday", "2027-01-01T00:00:00Z"), "2026-12-31T00:00:00Z/2027-01-01T00:00:00Z");
  assert.equal(range("week", "2027-01-01T00:00:00Z"), "2026-12-28T00:00:00Z/..");
  assert.equal(range("yesterday", "2028-03-01T05:00:00Z"), "2028-02-29T00:00:00Z/2028-03-01T00:00:00Z");
  assert.equal(range("1y", "2028-02-29T05:00:00Z"), "2027-02-28T05:00:00Z/..");
  assert.equal(range("4y", "2028-02-29T05:00:00Z"), "2024-02-29T05:00:00Z/..");
});

test("a count goes back from the current moment; a day that the month does not have becomes its last day", () => {
  const now = "2027-03-31T12:34:56Z";
  assert.equal(range("1d", now), "2027-03-30T12:34:56Z/..");
  assert.equal(range("2W", now), "2027-03-17T12:34:56Z/..");
  assert.equal(range("1m", now), "2027-02-28T12:34:56Z/..");
  assert.equal(range("13m", now), "2026-02-28T12:34:56Z/..");
  assert.equal(range("0d", now), "2027-03-31T12:34:56Z/..");
  assert.equal(range("99999y", now), "../..", "before any record there is no bound");
});

test("an ISO 8601 duration goes back like a count", () => {
  const now = "2027-03-31T12:34:56Z";
  assert.equal(range("P30D", now), range("30d", now));
  assert.equal(range("p6m", now), range("6m", now));
  assert.equal(range("P1W", now), "2027-03-24T12:34:56Z/..");
  assert.equal(range("P1Y1M", now), "2026-02-28T12:34:56Z/..");
  assert.equal(range("PT36H", now), "2027-03-30T00:34:56Z/..");
  assert.equal(range("P999999999Y", now), "../..");
});

test("an interval includes its start but not its end; a date is a whole day", () => {
  const now = "2027-03-31T12:34:56Z";
  assert.equal(range("2027-01-01/2027-01-31", now), "2027-01-01T00:00:00Z/2027-02-01T00:00:00Z");
  assert.equal(range("2027-01-01/2027-01-01", now), "2027-01-01T00:00:00Z/2027-01-02T00:00:00Z");
  assert.equal(range("2028-02-29/2028-02-29", now), "2028-02-29T00:00:00Z/2028-03-01T00:00:00Z");
  assert.equal(
    range("2027-01-01T10:00:00Z/2027-01-01T11:30:00+01:00", now),
    "2027-01-01T10:00:00Z/2027-01-01T10:30:00Z",
  );
  assert.equal(range("2027-01-01t10:00z/2027-01-01T11:00-00:30", now), "2027-01-01T10:00:00Z/2027-01-01T11:30:00Z");
  assert.equal(range("2027-01-01T10:00:00 02:00/..", now), "2027-01-01T08:00:00Z/..", "a + that nobody escaped");
});

test("an end of an interval may be open, or a duration", () => {
  const now = "2027-03-31T12:34:56Z";
  assert.equal(range("../..", now), "../..");
  assert.equal(range("2027-01-01/..", now), "2027-01-01T00:00:00Z/..");
  assert.equal(range("../2027-01-31", now), "../2027-02-01T00:00:00Z");
  assert.equal(range("2027-01-31/P1M", now), "2027-01-31T00:00:00Z/2027-02-28T00:00:00Z");
  assert.equal(range("P1M/2027-03-31T00:00:00Z", now), "2027-02-28T00:00:00Z/2027-03-31T00:00:00Z");
  assert.equal(
    range("P7D/2027-01-31", now),
    "2027-01-25T00:00:00Z/2027-02-01T00:00:00Z",
    "seven days, the last included",
  );
  assert.equal(range("0001-01-01/9999-12-31", now), "../..", "beyond all records there is no bound");
  assert.equal(range("2027-01-01/P999999999Y", now), "2027-01-01T00:00:00Z/..");
});

test("other texts are refused", () => {
  const words = ["", " ", "tomorrow", "-1d", "1.5d", "1", "d", "1h", "1 d", "123456d", "all ", "١d", "todаy"];
  const durations = ["P", "PT", "P1.5D", "P1", "-P1D", "PT1D"];
  const intervals = ["/", "a/b", "2027-01-01", "2027-01-01/", "/2027-01-01", "2027-02-29/..", "2027-01-02/2027-01-01"];
  const more = ["P1D/P1D", "../P1D", "P1D/..", "2027-01-01T00:00:00/..", "2027-01-01/../..", "../2027-1-1", "today/.."];
  for (const text of [...words, ...durations, ...intervals, ...more]) {
    assert.equal(range(text, "2027-01-08T12:34:56Z"), null, text);
  }
});

const moments = fc.date({ min: new Date("2020-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });

test("no text makes it throw, and timeframes that go back from now start in the past", () => {
  const word = fc.stringMatching(/^\d{1,5}[dwmyDWMY]$/);
  const duration = fc.stringMatching(/^P\d{1,9}[YMWD]$/);
  const interval = fc.stringMatching(/^(\.\.|P\dD|20\d\d-[01]\d-[0-3]\d)\/(\.\.|P\dD|20\d\d-[01]\d-[0-3]\d)$/);
  fc.assert(
    fc.property(fc.oneof(fc.string(), word, duration, interval), moments, (timeframe, now) => {
      const found = timeRange(timeframe, now);
      assert.ok(!found?.from || found.from >= new Date(0));
      if (!timeframe.includes("/")) assert.ok(!found?.from || found.from <= now);
      assert.ok(!found?.from || !found.before || found.from <= found.before);
    }),
  );
});

test("an interval of two moments is the same in any zone", () => {
  const zoned = fc.tuple(moments, fc.integer({ min: -14, max: 14 }));
  const write = ([moment, hours]: [Date, number]) =>
    new Date(moment.getTime() + hours * 3_600_000)
      .toISOString()
      .replace("Z", `${hours < 0 ? "-" : "+"}${String(Math.abs(hours)).padStart(2, "0")}:00`);
  fc.assert(
    fc.property(zoned, zoned, (a, b) => {
      const [start, end] = a[0] <= b[0] ? [a, b] : [b, a];
      assert.deepEqual(timeRange(`${write(start)}/${write(end)}`, new Date(0)), { from: start[0], before: end[0] });
      if (start[0] < end[0]) assert.equal(timeRange(`${write(end)}/${write(start)}`, new Date(0)), null);
    }),
  );
});

test("the time zone of the server has no effect, not even at a change of daylight saving time", () => {
  // A zone is a process's own: the same moments, also those around the turn of New York's clocks, in other processes.
  const moments = ["2027-01-01T00:30:00Z", "2027-03-14T06:59:00Z", "2027-03-14T07:01:00Z", "2027-11-07T06:30:00Z"];
  const script = `import { timeRange } from ${JSON.stringify(join(import.meta.dirname, "timeframe.ts"))};
    const words = ["today", "yesterday", "week", "month", "year", "1d", "1m"];
    console.log(JSON.stringify(${JSON.stringify(moments)}.map((now) => words.map((word) => timeRange(word, new Date(now))))));`;
  const inZone = (TZ: string) =>
    execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      env: { ...process.env, TZ },
      encoding: "utf8",
    });
  const utc = inZone("UTC");
  for (const zone of ["Asia/Kolkata", "America/New_York"]) assert.equal(inZone(zone), utc, zone);
});
