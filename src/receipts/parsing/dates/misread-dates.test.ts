import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findMoment } from "./dates.ts";

const momentOf = (row: string): ReturnType<typeof findMoment> => findMoment([row], { country: "DE", today: null });

describe("a misread date", () => {
  const readings: [string, string][] = [
    ["02-DFC-24 18:49", "2024-12-02"],
    ["23 fvrier 2024  18:09", "2024-02-23"],
    ["NOVEM8ER 2, 2024  6:29 PM", "2024-11-02"],
    ["07/08/224 12:30", "2024-08-07"],
    ["17/01/024 12:30", "2024-01-17"],
    ["80/09/26 18:04", "2026-09-30"],
    ["80 Jan 2024 7:18", "2024-01-30"],
    ["14O8.2026 17:16", "2026-08-14"],
    ["26-0S-2415:10", "2024-05-26"],
    ["8/31/259:S8 AM", "2025-08-31"],
  ];
  for (const [row, date] of readings) test(row, () => assert.equal(momentOf(row).date, date));

  test("is not guessed where figures are missing that several dates have", () => {
    for (const row of ["30-06-204 17:48", "81/07/23 12:11", "26-0-2026 08:33", "Tel 01-12-240", "12 JUX 2024 10:10"])
      assert.equal(momentOf(row).date, null, row);
  });

  test("with a colon is no time", () => {
    assert.deepEqual(
      [momentOf("04:12.2014 11:26").date, momentOf("04:12.2014 11:26").time],
      ["2014-12-04", "11:26:00"],
    );
  });
});

test("a date behind the cut word for it, with its time, is the purchase's; without it, an offer's end", () => {
  assert.equal(momentOf("ate  12-06-2018 17:46:16").date, "2018-06-12");
  assert.equal(momentOf("ate  12-06-2018").date, null);
});
