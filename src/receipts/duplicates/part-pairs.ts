// Which photos of two receipts are compared, where at least one has several, and what they must have in common. Pure.
import type { OcrPage } from "../../ocr/page.ts";
import { addsUp } from "../checks/authenticate.ts";
import { findMoment } from "../parsing/dates/dates.ts";
import type { ReceiptReading } from "../parsing/parse.ts";
import { rowsOf } from "../parsing/rows/rows.ts";
import type { PartedPage } from "../parts/parted-page.ts";
import { partsChecks } from "../parts/parts-check.ts";
import { lettersOf } from "./alignment.ts";
import type { Place } from "./alignment.ts";
import { commonFigures, hasAmount } from "./figures.ts";
import type { Similarity } from "./similarity.ts";

/** The heads of two receipts of one till are alike. This number of equal lines in one photo is no other purchase's. */
const IDENTIFYING_LINES_MIN = 4;

/** Texts as short are on any receipt. */
const TEXT_MIN = 3;

/**
 * Returns the pairs of photos to compare: for each photo, of either receipt, the one of the other receipt with most
 * equal texts. Of five photos and five at most ten are compared, not 25.
 */
export function pairsToCompare<Picture extends { readonly page: OcrPage }>(
  own: readonly Picture[],
  others: readonly Picture[],
): (readonly [Picture, Picture])[] {
  const [ownTexts, otherTexts] = [own.map(textsOf), others.map(textsOf)];
  const common = ownTexts.map((texts) => otherTexts.map((each) => texts.intersection(each).size));
  const chosen = new Set<string>();
  for (const i of own.keys()) chosen.add(`${i} ${indexOfMost(others.map((_, j) => common[i]![j]!))}`);
  for (const j of others.keys()) chosen.add(`${indexOfMost(own.map((_, i) => common[i]![j]!))} ${j}`);
  const pairs = own.flatMap((one, i) =>
    others.flatMap((other, j) =>
      chosen.has(`${i} ${j}`) ? [{ pair: [one, other] as const, common: common[i]![j]! }] : [],
    ),
  );
  return pairs.toSorted((a, b) => b.common - a.common).map(({ pair }) => pair);
}

/**
 * What identifies a purchase in what two photos have in common: the time of day or a receipt's number, or several
 * lines; null: nothing. A whole receipt has a time or a number, or else differs in a sum; a photo of a part may show
 * the shop's head alone.
 */
export function identifiedBy(places: readonly Place[]): "figures" | "lines" | null {
  const { hasTime, hasReceiptNumber } = commonFigures(places);
  if (hasTime || hasReceiptNumber) return "figures";
  return places.filter(isSameLine).length >= IDENTIFYING_LINES_MIN ? "lines" : null;
}

/** What was read of a receipt. */
export interface ReadReceipt {
  readonly page: PartedPage;
  readonly reading: ReceiptReading;
}

/**
 * Whether equal lines on other paper may be another purchase: the same basket, at another time, in photos that hang
 * together and lines that add up. The upper half of an old receipt beside the lower half of another one does neither.
 */
export function isSameBasketAgain({ page, reading }: ReadReceipt, earlier: PartedPage): boolean {
  const { date, time, country, totalMinor } = reading;
  if (date === null || time === null || totalMinor === null || !addsUp(reading, totalMinor)) return false;
  if (partsChecks(page).some(({ outcome }) => outcome !== "passed")) return false;
  const other = findMoment(
    rowsOf(earlier).map(({ text }) => text),
    { country, today: null },
  );
  if (other.date === null || other.time === null) return false;
  return date !== other.date || time.slice(0, 5) !== other.time.slice(0, 5);
}

function isSameLine(place: Place): boolean {
  return place.isSameText && hasAmount(place);
}

/** Whether a comparison says more for one receipt than another one. */
export function isCloser(one: Similarity, other: Similarity): boolean {
  const rank = ({ kind, score }: Similarity) => (kind === "same_picture" ? 4 : kind === "same_print" ? 2 : 0) + score;
  return rank(one) > rank(other);
}

function textsOf({ page }: { readonly page: OcrPage }): Set<string> {
  return new Set(page.boxes.map(({ text }) => lettersOf(text)).filter((text) => text.length >= TEXT_MIN));
}

function indexOfMost(counts: readonly number[]): number {
  return counts.indexOf(Math.max(...counts));
}
