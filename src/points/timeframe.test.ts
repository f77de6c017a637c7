import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { timeRange } from "./timeframe.ts";

/** A range as texts, to the second. */
function range(timeframe: string, now: string): string | null {
  const found = timeRange(timeframe, new Date(now));
  const show = (date: Date | null) => date?.toISOString().replace(".000Z", "Z") ?? "..";
  return found && `${show(found.from)}/${show(found.before)}`;
}

test("words mean calendar days, weeks from Monday, months and years of UTC, to date", () => {
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

test("the turn of the year and leap days are days like others", () => {
  assert.equal(range("yesterday", "2027-01-01T00:00:00Z"), "2026-12-31T00:00:00Z/2027-01-01T00:00:00Z");
  assert.equal(range("week", "2027-01-01T00:00:00Z"), "2026-12-28T00:00:00Z/..");
  assert.equal(range("yesterday", "2028-03-01T05:00:00Z"), "2028-02-29T00:00:00Z/2028-03-01T00:00:00Z");
  assert.equal(range("1y", "2028-02-29T05:00:00Z"), "2027-02-28T05:00:00Z/..");
  assert.equal(range("4y", "2028-02-29T05:00:00Z"), "2024-02-29T05:00:00Z/..");
});

test("a count goes back from this very moment; a day that a month doesn't have becomes its last", () => {
  const now = "2027-03-31T12:34:56Z";
  assert.equal(range("1d", now), "2027-03-30T12:34:56Z/..");
  assert.equal(range("2W", now), "2027-03-17T12:34:56Z/..");
  assert.equal(range("1m", now), "2027-02-28T12:34:56Z/..");
  assert.equal(range("13m", now), "2026-02-28T12:34:56Z/..");
  assert.equal(range("0d", now), "2027-03-31T12:34:56Z/..");
  assert.equal(range("99999y", now), "../..", "before any record there is no bound");
});

test("anything else is no timeframe", () => {
  for (const text of ["", " ", "tomorrow", "-1d", "1.5d", "1", "d", "1h", "1 d", "123456d", "all ", "١d", "todаy"]) {
    assert.equal(range(text, "2027-01-08T12:34:56Z"), null, text);
  }
});

test("no text makes it throw, and every range starts in the past", () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^\d{1,5}[dwmyDWMY]$/));
  const now = fc.date({ min: new Date("2020-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(text, now, (timeframe, now) => {
      const found = timeRange(timeframe, now);
      assert.ok(!found?.from || (found.from <= now && found.from >= new Date(0)));
      assert.ok(!found?.from || !found.before || found.from < found.before);
    }),
  );
});

test("the server's own time zone changes nothing, not even where clocks are turned", () => {
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
