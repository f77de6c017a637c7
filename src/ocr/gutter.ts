import type { Rectangle } from "./image.ts";
import { weightOf } from "./main-paper.ts";

// White paper that lies on white paper: another receipt that reaches under this one is as bright as the way to it. But
// no line crosses the edge between them, a gutter from top to bottom, and rows end there: those beyond are at other
// heights. On a single receipt a heading or a line of text crosses every gutter, or else its amounts continue the rows.
// Of the 113 photos and scans listed and of 357 bent, creased, shaded or cut ones six had a gutter with four lines on
// both sides, four of them the same receipt, whose rows all continue.

/** Wider lines have an angle of their own, which continues beyond their end. */
export const WIDE_ASPECT = 4;
/** The slope of rows is that of the lines near them with at least this ratio of width to height. */
const SLOPE_ASPECT = 6;
/** Number of such lines whose middle slope is that of a row, and how many there must be. */
const SLOPE_LINES = 5;
const SLOPE_LINES_MIN = 3;
/** The least width of a gutter, in heights of print. */
const GUTTER_HEIGHTS = 0.3;
/** Lines needed on each side of a gutter. */
const SIDE_LINES_MIN = 4;
/**
 * Gutters that are looked at, the widest ones. A receipt has one or two. A page of 120 columns of short lines, as
 * nobody prints but an attacker, took 2.1 s of the processor without this bound.
 */
const GUTTERS_MAX = 6;
/** A line continues a row if the two meet in the gutter within this, in its height. */
const MEETING_HEIGHTS = 0.25;
/** Rows farther than this from a line, in its height, are not compared with it. */
const ROWS_NEAR_HEIGHTS = 6;
/** A line of unknown slope is not compared where that of the other side would move it by more, in its height. */
const MOVED_HEIGHTS_MAX = 0.5;
/** With fewer lines to compare nothing is left out. */
const COMPARED_MIN = 8;

/** A line in the direction of the page: its middle, where it begins and ends, and its slope against the page. */
export interface Line {
  readonly rectangle: Rectangle;
  readonly along: number;
  readonly across: number;
  readonly from: number;
  readonly to: number;
  readonly height: number;
  readonly weight: number;
}

/** Returns the lines without those beyond a gutter that continue no row. The picture is `width` × `height`. */
export function withinGutters(
  rectangles: readonly Rectangle[],
  picture: { width: number; height: number },
): Rectangle[] {
  const wide = rectangles.filter(({ width, height }) => width > WIDE_ASPECT * height);
  if (wide.length < SIDE_LINES_MIN) return [...rectangles];
  const angle = middleOf(wide.map((line) => line.angle));
  let lines = rectangles.map((rectangle) => toLine(rectangle, angle, weightOf(rectangle, picture)));
  const printHeight = middleOf(lines.map(({ height }) => height));
  for (const gutter of guttersOf(lines, GUTTER_HEIGHTS * printHeight)) {
    const [left, right] = [lines.filter(({ along }) => along < gutter), lines.filter(({ along }) => along > gutter)];
    if (Math.min(left.length, right.length) < SIDE_LINES_MIN) continue;
    const [own, other] = total(left) > total(right) ? [left, right] : [right, left];
    if (!SLOPES.some((slope) => continueRows(comparedAt(other, own, gutter, angle, slope)))) lines = own;
  }
  const kept = new Set(lines.map(({ rectangle }) => rectangle));
  return rectangles.filter((rectangle) => kept.has(rectangle));
}

export function toLine(rectangle: Rectangle, pageAngle: number, weight: number): Line {
  const { x, y, width, height } = rectangle;
  const [cos, sin] = [Math.cos(pageAngle), Math.sin(pageAngle)];
  const [along, across] = [x * cos + y * sin, y * cos - x * sin];
  return {
    rectangle,
    along,
    across,
    from: along - width / 2,
    to: along + width / 2,
    height: Math.min(width, height),
    weight,
  };
}

export function middleOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function total(lines: readonly Line[]): number {
  return lines.reduce((sum, { weight }) => sum + weight, 0);
}

/** The middles of the widest gaps that no line reaches into and that have lines enough on both sides. */
function guttersOf(lines: readonly Line[], widthMin: number): number[] {
  const sorted = lines.toSorted((a, b) => a.from - b.from);
  const found: { middle: number; width: number }[] = [];
  let end = sorted[0]!.to;
  for (const [before, { from, to }] of sorted.entries()) {
    const hasSides = Math.min(before, sorted.length - before) >= SIDE_LINES_MIN;
    if (hasSides && from > end + widthMin) found.push({ middle: (from + end) / 2, width: from - end });
    end = Math.max(end, to);
  }
  const widest = found.toSorted((a, b) => b.width - a.width).slice(0, GUTTERS_MAX);
  return widest.map(({ middle }) => middle).sort((a, b) => a - b);
}

/** The slope of a line, against the page, at a place along it. */
export type Slope = (line: Line, at: number, pageAngle: number) => number;

/**
 * A line goes on bent as it is, or straight. The bend of a short line is inexact, and far beyond its end the slope by
 * it is wrong: a column of amounts far right of short names was taken for another receipt.
 */
export const SLOPES: readonly Slope[] = [
  ({ rectangle, along }, at, pageAngle) => Math.tan(rectangle.angle - pageAngle) + 2 * rectangle.bend * (at - along),
  ({ rectangle }, _at, pageAngle) => Math.tan(rectangle.angle - pageAngle),
];

/** A line with how far the rows near it are from it, in pixels, where both reach the gutter. */
export interface Compared {
  readonly aways: readonly number[];
  readonly height: number;
}

/** Whether lines beyond a gutter continue rows more often than halfway between chance and always. */
export function continueRows(compared: readonly Compared[]): boolean {
  let [met, byChance] = [0, 0];
  for (const { aways, height } of compared) {
    if (aways.some((away) => Math.abs(away) < MEETING_HEIGHTS * height)) met++;
    byChance += covered(aways, MEETING_HEIGHTS * height, (ROWS_NEAR_HEIGHTS / 2) * height);
  }
  return compared.length < COMPARED_MIN || 2 * met > compared.length + byChance;
}

/** Compares lines with the rows near them, where both reach the gutter. */
export function comparedAt(
  lines: readonly Line[],
  rows: readonly Line[],
  gutter: number,
  pageAngle: number,
  slopeOf: Slope,
): Compared[] {
  const slopeAt = (across: number, side: readonly Line[]): number | null =>
    slopeNear(across, side, (line) => slopeOf(line, gutter, pageAngle));
  return lines.flatMap((line) => {
    const { height } = line;
    const near = rows.filter(({ across }) => Math.abs(across - line.across) < ROWS_NEAR_HEIGHTS * height);
    const rowSlope = slopeAt(line.across, rows) ?? 0;
    const ownSlope = slopeAt(line.across, lines);
    if (near.length === 0) return [];
    const moved = (ownSlope ?? rowSlope) * (gutter - line.along);
    if (ownSlope === null && Math.abs(moved) > MOVED_HEIGHTS_MAX * height) return [];
    return {
      aways: near.map(({ across, along }) => across + rowSlope * (gutter - along) - line.across - moved),
      height,
    };
  });
}

/** The share of all places up to `far` on both sides of 0 that are within `near` of a row. */
function covered(aways: readonly number[], near: number, far: number): number {
  let [sum, end] = [0, -far];
  for (const away of aways.toSorted((a, b) => a - b)) {
    const [from, to] = [Math.max(end, away - near), Math.min(far, away + near)];
    if (to > from) sum += to - from;
    end = Math.max(end, to);
  }
  return sum / (2 * far);
}

/** The middle slope, against the page, of the long lines at about this height; null if there are too few. */
function slopeNear(across: number, lines: readonly Line[], slopeOf: (line: Line) => number): number | null {
  const slopes = lines
    .filter(({ rectangle: { width, height } }) => width > SLOPE_ASPECT * height)
    .toSorted((a, b) => Math.abs(a.across - across) - Math.abs(b.across - across))
    .slice(0, SLOPE_LINES)
    .map(slopeOf);
  return slopes.length < SLOPE_LINES_MIN ? null : middleOf(slopes);
}
