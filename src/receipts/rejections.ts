import type { DuplicateMatch, PurchaseHolder } from "./duplicates/duplicate-checks.ts";
import type { Check, CheckName } from "./checks/check.ts";
import type { ClaimConflicts } from "./duplicates/claims.store.ts";
import { failure } from "./receipt.ts";
import type { Failure, Receipt } from "./receipt.ts";

const PURCHASE_EXISTS = "a receipt of this purchase was processed already";

/**
 * Returns the failure of a receipt whose own content has passed; null: none. In this order: a copy of any user's
 * picture; another photo of another user's receipt; a purchase of another user; a duplicate purchase of the user; too
 * many a day; too long ago. `holder` has submitted the purchase before.
 */
export function rejectionOf(
  checks: readonly Check[],
  closest: DuplicateMatch | null,
  holder: PurchaseHolder | null,
): Failure | null {
  const failed = (name: CheckName) => checks.find((check) => check.name === name && check.outcome === "failed");
  const picture = failed("picture_is_new");
  const isOwnAgain = closest?.kind === "same_print" && closest.isOwn;
  if (picture && !isOwnAgain) return failure("NOT_AUTHENTIC", picture.reason);
  const purchase = failed("purchase_is_new");
  if (purchase && holder === "other_user" && !isOwnAgain) return failure("NOT_AUTHENTIC", purchase.reason);
  if (picture ?? purchase) return failure("ALREADY_EXISTS", PURCHASE_EXISTS);
  const beyondLimits = failed("pace_of_user") ?? failed("purchase_is_recent");
  return beyondLimits ? failure("NOT_AUTHENTIC", beyondLimits.reason) : null;
}

/** Returns the failure of an upload whose reference or image belongs to another receipt; null: neither does. */
export function uploadRejection(
  receipt: Receipt,
  { isReferenceTaken, imageTakenByUser, isImageOfErased, earlierOwn }: ClaimConflicts,
): Failure | null {
  const exists = (message: string) => ({ ...failure("ALREADY_EXISTS", message), duplicateOf: earlierOwn });
  if (isReferenceTaken) return exists("a receipt with this transactionId exists already");
  if (isImageOfErased) return failure("NOT_AUTHENTIC", "this image was submitted before");
  if (imageTakenByUser === null) return null;
  return imageTakenByUser === receipt.userId
    ? exists("this image was processed already")
    : failure("NOT_AUTHENTIC", "this image was submitted before");
}
