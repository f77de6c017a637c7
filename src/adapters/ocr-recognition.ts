import ort from "onnxruntime-node";
import { straightenInto, type Pixels, type Rectangle } from "./ocr-image.ts";

/** What stands in a rectangle; `score` is the mean probability of its characters. */
export type Recognized = { text: string; score: number };

/** Characters that receipts of Latin script have and the model knows; everything else of its 6,623 only invites mistakes. */
const LATIN_CHARACTERS = new Set(
  `!"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_abcdefghijklmnopqrstuvwxyz{|}äéèàáíóúòìÉÓÜüË°²×¥`,
);
const LINE_HEIGHT_PX = 48;
const LINE_WIDTH_MAX_PX = 2400;
/** A line's tensor is padded to a multiple of this, so that few different shapes fill the arena. */
const WIDTH_STEP_PX = 32;
/** Pixels of width in one batch; more brings no speed on one thread, only memory. */
const BATCH_WIDTH_MAX_PX = 2400;
/** The model joins words rather than part them: a space counts wherever it is this likely (measured on the development receipts). */
const SPACE_PROBABILITY_MIN = 0.02;

type Alphabet = { indices: number[]; characters: string[]; space: number; classes: number };

/** The classes to choose from. `keys` is the model's dictionary, one character a line; class 0 is the blank, the last one the space. */
export function latinAlphabet(keys: string): Alphabet {
  const all = keys.split(/\r?\n/).filter((key) => key !== "");
  const chosen = all.flatMap((character, i) => (LATIN_CHARACTERS.has(character) ? [{ character, index: i + 1 }] : []));
  return {
    indices: chosen.map(({ index }) => index),
    characters: chosen.map(({ character }) => character),
    space: all.length + 1,
    classes: all.length + 2,
  };
}

/** Reads each rectangle of the image, in batches of like width; results in the order of the rectangles. */
export async function recognizeText(
  session: ort.InferenceSession,
  alphabet: Alphabet,
  pixels: Pixels,
  rectangles: readonly Rectangle[],
): Promise<Recognized[]> {
  const results: Recognized[] = Array.from({ length: rectangles.length });
  for (const batch of batches(rectangles)) {
    const stride = batch.at(-1)!.width;
    const size = 3 * LINE_HEIGHT_PX * stride;
    const tensor = new Float32Array(batch.length * size);
    for (const [row, { index, textWidth }] of batch.entries()) {
      straightenInto(tensor, row * size, stride, pixels, rectangles[index]!, textWidth, LINE_HEIGHT_PX);
    }
    const output = await session.run({
      x: new ort.Tensor("float32", tensor, [batch.length, 3, LINE_HEIGHT_PX, stride]),
    });
    const { data, dims } = Object.values(output)[0]!;
    const steps = dims[1]!;
    for (const [row, { index }] of batch.entries()) {
      results[index] = decode(data as Float32Array, row * steps * alphabet.classes, steps, alphabet);
    }
  }
  return results;
}

type Line = { index: number; textWidth: number; width: number };

function batches(rectangles: readonly Rectangle[]): Line[][] {
  const lines = rectangles
    .map(({ width, height }, index) => {
      const wanted = Math.round((LINE_HEIGHT_PX * width) / height);
      const textWidth = Math.min(LINE_WIDTH_MAX_PX, Math.max(8, wanted));
      return { index, textWidth, width: Math.ceil(textWidth / WIDTH_STEP_PX) * WIDTH_STEP_PX };
    })
    .sort((a, b) => a.width - b.width);
  const result: Line[][] = [];
  for (const line of lines) {
    const last = result.at(-1);
    const fits =
      last && (last.length + 1) * line.width <= BATCH_WIDTH_MAX_PX && line.width <= 1.15 * last[0]!.width + 32;
    if (fits) last.push(line);
    else result.push([line]);
  }
  return result;
}

/** Greedy CTC: the likeliest class at each step, repeats merged, blanks dropped. */
function decode(data: Float32Array, offset: number, steps: number, alphabet: Alphabet): Recognized {
  const { indices, characters, space, classes } = alphabet;
  let text = "";
  let previous = -1;
  let sum = 0;
  let count = 0;
  for (let step = 0; step < steps; step++) {
    const at = offset + step * classes;
    let best = -1;
    let bestProbability = data[at]!;
    for (let i = 0; i < indices.length; i++) {
      const probability = data[at + indices[i]!]!;
      if (probability > bestProbability) {
        bestProbability = probability;
        best = i;
      }
    }
    if (best >= 0) {
      if (best !== previous) {
        text += characters[best]!;
        sum += bestProbability;
        count++;
      }
    } else if (data[at + space]! > SPACE_PROBABILITY_MIN && !text.endsWith(" ")) {
      text += " ";
    }
    previous = best;
  }
  return { text: text.trim(), score: count === 0 ? 0 : sum / count };
}
