// Joins several photos of one long receipt to one page, as if it had been photographed whole. Pure: the OCR's pages of
// the photos come in, the page with every printed line once goes out, and what is parsed, searched for duplicates and
// shown to people needs to know of parts no more. Never throws.
import type { OcrPage, TextBox } from "../../ocr/page.ts";
import { overlapsOf, worthsOf } from "./overlap.ts";
import type { Overlap, Step } from "./overlap.ts";
import { partRows } from "./part-rows.ts";
import type { PartRow } from "./part-rows.ts";
import { frameBelow, frameBeside, FIRST_FRAME, toPage } from "./layout.ts";
import type { Frame, PlacedRow } from "./layout.ts";

/** Photos of one receipt. */
export const PARTS_MAX = 5;
/**
 * Boxes of all parts together; above it they are no till receipt. The largest development receipt has 101, and one
 * photo may have 500 (read-page.ts).
 */
export const JOINED_BOXES_MAX = 1_000;
/** Ways to join two parts that are tried where lines repeat themselves. */
export const WAYS_MAX = 4;
/** With so few common rows the parts may also have none: MILK ends one, and another MILK begins the next one. */
const FEW_COMMON_ROWS = 3;

/** How a part belongs to those before it. */
export interface Joint {
  /** Its place in what was sent, from 0. */
  readonly part: number;
  /** Rows that it shows as well; 0: it was put below them. */
  readonly common: number;
  /** In how many ways it can be joined; 1: the common rows leave no choice. */
  readonly ways: number;
}

/** Parts joined to one page. */
export interface JoinedParts {
  readonly page: OcrPage;
  /** Of each box of the page: the part that it is printed on, and its box there. */
  readonly sources: readonly { readonly part: number; readonly box: TextBox }[];
  readonly joints: readonly Joint[];
}

/** A part that is not joined yet. */
interface Loose {
  readonly part: number;
  readonly rows: readonly PartRow[];
}

/**
 * Joins the pages of parts, whatever the order they were sent in: to the first one always the part with most in common.
 * Those with nothing in common follow below, as they were sent. `ways`: which way to take for each part, from 0, the
 * likeliest one and the default.
 */
export function joinParts(pages: readonly OcrPage[], ways: readonly number[] = []): JoinedParts {
  const loose = new Set<Loose>(pages.map((page, part) => ({ part, rows: partRows(page) })));
  const joints: Joint[] = [];
  const whole: PlacedRow[] = [];
  for (const first of loose) {
    loose.delete(first);
    const frame = whole.length === 0 ? FIRST_FRAME : frameBelow(whole, first.rows);
    let group: readonly PlacedRow[] = first.rows.map((row) => ({ row, part: first.part, frame }));
    if (whole.length > 0) joints.push({ part: first.part, common: 0, ways: 1 });
    for (let next = closestOf(group, loose, ways); next; next = closestOf(group, loose, ways)) {
      loose.delete(next.loose);
      group = merged(group, next, next.overlap);
      joints.push({ part: next.part, common: next.overlap.common, ways: next.ways });
    }
    whole.push(...group);
  }
  return { ...toPage(whole), joints };
}

type Closest = Loose & { readonly overlap: Overlap; readonly ways: number; readonly loose: Loose };

/** The loose part that has most in common with what is joined; null: none has anything. */
function closestOf(group: readonly PlacedRow[], parts: ReadonlySet<Loose>, chosen: readonly number[]): Closest | null {
  const rows = group.map(({ row }) => row);
  let closest: Closest | null = null;
  for (const loose of parts) {
    const found = overlapsOf(worthsOf(rows, loose.rows), WAYS_MAX - 1);
    const isUnsure = found.length > 1 || (found[0]?.common ?? 0) <= FEW_COMMON_ROWS;
    // Behind the ways to join it comes that of leaving it below.
    const overlap = found[chosen[loose.part] ?? 0];
    if (!overlap || (closest && overlap.score <= closest.overlap.score)) continue;
    closest = { ...loose, loose, overlap, ways: found.length + (isUnsure ? 1 : 0) };
  }
  return closest;
}

/**
 * Joins the rows of a part to those that it has rows in common with. Of common rows those before the seam are from the
 * part that begins further up, those behind it from the other; the seam is where most can be believed. What only one of
 * both shows is kept.
 */
function merged(group: readonly PlacedRow[], { part, rows }: Loose, { steps }: Overlap): PlacedRow[] {
  const pairs = steps.flatMap(([i, j]) => (i === null || j === null ? [] : [[group[i]!, rows[j]!] as const]));
  const frame: Frame = frameBeside(pairs, frameBelow(group, rows));
  const own = (some: readonly PartRow[]) => some.map((row) => ({ row, part, frame }));
  const [[i, j], [lastI, lastJ]] = [firstOf(steps), lastOf(steps)];
  const isAbove = j > i;
  const qualities = steps.map(([a, b]) => [a === null ? 0 : group[a]!.row.quality, b === null ? 0 : rows[b]!.quality] as const); // prettier-ignore
  const seam = seamOf(isAbove ? qualities.map(([a, b]) => [b, a]) : qualities);
  const common = steps.map(([a, b], at): PlacedRow => {
    const isOfGroup = b === null || (a !== null && at < seam !== isAbove);
    return isOfGroup ? group[a!]! : { row: rows[b]!, part, frame };
  });
  const [before, after] = [
    [...group.slice(0, i), ...own(rows.slice(0, j))],
    [...group.slice(lastI + 1), ...own(rows.slice(lastJ + 1))],
  ];
  return [...before, ...common, ...after];
}

function firstOf(steps: readonly Step[]): [number, number] {
  return [steps.find(([i]) => i !== null)![0]!, steps.find(([, j]) => j !== null)![1]!];
}

function lastOf(steps: readonly Step[]): [number, number] {
  return [steps.findLast(([i]) => i !== null)![0]!, steps.findLast(([, j]) => j !== null)![1]!];
}

/** The number of steps that are the upper part's. Where many are best, the middle one: edges are read worst. */
function seamOf(qualities: readonly (readonly [number, number])[]): number {
  let sum = qualities.reduce((total, [, lower]) => total + lower, 0);
  const sums = [sum];
  for (const [upper, lower] of qualities) sums.push((sum += upper - lower));
  const best = Math.max(...sums);
  const seams = sums.flatMap((each, at) => (each >= best - 1e-6 ? [at] : []));
  return seams[seams.length >> 1]!;
}
