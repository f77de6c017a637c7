import assert from "node:assert/strict";
import { test } from "node:test";
import type ort from "onnxruntime-node";
import { latinAlphabet, recognizeText } from "./recognition.ts";

const ALPHABET = latinAlphabet("a\nä\ná\nb");
const RECTANGLE = { x: 16, y: 24, width: 32, height: 48, angle: 0, bend: 0 };
const PIXELS = { width: 64, height: 64, data: Buffer.alloc(3 * 64 * 64) };

/** Reads what a model gives that finds these probabilities step by step: blank, a, ä, á, b, space. */
async function textOf(steps: readonly (readonly number[])[]): Promise<string> {
  const output = { data: Float32Array.from(steps.flat()), dims: [1, steps.length, 6] };
  const session = { run: async () => ({ output }) } as unknown as ort.InferenceSession;
  const [read] = await recognizeText(session, ALPHABET, PIXELS, [RECTANGLE]);
  return read!.text;
}

test("a letter gets the mark that the model saw with three in a hundred or more", async () => {
  const b = [0, 0, 0, 0, 1, 0];
  const blank = [1, 0, 0, 0, 0, 0];
  assert.equal(await textOf([[0, 0.65, 0.3, 0.05, 0, 0], b]), "äb");
  assert.equal(await textOf([[0, 0.9, 0, 0.04, 0.06, 0], b]), "áb");
  assert.equal(await textOf([[0, 0.97, 0.02, 0.01, 0, 0], b]), "ab");
  // At its second step, too; the next letter has its own.
  assert.equal(await textOf([[0, 0.99, 0.01, 0, 0, 0], [0, 0.6, 0.1, 0, 0, 0], blank, [0, 0.99, 0, 0, 0, 0]]), "äa"); // prettier-ignore
});
