import type { OcrPage, TextBox } from "../../../ocr/page.ts";
import { baselinesAround, baselinesOfRows, pageAngle, place, rise, weightedMedian } from "./baselines.ts";
import type { Baseline, Placed } from "./baselines.ts";

/** A piece of a row: text between two gaps, with its left and right edge in deskewed pixels. */
export interface Cell {
  text: string;
  left: number;
  right: number;
  score: number;
}

/** One printed line, its cells from left to right. `y` is the middle in deskewed pixels, `height` that of its text. */
export interface Row {
  cells: readonly Cell[];
  text: string;
  y: number;
  height: number;
  left: number;
  right: number;
  /** The boxes it was put together from, from left to right. */
  members: readonly TextBox["polygon"][];
}

/** Two boxes are neighbours on a row when their middles, carried along the slope, differ by less than this share of the height. */
const ROW_TOLERANCE = 0.5;
/** A gap of more than this many text heights starts a new cell although the row goes on. */
const CELL_GAP_HEIGHTS = 0.9;

/** Boxes to rows from top to bottom. The page's tilt is taken out as a whole, what differs from place to place (paper that bends) by the slope of the wide boxes nearby. */
export function rowsOf(page: OcrPage): Row[] {
  const boxes = page.boxes.filter((box) => box.text.trim() !== "");
  const placed = place(boxes, pageAngle(boxes));
  const first = baselinesAround(placed);
  const courses = baselinesOfRows(placed, first, linkNeighbours(placed, first));
  const links = linkNeighbours(placed, courses);
  return chains(levelled(placed, courses), links)
    .map(toRow)
    .sort((a, b) => a.y - b.y);
}

/** The boxes with the middle that each would have if its row ran straight. */
function levelled(placed: readonly Placed[], courses: readonly Baseline[]): Placed[] {
  const middle = placed.reduce((sum, p) => sum + p.left + p.right, 0) / (2 * placed.length);
  return placed.map((p, i) => {
    const course = courses[i]!;
    return { ...p, y: p.y - rise(p, course) + rise({ left: middle, right: middle }, course) };
  });
}

/** For each box the index of the one that follows it on its row, where the two choose each other. */
function linkNeighbours(placed: readonly Placed[], courses: readonly Baseline[]): (number | null)[] {
  /** Of going on from one box to another, null where that is no way: a box is not its own neighbour, for it is not to the right of itself. */
  const cost = (i: number, j: number): number | null => {
    const a = placed[i]!;
    const b = placed[j]!;
    const gap = b.left - a.right;
    const heightMin = Math.min(a.height, b.height);
    if (gap < -0.8 * heightMin || (a.left + a.right) / 2 >= (b.left + b.right) / 2) return null;
    const [courseA, courseB] = [courses[i]!, courses[j]!];
    const slope = (courseA.slope + courseB.slope + (courseA.bend + courseB.bend) * (a.right + b.left)) / 2;
    const dy = Math.abs(b.leftY - a.rightY - slope * gap) / heightMin;
    if (dy > ROW_TOLERANCE) return null;
    return dy * 4 * heightMin + Math.max(0, gap);
  };
  const next = placed.map((_, i) => cheapest(placed.length, (j) => cost(i, j)));
  const previous = placed.map((_, j) => cheapest(placed.length, (i) => cost(i, j)));
  return next.map((j, i) => (j !== null && previous[j] === i ? j : null));
}

/** Of so many the index that costs least; null where none may be chosen. */
function cheapest(count: number, cost: (index: number) => number | null): number | null {
  let best: number | null = null;
  let bestCost = Infinity;
  for (let index = 0; index < count; index++) {
    const value = cost(index);
    if (value !== null && value < bestCost) {
      best = index;
      bestCost = value;
    }
  }
  return best;
}

function chains(placed: readonly Placed[], next: readonly (number | null)[]): Placed[][] {
  const followed = new Set(next.filter((j) => j !== null));
  return placed.flatMap((_, start) => {
    if (followed.has(start)) return [];
    const chain: Placed[] = [];
    for (let i: number | null = start; i !== null; i = next[i] ?? null) chain.push(placed[i]!);
    return [chain];
  });
}

function toRow(chain: readonly Placed[]): Row {
  const cells: Cell[] = [];
  for (const { left, right, height, box } of chain) {
    const before = cells.at(-1);
    if (before && left - before.right < CELL_GAP_HEIGHTS * height) {
      before.text += ` ${box.text.trim()}`;
      before.right = right;
      before.score = Math.min(before.score, box.score);
    } else {
      cells.push({ text: box.text.trim(), left, right, score: box.score });
    }
  }
  const width = chain.reduce((sum, p) => sum + p.right - p.left, 0) || 1;
  return {
    cells,
    text: cells.map((cell) => cell.text).join("  "),
    y: chain.reduce((sum, p) => sum + p.y * (p.right - p.left), 0) / width,
    height: weightedMedian(chain.map((p) => ({ value: p.height, weight: p.right - p.left }))) ?? 1,
    left: chain[0]!.left,
    right: chain.at(-1)!.right,
    members: chain.map(({ box }) => box.polygon),
  };
}
