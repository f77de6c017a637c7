import type { Point, TextBox } from "../../../ocr/page.ts";

/** A box in the deskewed frame; `slope` is what is left of its own tilt (dy/dx), null where it is too short to tell. */
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

/** How rows run around one box: y rises by `slope` × x + `bend` × x². */
export interface Baseline {
  slope: number;
  bend: number;
}

/** A box this many times wider than high has a tilt that can be trusted. */
const TRUSTED_ASPECT = 4;

/** The page's tilt: that of its wide boxes. */
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

/** The boxes, turned so that the page's tilt is gone. */
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
 * How rows bend around a height of the page, by how the tilt of boxes changes from left to right: names tilt one way, prices the other,
 * though either is too short to show a bend of its own. Least squares; a line of so many points tells its tilt by the third power of its width, its bend by the fifth.
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
  let [shown, told] = [0, 0];
  for (const box of near) {
    const arm = 2 * (box.x - middle);
    shown += box.weight * arm * (box.tilt - tilt);
    told += box.weight * arm ** 2;
    if (box.box.bend === undefined) continue;
    shown += (box.weight * box.width ** 2 * box.box.bend) / 15;
    told += (box.weight * box.width ** 2) / 15;
  }
  return told === 0 ? 0 : shown / told;
}

/** For each box how the rows around it run: as the wide boxes nearby, the nearer the more. */
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

/** What two boxes of a row tell of its course: the gap between them is at least so many heights wide. */
const TELLING_GAP_HEIGHTS = 4;
/** So many gaps nearby tell of one course, fewer of chance. */
const TELLING_GAPS_MIN = 4;

/**
 * The courses put right by rows found along them, `next` the index of the box that follows: a name and its price show the row's slope better than
 * either does, a short box being found as straight as the detection's pixels are.
 */
export function baselinesOfRows(
  placed: readonly Placed[],
  courses: readonly Baseline[],
  next: readonly (number | null)[],
): Baseline[] {
  const reach = reachOf(placed);
  const gaps = next.flatMap((j, i) => {
    const [a, b] = [placed[i]!, placed[j ?? i]!];
    if (j === null || b.left - a.right < TELLING_GAP_HEIGHTS * a.height) return [];
    const width = (b.left + b.right - a.left - a.right) / 2;
    return [{ y: a.y, width, excess: dropBetween([a, courses[i]!], [b, courses[j]!]) / width }];
  });
  return courses.map(({ slope, bend }, i) => {
    const { y } = placed[i]!;
    const near = gaps.filter((gap) => Math.abs(gap.y - y) < 2 * reach);
    if (near.length < TELLING_GAPS_MIN) return { slope, bend };
    const excesses = near.map((gap) => ({
      value: gap.excess,
      weight: gap.width * Math.exp(-(((gap.y - y) / reach) ** 2)),
    }));
    return { slope: slope + (weightedMedian(excesses) ?? 0), bend };
  });
}

/** How much lower the second box lies than a row through the first one runs, by the courses around both. */
function dropBetween([a, courseA]: readonly [Placed, Baseline], [b, courseB]: readonly [Placed, Baseline]): number {
  const course = { slope: (courseA.slope + courseB.slope) / 2, bend: (courseA.bend + courseB.bend) / 2 };
  return b.y - rise(b, course) - (a.y - rise(a, course));
}

/** How much lower than at x = 0 the ends of a box lie on a row, on average. */
export function rise({ left, right }: Pick<Placed, "left" | "right">, { slope, bend }: Baseline): number {
  return (slope * (left + right) + bend * (left ** 2 + right ** 2)) / 2;
}

/** How far up and down boxes tell of each other's course. */
function reachOf(placed: readonly Placed[]): number {
  return 6 * (weightedMedian(placed.map((p) => ({ value: p.height, weight: 1 }))) ?? 1);
}

/** The value up to which half of the weight lies; null of none. */
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
