import { createHash } from "node:crypto";
import { compactKey } from "../parsing/rows/labels.ts";
import type { ReceiptReading } from "../parsing/parse.ts";
import type { Declared } from "../receipt.ts";
import { failed, notChecked, passed, rounded } from "../checks/check.ts";
import type { Check } from "../checks/check.ts";
import type { Likeness } from "./likeness.ts";

// The checks that compare a receipt with others: its picture, its purchase, and how many its user hands in.

/** Whether the picture, or the paper on it, was handed in before; `likest`: the likest of the earlier receipts that were compared. */
export function pictureCheck(hasKeys: boolean, likest: DuplicateMatch | null): Check {
  const check = "picture_is_new";
  if (!hasKeys) return notChecked(check, "there is too little print by which to tell this picture from others");
  if (likest === null) return passed(check, 1, "no other picture shows nearly the same print");
  if (likest.kind === "same_picture")
    return failed(check, "this picture was handed in before, perhaps turned, cut or saved anew");
  if (likest.kind === "same_print") return failed(check, "another picture of this receipt was handed in before");
  return passed(check, rounded(1 - likest.score / 2), "pictures that show nearly the same print show another receipt");
}

/** An earlier receipt's likeness, and whether it is the same user's. */
export interface DuplicateMatch extends Likeness {
  readonly isOwn: boolean;
}

/** The likest of all that were compared; a copy before another photo, a stranger's before the user's own. */
export function closestMatch(resembling: readonly DuplicateMatch[]): DuplicateMatch | null {
  const rankOf = ({ kind, isOwn, score }: DuplicateMatch) =>
    (kind === "same_picture" ? 4 : kind === "same_print" ? (isOwn ? 1 : 2) : 0) + score / 2;
  return resembling.reduce<DuplicateMatch | null>(
    (best, one) => (best && rankOf(best) >= rankOf(one) ? best : one),
    null,
  );
}

/** Whether the user keeps within the receipts a day that the operator allows; 0 allows any number. */
export function paceCheck(earlierToday: number, perDayMax: number): Check {
  const check = "pace_of_user";
  if (perDayMax === 0) return notChecked(check, "the number of receipts a day is not limited");
  return earlierToday < perDayMax
    ? passed(check, 1, "the user handed in no more receipts within a day than are allowed")
    : failed(check, "the user handed in more receipts within a day than are allowed");
}

/**
 * What makes a purchase the same purchase: merchant, time and total as read, or null when too little was read to tell.
 * With the time of day, two purchases of one user in the same minute, of the same shop and total, are one; the lines
 * would only let a second photo through whose lines were read a little differently. Without it the lines decide, and
 * without a date the declared one stands in, so that a weekly shopping is not taken for its repetition.
 */
export function fingerprint(businessName: string, reading: ReceiptReading, declared: Declared): Buffer | null {
  const { date, time, totalMinor, lines } = reading;
  const day = date ?? declared.transactionTimestamp?.slice(0, 10) ?? null;
  if (totalMinor === null || day === null) return null;
  const amounts = lines.map(({ amountMinor }) => amountMinor).sort((a, b) => a - b);
  const when = time !== null && date !== null ? [day, time.slice(0, 5)] : [day, amounts];
  return createHash("sha256")
    .update(JSON.stringify([compactKey(businessName), totalMinor, when]))
    .digest();
}

/** Whether the purchase is told of for the first time; null: too little was read to tell, or it may be told again. */
export function uniquenessCheck(isNew: boolean | null): Check {
  const check = "purchase_is_new";
  if (isNew === null) return notChecked(check, "there is nothing by which to tell this purchase from others");
  return isNew
    ? passed(check, 1, "no other receipt of this user tells of this purchase")
    : failed(check, "another receipt of this user tells of this purchase");
}

/** In place of the checks of a receipt among others: a sample may be sent again, and as often as one likes. */
export function checksOfSample(): Check[] {
  return ["picture_is_new", "purchase_is_new", "pace_of_user", "purchase_is_recent"].map((check) =>
    notChecked(check, "the image is a sample, which may be sent at any time and as often as one likes"),
  );
}
