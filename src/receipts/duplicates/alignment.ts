import { fitted, inverse, moved } from "../../images/compare/affine.ts";
import type { Affine } from "../../images/compare/affine.ts";
import type { OcrPage, Point, TextBox } from "../../ocr/page.ts";

/** The map from one page to another, found by the texts that both have. */
export interface Alignment {
  readonly map: Affine;
  /** Median distance of the anchors from where the map puts them, in heights of text. */
  readonly residual: number;
  /** Number of equal texts that fit the map. */
  readonly anchors: number;
}

/** A place with print on at least one of two pages. */
export interface Place {
  /** On the first page. */
  readonly polygon: TextBox["polygon"];
  /** The text of each page at this place; null: no text. */
  readonly texts: readonly [string | null, string | null];
  readonly isSameText: boolean;
  /** The text of the first page on this line, up to and with this place. */
  readonly row: string;
}

/** Shorter texts occur in too many places to align pages by them. */
const ANCHOR_CHARACTERS_MIN = 3;
const ANCHORS_MIN = 4;
const FITS = 6;
/**
 * A pair of equal texts fits the map up to this distance, in heights of text, or up to this multiple of the median
 * distance. Others are not the same print.
 */
const RESIDUAL_ALLOWED = 0.5;
const OUTLIER_MEDIANS = 2.5;

/** Finds the map from one page to another by their equal texts. Null: too few texts agree on one. */
export function aligned(from: OcrPage, to: OcrPage): Alignment | null {
  const anchors = anchorsOf(from, to);
  const height = medianOf(to.boxes.map(heightOf));
  let fitting = anchors;
  // Outliers distort the first fits, so the map is fitted again to the texts that fit.
  for (let fit = 1; ; fit++) {
    const map = fitting.length < ANCHORS_MIN ? null : fitted(fitting.flatMap(pairsOf));
    if (!map) return null;
    const residuals = new Map(anchors.map((anchor) => [anchor, residualOf(anchor, map) / height]));
    const residual = medianOf(fitting.map((anchor) => residuals.get(anchor) ?? 0));
    if (fit === FITS) return { map, residual, anchors: fitting.length };
    const bound = Math.max(RESIDUAL_ALLOWED, OUTLIER_MEDIANS * residual);
    fitting = anchors.filter((anchor) => (residuals.get(anchor) ?? 0) <= bound);
  }
}

/** Returns every text of either page that is within the bounds of the other, in coordinates of the first page. */
export function placesOf(from: OcrPage, to: OcrPage, { map }: Alignment): Place[] {
  const back = inverse(map);
  const printed = from.boxes.map(measured);
  const own = printed.filter(({ box: { polygon } }) => polygon.every((point) => isWithin(to, moved(map, point))));
  const theirs = to.boxes
    .map((box) => ({
      ...box,
      polygon: box.polygon.map((point) => moved(back, point)) as unknown as TextBox["polygon"],
    }))
    .filter(({ polygon }) => polygon.every((point) => isWithin(from, point)))
    .map(measured);
  return [
    ...own.map((one): Place => {
      const { box } = one;
      const others = theirs.filter((other) => overlap(one, other)).toSorted((p, q) => p.middle.x - q.middle.x);
      const text = others.length === 0 ? null : others.map((other) => other.box.text).join(" ");
      return {
        polygon: box.polygon,
        texts: [box.text, text],
        isSameText: text !== null && isSameText(box.text, text),
        row: rowUpTo(one, printed),
      };
    }),
    ...theirs
      .filter((one) => !own.some((other) => overlap(one, other)))
      .map(({ box }): Place => ({ polygon: box.polygon, texts: [null, box.text], isSameText: false, row: box.text })),
  ];
}

/** A box with its measures: each is compared with all of the other page. */
interface Measured {
  readonly box: TextBox;
  readonly ends: readonly [Point, Point];
  readonly middle: Point;
  readonly height: number;
}

function measured(box: TextBox): Measured {
  return { box, ends: endsOf(box), middle: middleOf(box), height: heightOf(box) };
}

interface Anchor {
  readonly from: readonly [Point, Point];
  readonly to: readonly [Point, Point];
}

/** Pairs the equal texts of both pages. A text that occurs equally often on both is paired from top to bottom. */
function anchorsOf(from: OcrPage, to: OcrPage): Anchor[] {
  const theirs = byText(to);
  return [...byText(from)].flatMap(([text, boxes]) => {
    const others = theirs.get(text) ?? [];
    if (text.length < ANCHOR_CHARACTERS_MIN || others.length !== boxes.length) return [];
    return boxes.map((box, i) => ({ from: endsOf(box), to: endsOf(others[i]!) }));
  });
}

function pairsOf({ from, to }: Anchor): (readonly [Point, Point])[] {
  return [
    [from[0], to[0]],
    [from[1], to[1]],
  ];
}

function byText({ boxes }: OcrPage): Map<string, TextBox[]> {
  const found = new Map<string, TextBox[]>();
  const sorted = boxes.map((box) => ({ box, y: middleOf(box).y })).sort((p, q) => p.y - q.y);
  for (const { box } of sorted) {
    const text = lettersOf(box.text);
    const known = found.get(text);
    if (known) known.push(box);
    else found.set(text, [box]);
  }
  return found;
}

function residualOf({ from, to }: Anchor, map: Affine): number {
  const distances = from.map((point, i) => {
    const { x, y } = moved(map, point);
    return Math.hypot(x - to[i]!.x, y - to[i]!.y);
  });
  return Math.max(...distances);
}

/** Whether two texts are the same, or one is a part of the other: the OCR doesn't always split boxes the same way. */
function isSameText(one: string, other: string): boolean {
  const [shorter, longer] = [lettersOf(one), lettersOf(other)].toSorted((p, q) => p.length - q.length) as [
    string,
    string,
  ];
  return longer.includes(shorter) && (shorter.length === longer.length || shorter.length >= ANCHOR_CHARACTERS_MIN);
}

/** Returns the texts of the boxes on one line, from the left up to and with `one`. */
function rowUpTo(one: Measured, all: readonly Measured[]): string {
  const { middle, height } = one;
  const before = all.filter(({ middle: { x, y } }) => x < middle.x && Math.abs(y - middle.y) <= 0.5 * height);
  const ordered = before.toSorted((p, q) => p.middle.x - q.middle.x);
  return [...ordered, one].map(({ box: { text } }) => text).join(" ");
}

/** Whether two boxes cover the same print: they are on one line, and half of the shorter one is within the other. */
function overlap(p: Measured, q: Measured): boolean {
  if (Math.abs(p.middle.y - q.middle.y) > 0.5 * Math.min(p.height, q.height)) return false;
  const [[pl, pr], [ql, qr]] = [p.ends, q.ends];
  const shared = Math.min(pr.x, qr.x) - Math.max(pl.x, ql.x);
  return shared > 0.5 * Math.min(pr.x - pl.x, qr.x - ql.x);
}

function isWithin({ width, height }: OcrPage, { x, y }: Point): boolean {
  return x >= 0 && y >= 0 && x <= width && y <= height;
}

/** Returns the letters and digits of a text, in capitals. */
export function lettersOf(text: string): string {
  return text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function endsOf({ polygon: [p, q, r, s] }: Pick<TextBox, "polygon">): readonly [Point, Point] {
  return [
    { x: (p.x + s.x) / 2, y: (p.y + s.y) / 2 },
    { x: (q.x + r.x) / 2, y: (q.y + r.y) / 2 },
  ];
}

/** Middle of a box, in pixels. */
export function middleOf(box: Pick<TextBox, "polygon">): Point {
  const [left, right] = endsOf(box);
  return { x: (left.x + right.x) / 2, y: (left.y + right.y) / 2 };
}

/** Height of the text of a box, in pixels. */
export function heightOf({ polygon: [p, q, r, s] }: Pick<TextBox, "polygon">): number {
  return Math.max(1, (Math.hypot(s.x - p.x, s.y - p.y) + Math.hypot(r.x - q.x, r.y - q.y)) / 2);
}

/** Returns the median; 1 of no values, since callers divide by it. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((p, q) => p - q)[values.length >> 1] ?? 1;
}
