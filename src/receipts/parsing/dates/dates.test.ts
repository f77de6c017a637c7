import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findMoment as momentIn } from "./dates.ts";

const findMoment = (rows: readonly string[], order: "dayFirst" | "monthFirst", today: string | null = null) =>
  momentIn(rows, { country: order === "dayFirst" ? "GB" : "US", today });

describe("date and time of a purchase", () => {
  const dayFirst: [string, string | null, string | null][] = [
    ["25/12/2018 1:22:56PM", "2018-12-25", "13:22:56"],
    ["10:43AM  568582  24-01-18", "2018-01-24", "10:43:00"],
    ["18. 10.2014  19:03  Bon-Nr.", "2014-10-18", "19:03:00"],
    ["05 JAN 2017 12:00AM", "2017-01-05", "00:00:00"],
    ["OCT 3, 2016 12:16:25 PM", "2016-10-03", "12:16:25"],
    ["Date/Time 20180428/191204", "2018-04-28", "19:12:04"],
    ["le 5 février 2023 à 12h41", "2023-02-05", "12:41:00"],
    ["27/0S/2018", "2018-05-27", null],
    ["CB#: 389720  17/01/20184 2153", "2018-01-17", null],
    ["05-01-26   2:20P   428/07", "2026-01-05", "14:20:00"],
    ["25/03/26 02:20p", "2026-03-25", "14:20:00"],
    ["21/3/18 2.22PM", "2018-03-21", "14:22:00"],
    ["21032018 14:22", "2018-03-21", "14:22:00"],
    ["SAT 21 MAR'26", "2026-03-21", null],
    ["2024-02-29 08:05", "2024-02-29", "08:05:00"],
    ["21/04/202415:12103402", "2024-04-21", "15:12:00"],
    ["31.05.2412:4044120032291", "2024-05-31", "12:40:00"],
    ["Bon1123Kasse115.11.202413:22", "2024-11-15", "13:22:00"],
    ["0452 0233/021/002/1402.06.24 12:15", "2024-06-02", "12:15:00"],
    ["Ref 112304.06.24", null, null],
    ["NOVEMBER 2, 2O24 6:29PM", "2024-11-02", "18:29:00"],
    ["ll/O4/2026 21:16", "2026-04-11", "21:16:00"],
    ["l4-Oct-23 20:55", "2023-10-14", "20:55:00"],
    ["l5 Sep, 2024 10:58", "2024-09-15", "10:58:00"],
    ["1076 17:S5 34 29-2-2024", "2024-02-29", "17:55:00"],
    ["Date:13/07/2024Time:17:09", "2024-07-13", "17:09:00"],
    ["04/07/241O:55am102488331", "2024-07-04", "10:55:00"],
    ["13/07/24 2:05PM102488", "2024-07-13", "14:05:00"],
    ["22/07/2O2322:07", "2023-07-22", "22:07:00"],
    ["11.05.24l7:03", "2024-05-11", "17:03:00"],
    ["16/03/24  14:22:5l", "2024-03-16", "14:22:51"],
    ["Le 09/11/2O24a 10:18", "2024-11-09", "10:18:00"],
    ["Fri Jun 12 13:05:11 2026", "2026-06-12", "13:05:11"],
    ["Fri Jun 12 13:05:11 SAST 2026", "2026-06-12", "13:05:11"],
    ["Tarikh: 12hb Jun 2026", "2026-06-12", null],
    ["12.06.26 13:05 V.2026.5.1 118", "2026-06-12", "13:05:00"],
    ["06/12/2026 13:05  ACC DATE: 02/15/2024", "2026-06-12", "13:05:00"],
    ["15:27  0312 07 1188 21", null, "15:27:00"],
    ["2023-02-29", null, null],
    ["Tel 03-7832 6929", null, null],
  ];
  for (const [row, date, time] of dayFirst)
    test(row, () => {
      const found = findMoment([row], "dayFirst");
      assert.deepEqual([found.date, found.time], [date, time]);
    });

  test("a year of two figures is decided by the same day written in full", () => {
    assert.equal(findMoment(["DateTime: 26/08/25 10:47:02", "2026/08/25 10:47 69756"], "dayFirst").date, "2026-08-25");
    assert.equal(findMoment(["26/03/28 19:03:48", "9417 05 3318 03/28/2026 7:03PM"], "monthFirst").date, "2026-03-28");
    assert.equal(findMoment(["03/04/18 18:20", "Rejoined 3 May 2016"], "dayFirst").date, "2018-04-03");
  });

  test("no receipt is of the 28th or 29th century: a crossed 0 was read as 8 or 9", () => {
    assert.equal(findMoment(["03/23/2817 10:59 AM"], "monthFirst").date, "2017-03-23");
    assert.equal(findMoment(["2918-03-23"], "monthFirst").date, "2018-03-23");
  });

  test("the seconds of a time are not the day of a date", () => {
    assert.equal(findMoment(["C892 #3101 17:37:48 07-05-26"], "dayFirst").date, "2026-05-07");
  });

  test("day and month can be swapped only if both are small figures", () => {
    assert.deepEqual(
      ["03/07/24", "13/07/24", "07/07/24", "3 Jul 2024"].map(
        (row) => momentIn([row], { country: null, today: null }).isOrderGuessed,
      ),
      [true, false, false, false],
    );
  });

  test("03/07/24 is March in America, July elsewhere", () => {
    assert.equal(findMoment(["03/07/24"], "monthFirst").date, "2024-03-07");
    assert.equal(findMoment(["03/07/24"], "dayFirst").date, "2024-07-03");
  });

  test("if the country doesn't decide the order, another date does, the weekday, or the day of the upload", () => {
    const unknown = (rows: readonly string[], today: string | null = null) => momentIn(rows, { country: null, today });
    assert.equal(unknown(["03/07/24 10:00", "Return by 04/21/24"]).date, "2024-03-07");
    assert.equal(unknown(["Thu 03/07/24 10:00"]).date, "2024-03-07");
    assert.equal(unknown(["Środa 03/06/24 10:00"]).date, "2024-03-06");
    assert.equal(unknown(["03/07/24 10:00"], "2024-03-09").date, "2024-03-07");
    assert.equal(unknown(["03/07/24 10:00"], "2024-07-04").date, "2024-07-03");
    assert.equal(momentIn(["24/07/03 10:00"], { country: "CA", today: "2024-07-04" }).date, "2024-07-03");
  });

  test("a future day is returned only if the receipt has no other", () => {
    assert.equal(findMoment(["05/12/24 10:00"], "dayFirst", "2024-11-20").date, "2024-05-12");
    assert.equal(findMoment(["25/12/2024 10:00", "12/11/2024"], "dayFirst", "2024-11-20").date, "2024-11-12");
    assert.equal(findMoment(["25/12/2024 10:00"], "dayFirst", "2024-11-20").date, "2024-12-25");
  });

  test("a date without its faint separators counts only if there is no other date", () => {
    assert.equal(findMoment(["27 03 2018  No : CS-20243"], "dayFirst").date, "2018-03-27");
    assert.equal(findMoment(["2703/2018"], "dayFirst").date, "2018-03-27");
    assert.equal(findMoment(["27 032018", "28/03/2018"], "dayFirst").date, "2018-03-28");
    assert.equal(findMoment(["27032018"], "dayFirst").date, null);
  });

  test("a speck between the two figures of a month is left out", () => {
    assert.equal(findMoment(["Date 03/0:2/2018"], "dayFirst").date, "2018-02-03");
    assert.equal(findMoment(["1.4/05/2026 10:00"], "dayFirst").date, "2026-05-14");
  });

  test("a time joined to the year is no part of the date", () => {
    assert.equal(findMoment(["Date:01/01/20251205"], "dayFirst").date, "2025-01-01");
  });

  test("an offer's last day is not the day of the purchase", () => {
    assert.equal(findMoment(["Valid until 31/12/2024", "12/11/2024 10:00"], "dayFirst").date, "2024-11-12");
  });

  test("the start of the till's signature is not the time of the purchase", () => {
    const rows = ["TSE-Start: 2025-11-27T18:34:52.000", "TSE-Stop: 2025-11-27T18:36:07.000", "27.11.2025  18:36"];
    assert.equal(findMoment(rows, "dayFirst").time, "18:36:00");
  });

  test("opening hours are not the time of the purchase", () => {
    assert.equal(findMoment(["Mo-Sa 7:30 - 21:00", "20.04.20 09:50"], "dayFirst").time, "09:50:00");
  });
});
