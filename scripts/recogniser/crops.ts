// node bin/run.mjs scripts/recogniser/crops.ts TARGET [FOLDER]
// Writes the lines that the service would read into a file, to train its recogniser with (README.md): of drawn and
// typed receipts, or of a folder with truth.jsonl, each second one of them as it is and damaged in three ways. Of each
// line its width in four bytes, then its levels as the recogniser gets them.
import { closeSync, openSync, writeSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type ort from "onnxruntime-node";
import { drawnReceipt } from "../../eval/drawn/drawn.ts";
import { typedFlat, typedPicture } from "../../eval/drawn/typed.ts";
import { roughened, ROUGHNESSES, STRENGTHS } from "../../eval/roughened.ts";
import { TYPED, typedReceipts } from "../../eval/typed/collection.ts";
import { normaliseImage } from "../../src/images/normalise.ts";
import { loadModels } from "../../src/ocr/models.ts";
import { readPage } from "../../src/ocr/read-page.ts";
import { KEPT_LONG_SIDE_PX } from "../../src/receipts/receipt.ts";

const DRAWN = 120;
const TYPED_STEP = 4;
const DAMAGED_COPIES = 3;
/** Seeds that no evaluation in the documentation has. */
const SEED = 90_000;

const [target, folder] = process.argv.slice(2);
if (target === undefined) throw new Error("usage: crops.ts TARGET [FOLDER]");
const file = openSync(target, "w");
const temporary = await mkdtemp(path.join(tmpdir(), "crops-"));
const models = { ...(await loadModels(undefined)), recognition: writing() };
let [pictures, lines] = [0, 0];

for await (const picture of folder === undefined ? ownPictures() : picturesIn(folder)) {
  const [original, stored] = [path.join(temporary, "original"), path.join(temporary, "stored")];
  await writeFile(original, picture);
  const limits = { pixelsMax: 50_000_000, longSideMaxPx: KEPT_LONG_SIDE_PX };
  if ((await normaliseImage(original, stored, limits)).kind === "ok") await readPage(models, stored);
  process.stderr.write(`\r${++pictures} pictures, ${lines} lines`);
}
closeSync(file);
await rm(temporary, { recursive: true });
process.stderr.write("\n");

/** In place of the recogniser: it writes its lines into the file, and reads nothing in them. */
function writing(): ort.InferenceSession {
  const run = async ({ x }: { x: ort.Tensor }): Promise<{ y: { data: Float32Array; dims: number[] } }> => {
    const [count, , , width] = x.dims as [number, number, number, number];
    const levels = x.data as Uint8Array;
    const size = levels.length / count;
    for (let i = 0; i < count; i++) {
      const head = Buffer.alloc(4);
      head.writeInt32LE(width);
      writeSync(file, head);
      writeSync(file, levels.subarray(i * size, (i + 1) * size));
      lines++;
    }
    return { y: { data: new Float32Array(count), dims: [count, 0, 0] } };
  };
  return { run } as unknown as ort.InferenceSession;
}

async function damaged(picture: Uint8Array, i: number): Promise<Uint8Array> {
  return roughened(picture, ROUGHNESSES[(i * 7) % ROUGHNESSES.length]!, STRENGTHS[i % STRENGTHS.length]!, SEED + i);
}

async function* picturesIn(receipts: string): AsyncGenerator<Uint8Array> {
  const rows = (await readFile(path.join(receipts, "truth.jsonl"), "utf8")).split("\n").filter(Boolean);
  for (const [i, row] of rows.entries()) {
    if (i % 2 !== 0) continue;
    const picture = await readFile(path.join(receipts, (JSON.parse(row) as { file: string }).file));
    yield picture;
    for (let copy = 0; copy < DAMAGED_COPIES; copy++) yield damaged(picture, DAMAGED_COPIES * i + copy);
  }
}

async function* ownPictures(): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < DRAWN; i++) {
    const { picture, flat } = drawnReceipt(SEED + i, i % 2 === 0 ? "first" : "later");
    yield i % 3 === 0 ? (await picture()).jpeg : damaged(await flat(), i);
  }
  const typed = TYPED.flatMap((collection) => typedReceipts(collection, 0, 0, null));
  for (const [i, receipt] of typed.entries()) {
    if (i % TYPED_STEP !== 0) continue;
    yield i % (2 * TYPED_STEP) === 0 ? typedPicture(receipt, SEED + i) : damaged(await typedFlat(receipt, SEED + i), i);
  }
}
