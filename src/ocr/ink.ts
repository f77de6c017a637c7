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
  /** The rows of the print itself, from and to, as shares of the height. */
  band: readonly [number, number];
}

/** Removes faint rectangles, cuts the others to their stretches of print, and those that are too high to its height. */
export function withPrintOnly(pixels: Pixels, rectangles: readonly Rectangle[]): Rectangle[] {
  const inks = rectangles.map((rectangle) => inkOf(pixels, rectangle));
  const shares = inks.map(({ share }) => share).sort((a, b) => a - b);
  const strong = shares[Math.floor(0.9 * shares.length)] ?? 0;
  return rectangles.flatMap((rectangle, i) => {
    const ink = inks[i]!;
    if (ink.share < FAINT_SHARE * strong) return [];
    const line = trimmed(rectangle, ink.band);
    return stretches(ink).map(([from, to]) => stretchOf(line, from, to));
  });
}

function inkOf(pixels: Pixels, rectangle: Rectangle): Ink {
  const width = Math.max(4, Math.round((PROBE_HEIGHT_PX * rectangle.width) / rectangle.height));
  const levels = levelsOf(pixels, rectangle, width, PROBE_HEIGHT_PX);
  const counts = new Uint32Array(LEVELS);
  const darkest = new Uint8Array(width).fill(LEVELS - 1);
  for (let row = 0, i = 0; row < PROBE_HEIGHT_PX; row++) {
    for (let x = 0; x < width; x++, i++) {
      const level = levels[i]!;
      counts[level]!++;
      if (level < darkest[x]!) darkest[x] = level;
    }
  }
  const paper = rankedAt(counts, Math.floor(0.8 * levels.length));
  const contrast = paper - rankedAt(counts, Math.floor(0.02 * levels.length));
  return {
    contrast,
    share: contrast / Math.max(1, paper),
    columns: Float32Array.from(darkest, (level) => paper - level),
    band: bandOf(levels, width, paper - COLUMN_SHARE * contrast),
  };
}

/** A row with less than this share of the print in the fullest row of its line is the gap between two lines. */
const ROW_SHARE = 0.12;

/** Returns the rows of print around the middle of a line: what is beyond a gap belongs to the lines above and below. */
function bandOf(levels: Uint8Array, width: number, darkest: number): [number, number] {
  const rows = new Uint32Array(PROBE_HEIGHT_PX);
  for (let i = 0, y = 0; y < PROBE_HEIGHT_PX; y++) {
    for (const end = i + width; i < end; i++) if (levels[i]! < darkest) rows[y]!++;
  }
  const inner = rows.subarray(PROBE_HEIGHT_PX / 4, (3 * PROBE_HEIGHT_PX) / 4);
  const fullest = Math.max(...inner);
  const at = PROBE_HEIGHT_PX / 4 + inner.indexOf(fullest);
  const least = ROW_SHARE * fullest;
  let [from, to] = [at, at + 1];
  while (from > 0 && rows[from - 1]! > least) from--;
  while (to < PROBE_HEIGHT_PX && rows[to]! > least) to++;
  return [from / PROBE_HEIGHT_PX, to / PROBE_HEIGHT_PX];
}

/** Returns the level with this index in ascending order. */
function rankedAt(counts: Uint32Array, index: number): number {
  let level = 0;
  for (let below = counts[0]!; below <= index; below += counts[++level]!);
  return level;
}

/**
 * Print takes up this share of its box where it is large: the median of 294 lines of 60 px and more in 14 photos. In
 * 180 lines of 6 to 18 px it was 0.50 to 0.54, and the gap below was half as high again as the one above: the
 * detector boxes small print too high, and too low.
 */
const BAND_SHARE = 0.66;
/** Boxes whose print takes up more than this share stay as they are. */
const BAND_SHARE_MAX = 0.56;
/** A lower band is a dash, or dots. */
const BAND_SHARE_MIN = 0.3;
/** The rows of shorter lines, amounts above all, are too few letters to be measured: a point was lost. */
const BAND_ASPECT = 5;

/** Returns the line as high as its print needs, around it: the recogniser reads print that fills its input better. */
function trimmed(line: Rectangle, [from, to]: Ink["band"]): Rectangle {
  const share = to - from;
  if (share > BAND_SHARE_MAX || share < BAND_SHARE_MIN || line.width < BAND_ASPECT * line.height) return line;
  const lower = ((from + to) / 2 - 0.5) * line.height;
  return {
    ...line,
    x: line.x - lower * Math.sin(line.angle),
    y: line.y + lower * Math.cos(line.angle),
    height: (line.height * share) / BAND_SHARE,
  };
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
