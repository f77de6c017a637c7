import { open } from "node:fs/promises";
import {
  byPlace,
  firstStepOf,
  MAGNITUDE_MAX,
  MIDDLE,
  spreadOf,
  stepsLike,
  stepsOfCut,
  uncut,
} from "./first-compression.ts";
import { luminanceSteps, transformBlock, ZIGZAG } from "./jpeg-blocks.ts";
import type { Pixels } from "../ocr/image.ts";

// A picture that was compressed, changed and saved again: in blocks that were left alone the frequencies still lie near multiples of the first
// compression's steps, in what was drawn or pasted since they don't (Bianchi and Piva 2012, doi:10.1109/TIFS.2012.2187516). Nothing is to be seen
// where the first compression was the last one, or so much finer than it that its steps are lost.

const HEAD_BYTES = 256 * 1024;
const JPEG_BLOCK_PX = 8;
/** The lowest frequencies in JPEG's order, without the mean. */
const FREQUENCIES = 20;
/** Blocks with less between their darkest and lightest shade hold nothing to judge by. */
const CONTRAST_MIN = 12;
/** Where only a colour was cut off, as in highlighter and red ink, its shade isn't known: such blocks are left out. */
const BRIGHT_MIN = 8;
const BRIGHT_MAX = 247;
/** From so many blocks of a kind on their steps can be told. */
const BLOCKS_MIN = 100;
/** Blocks of the grid between the blocks from which the spread of magnitudes is taken, at most about. */
const FREE_BLOCKS = 6_000;
/** So many blocks of a kind show its steps. */
const BLOCKS_OF_SAMPLE = 6_000;
/** In so many each quality is tried out. */
const BLOCKS_SEARCHED = 40;
const STEPS_KNOWN_MIN = 13;
const ROUNDS = 3;
const NOISES_OF_CUT = [0.6, 1, 1.6, 2.5] as const;
/** Nats that a block must speak against the first compression to count; the most that it may speak for it. */
const DOUBT = 2;
const TRUST_MAX = 20;
/** Figures as wide and high as these many blocks are looked for. */
const WINDOWS = [[3, 2], [4, 2], [6, 2], [6, 3], [9, 3], [12, 4], [18, 5], [24, 8]] as const; // prettier-ignore

/** Blocks that show something, by their number in the rows of a grid: those whose shades are whole, and those with shades cut off at black or white. */
interface Grid {
  readonly across: number;
  readonly down: number;
  readonly whole: readonly number[];
  readonly cut: readonly number[];
  readonly offset: number;
}

/** A place in a picture, in pixels as stored, and how strongly it was compressed otherwise than the rest, in nats. */
export interface StrangePatch {
  readonly evidence: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The steps that a picture's file was last compressed with, in zigzag order; all 1 where it says none, as a PNG. */
export async function lastStepsOf(path: string): Promise<readonly number[]> {
  return luminanceSteps(await headOf(path)) ?? Array.from({ length: 64 }, () => 1);
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), { position: 0 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The place of a picture, as stored, that stands out most by not having been compressed as often as the rest; null where nothing can be told. */
export function strangestPatch(pixels: Pixels, lastSteps: readonly number[]): StrangePatch | null {
  const grid = gridOf(pixels, 0, 1);
  const area = pixels.width * pixels.height;
  // Half a block aside neither compression has left its steps.
  const free = gridOf(pixels, JPEG_BLOCK_PX / 2, Math.max(1, Math.round(area / 64 / FREE_BLOCKS)));
  const against = new Float32Array(grid.across * grid.down);
  const firstSteps = judgeWhole(pixels, grid, free, lastSteps, against);
  judgeCut(pixels, grid, free, lastSteps, firstSteps, against);
  return standingOut(grid, against);
}

/** The blocks of a grid, every so many of a row. */
function gridOf({ data, width, height }: Pixels, offset: number, every: number): Grid {
  const [across, down] = [width, height].map((side) => Math.floor((side - offset) / JPEG_BLOCK_PX)) as [number, number];
  const [whole, cut]: [number[], number[]] = [[], []];
  for (let row = 0; row < down; row++) {
    for (let column = row % every; column < across; column += every) {
      let darkest = 255;
      let lightest = 0;
      let isCut = false;
      let isBright = false;
      for (let y = 0; y < JPEG_BLOCK_PX; y++) {
        const from = 3 * ((offset + 8 * row + y) * width + offset + 8 * column);
        for (let at = from; at < from + 24; at += 3) {
          const red = data[at]!;
          const green = data[at + 1]!;
          const blue = data[at + 2]!;
          if (green < darkest) darkest = green;
          if (green > lightest) lightest = green;
          if (red === 0 || red === 255 || green === 0 || green === 255 || blue === 0 || blue === 255) {
            isCut = true;
            const shade = 0.299 * red + 0.587 * green + 0.114 * blue;
            if (shade > BRIGHT_MIN && shade < BRIGHT_MAX) isBright = true;
          }
        }
      }
      if (isBright || lightest - darkest < CONTRAST_MIN) continue;
      (isCut ? cut : whole).push(row * across + column);
    }
  }
  return { across, down, whole, cut, offset };
}

function loadBlock({ data, width }: Pixels, { across, offset }: Grid, block: number, shades: Float64Array): void {
  const left = offset + 8 * (block % across);
  const top = offset + 8 * Math.floor(block / across);
  for (let y = 0, i = 0; y < JPEG_BLOCK_PX; y++) {
    const from = 3 * ((top + y) * width + left);
    for (let at = from; at < from + 24; at += 3, i++)
      shades[i] = 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]! - MIDDLE;
  }
}

/** The magnitudes of each block's lowest frequencies in whole steps, block after block. */
function magnitudesOf(
  pixels: Pixels,
  grid: Grid,
  blocks: readonly number[],
  frequenciesOf: (shades: Float64Array) => Float64Array,
  steps: readonly number[] | null,
): Uint8Array {
  const shades = new Float64Array(64);
  const magnitudes = new Uint8Array(blocks.length * FREQUENCIES);
  for (let i = 0; i < blocks.length; i++) {
    loadBlock(pixels, grid, blocks[i]!, shades);
    const frequencies = frequenciesOf(shades);
    for (let f = 1; f <= FREQUENCIES; f++)
      magnitudes[i * FREQUENCIES + f - 1] = Math.min(
        255,
        Math.round(Math.abs(frequencies[ZIGZAG[f]!]!) / (steps?.[f] ?? 1)),
      );
  }
  return magnitudes;
}

const frequencies = new Float64Array(64);
function frequenciesOf(shades: Float64Array): Float64Array {
  transformBlock(shades, frequencies);
  return frequencies;
}

function countsOf(magnitudes: Uint8Array, frequency: number, step: number): Float64Array {
  const counts = new Float64Array(Math.floor(MAGNITUDE_MAX / step) + 1);
  for (let at = frequency - 1; at < magnitudes.length; at += FREQUENCIES)
    if (magnitudes[at]! < counts.length) counts[magnitudes[at]!]!++;
  return counts;
}

/** What the pictures' blocks of one kind are judged by: the evidence of each frequency, null where it shows no first step. */
type Tables = readonly (Float64Array | null)[];

/** Judges blocks whose shades are whole, each frequency by a step of its own; gives those steps, 0 where none shows. */
function judgeWhole(
  pixels: Pixels,
  grid: Grid,
  free: Grid,
  lastSteps: readonly number[],
  against: Float32Array,
): number[] {
  const firstSteps = Array.from({ length: FREQUENCIES + 1 }, () => 0);
  if (grid.whole.length < BLOCKS_MIN) return firstSteps;
  const sample = magnitudesOf(pixels, grid, sampleOf(grid.whole), frequenciesOf, lastSteps);
  const freeSample = magnitudesOf(pixels, free, sampleOf(free.whole), frequenciesOf, null);
  const tables: (Float64Array | null)[] = [null];
  for (let f = 1; f <= FREQUENCIES; f++) {
    const step = lastSteps[f]!;
    // Rounding to whole shades, twice where the last steps don't hide it.
    const noises = [step <= 2 ? 0.67 : 0.5];
    const found = firstStepOf(countsOf(sample, f, step), step, spreadOf(countsOf(freeSample, f, 1)), { noises });
    tables.push(found?.against ?? null);
    firstSteps[f] = found?.firstStep ?? 0;
  }
  // A picture that was sharpened in between shows some steps, but here and there others.
  if (knownIn(firstSteps) < STEPS_KNOWN_MIN) return firstSteps;
  judge(pixels, grid, grid.whole, tables, { sample, frequenciesOf, steps: lastSteps }, against);
  return firstSteps;
}

/** Judges blocks with shades that were cut off, once the first steps are known by the other blocks or can be found among the usual ones. */
function judgeCut(
  pixels: Pixels,
  grid: Grid,
  free: Grid,
  lastSteps: readonly number[],
  known: readonly number[],
  against: Float32Array,
): void {
  if (grid.cut.length < BLOCKS_MIN) return;
  const firstSteps =
    knownIn(known) >= STEPS_KNOWN_MIN
      ? stepsLike(known)
      : stepsOfCut(sampleOfCut(pixels, grid), lastSteps, FREQUENCIES);
  if (!firstSteps) return;
  const placed = byPlace(firstSteps);
  const frequenciesOfUncut = (shades: Float64Array): Float64Array => uncut(shades, placed, ROUNDS);
  const sample = magnitudesOf(pixels, grid, sampleOf(grid.cut), frequenciesOfUncut, null);
  const freeSample = magnitudesOf(pixels, free, sampleOf(free.cut), frequenciesOf, null);
  const tables: (Float64Array | null)[] = [null];
  for (let f = 1; f <= FREQUENCIES; f++) {
    const tried = { firstSteps: [firstSteps[f]!], noises: NOISES_OF_CUT };
    const found = firstStepOf(countsOf(sample, f, 1), 1, spreadOf(countsOf(freeSample, f, 1)), tried);
    tables.push(found?.against ?? null);
  }
  judge(pixels, grid, grid.cut, tables, { sample, frequenciesOf: frequenciesOfUncut, steps: null }, against);
}

function knownIn(firstSteps: readonly number[]): number {
  return firstSteps.filter((step) => step > 0).length;
}

function sampleOf(blocks: readonly number[]): readonly number[] {
  const every = Math.ceil(blocks.length / BLOCKS_OF_SAMPLE);
  return every <= 1 ? blocks : blocks.filter((_, i) => i % every === 0);
}

function sampleOfCut(pixels: Pixels, grid: Grid): Float64Array[] {
  return Array.from({ length: BLOCKS_SEARCHED }, (_, i) => {
    const shades = new Float64Array(64);
    loadBlock(pixels, grid, grid.cut[Math.floor((i * grid.cut.length) / BLOCKS_SEARCHED)]!, shades);
    return shades;
  });
}

/** Adds up what each block's frequencies say; most large pictures show no first compression, and cost no more than the sample. */
function judge(
  pixels: Pixels,
  grid: Grid,
  blocks: readonly number[],
  tables: Tables,
  by: {
    readonly sample: Uint8Array;
    readonly frequenciesOf: (shades: Float64Array) => Float64Array;
    readonly steps: readonly number[] | null;
  },
  against: Float32Array,
): void {
  if (tables.every((table) => table === null)) return;
  const isSampled = by.sample.length < blocks.length * FREQUENCIES;
  const magnitudes = isSampled ? magnitudesOf(pixels, grid, blocks, by.frequenciesOf, by.steps) : by.sample;
  for (let f = 1; f <= FREQUENCIES; f++) {
    const table = tables[f];
    if (!table) continue;
    for (let i = 0, at = f - 1; i < blocks.length; i++, at += FREQUENCIES)
      against[blocks[i]!]! += table[magnitudes[at]!] ?? 0;
  }
}

/**
 * The place whose blocks together speak most against the first compression. A block counts for no more than how rare its like is among those of its
 * kind in the same picture, so that a picture that fits badly as a whole has no place that stands out.
 */
function standingOut({ across, down, whole, cut }: Grid, against: Float32Array): StrangePatch | null {
  const value = new Float64Array(across * down);
  for (const blocks of [whole, cut]) {
    const ranked = blocks.toSorted((a, b) => against[b]! - against[a]!);
    for (const [i, block] of ranked.entries()) {
      const evidence = against[block]!;
      const rarity = Math.log((ranked.length + 1) / (i + 2));
      if (evidence !== 0)
        value[block] = (evidence > 0 ? Math.min(evidence, rarity) : Math.max(evidence, -TRUST_MAX)) - DOUBT;
    }
  }
  const line = across + 1;
  const sums = new Float64Array(line * (down + 1));
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      const at = (row + 1) * line + column + 1;
      sums[at] = value[row * across + column]! + sums[at - 1]! + sums[at - line]! - sums[at - line - 1]!;
    }
  }
  if (against.every((evidence) => evidence === 0)) return null;
  let best: StrangePatch = { evidence: 0, left: 0, top: 0, width: 0, height: 0 };
  for (const [width, height] of WINDOWS) {
    for (let row = 0; row + height <= down; row++) {
      for (let column = 0; column + width <= across; column++) {
        const upper = row * line + column;
        const lower = upper + height * line;
        const evidence = sums[lower + width]! - sums[upper + width]! - sums[lower]! + sums[upper]!;
        if (evidence > best.evidence)
          best = { evidence, left: 8 * column, top: 8 * row, width: 8 * width, height: 8 * height };
      }
    }
  }
  return best;
}
