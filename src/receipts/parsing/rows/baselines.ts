import type { Point, TextBox } from "../../../ocr/page.ts";
import { robustWeight, slopeField } from "./slope-field.ts";
import type { SlopeField, Stretch } from "./slope-field.ts";

/** A box in the deskewed frame. */
export interface Placed {
  left: number;
  right: number;
  leftY: number;
  rightY: number;
  y: number;
  height: number;
  box: TextBox;
}

/** The baseline of the rows around one box: y rises by `slope` × x + `bend` × x². */
export interface Baseline {
  slope: number;
  bend: number;
}

/** A box this many times as wide as high has a reliable tilt. Set by hand on the development receipts. */
const TRUSTED_ASPECT = 4;

/** Returns the tilt of the page: the median tilt of its wide boxes. */
export function pageAngle(boxes: readonly TextBox[]): number {
  const angles = boxes
    .map(({ polygon: [a, b, c, d] }) => ({
      angle: Math.atan2((b.y + c.y - a.y - d.y) / 2, (b.x + c.x - a.x - d.x) / 2),
      width: Math.hypot(b.x - a.x, b.y - a.y),
      height: Math.hypot(d.x - a.x, d.y - a.y),
    }))
    .filter((side) => side.width > TRUSTED_ASPECT * side.height);
  return weightedMedian(angles.map(({ angle, width }) => ({ value: angle, weight: width }))) ?? 0;
}

/** Returns the boxes, rotated so that the page has no tilt. */
export function place(boxes: readonly TextBox[], angle: number): Placed[] {
  const cos = Math.cos(-angle);
  const sin = Math.sin(-angle);
  const turn = (p: Point): Point => ({ x: p.x * cos - p.y * sin, y: p.x * sin + p.y * cos });
  return boxes.map((box) => {
    const [a, b, c, d] = box.polygon.map(turn) as [Point, Point, Point, Point];
    const left = (a.x + d.x) / 2;
    const right = (b.x + c.x) / 2;
    const leftY = (a.y + d.y) / 2;
    const rightY = (b.y + c.y) / 2;
    const height = Math.max(1, (Math.hypot(d.x - a.x, d.y - a.y) + Math.hypot(c.x - b.x, c.y - b.y)) / 2);
    return { left, right, leftY, rightY, y: (leftY + rightY) / 2, height, box };
  });
}

/** A box this many times as wide as high has an angle of its own (ocr/detection.ts gives shorter ones the page's). */
const OWN_ANGLE_ASPECT = 3;
/** The ends of a box, and the middles of two boxes of one row, are as exact as these shares of the height. */
const END_SIGMA = 0.05;
/** The detection finds small tilts as none, or larger. */
const TILT_SIGMA = 0.015;
const MIDDLE_SIGMA = 0.1;
/** Boxes with a smaller gap, in heights, say no more about the slope together than each by itself. */
const LINK_GAP_HEIGHTS = 1;

/**
 * Returns the baseline around each box: a smooth function of the place, fitted to the tilts and bends of the boxes and,
 * once rows are known, to their links. A name and its price together show the slope of their row better than
 * either box. What differs from it in a few rows (a crease) is added. `next` has the index of the box that follows on
 * the row.
 */
export function baselinesOf(placed: readonly Placed[], next: readonly (number | null)[]): Baseline[] {
  const stretches = [...placed.flatMap(ownStretch), ...linkedStretches(placed, next)];
  const field = slopeField(stretches);
  const excessAt = localExcess(stretches, field, reachOf(placed));
  return placed.map(({ left, right, y }) => {
    const x = (left + right) / 2;
    const bend = field.bendAt(x, y);
    return { slope: field.slopeAt(x, y) + excessAt(y) - 2 * bend * x, bend };
  });
}

function ownStretch(placed: Placed): Stretch[] {
  const { left, right, leftY, rightY, y, height, box } = placed;
  const width = right - left;
  if (width < OWN_ANGLE_ASPECT * height) return [];
  const end = END_SIGMA * height;
  const slope = { value: (rightY - leftY) / width, sigma: Math.hypot((Math.SQRT2 * end) / width, TILT_SIGMA) };
  const bend = box.bend === undefined ? null : { value: box.bend, sigma: end / (width / 2) ** 2 };
  return [{ from: left, to: right, y, slope, bend }];
}

function linkedStretches(placed: readonly Placed[], next: readonly (number | null)[]): Stretch[] {
  return next.flatMap((j, i): Stretch[] => {
    const [a, b] = [placed[i]!, placed[j ?? i]!];
    if (j === null || b.left - a.right < LINK_GAP_HEIGHTS * a.height) return [];
    const [from, to] = [(a.left + a.right) / 2, (b.left + b.right) / 2];
    const slope = { value: (b.y - a.y) / (to - from), sigma: (MIDDLE_SIGMA * a.height) / (to - from) };
    return [{ from, to, y: (a.y + b.y) / 2, slope, bend: null }];
  });
}

/** How much the slopes of a few rows usually differ from the field, and those of a single row from its neighbours. */
const LOCAL = 0.02;

/** Returns how much steeper than the field the rows around a height are. */
function localExcess(stretches: readonly Stretch[], field: SlopeField, reach: number): (y: number) => number {
  const excesses = stretches.map(({ from, to, y, slope: { value, sigma } }) => {
    const excess = value - field.slopeAt((from + to) / 2, y);
    return { y, excess, weight: robustWeight(excess, 1 / (sigma * sigma + LOCAL * LOCAL)) };
  });
  return (y) => {
    let [sum, total] = [0, 1 / (LOCAL * LOCAL)];
    for (const one of excesses) {
      const away = (one.y - y) / reach;
      if (Math.abs(away) > 2) continue;
      const weight = one.weight * Math.exp(-away * away);
      sum += weight * one.excess;
      total += weight;
    }
    return sum / total;
  };
}

/** Returns how much lower than at x = 0 the ends of a box are on a baseline, on average. */
export function rise({ left, right }: Pick<Placed, "left" | "right">, { slope, bend }: Baseline): number {
  return (slope * (left + right) + bend * (left ** 2 + right ** 2)) / 2;
}

/**
 * Returns the vertical distance within which boxes share a baseline. The factor was set by hand on the development
 * receipts.
 */
function reachOf(placed: readonly Placed[]): number {
  return 3 * (weightedMedian(placed.map((p) => ({ value: p.height, weight: 1 }))) ?? 1);
}

/** Returns the value that half of the weight is at or below; null if there are no entries. */
export function weightedMedian(entries: readonly { value: number; weight: number }[]): number | null {
  const sorted = entries.toSorted((a, b) => a.value - b.value);
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let sum = 0;
  for (const { value, weight } of sorted) {
    sum += weight;
    if (sum >= half) return value;
  }
  return null;
}
