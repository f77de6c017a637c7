import { createHash, createHmac } from "node:crypto";
import { editDistance } from "../../edit-distance.ts";
import { failed, notChecked, passed, rounded } from "../checks/check.ts";
import type { Check } from "../checks/check.ts";
import type { ReceiptReading } from "../parsing/parse.ts";
import type { ReceiptLine } from "../parsing/reading.ts";
import { compactKey } from "../parsing/rows/labels.ts";
import type { Declared } from "../receipt.ts";
import type { Similarity } from "./similarity.ts";

// The checks that compare a receipt with earlier ones: its picture and its purchase.

/** The similarity to an earlier receipt. */
export interface DuplicateMatch extends Similarity {
  /** Both receipts are of the same user. */
  readonly isOwn: boolean;
}

/** Checks that neither the picture nor another photo of the same paper was submitted before. */
export function pictureCheck(hasKeys: boolean, closest: DuplicateMatch | null): Check {
  const check = "picture_is_new";
  if (!hasKeys) return notChecked(check, "there is too little print to compare this picture with others");
  if (closest === null) return passed(check, 1, "no other picture shows nearly the same print");
  if (closest.kind === "same_picture")
    return failed(check, "this picture was submitted before, perhaps rotated, cropped or saved again");
  if (closest.kind === "same_print") return failed(check, "another picture of this receipt was submitted before");
  return passed(check, rounded(1 - closest.score / 2), "pictures that show nearly the same print show another receipt");
}

/** Returns the closest match: a copy before another photo, another user's receipt before the user's own. */
export function closestMatch(matches: readonly DuplicateMatch[]): DuplicateMatch | null {
  const rankOf = ({ kind, isOwn, score }: DuplicateMatch) =>
    (kind === "same_picture" ? 4 : kind === "same_print" ? (isOwn ? 1 : 2) : 0) + score / 2;
  return matches.reduce<DuplicateMatch | null>((best, one) => (best && rankOf(best) >= rankOf(one) ? best : one), null);
}

/**
 * Returns the fingerprint of a purchase: merchant, time and total as read. Null: too little was read to identify it.
 * With the time of day, two purchases of one user in the same minute with the same shop and total are one purchase. The
 * lines are left out of it, because a second photo whose lines were read a little differently would pass. Without the
 * time the lines are used. Without a date the declared one is used, so that a weekly shopping is no duplicate.
 */
export function purchaseFingerprint(businessName: string, reading: ReceiptReading, declared: Declared): Buffer | null {
  const { date, time, totalMinor, lines } = reading;
  const day = date ?? declared.transactionTimestamp?.slice(0, 10) ?? null;
  if (totalMinor === null || day === null) return null;
  const amounts = lines.map(({ amountMinor }) => amountMinor).sort((a, b) => a - b);
  const when = time !== null && date !== null ? [day, time.slice(0, 5)] : [day, amounts];
  return createHash("sha256")
    .update(JSON.stringify([compactKey(businessName), totalMinor, when]))
    .digest();
}

/** Derives the key of the fingerprints of an application's purchases from the installation's key. */
export function purchaseKey(installationKey: Uint8Array): Buffer {
  return createHmac("sha256", installationKey).update("purchase").digest();
}

/**
 * Returns the fingerprint of a purchase among those of an application, under `key`: merchant, minute, total and the
 * amounts of all lines as read. Null: one of them was not read, and two customers may have bought the same that day.
 */
export function sharedFingerprint(
  key: Uint8Array,
  applicationId: string,
  businessName: string,
  { date, time, totalMinor, lines }: Pick<ReceiptReading, "date" | "time" | "totalMinor" | "lines">,
): Buffer | null {
  if (date === null || time === null || totalMinor === null || lines.length === 0) return null;
  const amounts = lines.map(({ amountMinor }) => amountMinor).sort((a, b) => a - b);
  const facts = [applicationId, compactKey(businessName), date, time.slice(0, 5), totalMinor, amounts];
  return createHmac("sha256", key).update(JSON.stringify(facts)).digest();
}

/** Lines with the same amounts are of two purchases if fewer than half of the names are nearly the same. */
const SAME_NAMES_SHARE_MIN = 0.5;
/** Share of a name's letters that two readings may differ in. */
const NAME_DISTANCE_SHARE_MAX = 0.4;

type NamedAmount = Pick<ReceiptLine, "description" | "amountMinor">;

/** Whether two lists with the same amounts are of the same goods. */
export function haveSameNames(lines: readonly NamedAmount[], others: readonly NamedAmount[]): boolean {
  const isNearly = (one: string, other: string) => {
    const [name, length] = [compactKey(one), Math.max(compactKey(one).length, compactKey(other).length)];
    return editDistance(name, compactKey(other)) <= NAME_DISTANCE_SHARE_MAX * length;
  };
  const named = lines.filter((line) =>
    others.some((other) => other.amountMinor === line.amountMinor && isNearly(line.description, other.description)),
  );
  return named.length >= SAME_NAMES_SHARE_MIN * lines.length;
}

/** Who has a receipt of the same purchase already. */
export type PurchaseHolder = "nobody" | "same_user" | "other_user";

/** Checks that there is no other receipt of this purchase. Null: too little was read to identify the purchase. */
export function purchaseCheck(holder: PurchaseHolder | null): Check {
  const check = "purchase_is_new";
  if (holder === null) return notChecked(check, "too little was read to compare this purchase with others");
  if (holder === "same_user") return failed(check, "another receipt of this user is of this purchase");
  if (holder === "other_user") return failed(check, "this purchase was submitted before");
  return passed(check, 1, "no other receipt is of this purchase");
}
