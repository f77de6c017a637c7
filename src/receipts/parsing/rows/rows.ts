import type { OcrPage, TextBox } from "../../../ocr/page.ts";
import { baselinesOf, pageAngle, place, rise, weightedMedian } from "./baselines.ts";
import type { Baseline, Placed } from "./baselines.ts";
import { withUprightColumns } from "./upright-columns.ts";

/** Part of a row: text between two gaps, with its left and right edge in deskewed pixels. */
export interface Cell {
  text: string;
  left: number;
  right: number;
  score: number;
}

/**
 * One printed line, its cells from left to right. `y` is its middle in deskewed pixels, `height` the height of its
 * text.
 */
export interface Row {
  cells: readonly Cell[];
  text: string;
  y: number;
  height: number;
  left: number;
  right: number;
  /** Its boxes, from left to right. */
  members: readonly TextBox["polygon"][];
}

/**
 * Two boxes are neighbours on a row if their middles, moved along the slope, differ by less than this share of the
 * height. Set by hand on the development receipts.
 */
const ROW_TOLERANCE = 0.5;
/** Rows found along the baselines correct the baselines, this many times. */
const LINK_ROUNDS = 3;
/** A gap of more text heights than this starts a new cell of the row. Set by hand on the development receipts. */
const CELL_GAP_HEIGHTS = 0.9;

/**
 * Joins boxes to rows, from top to bottom. The tilt of the page is removed as a whole; what differs from place to place
 * (paper that is bent, curled or seen at an angle) is removed by the baselines around each box.
 */
export function rowsOf(page: OcrPage): Row[] {
  const boxes = page.boxes.filter((box) => box.text.trim() !== "");
  const placed = place(boxes, pageAngle(boxes));
  let baselines = baselinesOf(placed, []);
  for (let round = 0; round < LINK_ROUNDS; round++) baselines = baselinesOf(placed, linkNeighbours(placed, baselines));
  const links = linkNeighbours(placed, baselines);
  const rows = chains(levelled(placed, baselines), links).map(toRow);
  return withUprightColumns(rows.sort((a, b) => a.y - b.y));
}

/** Returns the boxes with the `y` that each would have if its row were straight. */
function levelled(placed: readonly Placed[], baselines: readonly Baseline[]): Placed[] {
  const middle = placed.reduce((sum, p) => sum + p.left + p.right, 0) / (2 * placed.length);
  return placed.map((p, i) => {
    const baseline = baselines[i]!;
    return { ...p, y: p.y - rise(p, baseline) + rise({ left: middle, right: middle }, baseline) };
  });
}

/** Returns for each box the index of the next one on its row; null if the two don't choose each other. */
function linkNeighbours(placed: readonly Placed[], baselines: readonly Baseline[]): (number | null)[] {
  /** Cost of a link from one box to another; null if it is not allowed. A box is never to the right of itself. */
  const cost = (i: number, j: number): number | null => {
    const a = placed[i]!;
    const b = placed[j]!;
    const gap = b.left - a.right;
    const heightMin = Math.min(a.height, b.height);
    if (gap < -0.8 * heightMin || (a.left + a.right) / 2 >= (b.left + b.right) / 2) return null;
    const [lineA, lineB] = [baselines[i]!, baselines[j]!];
    const slope = (lineA.slope + lineB.slope + (lineA.bend + lineB.bend) * (a.right + b.left)) / 2;
    const dy = Math.abs(b.leftY - a.rightY - slope * gap) / heightMin;
    if (dy > ROW_TOLERANCE) return null;
    return dy * 4 * heightMin + Math.max(0, gap);
  };
  const next = placed.map((_, i) => cheapest(placed.length, (j) => cost(i, j)));
  const previous = placed.map((_, j) => cheapest(placed.length, (i) => cost(i, j)));
  return next.map((j, i) => (j !== null && previous[j] === i ? j : null));
}

/** Returns the index below `count` with the lowest cost; null if no index has one. */
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

/**
 * A row is cut here. A line of an invoice on A4 has about 130 letters, a till's roll 48. Patterns may take the square
 * of a row's length: one of 10,000 repeated letters took more than half a minute.
 */
const ROW_LENGTH_MAX = 250;
const WIDE_GAP = /\s{3,}/g;

function textOf(text: string): string {
  return text.slice(0, ROW_LENGTH_MAX).trim().replace(WIDE_GAP, "  ");
}

/** Leaves out the boxes at the end of a chain that would make the row too long. */
function withinLength(chain: readonly Placed[]): readonly Placed[] {
  let length = 0;
  const end = chain.findIndex(({ box }) => (length += textOf(box.text).length + 2) > ROW_LENGTH_MAX + 2);
  return end < 0 ? chain : chain.slice(0, Math.max(1, end));
}

function toRow(whole: readonly Placed[]): Row {
  const chain = withinLength(whole);
  const cells: Cell[] = [];
  for (const { left, right, height, box } of chain) {
    const before = cells.at(-1);
    if (before && left - before.right < CELL_GAP_HEIGHTS * height) {
      before.text += ` ${textOf(box.text)}`;
      before.right = right;
      before.score = Math.min(before.score, box.score);
    } else {
      cells.push({ text: textOf(box.text), left, right, score: box.score });
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
