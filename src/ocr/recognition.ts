import ort from "onnxruntime-node";
import { straightenInto } from "./image.ts";
import type { Pixels, Rectangle } from "./image.ts";

/** The text of a rectangle; `score` is the mean probability of its characters. */
export interface Recognized {
  text: string;
  score: number;
}

/** The characters of receipts in Latin script that the model has; all others of its 6,623 only cause mistakes. */
const LATIN_CHARACTERS = new Set(
  `!"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_abcdefghijklmnopqrstuvwxyz{|}äéèàáíóúòìÉÓÜüË°²×¥`,
);
const LINE_HEIGHT_PX = 48;
/**
 * Lines are read a little narrower. 0.85 with half the margin beside them saves 8 % of their width and lost a date and
 * three totals of 77; 0.8 alone saved 7 % of the processor time and lost two of 85 dates; 0.9 was measured only
 * together with the smaller detection input (read-page.ts).
 */
const LINE_WIDTH_SHARE = 0.9;
const LINE_WIDTH_MAX_PX = 2400;
/** The model's step along a line: widths are multiples of it. */
const WIDTH_STEP_PX = 8;
// A run has a fixed cost of about a millisecond, so short lines of the same width are read in batches: single lines of
// 48, 80 and 120 px take 4.0, 5.7 and 7.8 ms of the processor, in batches of four 3.1, 4.6 and 7.0 each. From 200 px on
// batches gain nothing; larger ones don't fit the cache of a core. On six receipts batches save 2.7 % of the reading,
// and every character is the same. Lines of different widths would have to be padded, which changes the text.
const BATCH_MAX = 4;
const BATCH_WIDTH_MAX_PX = 500;
// The model finds a space at many narrow letters (`Doppe lbrotchen`) and misses some between words. So a space needs a
// low probability in a wide gap, a high one elsewhere. Fitted to the spaces in 35 transcripts; by them alone it would
// be 0.1 elsewhere, and 0.3 was chosen by hand on two German receipts.
const WIDE_GAP_PITCHES = 1.25;
const SPACE_PROBABILITY_IN_GAP = 0.01;
const SPACE_PROBABILITY_ELSEWHERE = 0.3;

/**
 * The model drops marks that it hardly saw: `Backerei` for `Bäckerei` with 0.64 for a and 0.30 for ä. A letter gets its
 * mark where that has a higher probability than this. On 28 photos and 85 drawn receipts all 27 letters above it were
 * printed with that mark; of 14 with 0.012 to 0.03 four were not. The 25 English ones among them had none above 0.01.
 */
const MARK_PROBABILITY = 0.03;

/** The characters to read. `classes` are their classes in the model: the blank, the characters in order, the space. */
export interface Alphabet {
  characters: string[];
  classes: number[];
  /** For each character its places among them with a mark: of `a` those of `ä`, `à` and `á`. */
  marked: readonly (readonly number[])[];
}

/** A letter without its mark. */
function withoutMark(character: string): string {
  return character.normalize("NFD").charAt(0);
}

/**
 * Creates the alphabet of a model. `keys` is its dictionary, a character a line; class 0 is blank, the last one space.
 */
export function latinAlphabet(keys: string): Alphabet {
  const all = keys.split(/\r?\n/).filter((key) => key !== "");
  const chosen = all.flatMap((character, i) => (LATIN_CHARACTERS.has(character) ? [{ character, index: i + 1 }] : []));
  const characters = chosen.map(({ character }) => character);
  return {
    characters,
    classes: [0, ...chosen.map(({ index }) => index), all.length + 1],
    marked: characters.map((character) =>
      characters.flatMap((other, i) => (other !== character && withoutMark(other) === character ? [i] : [])),
    ),
  };
}

/** Reads each rectangle of the image; returns the results in the same order. */
export async function recognizeText(
  session: ort.InferenceSession,
  alphabet: Alphabet,
  pixels: Pixels,
  rectangles: readonly Rectangle[],
): Promise<Recognized[]> {
  const results: Recognized[] = [];
  const lines = rectangles.map((rectangle, index) => ({ index, rectangle, ...widthsOf(rectangle) }));
  for (const [width, group] of Map.groupBy(lines, (line) => line.width)) {
    const batchMax = Math.max(1, Math.min(BATCH_MAX, Math.floor(BATCH_WIDTH_MAX_PX / width)));
    const size = 3 * LINE_HEIGHT_PX * width;
    for (let first = 0; first < group.length; first += batchMax) {
      const batch = group.slice(first, first + batchMax);
      const tensor = new Float32Array(batch.length * size);
      for (const [i, { rectangle, textWidth }] of batch.entries())
        straightenInto(tensor, i * size, width, pixels, rectangle, textWidth, LINE_HEIGHT_PX);
      const shape = [batch.length, 3, LINE_HEIGHT_PX, width];
      const output = await session.run({ x: new ort.Tensor("float32", tensor, shape) });
      const { data, dims } = Object.values(output)[0]!;
      const read = dims[1]! * dims[2]!;
      for (const [i, { index }] of batch.entries())
        results[index] = decode((data as Float32Array).subarray(i * read, (i + 1) * read), dims[1]!, alphabet);
    }
  }
  return results;
}

/** Returns the width of the text in the model's input, and the same rounded up to the model's step. */
function widthsOf({ width, height }: Rectangle): { textWidth: number; width: number } {
  const wanted = Math.round((LINE_WIDTH_SHARE * LINE_HEIGHT_PX * width) / height);
  const textWidth = Math.min(LINE_WIDTH_MAX_PX, Math.max(WIDTH_STEP_PX, wanted));
  return { textWidth, width: Math.ceil(textWidth / WIDTH_STEP_PX) * WIDTH_STEP_PX };
}

/** Decodes greedily (CTC): the most probable class at each step, repeats merged, blanks removed. */
function decode(data: Float32Array, steps: number, alphabet: Alphabet): Recognized {
  const { characters, classes, marked } = alphabet;
  const space = classes.length - 1;
  const found: Glyph[] = [];
  let previous = -1;
  let sum = 0;
  let spaceProbability = 0;
  for (let step = 0; step < steps; step++) {
    const at = step * classes.length;
    let best = -1;
    let bestProbability = data[at]!;
    for (let i = 0; i < characters.length; i++) {
      const probability = data[at + 1 + i]!;
      if (probability > bestProbability) {
        bestProbability = probability;
        best = i;
      }
    }
    if (best < 0) {
      spaceProbability = Math.max(spaceProbability, data[at + space]!);
    } else if (best === previous) {
      found.at(-1)!.last = step;
    } else {
      found.push({
        character: characters[best]!,
        first: step,
        last: step,
        spaceBefore: spaceProbability,
        markProbability: MARK_PROBABILITY,
      });
      sum += bestProbability;
      spaceProbability = 0;
    }
    if (best >= 0) {
      for (const i of marked[best]!) addMark(found.at(-1)!, characters[i]!, data[at + 1 + i]!);
    }
    previous = best;
  }
  return { text: withSpaces(found), score: found.length === 0 ? 0 : sum / found.length };
}

/**
 * A character and the steps (of 8 px) where it was found; `spaceBefore` is the highest probability of a space since the
 * previous character.
 */
interface Glyph {
  character: string;
  first: number;
  last: number;
  spaceBefore: number;
  /** The probability that another mark must exceed. */
  markProbability: number;
}

/** Gives a letter the mark that is likelier than any before. */
function addMark(glyph: Glyph, character: string, probability: number): void {
  if (probability <= glyph.markProbability) return;
  glyph.character = character;
  glyph.markProbability = probability;
}

function withSpaces(glyphs: readonly Glyph[]): string {
  const distances = glyphs.slice(1).map((glyph, i) => middle(glyph) - middle(glyphs[i]!));
  const pitch = distances.toSorted((a, b) => a - b)[distances.length >> 1] ?? 0;
  return glyphs
    .map(({ character, spaceBefore }, i) => {
      const isWide = i > 0 && distances[i - 1]! >= WIDE_GAP_PITCHES * pitch;
      const isSpace = i > 0 && spaceBefore > (isWide ? SPACE_PROBABILITY_IN_GAP : SPACE_PROBABILITY_ELSEWHERE);
      return isSpace ? ` ${character}` : character;
    })
    .join("");
}

function middle({ first, last }: Glyph): number {
  return (first + last) / 2;
}
