import ort from "onnxruntime-node";
import { straightenInto } from "./image.ts";
import type { Pixels, Rectangle } from "./image.ts";

/** The text of a rectangle; `score` is the mean probability of its characters. */
export interface Recognized {
  text: string;
  score: number;
}

const LINE_HEIGHT_PX = 48;
/**
 * Lines are read a little narrower, as the model was trained. At 1.0 one total of 28 was lost, at 0.8 three
 * (docs/diary/receipts-reading.md).
 */
const LINE_WIDTH_SHARE = 0.9;
const LINE_WIDTH_MAX_PX = 2400;
/** The class of no character. */
const BLANK = 0;
/** The model's step along a line: widths are multiples of it. */
const WIDTH_STEP_PX = 8;
// A run has a fixed cost, so short lines of the same width are read in batches: single lines of 48, 80 and 120 px take
// 1.03, 1.13 and 1.76 ms of the processor, in batches of four 0.64, 1.08 and 1.68 each. From 200 px on batches gain
// nothing. Lines of different widths would have to be padded, which changes the text.
const BATCH_MAX = 4;
const BATCH_WIDTH_MAX_PX = 500;
/** The level between black and white, which the model takes for nothing. */
const MIDDLE_LEVEL = 128;

/**
 * Reads each rectangle of the image; returns the results in the same order. The classes of the model are the blank, the
 * characters in order, the space.
 */
export async function recognizeText(
  session: ort.InferenceSession,
  characters: readonly string[],
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
      const levels = new Uint8Array(batch.length * size).fill(MIDDLE_LEVEL);
      for (const [i, { rectangle, textWidth }] of batch.entries())
        straightenInto(levels, i * size, width, pixels, rectangle, textWidth, LINE_HEIGHT_PX);
      const shape = [batch.length, 3, LINE_HEIGHT_PX, width];
      const output = await session.run({ x: new ort.Tensor("uint8", levels, shape) });
      const { data, dims } = Object.values(output)[0]!;
      const read = dims[1]! * dims[2]!;
      for (const [i, { index }] of batch.entries())
        results[index] = decode((data as Float32Array).subarray(i * read, (i + 1) * read), dims[1]!, characters);
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

/**
 * Decodes greedily (CTC): the most probable class at each step, repeats merged, blanks removed. The score is the mean
 * probability of the characters.
 */
function decode(data: Float32Array, steps: number, characters: readonly string[]): Recognized {
  const space = characters.length + 1;
  let [text, sum, count, previous] = ["", 0, 0, BLANK];
  for (let step = 0; step < steps; step++) {
    const at = step * (space + 1);
    let best = BLANK;
    for (let i = 1; i <= space; i++) if (data[at + i]! > data[at + best]!) best = i;
    if (best === space) {
      if (!text.endsWith(" ")) text += " ";
    } else if (best !== BLANK && best !== previous) {
      text += characters[best - 1]!;
      sum += data[at + best]!;
      count++;
    }
    previous = best;
  }
  return { text: text.trim(), score: count === 0 ? 0 : sum / count };
}
