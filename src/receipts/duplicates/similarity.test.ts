import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { aligned, placesOf } from "./alignment.ts";
import type { Place } from "./alignment.ts";
import { printKeys, purchaseKeys } from "./keys.ts";
import { placesToCompare, similarityOf } from "./similarity.ts";
import type { PlaceSimilarity } from "./similarity.ts";
import type { OcrPage, TextBox } from "../../ocr/page.ts";

const ROWS = [
  "LARKMEADOW MARKET",
  "24/10/2026",
  "10:41",
  "MILK",
  "1.45",
  "BREAD",
  "1.40",
  "MINCE",
  "4.25",
  "TOTAL 7.10",
];

/** A page with boxes of 20 px, one below the other, every second one further right. */
function page(texts: readonly string[], { scale = 1, left = 0, top = 0 } = {}): OcrPage {
  const boxes = texts.map((text, i): TextBox => {
    const [x, y] = [100 + (i % 2) * 200, 50 + i * 30];
    const corners = [
      [x, y],
      [x + 10 * text.length, y],
      [x + 10 * text.length, y + 20],
      [x, y + 20],
    ];
    const polygon = corners.map(([px, py]) => ({ x: px! * scale + left, y: py! * scale + top }));
    return { polygon: polygon as unknown as TextBox["polygon"], text, score: 0.99 };
  });
  return { width: 600, height: 100 + 30 * texts.length, rotation: 0, boxes };
}

function changed(from: string, to: string): string[] {
  return ROWS.map((text) => (text === from ? to : text));
}

function placesBetween(one: OcrPage, other: OcrPage): Place[] {
  const alignment = aligned(one, other);
  assert.ok(alignment);
  return placesToCompare(placesOf(one, other, alignment));
}

const ALIKE: PlaceSimilarity = { overall: 0.98, weakest: 0.95, aside: { x: 0, y: 0 } };

/** Compares two pages whose pictures are alike except at the places with other text. */
function similarityWith(
  other: readonly string[],
  disputed: Partial<PlaceSimilarity>,
  alike: Partial<PlaceSimilarity> = {},
) {
  const places = placesBetween(page(ROWS), page(other));
  const similarities = places.map(({ isSameText }) => ({ ...ALIKE, ...(isSameText ? alike : disputed) }));
  return similarityOf(places, similarities).kind;
}

test("the keys depend on the figures alone, not on other text or on the separators of digits", () => {
  const keys = printKeys(page(ROWS));
  assert.equal(keys.length, 24);
  assert.deepEqual(printKeys(page(changed("MILK", "MI1K"))), keys);
  assert.deepEqual(printKeys(page(changed("10:41", "10 41").toReversed())), keys);
  assert.ok(keys.every((key) => BigInt.asIntN(64, BigInt(key)).toString() === key));
});

test("pages with one misread figure share keys, pages with other figures share none", () => {
  const many = Array.from({ length: 30 }, (_, i) => String(1000 + 37 * i));
  const shared = (other: readonly string[]) =>
    printKeys(page(other)).filter((key) => printKeys(page(many)).includes(key)).length;
  assert.ok(shared(many.with(3, "9999")) >= 3);
  assert.equal(shared(many.map((figure) => `8${figure}`)), 0);
});

test("too few figures give no keys: too many receipts would share them", () => {
  assert.deepEqual(printKeys(page(["TOTAL 7.10", "THANK YOU"])), []);
});

test("a page is aligned with its scaled and moved copy, and with no page that shares too few texts", () => {
  fc.assert(
    fc.property(fc.double({ min: 0.3, max: 3, noNaN: true }), fc.integer({ min: -40, max: 40 }), (scale, left) => {
      const found = aligned(page(ROWS), page(ROWS, { scale, left, top: left / 2 }));
      assert.ok(found && found.residual < 0.01);
      assert.ok(Math.abs(found.map.a - scale) < 0.001 && Math.abs(found.map.f - left / 2) < 0.5);
    }),
  );
  assert.equal(aligned(page(ROWS), page(["OTHER", "10:41", "TEXTS"])), null);
});

test("places have the text of both pages: the same, another, or none", () => {
  const cut = ROWS.filter((text) => text !== "MILK");
  const alignment = { map: { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 }, residual: 0, anchors: 9 };
  const other = {
    ...page(ROWS),
    boxes: page(changed("10:41", "10:47")).boxes.filter(({ text }) => cut.includes(text) || text === "10:47"),
  };
  const places = placesOf(page(ROWS), other, alignment);
  const disputed = places.filter(({ isSameText }) => !isSameText).map(({ texts }) => texts);
  assert.deepEqual(disputed, [
    ["10:41", "10:47"],
    ["MILK", null],
  ]);
});

const PAINTED = { weakest: ALIKE.weakest - 0.3 };

test("a digit that is only misread looks the same in both pictures; another digit doesn't", () => {
  // The day and the minute: a purchase of its own.
  const other = ROWS.map((text) => ({ "10:41": "10:47", "24/10/2026": "25/10/2026" })[text] ?? text);
  const weakest = ALIKE.weakest;
  assert.equal(similarityWith(ROWS, {}), "same_picture");
  assert.equal(similarityWith(other, { weakest: weakest - 0.01 }), "same_picture");
  assert.equal(similarityWith(other, { weakest: weakest - 0.02 }), "different");
  const shorter = ROWS.map((text) => ({ "10:41": "41", "24/10/2026": "24/10/26" })[text] ?? text);
  assert.equal(similarityWith(shorter, { weakest: weakest - 0.05 }), "same_picture", "some digits were lost");
  assert.equal(similarityWith(shorter, { weakest: weakest - 0.07 }), "different", "some digits are missing");
});

test("where the print is in the same places one other digit was painted", () => {
  const numbered = ["BON 4711", ...ROWS];
  const kindWith = (rows: readonly string[], from: string, to: string) => {
    const places = placesBetween(page(rows), page(rows.map((text) => (text === from ? to : text))));
    return similarityOf(
      places,
      places.map(({ isSameText }) => (isSameText ? ALIKE : { ...ALIKE, ...PAINTED })),
    ).kind;
  };
  for (const [from, to] of [
    ["10:41", "10:47"],
    ["24/10/2026", "23/10/2026"],
    ["TOTAL 7.10", "TOTAL 1.10"],
    ["TOTAL 7.10", "TOTAL 17.10"],
    ["1.45", "1.40"],
  ] as const)
    assert.equal(kindWith(numbered, from, to), "same_picture", `${from} ${to}`);
  assert.equal(kindWith(numbered, "BON 4711", "BON 4712"), "same_picture");
  assert.equal(
    kindWith(ROWS, "10:41", "10:47"),
    "different",
    "no number is printed that another purchase would change",
  );
  const untimed = numbered.filter((text) => text !== "10:41");
  assert.equal(kindWith(untimed, "BON 4711", "BON 4712"), "different", "no time is printed");
  const dearer = ROWS.map((text) => ({ "1.45": "2.45", "TOTAL 7.10": "TOTAL 8.10" })[text] ?? text);
  assert.equal(similarityWith(dearer, PAINTED), "different", "another line and another total");
  const exchanged = ROWS.map((text) => ({ "1.45": "1.40", "1.40": "1.45" })[text] ?? text);
  assert.equal(similarityWith(exchanged, PAINTED), "different", "other lines");
});

test("other names beside the same prices are other goods, other names elsewhere are not", () => {
  const till = (names: readonly string[]): OcrPage => {
    const texts = names.flatMap((name, i) => [name, `${i + 1}.00`]);
    const { boxes, ...rest } = page(texts);
    const moved = boxes.map((box, i) => ({
      ...box,
      polygon: box.polygon.map(({ x, y }) => ({ x: i % 2 === 0 ? x : x + 200, y: i % 2 === 0 ? y : y - 30 })),
    })) as unknown as TextBox[];
    return { ...rest, boxes: [...moved, ...page(["LARKMEADOW", "HARBOUR LANE"], { top: -45 }).boxes] };
  };
  const kindOf = (one: OcrPage, other: OcrPage) => {
    const places = placesBetween(one, other);
    return similarityOf(
      places,
      places.map(({ isSameText }) => (isSameText ? ALIKE : { ...ALIKE, ...PAINTED })),
    ).kind;
  };
  const goods = ["MILK", "BREAD", "MINCE", "APPLES", "CHEESE", "BUTTER"];
  assert.equal(kindOf(till(goods), till(goods.with(0, "CIDER").with(2, "TOWELS"))), "different");
  assert.equal(kindOf(till(goods), till(goods.with(0, "CIDER"))), "same_picture", "one name was painted");
});

test("receipts of one purchase share keys: total and day, total and minute, shop and time of the till or the card", () => {
  const purchase = { date: "2026-10-24", time: "10:41:00", totalMinor: 505, businessName: "Larkmeadow Market" };
  const paper = page(ROWS);
  const keys = purchaseKeys(purchase, paper);
  const [ofDay, ofMinute, ofShop] = keys;
  assert.equal(new Set(keys).size, 3);
  const namedAnew = { ...purchase, time: "10:41:30", businessName: "LARKMEADOW MARKET." };
  assert.deepEqual(purchaseKeys(namedAnew, paper), keys);
  assert.deepEqual(purchaseKeys({ ...purchase, time: null }, paper), [ofDay]);
  assert.deepEqual(purchaseKeys({ ...purchase, date: null }, paper), [ofMinute]);
  assert.deepEqual(purchaseKeys({ ...purchase, totalMinor: null }, paper), [ofShop]);
  assert.deepEqual(purchaseKeys({ ...purchase, businessName: null }, paper), [ofDay, ofMinute]);
  const byCard = purchaseKeys({ ...purchase, time: "10:40:12", totalMinor: null }, page([...ROWS, "OPEN 08:00"]));
  assert.ok(byCard.includes(ofShop!));
  assert.equal(byCard.length, 2);
  const others = { ...purchase, totalMinor: 506, businessName: "Other Market" };
  assert.ok(purchaseKeys(others, paper).every((key) => !keys.includes(key)));
});

test("another photo of the paper has another geometry, and its digits are compared as read", () => {
  const places = placesBetween(page(ROWS), page(ROWS));
  const bent = places.map((_, i) => ({ ...ALIKE, aside: { x: 0, y: i % 4 < 2 ? 0.06 : -0.06 } }));
  assert.equal(similarityOf(places, bent).kind, "same_print");
  const others = placesBetween(page(ROWS), page(changed("10:41", "10:47")));
  assert.equal(similarityOf(others, bent.slice(0, others.length)).kind, "different");
});

test("another photo with the same number of the receipt is of the same paper, though its time or total was painted", () => {
  const rows = [...ROWS, "RECEIPT NO 4711", "TEL 01632 960142"];
  const bentWith = (other: readonly string[]) => {
    const places = placesBetween(page(rows), page(other));
    return similarityOf(
      places,
      places.map((_, i) => ({ ...ALIKE, aside: { x: 0, y: i % 4 < 2 ? 0.06 : -0.06 } })),
    ).kind;
  };
  const withOther = (texts: Readonly<Record<string, string>>) => rows.map((text) => texts[text] ?? text);
  assert.equal(bentWith(withOther({ "10:41": "10:47" })), "same_print");
  assert.equal(bentWith(withOther({ "TOTAL 7.10": "TOTAL 7.18" })), "same_print");
  assert.equal(bentWith(withOther({ "TEL 01632 960142": "TEL 01632 960148" })), "same_print");
  assert.equal(bentWith(withOther({ "RECEIPT NO 4711": "RECEIPT NO 4718" })), "same_print", "of the same minute");
  assert.equal(bentWith(withOther({ "10:41": "10:47", "RECEIPT NO 4711": "RECEIPT NO 4712" })), "different");
  assert.equal(bentWith(withOther({ "24/10/2026": "25/10/2026" })), "different", "numbers begin anew each day");
});

test("pictures that show nothing, or something else, are different even if the same text was read", () => {
  const places = placesBetween(page(ROWS), page(ROWS));
  assert.equal(
    similarityOf(
      places,
      places.map(() => null),
    ).kind,
    "different",
  );
  assert.equal(similarityWith(ROWS, {}, { overall: 0.3, weakest: 0 }), "different");
});

test("if too many digits differ, no picture is compared", () => {
  const names = Array.from({ length: 20 }, (_, i) => `NAME ${"ABCDEFGHIJKLMNOPQRST"[i]}`);
  const priced = (from: number) => names.flatMap((name, i) => [name, `${from + i}.00`]);
  assert.deepEqual(placesBetween(page(priced(10)), page(priced(50))), []);
});
