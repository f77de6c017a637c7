// Puts the rows of several photos on one page: level, below each other, their columns in line. Pure.
import type { OcrPage, TextBox } from "../../ocr/page.ts";
import type { PartRow } from "./part-rows.ts";

/** How the deskewed pixels of a part become those of the joined page. */
export interface Frame {
  readonly scale: number;
  readonly shift: number;
}

/** A row of the joined page, from the part that shows it best. */
export interface PlacedRow {
  readonly row: PartRow;
  readonly part: number;
  readonly frame: Frame;
}

/** The page is in the pixels of the uppermost part. */
export const FIRST_FRAME: Frame = { scale: 1, shift: 0 };

/** Fewer common edges say too little about the scale. */
const EDGES_MIN = 4;
/** Two photos of one receipt are taken from about as near. */
const SCALE_MAX = 4;
/** Space around the text, in heights of it. */
const MARGIN_HEIGHTS = 2;
/** A gap between two rows of one part is kept up to this many heights; between two parts it is one line. */
const GAP_HEIGHTS_MAX = 4;
const LINE_HEIGHTS = 1.4;

/** The frame of a part by its text alone: its letters as wide, its left edge where that of the others is. */
export function frameBelow(upper: readonly PlacedRow[], lower: readonly PartRow[]): Frame {
  const wide = (rows: readonly PartRow[], scaleOf: (at: number) => number) =>
    median(rows.flatMap(({ boxes }, at) => boxes.map((box) => (scaleOf(at) * (box.right - box.left)) / lengthOf(box))));
  const [theirs, own] = [
    wide(
      upper.map(({ row }) => row),
      (at) => upper[at]!.frame.scale,
    ),
    wide(lower, () => 1),
  ];
  const scale = theirs === null || own === null ? 1 : bounded(theirs / own);
  const left = quantile(upper.flatMap(({ row, frame }) => row.boxes.slice(0, 1).map((box) => atX(frame, box.left))));
  const ownLeft = quantile(lower.flatMap(({ boxes }) => boxes.slice(0, 1).map((box) => scale * box.left)));
  return { scale, shift: (left ?? 0) - (ownLeft ?? 0) };
}

/** The frame that puts the common rows of a part onto those of the others, by least squares. */
export function frameBeside(pairs: readonly (readonly [PlacedRow, PartRow])[], otherwise: Frame): Frame {
  const edges = pairs.flatMap(([{ row, frame }, lower]) => {
    if (row.boxes.length !== lower.boxes.length) return [];
    return row.boxes.flatMap((box, i) => {
      const other = lower.boxes[i]!;
      if (box.box.text.length !== other.box.text.length) return [];
      return [
        { from: other.left, to: atX(frame, box.left) },
        { from: other.right, to: atX(frame, box.right) },
      ];
    });
  });
  if (edges.length < EDGES_MIN) return otherwise;
  const mean = (of: (edge: (typeof edges)[number]) => number) =>
    edges.reduce((sum, e) => sum + of(e), 0) / edges.length;
  const [from, to] = [mean((e) => e.from), mean((e) => e.to)];
  const variance = mean((e) => (e.from - from) ** 2);
  const covariance = mean((e) => (e.from - from) * (e.to - to));
  if (variance === 0 || covariance <= 0) return otherwise;
  const scale = bounded(covariance / variance);
  return { scale, shift: to - scale * from };
}

/** Returns the page of rows in this order, and where each of its boxes comes from. */
export function toPage(rows: readonly PlacedRow[]): {
  page: OcrPage;
  sources: { part: number; box: TextBox }[];
} {
  const lefts = rows.flatMap(({ row, frame }) => row.boxes.map(({ left }) => atX(frame, left)));
  const rights = rows.flatMap(({ row, frame }) => row.boxes.map(({ right }) => atX(frame, right)));
  const margin = MARGIN_HEIGHTS * (median(rows.map(heightOf)) ?? 1);
  const [left, right] = [extreme(lefts, Math.min), extreme(rights, Math.max)];
  const boxes: TextBox[] = [];
  const sources: { part: number; box: TextBox }[] = [];
  let y = margin;
  for (const [at, placed] of rows.entries()) {
    const above = rows[at - 1];
    y += above ? pitchOf(above, placed) : heightOf(placed) / 2;
    for (const { box, left: from, right: to } of placed.row.boxes) {
      const [x1, x2] = [atX(placed.frame, from) - left + margin, atX(placed.frame, to) - left + margin];
      boxes.push(levelBox(box, { x1, x2, y, height: heightOf(placed) }));
      sources.push({ part: placed.part, box });
    }
  }
  const width = Math.ceil(right - left + 2 * margin);
  return { page: { width, height: Math.ceil(y + margin), rotation: 0, boxes }, sources };
}

function levelBox({ text, score }: TextBox, at: { x1: number; x2: number; y: number; height: number }): TextBox {
  const tenths = (value: number) => Math.round(10 * value) / 10;
  const [x1, x2, top, bottom] = [at.x1, at.x2, at.y - at.height / 2, at.y + at.height / 2].map(tenths) as [number, number, number, number]; // prettier-ignore
  const polygon: TextBox["polygon"] = [{ x: x1, y: top }, { x: x2, y: top }, { x: x2, y: bottom }, { x: x1, y: bottom }]; // prettier-ignore
  return { polygon, text, score };
}

/** From the middle of a row to that of the next one: as on their photo, if it shows both. */
function pitchOf(above: PlacedRow, below: PlacedRow): number {
  const line = (LINE_HEIGHTS * (heightOf(above) + heightOf(below))) / 2;
  if (above.part !== below.part) return line;
  const printed = below.frame.scale * (below.row.y - above.row.y);
  return Math.min(Math.max(printed, line / LINE_HEIGHTS), GAP_HEIGHTS_MAX * line);
}

function heightOf({ row, frame }: PlacedRow): number {
  return frame.scale * row.height;
}

function atX({ scale, shift }: Frame, x: number): number {
  return scale * x + shift;
}

function lengthOf({ box }: PartRow["boxes"][number]): number {
  return Math.max(1, box.text.length);
}

function bounded(scale: number): number {
  return Math.min(SCALE_MAX, Math.max(1 / SCALE_MAX, scale));
}

function extreme(values: readonly number[], of: (...values: number[]) => number): number {
  return values.length === 0 ? 0 : of(...values);
}

function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? null;
}

/** The left edge of most rows: of their tenth that begins furthest left. */
function quantile(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(0.1 * values.length)] ?? null;
}
