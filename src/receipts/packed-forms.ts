// How the findings of a completed receipt, and the text that was read, become few bytes. Findings are packed by shapes,
// and the text in columns: of 13 lines 0.7 and 1.2 kB, where JSON that is deflated takes 1.3 and 1.7. Forms of before
// are read for good.
import { compressJson, uncompressJson } from "../compressed-json.ts";
import { createPackedJson } from "../packed-json/packed-json.ts";
import type { OcrPage, TextBox } from "../ocr/page.ts";
import { partedPage } from "./parts/parted-page.ts";
import type { PartedPage } from "./parts/parted-page.ts";

// Both lists are stored by their places: append only. Findings with an object of no shape here are deflated JSON.
// The events, the bodies of records and what explains them have lists of their own, even where the words are the same:
// a place in one list must not depend on what another one needs, and what comes often differs.

const SHAPES = [
  "Extracted Enriched checks at",
  "Extracted Enriched checks at lines",
  "name reading isAmountPrinted",
  "isNamed wordShare",
  "date time lines country repairs accuracy currency taxMinor cardLast4 isReceipt paidMinor totalMinor changeMinor " +
    "businessName merchantKind merchantName receiptScore fieldAccuracy roundingMinor subTotalMinor discountsMinor " +
    "merchantAddress",
  "kind unit accuracy quantity amountMinor cleanedName description unitPriceMinor",
  "date total merchantName",
  "total merchantName",
  "date merchantName",
  "date total",
  "merchantName",
  "total",
  "date",
  "currency businessId businessName catalogueVersion isCurrencyAssumed",
  "name score reason outcome",
  "name outcome score reason",
].map((names) => names.split(" "));

const WORDS = [
  ..."item piece kg l discount void passed not_checked doubtful failed other grocery restaurant online".split(" "),
  ..."GB DE AT CH FR IT ES PT NL BE IE SE DK NO FI PL CZ US".split(" "),
  ..."GBP EUR CHF SEK DKK NOK PLN CZK USD".split(" "),
  ..."merchant_as_declared amount_as_declared time_as_declared card_as_declared lines_add_up date_is_past".split(" "),
  ..."readable picture_unedited picture_is_photo picture_of_paper picture_is_new purchase_is_new".split(" "),
  ..."pace_of_user purchase_is_recent".split(" "),
  "",
  "no merchant was declared",
  "the declared merchant is named on the receipt",
  "no amount was declared",
  "the total is the declared amount",
  "no time was declared",
  "the receipt is of the declared day",
  "no card was declared",
  "the lines add up to the total",
  "the date of the receipt is not in the future",
  "the receipt could be read well",
  "the picture's file names no program for editing pictures",
  "the picture has the light and shade of a photo",
  "the picture shows no grid of a screen",
  "no other picture shows nearly the same print",
  "pictures that show nearly the same print show another receipt",
  "no other receipt is of this purchase",
  "the number of receipts a day is not limited",
  "the age of receipts is not limited",
  "parts_overlap",
  "each photo goes on where another one ends",
];

const FINDINGS = createPackedJson({ shapes: SHAPES, words: WORDS });
const NOTHING_KNOWN = { ownerId: "", strings: [] };
/** The first byte of findings that are packed. No deflated text begins with it: its type of block does not exist. */
const PACKED = 7;

/** Packs findings, which are plain JSON. */
export function packedJson(findings: object): Buffer {
  const packed = FINDINGS.pack(findings, null, NOTHING_KNOWN);
  return packed ? Buffer.concat([Buffer.from([PACKED]), packed]) : compressJson(findings);
}

/** Returns the findings. */
export function unpackedJson(packed: Buffer): unknown {
  return packed[0] === PACKED ? FINDINGS.unpack(packed.subarray(1), NOTHING_KNOWN) : uncompressJson(packed);
}

/** Corners are in tenths of pixels. */
const TENTHS = 10;
/** The smallest bend that matters: a tenth of a pixel over 1,000. */
const BENDS = 1e7;

type Numbers = readonly number[];
/** Of all boxes: their texts, scores, corners (the first, and from each to another one) and bends. */
type Columns = readonly [
  version: 2,
  width: number,
  height: number,
  rotation: number,
  texts: readonly string[],
  scores: Numbers,
  corners: readonly Numbers[],
  bends: readonly (number | null)[],
];
/** As it was before. */
type PackedBox = readonly (number | string)[];
type Boxes = readonly [width: number, height: number, rotation: number, boxes: readonly PackedBox[]];

/** Of several photos of one receipt: which way was taken at each seam (parts/join.ts), and the page of each. */
type Parts = readonly [version: 3, ways: Numbers, pages: readonly (Columns | Boxes)[]];

/** Packs the text that was read. Of several photos each, since they are joined again in milliseconds. */
export function packPage({ parts, ways = [], ...page }: PartedPage): Buffer {
  return compressJson(parts ? ([3, ways, parts.map(packedPage)] satisfies Parts) : packedPage(page));
}

function packedPage({ width, height, rotation, boxes }: OcrPage): Columns | Boxes {
  const isInTenths = boxes.every(({ polygon }) => polygon.every(({ x, y }) => isTenths(x) && isTenths(y)));
  if (!isInTenths) return [width, height, rotation, boxes.map(packedBox)];
  return [
    2,
    width,
    height,
    rotation,
    boxes.map(({ text }) => text),
    boxes.map(({ score }) => score),
    boxes.map(packedCorners),
    boxes.map(({ bend }) => (bend === undefined ? null : Math.round(bend * BENDS))),
  ];
}

/** Returns the text that was read. */
export function unpackPage(packed: Buffer): PartedPage {
  const page = uncompressJson(packed) as Columns | Boxes | Parts;
  if (page.length !== 3) return unpackedPage(page);
  const [, ways, pages] = page;
  return partedPage(pages.map(unpackedPage), ways);
}

function unpackedPage(page: Columns | Boxes): OcrPage {
  if (page.length === 4) {
    const [width, height, rotation, boxes] = page;
    return { width, height, rotation: rotation as OcrPage["rotation"], boxes: boxes.map(unpackedBox) };
  }
  const [, width, height, rotation, texts, scores, corners, bends] = page;
  const boxes = texts.map((text, i): TextBox => {
    const bend = bends[i]!;
    const box = { polygon: unpackedCorners(corners[i]!), text, score: scores[i]! };
    return bend === null ? box : { ...box, bend: bend / BENDS };
  });
  return { width, height, rotation: rotation as OcrPage["rotation"], boxes };
}

function isTenths(value: number): boolean {
  return Math.round(value * TENTHS) / TENTHS === value;
}

// Clockwise from the top left. A corner is near to the one beside or above it, so their differences are short.

function packedCorners({ polygon }: TextBox): number[] {
  const [ax, ay, bx, by, cx, cy, dx, dy] = polygon.flatMap(({ x, y }) => [
    Math.round(x * TENTHS),
    Math.round(y * TENTHS),
  ]) as [number, number, number, number, number, number, number, number];
  return [ax, ay, bx - ax, by - ay, cx - bx, cy - by, dx - ax, dy - cy];
}

function unpackedCorners(corners: Numbers): TextBox["polygon"] {
  const [ax, ay, abx, aby, bcx, bcy, adx, cdy] = corners as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const at = (x: number, y: number) => ({ x: x / TENTHS, y: y / TENTHS });
  const [bx, by] = [ax + abx, ay + aby];
  const cy = by + bcy;
  return [at(ax, ay), at(bx, by), at(bx + bcx, cy), at(ax + adx, cy + cdy)];
}

function packedBox({ polygon, text, score, bend }: TextBox): PackedBox {
  const corners = polygon.flatMap(({ x, y }) => [x, y]);
  return [text, score, ...corners, ...(bend === undefined ? [] : [bend])];
}

function unpackedBox([text, score, ...numbers]: PackedBox): TextBox {
  const at = (i: number) => ({ x: numbers[i] as number, y: numbers[i + 1] as number });
  const bend = numbers[8];
  return {
    polygon: [at(0), at(2), at(4), at(6)],
    text: text as string,
    score: score as number,
    ...(bend !== undefined && { bend: bend as number }),
  };
}
