import { createHash } from "node:crypto";
import type { OcrPage } from "../../ocr/page.ts";
import type { ReceiptReading } from "../parsing/parse.ts";
import { lettersOf } from "./alignment.ts";

// The keys for finding earlier receipts that may be duplicates. They are stored with each accepted receipt.

/**
 * Returns the keys that receipts with nearly the same figures share, as decimal 64-bit integers; none if there are too
 * few figures. The keys are a MinHash (Broder 1997) of the figures, cut into bands. Two receipts with a share s of
 * their figures in common share a key with probability 1 - (1 - s^4)^12 (1 - s^3)^12: 99.9 % at 0.7, 91 % at 0.5,
 * 11 % at 0.2, the usual share of two receipts of one shop on one day. The OCR rotates a page upright and reads it at
 * any size, light and compression, so a rotated, brightened or recompressed photo has nearly the same figures. A crop
 * may remove half of them.
 */
export function printKeys(page: Pick<OcrPage, "boxes">): string[] {
  const figures = figuresOf(page);
  if (figures.size < FIGURES_MIN) return [];
  const hashes = [...figures].map((figure) => createHash("sha256").update(figure).digest());
  const minima = SEEDS.map(([multiplier, offset]) =>
    Math.min(...hashes.map((hash) => mixed(hash.readUInt32LE(0), hash.readUInt32LE(4), multiplier, offset))),
  );
  let from = 0;
  return BANDS.map((hashesOf, band) => {
    const members = minima.slice(from, from + hashesOf);
    from += hashesOf;
    return keyOf(`${band}:${members.join()}`);
  });
}

function keyOf(text: string): string {
  return createHash("sha256").update(text).digest().readBigInt64LE(0).toString();
}

/**
 * Returns the keys that receipts of one purchase share, for receipts with too little legible print: the total with the
 * day, and with the minute; and, if a crop removed the column of amounts, the shop with the day and the minute, both
 * the till's and the card terminal's.
 */
export function purchaseKeys(
  { date, time, totalMinor, businessName }: Pick<ReceiptReading, "date" | "time" | "totalMinor" | "businessName">,
  page: Pick<OcrPage, "boxes">,
): string[] {
  const moments = [date, time?.slice(0, 5)].filter((moment) => typeof moment === "string");
  const totals = totalMinor === null ? [] : moments.map((moment) => `${moment} ${totalMinor}`);
  const shop = date === null || businessName === null ? null : `${date} ${lettersOf(businessName)}`;
  const minutes = shop === null || time === null ? [] : minutesAround(time, page);
  return [...totals, ...minutes.map((minute) => `${shop} ${minute}`)].map(keyOf);
}

/** The clocks of a till and its card terminal differ by minutes; opening hours are further off. */
const CLOCKS_APART_MAX_MIN = 10;

/** Returns the printed times of day close to `time`, with `time` itself. */
function minutesAround(time: string, { boxes }: Pick<OcrPage, "boxes">): string[] {
  const minuteOf = (text: string): number => 60 * Number(text.slice(0, 2)) + Number(text.slice(3, 5));
  const printed = boxes.flatMap(({ text }) => text.match(/(?<!\d:?)(?:[01]\d|2[0-3]):[0-5]\d(?!\d)/g) ?? []);
  const near = printed.filter((other) => Math.abs(minuteOf(other) - minuteOf(time)) <= CLOCKS_APART_MAX_MIN);
  return [...new Set([time.slice(0, 5), ...near])];
}

/** Number of hashes of each band. */
const BANDS = [...Array<number>(12).fill(4), ...Array<number>(12).fill(3)];
const HASHES = BANDS.reduce((sum, hashesOf) => sum + hashesOf, 0);
/** Fewer figures are not enough to identify a receipt: many others would share them. */
const FIGURES_MIN = 5;

/** The multiplier (odd) and the offset of each hash function. Stored keys depend on this text: it must not change. */
const SEEDS: readonly (readonly [number, number])[] = Array.from({ length: HASHES }, (_, i) => {
  const digest = createHash("sha256").update(`likeness ${i}`).digest();
  return [digest.readUInt32LE(0) | 1, digest.readUInt32LE(4)];
});

/** Applies the finaliser of MurmurHash3 to a figure's hash and a seed, in place of further hash functions. */
function mixed(low: number, high: number, multiplier: number, offset: number): number {
  let h = Math.imul(low ^ offset, multiplier) ^ high;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Returns the numbers of two digits or more, without separators. A repeated number counts as another figure. */
function figuresOf({ boxes }: Pick<OcrPage, "boxes">): Set<string> {
  const counts = new Map<string, number>();
  const figures = new Set<string>();
  for (const { text } of boxes) {
    for (const [run] of text.matchAll(/\d(?:[ .,:/-]{0,2}\d)+/g)) {
      const digits = run.replace(/\D/g, "");
      const count = (counts.get(digits) ?? 0) + 1;
      counts.set(digits, count);
      figures.add(`${digits} ${count}`);
    }
  }
  return figures;
}
