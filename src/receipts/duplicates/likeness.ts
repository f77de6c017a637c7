import { createHash } from "node:crypto";
import { fitted, moved } from "../../images/compare/affine.ts";
import type { PlanePoint } from "../../images/compare/affine.ts";
import { heightOf, lettersOf } from "./alignment.ts";
import type { Place } from "./alignment.ts";
import type { ReceiptReading } from "../parsing/parse.ts";
import type { OcrPage } from "../../ocr/page.ts";

/** How alike two pictures are at a place, from -1 to 1, and how far apart they show it, in heights of the place. */
export interface PlaceResemblance {
  readonly whole: number;
  /** Where they are least alike. */
  readonly weakest: number;
  readonly aside: PlanePoint;
}

/**
 * What two receipts have in common: `same_picture`: one is a copy of the other's photo, however turned, cut, brightened or
 * compressed; `same_print`: another photo of the same paper. `score` 0 to 1: the share of print that both show alike.
 */
export interface Likeness {
  readonly kind: "same_picture" | "same_print" | "different";
  readonly score: number;
}

/** Thresholds of the comparison; docs/receipts.md says what each was measured on. */
export const LIKENESS_THRESHOLDS = {
  /** Print read alike must look alike: the median over it, and its weakest spots but for a tenth of them. */
  wholeMin: 0.85,
  weakestMin: 0.65,
  /** A digit read differently that looks worse than the weakest spots by this is another digit. */
  digitDropMax: 0.015,
  /** As above where one reading has more digits than the other, and so may have lost some. */
  digitCountDropMax: 0.06,
  /** Print that isn't read alike must look about as good. */
  otherDropMax: 0.25,
  /** The share of print that both must show alike. */
  shareMin: 0.5,
  /** Nine tenths of the print of a copy lie where one affine map leads, to this many heights of text. */
  asideMax: 0.03,
} as const;

/** More differing digits than this, and more than this share of all places, are another receipt's: no picture is looked at. */
const DIGIT_DISPUTES_MAX = 10;
const DIGIT_DISPUTES_SHARE_MAX = 0.25;
const ALIKE_PLACES_MIN = 4;
/** So many places of each sort are looked at. */
const ALIKE_PLACES_MAX = 20;
const DISPUTED_PLACES_MAX = 40;
/** Print whose shades go together less than this, or that is shorter, tells nothing of where it lies: a colon was found 0.2 of its height aside in a copy. */
const LOCATED_WHOLE_MIN = 0.8;
const LOCATED_CHARACTERS_MIN = 3;

/** The places worth looking at: where the readings differ, and some where they agree; none when digits differ all over. */
export function placesToCompare(places: readonly Place[]): Place[] {
  const disputed = places.filter(({ isSameText }) => !isSameText);
  const alike = places.filter(({ isSameText }) => isSameText);
  const digits = disputed.filter(hasOtherDigits);
  if (digits.length > Math.max(DIGIT_DISPUTES_MAX, DIGIT_DISPUTES_SHARE_MAX * places.length)) return [];
  if (alike.length < ALIKE_PLACES_MIN) return [];
  const others = disputed.filter((place) => !hasOtherDigits(place));
  return [...spread(alike, ALIKE_PLACES_MAX), ...digits, ...spread(others, DISPUTED_PLACES_MAX - digits.length)];
}

/** Judges two receipts by how alike their pictures are at the places to compare; null: nothing is shown there. */
export function judged(places: readonly Place[], resemblances: readonly (PlaceResemblance | null)[]): Likeness {
  const shown = places.flatMap((place, i) => {
    const found = resemblances[i];
    return found ? [{ place, ...found }] : [];
  });
  const alike = shown.filter(({ place }) => place.isSameText);
  const weakest = quantile(
    alike.map((one) => one.weakest),
    0.1,
  );
  const whole = quantile(
    alike.map((one) => one.whole),
    0.5,
  );
  const { wholeMin, weakestMin, digitDropMax, digitCountDropMax, otherDropMax, shareMin, asideMax } =
    LIKENESS_THRESHOLDS;
  const share = shareOf(shown, ({ place, ...one }) => place.isSameText || one.weakest >= weakest - otherDropMax);
  const dropMax = (place: Place) => (hasAsManyDigits(place) ? digitDropMax : digitCountDropMax);
  const isOther = shown.some(({ place, ...one }) => hasOtherDigits(place) && one.weakest < weakest - dropMax(place));
  const score = Math.round(100 * share * Math.max(0, whole)) / 100;
  if (alike.length < ALIKE_PLACES_MIN || whole < wholeMin || weakest < weakestMin) return { kind: "different", score };
  if (isOther || share < shareMin) return { kind: "different", score };
  if (quantile(asides(shown), 0.9) <= asideMax) return { kind: "same_picture", score };
  // Another angle blurs what tells one digit from another: of another photo the reading is believed.
  return { kind: places.some(hasChangedDigits) ? "different" : "same_print", score };
}

/** Both read digits here, and not the same: one of them misread, or another receipt. */
function hasOtherDigits(place: Place): boolean {
  const [one, other] = digitsOf(place);
  return !place.isSameText && one !== "" && other !== "" && one !== other;
}

function hasAsManyDigits(place: Place): boolean {
  const [one, other] = digitsOf(place);
  return one.length === other.length;
}

/** Not only more digits, as of a longer piece of the same line, but others. */
function hasChangedDigits(place: Place): boolean {
  const [one, other] = digitsOf(place);
  return hasOtherDigits(place) && !one.includes(other) && !other.includes(one);
}

function digitsOf({ texts: [one, other] }: Place): readonly [string, string] {
  return [(one ?? "").replace(/\D/g, ""), (other ?? "").replace(/\D/g, "")];
}

type Shown = PlaceResemblance & { readonly place: Place };

function shareOf(shown: readonly Shown[], isAlike: (one: Shown) => boolean): number {
  const sum = (some: readonly Shown[]) => some.reduce((total, { place }) => total + charactersOf(place), 0);
  return sum(shown.filter(isAlike)) / Math.max(1, sum(shown));
}

function charactersOf({ texts: [one, other] }: Place): number {
  return lettersOf(one ?? other ?? "").length;
}

/** How far the print lies from where the map leads that fits it best, in heights of text. */
function asides(shown: readonly Shown[]): number[] {
  const located = shown.filter(
    ({ whole, place }) => whole >= LOCATED_WHOLE_MIN && charactersOf(place) >= LOCATED_CHARACTERS_MIN,
  );
  const height = quantile(
    located.map(({ place }) => heightOf(place)),
    0.5,
  );
  const pairs = located.map(({ place, aside }) => {
    const [{ x, y }, , opposite] = place.polygon;
    const from = { x: (x + opposite.x) / 2 / height, y: (y + opposite.y) / 2 / height };
    const size = heightOf(place) / height;
    return [from, { x: from.x + aside.x * size, y: from.y + aside.y * size }] as const;
  });
  const map = fitted(pairs);
  if (!map) return [];
  return pairs.map(([from, to]) => {
    const led = moved(map, from);
    return Math.hypot(led.x - to.x, led.y - to.y);
  });
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((p, q) => p - q);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** At most so many, evenly from first to last. */
function spread<Item>(items: readonly Item[], max: number): Item[] {
  const step = Math.max(1, items.length / Math.max(1, max));
  return Array.from({ length: Math.min(items.length, max) }, (_, i) => items[Math.floor(i * step)]!);
}

/**
 * Under which keys receipts that print nearly the same figures find each other, as decimal 64-bit integers: MinHash
 * (Broder 1997) of the figures, cut into bands. Two receipts of which a share s of all their figures is common have a
 * key in common with probability 1 - (1 - s^4)^12 (1 - s^3)^12: 99.9 % at 0.7, 91 % at 0.5, 11 % at 0.2, which is what
 * two receipts of one shop on one day have. OCR turns a page upright and reads it whatever its size, light and
 * compression, so the figures of a turned, brightened or recompressed photo are the same but for a few; a crop may
 * take half of them. None: too few figures.
 */
export function likenessKeys(page: Pick<OcrPage, "boxes">): string[] {
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
 * Under which keys receipts of one purchase find each other where too little else was read of one of them: its total with its day, and with its
 * minute; and, where a crop took the column of amounts, its shop with its day and minute, the till's and the card's.
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

/** A till and the card's terminal beside it differ by minutes; times of opening are further off. */
const CLOCKS_APART_MAX_MIN = 10;

/** The times of day printed around one of them, its own too. */
function minutesAround(time: string, { boxes }: Pick<OcrPage, "boxes">): string[] {
  const minuteOf = (text: string): number => 60 * Number(text.slice(0, 2)) + Number(text.slice(3, 5));
  const printed = boxes.flatMap(({ text }) => text.match(/(?<!\d:?)(?:[01]\d|2[0-3]):[0-5]\d(?!\d)/g) ?? []);
  const near = printed.filter((other) => Math.abs(minuteOf(other) - minuteOf(time)) <= CLOCKS_APART_MAX_MIN);
  return [...new Set([time.slice(0, 5), ...near])];
}

/** How many hashes each band has. */
const BANDS = [...Array<number>(12).fill(4), ...Array<number>(12).fill(3)];
const HASHES = BANDS.reduce((sum, hashesOf) => sum + hashesOf, 0);
/** Fewer figures are no receipt's, and would be found by everything. */
const FIGURES_MIN = 5;

/** Of each hash function a multiplier (odd) and an offset, from digests of its number. */
const SEEDS: readonly (readonly [number, number])[] = Array.from({ length: HASHES }, (_, i) => {
  const digest = createHash("sha256").update(`likeness ${i}`).digest();
  return [digest.readUInt32LE(0) | 1, digest.readUInt32LE(4)];
});

/** The finaliser of MurmurHash3 over a figure's hash and a seed: as good as another hash function. */
function mixed(low: number, high: number, multiplier: number, offset: number): number {
  let h = Math.imul(low ^ offset, multiplier) ^ high;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The numbers of two digits or more, without what separates their digits; the second of a kind is another figure. */
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
