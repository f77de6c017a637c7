import assert from "node:assert/strict";
import { test } from "node:test";
import { dictionary, typedPage } from "../../../test/support/typed-receipt.ts";
import { placesOf } from "../parsing/places.ts";
import { NO_CONTEXT } from "../parsing/reading.ts";
import { placesOnParts } from "./part-places.ts";
import { readParts } from "./read-parts.ts";

const UPPER = ["   LARKMEADOW MARKET", "24/10/2026   10:41", "LENTILS      1.45", "BREAD        1.40"];
const LOWER = ["LENTILS      1.45", "BREAD        1.40", "MINCE        4.25", "TOTAL       £7.10"];

test("a line is placed on the photo that it was read from, where that photo shows it", () => {
  const pages = [typedPage(UPPER.join("\n")), typedPage(LOWER.join("\n"))];
  const { page, reading } = readParts(pages, dictionary, NO_CONTEXT);
  const { lines, total, merchantName } = placesOnParts(page, placesOf(page, dictionary, NO_CONTEXT));
  assert.deepEqual(
    reading.lines.map(({ description }) => description),
    ["LENTILS", "BREAD", "MINCE"],
  );
  const rowOf = (part: number, text: string) => [UPPER, LOWER][part - 1]!.findIndex((row) => row.startsWith(text));
  for (const [i, name] of ["LENTILS", "BREAD", "MINCE"].entries()) {
    const { place, part } = lines[i]![0]!;
    const { height } = pages[part - 1]!;
    assert.equal(Math.round((place[1] * height) / 30), rowOf(part, name));
  }
  assert.deepEqual([lines[2]![0]!.part, total[0]!.part, merchantName[0]!.part], [2, 2, 1]);
});

test("the places of a single photo stay where they are", () => {
  const page = typedPage(UPPER.join("\n"));
  const places = placesOf(page, dictionary, NO_CONTEXT);
  const found = placesOnParts(page, places);
  assert.deepEqual(
    found.lines,
    places.lines.map((line) => line.map((place) => ({ place, part: 1 }))),
  );
});
