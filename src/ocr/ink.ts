import { levelsOf, stretchOf } from "./image.ts";
import type { Pixels, Rectangle } from "./image.ts";

// The detector also finds print that shows through from the back of the paper, and other texture. It is much fainter
// than the print of the front: 14 to 21 levels of 255 on one receipt measured closely, while the faintest real print of
// five others had 40.

/** Levels are from 0 to 255, both included. */
const LEVELS = 256;
/** Height that a line is scaled to for the measurement. */
const PROBE_HEIGHT_PX = 24;
/**
 * A line fainter than this share of the strong print (the 9th decile of all lines) is not print of the front. Print is
 * compared as a share of its paper: in a shadow both are darker, and lines there were taken for faint ones.
 */
const FAINT_SHARE = 0.3;
/** A column with less than this share of its line's contrast has no print. */
const COLUMN_SHARE = 0.4;
/** Gaps without print that are wider than this, in heights of the line, are cut out of it. */
const GAP_HEIGHTS = 1.2;
/** Margin that is left around the print, in heights of the line: the recogniser needs some paper. */
const MARGIN_HEIGHTS = 0.25;

/**
 * Contrast of a line's print to its paper, in levels of 255 and as a share of the paper's, and the darkness of the
 * darkest pixel in each column.
 */
interface Ink {
  contrast: number;
  share: number;
  columns: Float32Array;
}

/** Removes faint rectangles, and cuts the others to their stretches of print. */
export function withPrintOnly(pixels: Pixels, rectangles: readonly Rectangle[]): Rectangle[] {
  const inks = rectangles.map((rectangle) => inkOf(pixels, rectangle));
  const shares = inks.map(({ share }) => share).sort((a, b) => a - b);
  const strong = shares[Math.floor(0.9 * shares.length)] ?? 0;
  return rectangles.flatMap((rectangle, i) => {
    const ink = inks[i]!;
    return ink.share < FAINT_SHARE * strong ? [] : stretches(ink).map(([from, to]) => stretchOf(rectangle, from, to));
  });
}

function inkOf(pixels: Pixels, rectangle: Rectangle): Ink {
  const width = Math.max(4, Math.round((PROBE_HEIGHT_PX * rectangle.width) / rectangle.height));
  const levels = levelsOf(pixels, rectangle, width, PROBE_HEIGHT_PX);
  const plane = levels.length;
  const columns = new Float32Array(width).fill(255);
  for (let i = 0; i < plane; i++) if (levels[i]! < columns[i % width]!) columns[i % width] = levels[i]!;
  const paper = rankedAt(levels, Math.floor(0.8 * plane));
  const contrast = paper - rankedAt(levels, Math.floor(0.02 * plane));
  return {
    contrast,
    share: contrast / Math.max(1, paper),
    columns: columns.map((level) => paper - level),
  };
}

/** Returns the level with this index in ascending order. Sorts only the levels with the same whole part as it. */
function rankedAt(levels: Float32Array, index: number): number {
  const counts = new Uint32Array(LEVELS);
  for (let i = 0; i < levels.length; i++) counts[Math.trunc(levels[i]!)]!++;
  let whole = 0;
  let below = 0;
  while (below + counts[whole]! <= index) below += counts[whole++]!;
  return levels.filter((level) => Math.trunc(level) === whole).sort()[index - below]!;
}

/** Returns start and end of each stretch of print, as shares of the width. */
function stretches({ contrast, columns }: Ink): [number, number][] {
  const gapMax = GAP_HEIGHTS * PROBE_HEIGHT_PX;
  const found: [number, number][] = [];
  for (const [x, darkness] of columns.entries()) {
    if (darkness < COLUMN_SHARE * contrast) continue;
    const last = found.at(-1);
    if (last && x - last[1] <= gapMax) last[1] = x + 1;
    else found.push([x, x + 1]);
  }
  const margin = MARGIN_HEIGHTS * PROBE_HEIGHT_PX;
  return found.map(([from, to]) => [
    Math.max(0, from - margin) / columns.length,
    Math.min(columns.length, to + margin) / columns.length,
  ]);
}
