import assert from "node:assert/strict";
import { test } from "node:test";
import { dictionary, typedPage } from "../../../test/support/typed-receipt.ts";
import { NO_CONTEXT } from "../parsing/reading.ts";
import { readPages } from "../parts/read-parts.ts";
import type { Place } from "./alignment.ts";
import { identifiedBy, isCloser, isSameBasketAgain, pairsToCompare } from "./part-pairs.ts";

const picture = (...rows: string[]) => ({ page: typedPage(rows.join("\n")), name: rows[0] });

test("of five photos and five at most ten pairs are compared: of each the one with most text in common", () => {
  const texts = Array.from({ length: 5 }, (_, i) => [`HEAD ${i}`, `LENTILS ${i}00`, `BREAD ${i}11`, "THANK YOU"]);
  const pictures = texts.map((rows) => picture(...rows));
  const pairs = pairsToCompare(pictures, pictures.toReversed());
  assert.ok(pairs.length <= 10);
  for (const one of pictures) assert.ok(pairs.some(([own, other]) => own === one && other === one));
  const whole = picture(...texts.flat());
  assert.equal(pairsToCompare([whole], pictures).length, 5);
});

test("the head of a shop's receipt identifies no purchase; a time, a receipt's number or four lines do", () => {
  const place = (text: string): Place => ({ polygon: [] as unknown as Place["polygon"], texts: [text, text], isSameText: true, row: text }); // prettier-ignore
  const head = ["LARKMEADOW MARKET", "14 Harbour Lane", "Tel 01632 960142", "24/10/2026", "LENTILS 1.45"].map(place);
  assert.equal(identifiedBy(head), null);
  assert.equal(identifiedBy([...head, place("10:41:07")]), "figures");
  assert.equal(identifiedBy([...head, place("RECEIPT NO 44712")]), "figures");
  assert.equal(identifiedBy([...head, ...["BREAD 1.40", "MINCE 4.25", "BAG 0.30"].map(place)]), "lines");
});

test("a copy says more than another photo, and that more than another receipt", () => {
  const kinds = (["same_picture", "same_print", "different"] as const).map((kind, i) => ({ kind, score: i / 4 }));
  for (const [i, one] of kinds.entries()) for (const other of kinds.slice(i + 1)) assert.ok(isCloser(one, other));
});

const HEAD = ["   LARKMEADOW MARKET", "LENTILS      1.45", "BREAD        1.40", "MINCE        4.25"];
const tail = (minute: string, total = "7.10") => [
  "MINCE        4.25",
  `TOTAL       £${total}`,
  `24/10/2026   ${minute}`,
];
const read = (...windows: string[][]) =>
  readPages(
    windows.map((rows) => typedPage(rows.join("\n"))),
    dictionary,
    NO_CONTEXT,
  );

test("the same basket at another time is another purchase only if its photos hang together and its lines add up", () => {
  const earlier = read(HEAD, tail("10:41"));
  assert.equal(isSameBasketAgain(read(HEAD, tail("10:52")), earlier.page), true);
  assert.equal(isSameBasketAgain(read(HEAD, tail("10:41")), earlier.page), false);
  // The upper half of the old receipt beside the lower half of another one.
  assert.equal(isSameBasketAgain(read(HEAD, tail("10:52", "9.30")), earlier.page), false);
  assert.equal(isSameBasketAgain(read(HEAD, ["PEARS        2.10", ...tail("10:52").slice(1)]), earlier.page), false);
});
