// npm run eval:duplicates -- [FOLDER of receipt pictures] [--originals N] [--cache DIR]
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { comparePictures } from "../src/images/compare/features.ts";
import { normaliseImage } from "../src/images/normalise.ts";
import { createOcr } from "../src/ocr/ocr.ts";
import { aligned, heightOf, medianOf, placesOf } from "../src/receipts/duplicates/alignment.ts";
import { printKeys, purchaseKeys } from "../src/receipts/duplicates/keys.ts";
import { placesToCompare, similarityOf } from "../src/receipts/duplicates/similarity.ts";
import type { Similarity } from "../src/receipts/duplicates/similarity.ts";
import { parseReceipt } from "../src/receipts/parsing/parse.ts";
import type { OcrPage } from "../src/ocr/page.ts";
import { dictionary } from "../test/support/typed-receipt.ts";
import { ALTERATIONS, COMBINED, SHOPS, drawingOf, longReceipts, photoOf } from "../test/support/duplicate-pictures.ts";
import { receiptsOfOneDay } from "../test/support/duplicate-pictures.ts";

/** A stored picture with its OCR page and the keys that find it. */
interface Read {
  readonly name: string;
  readonly path: string;
  readonly page: OcrPage;
  readonly keys: ReadonlySet<string>;
}

const OF_ONE_DAY = 24;
const LONG_LINES = [30, 45, 60];
const KEPT = { pixelsMax: 50_000_000, longSideMaxPx: 4_000 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { originals: { type: "string", default: "12" }, cache: { type: "string" } },
});
const work = await mkdtemp(path.join(tmpdir(), "rewards-duplicates-"));
const ocr = createOcr();
if (values.cache) await mkdir(values.cache, { recursive: true });

/** Stores a picture as the service does and reads it; null when it cannot be. */
async function read(name: string, picture: Buffer): Promise<Read | null> {
  const id = createHash("sha256").update(picture).digest("hex").slice(0, 24);
  const stored = path.join(work, `${id}.jpg`);
  await writeFile(`${stored}.in`, picture);
  const { kind } = await normaliseImage(`${stored}.in`, stored, KEPT);
  if (kind !== "ok") return null;
  const kept = values.cache && path.join(values.cache, `${id}.json`);
  const text = kept ? await readFile(kept, "utf8").catch(() => null) : null;
  const page = text === null ? await readOrAgain(stored) : (JSON.parse(text) as OcrPage);
  if (kept && text === null) await writeFile(kept, JSON.stringify(page));
  return {
    name,
    path: stored,
    page,
    keys: new Set([...printKeys(page), ...purchaseKeys(parseReceipt(page, dictionary), page)]),
  };
}

/** Reads as the service does: a process that grew too large is replaced by a new one. */
function readOrAgain(stored: string): Promise<OcrPage> {
  return ocr.read({ path: stored }).catch(() => ocr.read({ path: stored }));
}

/** Compares two receipts as the service does, and counts the keys that they share. */
async function compare(one: Read, other: Read): Promise<Similarity & { shared: number }> {
  const shared = [...one.keys].filter((key) => other.keys.has(key)).length;
  const alignment = aligned(one.page, other.page);
  const places = alignment ? placesToCompare(placesOf(one.page, other.page, alignment)) : [];
  if (shared === 0 || !alignment || places.length === 0) return { kind: "different", score: 0, shared };
  const found = await comparePictures(
    view(one),
    view(other),
    alignment.map,
    places.map(({ polygon }) => polygon),
  );
  return { ...similarityOf(places, found), shared };
}

function view({ path: file, page }: Read) {
  const { width, height, rotation, boxes } = page;
  return { path: file, width, height, rotation, textHeight: medianOf(boxes.map(heightOf)) };
}

/** Alters each picture in every way; prints how many are known again, and which are not. */
async function altered(title: string, originals: readonly (readonly [string, Buffer])[]): Promise<void> {
  const alterations = { ...ALTERATIONS, ...COMBINED };
  const counts = new Map(Object.keys(alterations).map((name) => [name, 0]));
  const missed: string[] = [];
  await Promise.all(
    originals.map(async ([name, picture]) => {
      const original = await read(name, picture);
      for (const [alteration, alter] of Object.entries(alterations)) {
        const copy = original && (await read(name, await alter(picture)));
        const { kind, shared } = copy ? await compare(copy, original) : { kind: "unread", shared: 0 };
        if (kind === "same_picture" || kind === "same_print") counts.set(alteration, counts.get(alteration)! + 1);
        else missed.push(`  missed: ${name} ${alteration}: ${kind}, ${shared} keys in common`);
      }
    }),
  );
  console.log(`\n${title}: known again of ${originals.length}`);
  for (const [alteration, count] of counts) console.log(`  ${alteration.padEnd(64)} ${count}`);
  if (missed.length > 0) console.log(missed.sort().join("\n"));
}

/** Compares all pairs of pictures that show different receipts; prints those called the same. */
async function distinct(title: string, pictures: readonly (readonly [string, Buffer])[]): Promise<void> {
  const all = (await Promise.all(pictures.map(([name, picture]) => read(name, picture)))).filter((one) => one !== null);
  let found = 0;
  const same: string[] = [];
  for (const [i, one] of all.entries()) {
    for (const other of all.slice(0, i)) {
      const { kind, shared } = await compare(one, other);
      found += Number(shared > 0);
      if (kind !== "different") same.push(`  called the same: ${one.name} and ${other.name} (${kind})`);
    }
  }
  const pairs = (all.length * (all.length - 1)) / 2;
  console.log(
    `\n${title}: ${all.length} receipts, ${pairs} pairs, ${found} found by keys, ${same.length} called the same`,
  );
  if (same.length > 0) console.log(same.join("\n"));
}

try {
  const photos = SHOPS.flatMap((receipt, i) =>
    ["2026-10-23", "2026-10-24"].map(
      (date) => [`${receipt.merchant!.name} ${date}`, { ...receipt, date }, 10 + i] as const,
    ),
  );
  await altered(
    "drawn, photographed",
    await Promise.all(photos.map(async ([name, receipt, seed]) => [name, await photoOf(receipt, seed)] as const)),
  );
  await altered(
    "drawn, plain",
    await Promise.all(SHOPS.map(async (receipt) => [receipt.merchant!.name, await drawingOf(receipt)] as const)),
  );
  const day = receiptsOfOneDay(OF_ONE_DAY);
  for (const [title, pictureOf] of [
    ["one shop, one day, photographed by one hand", (receipt) => photoOf(receipt, 3)],
    ["one shop, one day, plain", drawingOf],
  ] as const satisfies readonly (readonly [string, (receipt: (typeof day)[number]) => Promise<Buffer>])[]) {
    const pictures = await Promise.all(
      day.map(async (receipt) => [receipt.receiptNumber, await pictureOf(receipt)] as const),
    );
    await distinct(title, pictures);
  }
  for (const lines of LONG_LINES) {
    const [first, later] = longReceipts(lines);
    for (const [title, seed] of [["one hand", 3] as const, ["two hands", 53] as const])
      await distinct(`two baskets of the same ${lines} lines a minute apart, photographed by ${title}`, [
        ["first", await photoOf(first, 3)],
        ["later", await photoOf(later, seed)],
      ]);
  }
  const [folder] = positionals;
  if (folder !== undefined) {
    const names = (await readdir(folder)).filter((name) => /\.(jpe?g|png)$/i.test(name)).sort();
    if (names.length === 0) throw new Error(`no pictures in ${folder}`);
    const pictures = await Promise.all(
      names.map(async (name) => [name, await readFile(path.join(folder, name))] as const),
    );
    await distinct(folder, pictures);
    const step = Math.max(1, names.length / Number(values.originals));
    const some = pictures.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
    if (Number(values.originals) > 0) await altered(folder, some);
  }
} finally {
  await ocr.close();
  await rm(work, { recursive: true, force: true });
}
