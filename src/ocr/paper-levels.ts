import type { Pixels, Rectangle } from "./image.ts";

/** Side of a block in pixels, and of the quarter that its level is measured on. */
const BLOCK_PX = 8;
const QUARTER_PX = 4;
export const CHANNELS = 3;

/**
 * How bright the paper is from place to place: the levels of the brightest quarter of each block in red, green and
 * blue, so that print does not count.
 */
export interface PaperLevels {
  readonly columns: number;
  readonly rows: number;
  readonly levels: Float32Array;
  /** Blocks for each pixel of the picture that rectangles refer to. */
  readonly scaleX: number;
  readonly scaleY: number;
}

/** Measures the levels on a copy of a picture of `width` × `height`. */
export function paperLevelsOf(copy: Pixels, width: number, height: number): PaperLevels {
  const columns = Math.max(1, Math.floor(copy.width / BLOCK_PX));
  const rows = Math.max(1, Math.floor(copy.height / BLOCK_PX));
  const levels = new Float32Array(CHANNELS * columns * rows);
  const sums: [number, number, number] = [0, 0, 0];
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at += CHANNELS) {
      let brightest = -1;
      for (let top = row * BLOCK_PX; top < (row + 1) * BLOCK_PX; top += QUARTER_PX) {
        for (let left = column * BLOCK_PX; left < (column + 1) * BLOCK_PX; left += QUARTER_PX) {
          sumQuarter(copy, left, top, sums);
          if (sums[0] + sums[1] + sums[2] <= brightest) continue;
          brightest = sums[0] + sums[1] + sums[2];
          for (let channel = 0; channel < CHANNELS; channel++)
            levels[at + channel] = sums[channel]! / (QUARTER_PX * QUARTER_PX);
        }
      }
    }
  }
  return { columns, rows, levels, scaleX: columns / width, scaleY: rows / height };
}

function sumQuarter({ data, width }: Pixels, left: number, top: number, sums: [number, number, number]): void {
  let [red, green, blue] = [0, 0, 0];
  for (let y = top; y < top + QUARTER_PX; y++) {
    const first = CHANNELS * (y * width + left);
    for (let at = first; at < first + CHANNELS * QUARTER_PX; at += CHANNELS) {
      red += data[at]!;
      green += data[at + 1]!;
      blue += data[at + 2]!;
    }
  }
  sums[0] = red;
  sums[1] = green;
  sums[2] = blue;
}

/** The index of the levels at a place of the picture. */
export function blockAt({ columns, rows, scaleX, scaleY }: PaperLevels, x: number, y: number): number {
  const column = Math.min(columns - 1, Math.max(0, Math.floor(x * scaleX)));
  const row = Math.min(rows - 1, Math.max(0, Math.floor(y * scaleY)));
  return CHANNELS * (row * columns + column);
}

/** Levels of red, green and blue. */
export type Levels = readonly [number, number, number];

/** Number of places along a line where its paper is measured. */
const PLACES = 7;

/** The levels of the paper under a line: of each channel the median of places along it. */
export function paperUnder(papers: PaperLevels, { x, y, width, angle }: Rectangle): Levels {
  const blocks = Array.from({ length: PLACES }, (_, i) => {
    const along = ((i + 0.5) / PLACES - 0.5) * width;
    return blockAt(papers, x + along * Math.cos(angle), y + along * Math.sin(angle));
  });
  const middle = (channel: number): number =>
    blocks.map((at) => papers.levels[at + channel]!).sort((a, b) => a - b)[PLACES >> 1]!;
  return [middle(0), middle(1), middle(2)];
}

/** A place in pixels of the picture. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Whether all the way between two places is at least as bright as this in every channel. */
export function isBright(papers: PaperLevels, from: Place, to: Place, least: Levels): boolean {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const steps = Math.max(1, Math.ceil(2 * Math.max(Math.abs(dx) * papers.scaleX, Math.abs(dy) * papers.scaleY)));
  for (let i = 0; i <= steps; i++) {
    const at = blockAt(papers, from.x + (dx * i) / steps, from.y + (dy * i) / steps);
    for (let channel = 0; channel < CHANNELS; channel++)
      if (papers.levels[at + channel]! < least[channel]!) return false;
  }
  return true;
}
