import { fitted, moved } from "../../images/compare/affine.ts";
import type { PlanePoint } from "../../images/compare/affine.ts";
import { editDistance } from "../../edit-distance.ts";
import { heightOf, lettersOf, middleOf } from "./alignment.ts";
import type { Place } from "./alignment.ts";
import { changedFigures, commonFigures, hasAmount, isOtherPurchase, isOtherPurchaseOnPaper } from "./figures.ts";
import type { Differences } from "./figures.ts";

/** How alike two pictures are at a place, each from -1 to 1. */
export interface PlaceSimilarity {
  /** Over the whole place. */
  readonly overall: number;
  /** Of its window where they are least alike. */
  readonly weakest: number;
  /** Shift of this print between the two pictures, after the first is mapped onto the second; in heights of it. */
  readonly aside: PlanePoint;
}

/**
 * Result of comparing two receipts. `same_picture`: one is a copy of the other's photo, also if rotated, cropped,
 * brightened or compressed again. `same_print`: another photo of the same paper.
 */
export interface Similarity {
  readonly kind: "same_picture" | "same_print" | "different";
  /** Share of the print that looks alike in both, 0 to 1. */
  readonly score: number;
}

/** Thresholds of the comparison. docs/receipts.md has the measurements. */
export const SIMILARITY_THRESHOLDS = {
  /** Places with the same text must look alike: their median, and nine tenths of their weakest spots. */
  overallMin: 0.85,
  weakestMin: 0.65,
  /**
   * Places with other digits (`8.40` and `3.40`) are really different if they look worse than the weakest windows of
   * equally read places by more than this. Otherwise the OCR misread one of them.
   */
  digitDropMax: 0.015,
  /** The same if one text has the digits of the other and more (`12.99` and `2.99`): the OCR may have lost some. */
  digitCountDropMax: 0.06,
  /**
   * Places with other text (`MILK` and `M1LK`) count as alike if their weakest window is worse than that of equally
   * read places by at most this.
   */
  otherDropMax: 0.25,
  /** Minimum share of the print that looks alike in both. */
  shareMin: 0.5,
  /** In a copy, nine tenths of the print are where one affine map puts them, to this many heights of text. */
  asideMax: 0.03,
} as const;

/** Above both this number and this share of places with other digits, it is another receipt: no picture is compared. */
const DIGIT_DISPUTES_MAX = 10;
const DIGIT_DISPUTES_SHARE_MAX = 0.25;
const ALIKE_PLACES_MIN = 4;
/** Maximum number of compared places with the same text, and with other text. */
const ALIKE_PLACES_MAX = 20;
const DISPUTED_PLACES_MAX = 40;
/**
 * Only places this similar and this long are used to locate the print: a colon was found 0.2 of its height aside in
 * a copy.
 */
const LOCATED_OVERALL_MIN = 0.8;
const LOCATED_CHARACTERS_MIN = 3;
/** Names of lines are other ones if they have this many letters and differ in more than this share of them. */
const NAME_LETTERS_MIN = 4;
const OTHER_NAME_SHARE = 0.4;

/** Returns the places to compare: those with other text, and some with the same. None if too many digits differ. */
export function placesToCompare(places: readonly Place[]): Place[] {
  const disputed = places.filter(({ isSameText }) => !isSameText);
  const alike = places.filter(({ isSameText }) => isSameText);
  const digits = disputed.filter(hasOtherDigits);
  if (digits.length > Math.max(DIGIT_DISPUTES_MAX, DIGIT_DISPUTES_SHARE_MAX * places.length)) return [];
  if (alike.length < ALIKE_PLACES_MIN) return [];
  const others = disputed.filter((place) => !hasOtherDigits(place));
  return [...spread(alike, ALIKE_PLACES_MAX), ...digits, ...spread(others, DISPUTED_PLACES_MAX - digits.length)];
}

/**
 * Judges two receipts by their similarity at the places to compare; `all` are all their places. Where nine tenths of
 * the print are in the same places, it is the same photo: a digit that differs was painted, unless the purchase
 * differs in more ways (isOtherPurchase).
 */
export function similarityOf(
  places: readonly Place[],
  similarities: readonly (PlaceSimilarity | null)[],
  all: readonly Place[] = places,
): Similarity {
  const shown = places.flatMap((place, i) => {
    const found = similarities[i];
    return found ? [{ place, ...found }] : [];
  });
  const alike = shown.filter(({ place }) => place.isSameText);
  const weakest = quantile(
    alike.map((one) => one.weakest),
    0.1,
  );
  const overall = quantile(
    alike.map((one) => one.overall),
    0.5,
  );
  const { overallMin, weakestMin, otherDropMax, shareMin, asideMax } = SIMILARITY_THRESHOLDS;
  const share = shareOf(shown, ({ place, ...one }) => place.isSameText || one.weakest >= weakest - otherDropMax);
  const score = Math.round(100 * share * Math.max(0, overall)) / 100;
  if (alike.length < ALIKE_PLACES_MIN || overall < overallMin || weakest < weakestMin || share < shareMin)
    return { kind: "different", score };
  const differing = shown.filter((one) => looksOther(one, weakest)).map(({ place }) => place);
  if (quantile(asides(shown), 0.9) <= asideMax) {
    const isOther = differing.length > 0 && isOtherPurchase(differencesOf(differing, all), commonFigures(all));
    return { kind: isOther ? "different" : "same_picture", score };
  }
  // A photo from another angle blurs the difference between digits, so the OCR's text decides as well.
  const misread = places.filter((place) => hasChangedDigits(place) && !differing.includes(place));
  const apart = [...differing, ...misread];
  const isOther = apart.length > 0 && isOtherPurchaseOnPaper(differencesOf(apart, all), commonFigures(all));
  return { kind: isOther ? "different" : "same_print", score };
}

function differencesOf(places: readonly Place[], all: readonly Place[]): Differences {
  return {
    figures: places.flatMap((place) => (hasOtherDigits(place) ? changedFigures(place) : [])),
    names: places.filter((place) => !hasOtherDigits(place) && isBesideAmount(place, all)).length,
  };
}

/** Whether an amount is printed to the right of a place: it is the name of a line. */
function isBesideAmount(place: Place, all: readonly Place[]): boolean {
  const [middle, height] = [middleOf(place), heightOf(place)];
  return all.some((other) => {
    const { x, y } = middleOf(other);
    return x > middle.x && Math.abs(y - middle.y) <= 0.5 * height && hasAmount(other);
  });
}

/** Whether a place with other digits, or with another name, looks worse than equally read places. */
function looksOther({ place, weakest }: Shown, usual: number): boolean {
  const { digitDropMax, digitCountDropMax, otherDropMax } = SIMILARITY_THRESHOLDS;
  if (hasOtherDigits(place)) return weakest < usual - (hasLostDigits(place) ? digitCountDropMax : digitDropMax);
  return hasOtherName(place) && weakest < usual - otherDropMax;
}

/** Whether both texts are names of lines, with few letters in common. */
function hasOtherName(place: Place): boolean {
  const [one, other] = place.texts.map((text) => lettersOf(text ?? ""));
  if (place.isSameText || !one || !other || Math.min(one.length, other.length) < NAME_LETTERS_MIN) return false;
  return editDistance(one, other) > OTHER_NAME_SHARE * Math.max(one.length, other.length);
}

/** Whether both texts have digits, but other ones: one was misread, or it is another receipt. */
function hasOtherDigits(place: Place): boolean {
  const [one, other] = digitsOf(place);
  return !place.isSameText && one !== "" && other !== "" && one !== other;
}

/** Whether one text has the digits of the other, in order, and more: the OCR may have lost them. */
function hasLostDigits(place: Place): boolean {
  const [shorter, longer] = digitsOf(place).toSorted((p, q) => p.length - q.length) as [string, string];
  let at = 0;
  for (const digit of longer) if (digit === shorter[at]) at++;
  return at === shorter.length;
}

/** Whether the digits differ, other than by one text being a longer piece of the same line. */
function hasChangedDigits(place: Place): boolean {
  const [one, other] = digitsOf(place);
  return hasOtherDigits(place) && !one.includes(other) && !other.includes(one);
}

function digitsOf({ texts: [one, other] }: Place): readonly [string, string] {
  return [(one ?? "").replace(/\D/g, ""), (other ?? "").replace(/\D/g, "")];
}

type Shown = PlaceSimilarity & { readonly place: Place };

function shareOf(shown: readonly Shown[], isAlike: (one: Shown) => boolean): number {
  const sum = (some: readonly Shown[]) => some.reduce((total, { place }) => total + charactersOf(place), 0);
  return sum(shown.filter(isAlike)) / Math.max(1, sum(shown));
}

function charactersOf({ texts: [one, other] }: Place): number {
  return lettersOf(one ?? other ?? "").length;
}

/** Returns the distances of the print from where the best-fitting map puts it, in heights of text. */
function asides(shown: readonly Shown[]): number[] {
  const located = shown.filter(
    ({ overall, place }) => overall >= LOCATED_OVERALL_MIN && charactersOf(place) >= LOCATED_CHARACTERS_MIN,
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
    const mapped = moved(map, from);
    return Math.hypot(mapped.x - to.x, mapped.y - to.y);
  });
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((p, q) => p - q);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** Returns at most `max` items, evenly spread from first to last. */
function spread<Item>(items: readonly Item[], max: number): Item[] {
  const step = Math.max(1, items.length / Math.max(1, max));
  return Array.from({ length: Math.min(items.length, max) }, (_, i) => items[Math.floor(i * step)]!);
}
