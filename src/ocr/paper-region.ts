import { blockAt, CHANNELS } from "./paper-levels.ts";
import type { Levels, PaperLevels, Place } from "./paper-levels.ts";

/**
 * Where paper ends, levels that are next to one another have a lower ratio than this, in any channel; in folds they
 * don't: with 0.65 and 0.88 more lines of other papers were kept, or more of the receipt's own lost.
 */
const SMOOTH_SHARE = 0.82;

/** Paper that goes on beyond the picture reaches this share of a side; something bright on the table reaches less. */
const OPEN_SHARE = 0.25;

/** The blocks that are reached over paper: over bright ones, and over those that get dark by and by, as in a fold. */
export interface Region {
  /** Whether it reaches the left or right side of the picture: what is beside the paper isn't in it. */
  readonly isOpen: boolean;
  readonly has: (place: Place) => boolean;
}

/** Spreads from places to all paper that is as bright as this, or has no edge. */
export function regionFrom(papers: PaperLevels, places: readonly Place[], least: Levels): Region {
  const { columns, rows, levels } = papers;
  const blockOf = ({ x, y }: Place): number => blockAt(papers, x, y) / CHANNELS;
  const seen = new Uint8Array(columns * rows);
  const reached = new Uint8Array(columns * rows);
  const open = [...new Set(places.map(blockOf))];
  for (const block of open) seen[block] = 1;
  const isBrightAt = (block: number): boolean =>
    least.every((level, channel) => levels[CHANNELS * block + channel]! >= level);
  const enter = (column: number, row: number): void => {
    if (column < 0 || row < 0 || column >= columns || row >= rows) return;
    const block = row * columns + column;
    if (seen[block]) return;
    seen[block] = 1;
    if (isBrightAt(block) || isSmoothAt(papers, column, row)) open.push(block);
  };
  const atSides = [0, 0];
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    reached[block] = 1;
    const [column, row] = [block % columns, Math.floor(block / columns)];
    if (column === 0) atSides[0]!++;
    if (column === columns - 1) atSides[1]!++;
    enter(column - 1, row);
    enter(column + 1, row);
    enter(column, row - 1);
    enter(column, row + 1);
  }
  const isOpen = Math.max(...atSides) >= OPEN_SHARE * rows;
  return { isOpen, has: (place) => reached[blockOf(place)] === 1 };
}

/** Whether the levels of a block and of those around it are much the same. */
function isSmoothAt({ columns, rows, levels }: PaperLevels, column: number, row: number): boolean {
  const [left, right] = [Math.max(0, column - 1), Math.min(columns - 1, column + 1)];
  const [top, bottom] = [Math.max(0, row - 1), Math.min(rows - 1, row + 1)];
  for (let channel = 0; channel < CHANNELS; channel++) {
    let [darkest, brightest] = [Infinity, 0];
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const level = levels[CHANNELS * (y * columns + x) + channel]!;
        if (level < darkest) darkest = level;
        if (level > brightest) brightest = level;
      }
    }
    if (darkest < SMOOTH_SHARE * brightest) return false;
  }
  return true;
}
