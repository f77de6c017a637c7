import assert from "node:assert/strict";
import { test } from "node:test";
import type ort from "onnxruntime-node";
import { recognizeText } from "./recognition.ts";

const RECTANGLE = { x: 16, y: 24, width: 32, height: 48, angle: 0, bend: 0 };
const PIXELS = { width: 64, height: 64, data: Buffer.alloc(3 * 64 * 64) };

/** Reads what a model returns that finds these characters at its steps: `_` is the blank. */
async function textOf(steps: string): Promise<string> {
  const characters = ["a", "ä", "b"];
  const classes = ["_", ...characters, " "];
  const probabilities = steps.split("").flatMap((found) => classes.map((each) => (each === found ? 1 : 0)));
  const output = { data: Float32Array.from(probabilities), dims: [1, steps.length, classes.length] };
  const session = { run: async () => ({ output }) } as unknown as ort.InferenceSession;
  const [read] = await recognizeText(session, characters, PIXELS, [RECTANGLE]);
  return read!.text;
}

test("repeated steps are one character, and blanks between them make it two", async () => {
  assert.equal(await textOf("__aaa_ä_bb_"), "aäb");
  assert.equal(await textOf("aa_aa"), "aa");
});

test("spaces before and behind the characters are left out", async () => {
  assert.equal(await textOf(" _a_ _ab  _b_ "), "a ab b");
});
