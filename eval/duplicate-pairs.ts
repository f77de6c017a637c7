// What eval:duplicates compares: stored pictures with their pages, as the service does.
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { comparePictures } from "../src/images/compare/features.ts";
import { normaliseImage } from "../src/images/normalise.ts";
import type { Ocr } from "../src/ocr/ocr.ts";
import type { OcrPage } from "../src/ocr/page.ts";
import { aligned, heightOf, medianOf, placesOf } from "../src/receipts/duplicates/alignment.ts";
import { printKeys, purchaseKeys } from "../src/receipts/duplicates/keys.ts";
import { placesToCompare, similarityOf } from "../src/receipts/duplicates/similarity.ts";
import type { Similarity } from "../src/receipts/duplicates/similarity.ts";
import { parseReceipt } from "../src/receipts/parsing/parse.ts";
import type { ReceiptReading } from "../src/receipts/parsing/parse.ts";
import { dictionary } from "../test/support/typed-receipt.ts";

/** A stored picture with its OCR page, what was read, and the keys that find it. */
export interface Read {
  readonly name: string;
  readonly path: string;
  readonly page: OcrPage;
  readonly reading: ReceiptReading;
  readonly keys: ReadonlySet<string>;
}

const KEPT = { pixelsMax: 50_000_000, longSideMaxPx: 4_000 };

/** Creates the reader. It stores pictures in `work` and keeps pages in `cache`, so that another run need not read. */
export function createReader(ocr: Ocr, work: string, cache: string | undefined) {
  // Reads as the service does: a process that grew too large is replaced by a new one.
  const readOrAgain = (stored: string): Promise<OcrPage> =>
    ocr.read({ path: stored }).catch(() => ocr.read({ path: stored }));

  /** Stores a picture as the service does and reads it; null when it cannot be. */
  return async (name: string, picture: Buffer): Promise<Read | null> => {
    const id = createHash("sha256").update(picture).digest("hex").slice(0, 24);
    const stored = path.join(work, `${id}.jpg`);
    await writeFile(`${stored}.in`, picture);
    const { kind } = await normaliseImage(`${stored}.in`, stored, KEPT);
    if (kind !== "ok") return null;
    const kept = cache && path.join(cache, `${id}.json`);
    const text = kept ? await readFile(kept, "utf8").catch(() => null) : null;
    const page = text === null ? await readOrAgain(stored) : (JSON.parse(text) as OcrPage);
    if (kept && text === null) await writeFile(kept, JSON.stringify(page));
    const reading = parseReceipt(page, dictionary);
    return { name, path: stored, page, reading, keys: new Set([...printKeys(page), ...purchaseKeys(reading, page)]) };
  };
}

/** Compares two receipts as the service does, and counts the keys that they share. */
export async function compare(one: Read, other: Read): Promise<Similarity & { shared: number }> {
  const shared = [...one.keys].filter((key) => other.keys.has(key)).length;
  const alignment = aligned(one.page, other.page);
  const all = alignment ? placesOf(one.page, other.page, alignment) : [];
  const places = placesToCompare(all);
  if (shared === 0 || !alignment || places.length === 0) return { kind: "different", score: 0, shared };
  const found = await comparePictures(
    view(one),
    view(other),
    alignment.map,
    places.map(({ polygon }) => polygon),
  );
  return { ...similarityOf(places, found, all), shared };
}

function view({ path: file, page }: Read) {
  const { width, height, rotation, boxes } = page;
  return { path: file, width, height, rotation, textHeight: medianOf(boxes.map(heightOf)) };
}
