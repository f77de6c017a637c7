// npm run eval:duplicates -- [FOLDER of receipt pictures] [--originals N] [--cache DIR]
//   [--part altered|distinct|painted] [--copies N] [--folder-only]
import { mkdir, mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { createOcr } from "../src/ocr/ocr.ts";
import { ALTERATIONS, COMBINED, SHOPS, drawingOf, longReceipts, photoOf } from "../test/support/duplicate-pictures.ts";
import { otherPurchases, receiptsOfOneDay } from "../test/support/duplicate-pictures.ts";
import type { SampleReceipt } from "../src/receipts/samples/sample.ts";
import { compare, createReader } from "./duplicate-pairs.ts";
import { painted } from "./overpainted-copies.ts";

const OF_ONE_DAY = 24;
const LONG_LINES = [30, 45, 60];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    originals: { type: "string", default: "12" },
    cache: { type: "string" },
    part: { type: "string" },
    copies: { type: "string", default: "3" },
    "folder-only": { type: "boolean" },
  },
});
const isWanted = (part: "altered" | "distinct" | "painted") => (values.part ?? part) === part;
const work = await mkdtemp(path.join(tmpdir(), "rewards-duplicates-"));
const ocr = createOcr();
if (values.cache) await mkdir(values.cache, { recursive: true });
const read = createReader(ocr, work, values.cache);

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

/** Compares each receipt with the purchases most like it. */
async function others(
  title: string,
  pictureOf: (receipt: SampleReceipt, at: number) => Promise<Buffer>,
): Promise<void> {
  for (const receipt of SHOPS) {
    const pictures = Object.entries({ itself: receipt, ...otherPurchases(receipt) });
    await distinct(
      `${receipt.merchant!.name} and other purchases, ${title}`,
      await Promise.all(pictures.map(async ([name, other], i) => [name, await pictureOf(other, i)] as const)),
    );
  }
}

async function drawn(): Promise<void> {
  const photos = await Promise.all(
    SHOPS.map(async (receipt, i) => [receipt.merchant!.name, await photoOf(receipt, 10 + i)] as const),
  );
  const plain = await Promise.all(
    SHOPS.map(async (receipt) => [receipt.merchant!.name, await drawingOf(receipt)] as const),
  );
  if (isWanted("altered")) await altered("drawn, photographed", photos);
  if (isWanted("altered")) await altered("drawn, plain", plain);
  if (isWanted("painted")) await painted("drawn, photographed", photos, read);
  if (isWanted("painted")) await painted("drawn, plain", plain, read);
}

async function drawnApart(): Promise<void> {
  await others("photographed by one hand", (receipt) => photoOf(receipt, 3));
  await others("photographed by many hands", (receipt, i) => photoOf(receipt, 20 + i));
  await others("plain", drawingOf);
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
}

async function ofFolder(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /\.(jpe?g|png)$/i.test(name)).sort();
  if (names.length === 0) throw new Error(`no pictures in ${folder}`);
  const pictures = await Promise.all(
    names.map(async (name) => [name, await readFile(path.join(folder, name))] as const),
  );
  if (isWanted("distinct")) await distinct(folder, pictures);
  const step = Math.max(1, names.length / Number(values.originals));
  const some = pictures.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
  if (some.length === 0 || Number(values.originals) === 0) return;
  if (isWanted("altered")) await altered(folder, some);
  if (isWanted("painted")) await painted(folder, some, read, Number(values.copies));
}

try {
  const [folder] = positionals;
  if (folder === undefined || !values["folder-only"]) {
    await drawn();
    if (isWanted("distinct")) await drawnApart();
  }
  if (folder !== undefined) await ofFolder(folder);
} finally {
  await ocr.close();
  await rm(work, { recursive: true, force: true });
}
