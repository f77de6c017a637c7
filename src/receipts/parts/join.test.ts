import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { OcrPage } from "../../ocr/page.ts";
import { brief, dictionary, readTyped, typedPage } from "../../../test/support/typed-receipt.ts";
import { parseReceipt } from "../parsing/parse.ts";
import { NO_CONTEXT } from "../parsing/reading.ts";
import { rowsOf } from "../parsing/rows/rows.ts";
import { joinParts } from "./join.ts";
import { haveTooMuchText, readParts } from "./read-parts.ts";
import { partedPage } from "./parted-page.ts";
import { partsChecks } from "./parts-check.ts";

const LINES = [
  "      LARKMEADOW MARKET",
  "      14 Harbour Lane",
  "   24/10/2026   10:41",
  "RED LENTILS 500G        1.45",
  "MILK 1L                 0.99",
  "MILK 1L                 0.99",
  "MILK 1L                 0.99",
  "WHOLEMEAL BREAD         1.40",
  "BEEF MINCE 500G         4.25",
  "TOMATOES                2.10",
  "CARRIER BAG             0.30",
  "TOTAL                 £12.47",
  "VISA CONTACTLESS       12.47",
];
const WHOLE = readTyped(LINES.join("\n"));

const windowOf = (from: number, until: number) => typedPage(LINES.slice(from, until).join("\n"));
const textsOf = (page: OcrPage) => rowsOf(page).map(({ text }) => text.replaceAll(/\s+/g, " "));
const ALL = textsOf(typedPage(LINES.join("\n")));
const read = (...pages: OcrPage[]) => readParts(pages, dictionary, NO_CONTEXT);

test("photos are joined by the lines that both show, in any order", () => {
  const [top, middle, bottom] = [windowOf(0, 6), windowOf(3, 10), windowOf(8, 13)];
  for (const pages of [
    [top, middle, bottom],
    [bottom, top, middle],
    [middle, bottom, top],
  ]) {
    const { page, reading } = read(...pages);
    assert.deepEqual(textsOf(page), ALL);
    assert.deepEqual(brief(reading), brief(WHOLE));
    assert.equal(reading.businessName, WHOLE.businessName);
    assert.equal(reading.totalMinor, 1247);
  }
});

test("a photo that was sent twice, and one of a piece of another one, add nothing", () => {
  assert.deepEqual(textsOf(read(windowOf(0, 13), windowOf(0, 13)).page), ALL);
  assert.deepEqual(textsOf(read(windowOf(0, 13), windowOf(4, 9)).page), ALL);
  assert.deepEqual(textsOf(read(windowOf(4, 9), windowOf(0, 13)).page), ALL);
});

test("of lines that repeat themselves at the seam as many stay as add up to the total", () => {
  // The second photo begins with the second MILK: by the lines alone all of them could be in common, or none.
  const { reading } = read(windowOf(0, 6), windowOf(5, 13));
  assert.deepEqual(brief(reading), brief(WHOLE));
  const without = read(windowOf(0, 7), windowOf(7, 13)).reading;
  assert.deepEqual(brief(without), brief(WHOLE));
});

test("a way to join that adds up without most of the lines is none", () => {
  const top = ["   LARKMEADOW MARKET", "LENTILS   1.45", "BREAD     1.40", "MINCE     4.25"];
  // The amount of MINCE is misread, so the list does not add up; a subtotal and a bag do.
  const middle = [
    "BREAD     1.40",
    "MINCE     4.26",
    "PEARS     2.10",
    "TEA       1.00",
    "SUBTOTAL  10.20",
    "BAG       0.10",
  ];
  const bottom = ["BAG       0.10", "TOTAL     10.30", "VISA      10.30"];
  const pages = [bottom, middle, top].map((rows) => typedPage(rows.join("\n")));
  assert.ok(read(...pages).reading.lines.length >= 5);
});

test("photos with no line in common follow each other as they were sent, and a check says so", () => {
  const { page, reading } = read(windowOf(0, 5), windowOf(8, 13));
  assert.deepEqual(textsOf(page), [...ALL.slice(0, 5), ...ALL.slice(8)]);
  assert.equal(reading.totalMinor, 1247);
  assert.deepEqual(
    partsChecks(page).map(({ outcome }) => outcome),
    ["doubtful"],
  );
  assert.deepEqual(
    partsChecks(read(windowOf(0, 8), windowOf(5, 13)).page).map(({ outcome }) => outcome),
    ["passed"],
  );
  assert.deepEqual(partsChecks(typedPage(LINES.join("\n"))), []);
});

test("a row that is cut at the edge of a photo is taken from the other one", () => {
  const cut = windowOf(6, 13);
  const boxes = cut.boxes.map((box, i) => (i < 2 ? { ...box, text: i === 0 ? "NlLK iL" : "U.9", score: 0.6 } : box));
  const { page, reading } = read(windowOf(0, 10), { ...cut, boxes });
  assert.deepEqual(textsOf(page), ALL);
  assert.deepEqual(brief(reading), brief(WHOLE));
});

test("what is stored is joined again in the same way", () => {
  const pages = [windowOf(0, 6), windowOf(5, 13)];
  const { page } = read(...pages);
  assert.deepEqual(partedPage(pages, page.ways ?? []), page);
});

test("more text than a till receipt has is refused, of one photo or of all together", () => {
  const full = typedPage(Array.from({ length: 400 }, (_, i) => `LINE ${i}`).join("\n"));
  assert.equal(haveTooMuchText([full]), false);
  assert.equal(haveTooMuchText([full, full]), false);
  assert.equal(haveTooMuchText([full, full, full]), true);
  assert.equal(haveTooMuchText([windowOf(0, 5), { ...full, boxes: [], hasTooMuchText: true }]), true);
});

/** Names of goods that are not alike. */
const NAMES = ["RED LENTILS", "OAT DRINK", "BUTTER", "SPINACH", "COFFEE BEANS", "RYE BREAD", "PEARS", "YOGHURT", "TEA"];
const goods = fc.record({ name: fc.constantFrom(...NAMES), pence: fc.integer({ min: 5, max: 2_000 }) });
/** Bought goods, where to cut them into windows (in lines that both show), and the order in which they are sent. */
const purchase = fc.record({
  bought: fc.uniqueArray(goods, { minLength: 14, maxLength: 40, selector: ({ name, pence }) => `${name} ${pence}` }),
  parts: fc.integer({ min: 2, max: 5 }),
  common: fc.integer({ min: 2, max: 4 }),
  sent: fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
  misread: fc.array(fc.nat(), { maxLength: 6 }),
});

test("a receipt in two to five windows that overlap is read as the whole, a misread letter here and there", () => {
  fc.assert(
    fc.property(purchase, ({ bought, parts, common, sent, misread }) => {
      const total = bought.reduce((sum, { pence }) => sum + pence, 0);
      const money = (pence: number) => (pence / 100).toFixed(2).padStart(10);
      const lines = [
        "      LARKMEADOW MARKET",
        "   24/10/2026   10:41",
        ...bought.map(({ name, pence }) => `${name.padEnd(20)}${money(pence)}`),
        `${"TOTAL".padEnd(20)}${money(total)}`,
        `${"VISA".padEnd(20)}${money(total)}`,
      ];
      const step = lines.length / parts;
      const windows = Array.from({ length: parts }, (_, i) => {
        const from = Math.max(0, Math.round(i * step) - (i === 0 ? 0 : common));
        return withMisread(typedPage(lines.slice(from, Math.round((i + 1) * step)).join("\n")), misread);
      });
      const order = windows.map((page, i) => ({ page, at: sent[i]! })).toSorted((a, b) => a.at - b.at);
      const { page, reading } = read(...order.map((each) => each.page));
      assert.equal(rowsOf(page).length, lines.length);
      const amounts = parseReceipt(typedPage(lines.join("\n")), dictionary).lines.map(({ amountMinor }) => amountMinor);
      assert.deepEqual(
        reading.lines.map(({ amountMinor }) => amountMinor),
        amounts,
      );
    }),
    { numRuns: 60 },
  );
});

/** Misreads one letter of a few names. */
function withMisread(page: OcrPage, places: readonly number[]): OcrPage {
  const boxes = page.boxes.map((box, i) => {
    const isMisread = places.some((place) => place % page.boxes.length === i) && /^[A-Z ]{6,}$/.test(box.text);
    return isMisread ? { ...box, text: `${box.text.slice(0, 2)}#${box.text.slice(3)}`, score: 0.8 } : box;
  });
  return { ...page, boxes };
}

test("any boxes are joined without an error, and every joined box is one of a photo", () => {
  const number = fc.integer({ min: -50, max: 900 });
  const box = fc.record({
    x: number,
    y: number,
    w: fc.integer({ min: 1, max: 400 }),
    text: fc.string({ maxLength: 12 }),
  });
  const page = fc.array(box, { maxLength: 25 }).map((boxes): OcrPage => ({
    width: 900,
    height: 900,
    rotation: 0,
    boxes: boxes.map(({ x, y, w, text }) => ({
      polygon: [
        { x, y },
        { x: x + w, y },
        { x: x + w, y: y + 20 },
        { x, y: y + 20 },
      ],
      text,
      score: 0.9,
    })),
  }));
  fc.assert(
    fc.property(fc.array(page, { minLength: 2, maxLength: 5 }), (pages) => {
      const joined = joinParts(pages);
      assert.equal(joined.sources.length, joined.page.boxes.length);
      for (const { part, box: source } of joined.sources) assert.ok(pages[part]!.boxes.includes(source));
      assert.ok(joined.page.boxes.every(({ polygon }) => polygon.every(({ x, y }) => Number.isFinite(x + y))));
      readParts(pages, dictionary, NO_CONTEXT);
    }),
    { numRuns: 60 },
  );
});
