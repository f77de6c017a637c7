import { fitted, inverse, moved } from "../../images/compare/affine.ts";
import type { Affine } from "../../images/compare/affine.ts";
import type { OcrPage, Point, TextBox } from "../../ocr/page.ts";

/** How one page lies on another: found by the texts that both have once. `residual` is in heights of text. */
export interface Alignment {
  readonly map: Affine;
  readonly residual: number;
  /** Texts that fit. */
  readonly anchors: number;
}

/** Print that one page has, or both, where it stands on the first: what each reads there, null where it reads nothing. */
export interface Place {
  readonly polygon: TextBox["polygon"];
  readonly texts: readonly [string | null, string | null];
  readonly isSameText: boolean;
}

/** A text this short stands in many places. */
const ANCHOR_CHARACTERS_MIN = 3;
const ANCHORS_MIN = 4;
const FITS = 6;
/** A pair of equal texts this near, in heights of text, fits; one further off than so many medians is not the same print. */
const RESIDUAL_ALLOWED = 0.5;
const OUTLIER_MEDIANS = 2.5;

/** Lays one page on another by their equal texts; null when too few agree on how. */
export function aligned(from: OcrPage, to: OcrPage): Alignment | null {
  const anchors = anchorsOf(from, to);
  const height = medianOf(to.boxes.map(heightOf));
  let kept = anchors;
  // Fitting again to what fits, as outliers pull the first fits away.
  for (let fit = 1; ; fit++) {
    const map = kept.length < ANCHORS_MIN ? null : fitted(kept.flatMap(pairsOf));
    if (!map) return null;
    const residuals = new Map(anchors.map((anchor) => [anchor, residualOf(anchor, map) / height]));
    const residual = medianOf(kept.map((anchor) => residuals.get(anchor) ?? 0));
    if (fit === FITS) return { map, residual, anchors: kept.length };
    const bound = Math.max(RESIDUAL_ALLOWED, OUTLIER_MEDIANS * residual);
    kept = anchors.filter((anchor) => (residuals.get(anchor) ?? 0) <= bound);
  }
}

/** Every text of either page that lies within the other, placed on the first, and whether both read the same there. */
export function placesOf(from: OcrPage, to: OcrPage, { map }: Alignment): Place[] {
  const back = inverse(map);
  const own = from.boxes.filter(({ polygon }) => polygon.every((point) => isWithin(to, moved(map, point))));
  const theirs = to.boxes
    .map((box) => ({
      ...box,
      polygon: box.polygon.map((point) => moved(back, point)) as unknown as TextBox["polygon"],
    }))
    .filter(({ polygon }) => polygon.every((point) => isWithin(from, point)));
  return [
    ...own.map((box): Place => {
      const others = theirs.filter((other) => overlap(box, other)).toSorted((p, q) => middleOf(p).x - middleOf(q).x);
      const text = others.length === 0 ? null : others.map((other) => other.text).join(" ");
      return {
        polygon: box.polygon,
        texts: [box.text, text],
        isSameText: text !== null && isReadAlike(box.text, text),
      };
    }),
    ...theirs
      .filter((box) => !own.some((other) => overlap(box, other)))
      .map((box): Place => ({ polygon: box.polygon, texts: [null, box.text], isSameText: false })),
  ];
}

interface Anchor {
  readonly from: readonly [Point, Point];
  readonly to: readonly [Point, Point];
}

/** Equal texts of both pages; where a text stands several times, as often on both, from top to bottom. */
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
  for (const box of boxes.toSorted((p, q) => middleOf(p).y - middleOf(q).y)) {
    const text = lettersOf(box.text);
    found.set(text, [...(found.get(text) ?? []), box]);
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

/** The OCR splits and joins boxes a little differently each time: a part of the same text is the same. */
function isReadAlike(one: string, other: string): boolean {
  const [shorter, longer] = [lettersOf(one), lettersOf(other)].toSorted((p, q) => p.length - q.length) as [
    string,
    string,
  ];
  return longer.includes(shorter) && (shorter.length === longer.length || shorter.length >= ANCHOR_CHARACTERS_MIN);
}

/** Whether two boxes lie on the same print: on one line, and half of the shorter one within the other. */
function overlap(p: TextBox, q: TextBox): boolean {
  const [m, n] = [middleOf(p), middleOf(q)];
  if (Math.abs(m.y - n.y) > 0.5 * Math.min(heightOf(p), heightOf(q))) return false;
  const [[pl, pr], [ql, qr]] = [endsOf(p), endsOf(q)];
  const shared = Math.min(pr.x, qr.x) - Math.max(pl.x, ql.x);
  return shared > 0.5 * Math.min(pr.x - pl.x, qr.x - ql.x);
}

function isWithin({ width, height }: OcrPage, { x, y }: Point): boolean {
  return x >= 0 && y >= 0 && x <= width && y <= height;
}

/** The letters and digits of a text, in capitals. */
export function lettersOf(text: string): string {
  return text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function endsOf({ polygon: [p, q, r, s] }: TextBox): readonly [Point, Point] {
  return [
    { x: (p.x + s.x) / 2, y: (p.y + s.y) / 2 },
    { x: (q.x + r.x) / 2, y: (q.y + r.y) / 2 },
  ];
}

function middleOf(box: TextBox): Point {
  const [left, right] = endsOf(box);
  return { x: (left.x + right.x) / 2, y: (left.y + right.y) / 2 };
}

/** The height of the text of a box, in pixels. */
export function heightOf({ polygon: [p, q, r, s] }: Pick<TextBox, "polygon">): number {
  return Math.max(1, (Math.hypot(s.x - p.x, s.y - p.y) + Math.hypot(r.x - q.x, r.y - q.y)) / 2);
}

/** The middle one; 1 of none, so that it may be divided by. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((p, q) => p - q)[values.length >> 1] ?? 1;
}
