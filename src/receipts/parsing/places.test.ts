import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { OcrPage, TextBox } from "../../ocr/page.ts";
import { readMerchants } from "../store.ts";
import { parseReceipt } from "./parse.ts";
import { placesOf } from "./places.ts";
import { NO_CONTEXT } from "./reading.ts";

const MERCHANTS = readMerchants();

function pageOf(rows: readonly string[]): OcrPage {
  const boxes = rows.flatMap((row, i) =>
    [...row.matchAll(/\S+(?: \S+)*/g)].map((match): TextBox => {
      const [left, right] = [match.index * 12, (match.index + match[0].length) * 12];
      const [top, bottom] = [(i + 1) * 30, (i + 1) * 30 + 22];
      const polygon = [
        { x: left, y: top },
        { x: right, y: top },
        { x: right, y: bottom },
        { x: left, y: bottom },
      ] as const;
      return { polygon, text: match[0], score: 0.98 };
    }),
  );
  return { width: 600, height: (rows.length + 3) * 30, rotation: 0, boxes };
}

const ROWS = [
  "        LARKMEADOW MARKET",
  "     24/10/2026   10:41",
  "",
  "RED LENTILS 500G             1.45",
  "WHOLEMEAL BREAD",
  "  2 x 0.70                   1.40",
  "BEEF MINCE 500G              4.25",
  "",
  "TOTAL                       £7.10",
];

/** The printed row in the middle of a place. */
const rowAt = (place: readonly number[], page: OcrPage) =>
  Math.round((((place[1]! + place[5]!) / 2) * page.height - 11) / 30) - 1;

test("each line of a reading has the place of its row, and of its name where that is on another one", () => {
  const page = pageOf(ROWS);
  const { lines } = parseReceipt(page, MERCHANTS, { ...NO_CONTEXT, today: "2026-10-25" });
  const places = placesOf(page, MERCHANTS, { ...NO_CONTEXT, today: "2026-10-25" });
  assert.deepEqual(
    lines.map(({ cleanedName }, i) => [cleanedName, places.lines[i]!.map((place) => rowAt(place, page))]),
    [
      [lines[0]!.cleanedName, [3]],
      [lines[1]!.cleanedName, [4, 5]],
      [lines[2]!.cleanedName, [6]],
    ],
  );
  assert.deepEqual(
    [places.merchantName, places.date, places.total].map((found) => found.map((place) => rowAt(place, page))),
    [[0], [1], [8]],
  );
});

test("on any page a reading has as many places as lines, all within the picture", () => {
  const word = fc.constantFrom(
    "TOTAL",
    "BREAD",
    "1.40",
    "2 x",
    "MILK",
    "24/10/2026",
    "-0.20",
    "DISCOUNT",
    "@",
    "£7.10",
  );
  const row = fc.array(word, { maxLength: 4 }).map((words) => words.join("   "));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
      const page = pageOf(rows);
      const places = placesOf(page, MERCHANTS, NO_CONTEXT);
      assert.equal(places.lines.length, parseReceipt(page, MERCHANTS).lines.length);
      const all = [...places.merchantName, ...places.date, ...places.total, ...places.lines.flat()].flat();
      assert.ok(all.every((share) => share >= 0 && share <= 1));
    }),
    { numRuns: 200 },
  );
});
