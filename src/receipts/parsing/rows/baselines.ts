import type { Point, TextBox } from "../../../ocr/page.ts";

/** A box in the deskewed frame. `slope` is the rest of its own tilt (dy/dx), null if it is too short to measure. */
export interface Placed {
  left: number;
  right: number;
  leftY: number;
  rightY: number;
  y: number;
  height: number;
  slope: number | null;
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
    const slope = right - left > TRUSTED_ASPECT * height ? (rightY - leftY) / (right - left) : null;
    return {
      left,
      right,
      leftY,
      rightY,
      y: (leftY + rightY) / 2,
      height,
      slope,
      box,
    };
  });
}

/**
 * Returns how much rows bend around a height of the page, by the change of the boxes' tilt from left to right: names
 * tilt one way, prices the other, though each is too short to show a bend of its own. By least squares. The weight of a
 * box grows with the third power of its width for its tilt, and with the fifth for its bend.
 */
function bendByTilts(placed: readonly Placed[], y: number, reach: number): number {
  const near = placed.flatMap((p) => {
    const [width, weight] = [p.right - p.left, Math.exp(-(((p.y - y) / reach) ** 2))];
    if (weight < 0.05 || width < 2 * p.height) return [];
    return [
      {
        ...p,
        width,
        x: (p.left + p.right) / 2,
        tilt: (p.rightY - p.leftY) / width,
        weight: (weight * width ** 3) / 12,
      },
    ];
  });
  const total = near.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const mean = (of: (box: (typeof near)[number]) => number): number =>
    near.reduce((sum, box) => sum + box.weight * of(box), 0) / total;
  const [middle, tilt] = [mean(({ x }) => x), mean((box) => box.tilt)];
  let [covariance, variance] = [0, 0];
  for (const box of near) {
    const arm = 2 * (box.x - middle);
    covariance += box.weight * arm * (box.tilt - tilt);
    variance += box.weight * arm ** 2;
    if (box.box.bend === undefined) continue;
    covariance += (box.weight * box.width ** 2 * box.box.bend) / 15;
    variance += (box.weight * box.width ** 2) / 15;
  }
  return variance === 0 ? 0 : covariance / variance;
}

/** Returns the baseline around each box: that of the wide boxes, weighted by how near they are. */
export function baselinesAround(placed: readonly Placed[]): Baseline[] {
  const reach = reachOf(placed);
  const wide = placed.flatMap((p) => (p.slope === null ? [] : [{ ...p, slope: p.slope }]));
  return placed.map(({ y }) => {
    const weights = wide.map((p) => (p.right - p.left) * Math.exp(-(((p.y - y) / reach) ** 2)));
    const bend = bendByTilts(placed, y, reach);
    const slopes = wide.map((p, i) => ({ value: p.slope - bend * (p.left + p.right), weight: weights[i]! }));
    return { slope: weightedMedian(slopes) ?? 0, bend };
  });
}

/**
 * A gap between two boxes of at least this many heights shows the slope of their row. Set by hand on the development
 * receipts.
 */
const WIDE_GAP_HEIGHTS = 4;
/** Fewer wide gaps nearby are not reliable. Set by hand on the development receipts. */
const WIDE_GAPS_MIN = 4;

/**
 * Corrects the baselines by the rows found along them. A name and its price together show the slope of their row better
 * than either box: the tilt of a short box is only as exact as the pixels of the detection. `next` has the index of the
 * box that follows.
 */
export function baselinesOfRows(
  placed: readonly Placed[],
  baselines: readonly Baseline[],
  next: readonly (number | null)[],
): Baseline[] {
  const reach = reachOf(placed);
  const gaps = next.flatMap((j, i) => {
    const [a, b] = [placed[i]!, placed[j ?? i]!];
    if (j === null || b.left - a.right < WIDE_GAP_HEIGHTS * a.height) return [];
    const width = (b.left + b.right - a.left - a.right) / 2;
    return [{ y: a.y, width, excess: dropBetween([a, baselines[i]!], [b, baselines[j]!]) / width }];
  });
  return baselines.map(({ slope, bend }, i) => {
    const { y } = placed[i]!;
    const near = gaps.filter((gap) => Math.abs(gap.y - y) < 2 * reach);
    if (near.length < WIDE_GAPS_MIN) return { slope, bend };
    const excesses = near.map((gap) => ({
      value: gap.excess,
      weight: gap.width * Math.exp(-(((gap.y - y) / reach) ** 2)),
    }));
    return { slope: slope + (weightedMedian(excesses) ?? 0), bend };
  });
}

/** Returns how much lower the second box is than the baseline through the first one, by the baselines around both. */
function dropBetween([a, lineA]: readonly [Placed, Baseline], [b, lineB]: readonly [Placed, Baseline]): number {
  const baseline = { slope: (lineA.slope + lineB.slope) / 2, bend: (lineA.bend + lineB.bend) / 2 };
  return b.y - rise(b, baseline) - (a.y - rise(a, baseline));
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
  return 6 * (weightedMedian(placed.map((p) => ({ value: p.height, weight: 1 }))) ?? 1);
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
