import type { DuplicateMatch } from "./duplicates/duplicate-checks.ts";
import type { Check } from "./checks/check.ts";
import type { Holders } from "./duplicates/claims.store.ts";
import { failure } from "./receipt.ts";
import type { Failure, Receipt } from "./receipt.ts";

const ALREADY_TOLD = "a receipt of this purchase was processed already";

/**
 * Why a receipt that contradicts nothing is still refused. In this order: a copy of a picture, whoever's; another photo
 * of a stranger's receipt; the user's own purchase again; too many a day; too long ago.
 */
export function rejectionOf(checks: readonly Check[], likest: DuplicateMatch | null): Failure | null {
  const failed = (name: string) => checks.find((check) => check.name === name && check.outcome === "failed");
  const picture = failed("picture_is_new");
  const isOwnAgain = likest?.kind === "same_print" && likest.isOwn;
  if (picture && !isOwnAgain) return failure("NOT_AUTHENTIC", picture.reason);
  if (picture ?? failed("purchase_is_new")) return failure("ALREADY_EXISTS", ALREADY_TOLD);
  const beyondLimits = failed("pace_of_user") ?? failed("purchase_is_recent");
  return beyondLimits ? failure("NOT_AUTHENTIC", beyondLimits.reason) : null;
}

/** Why an upload is not read at all: what it must have for itself, another receipt has. */
export function uploadRejection(receipt: Receipt, { isReferenceTaken, imageTakenByUser }: Holders): Failure | null {
  if (isReferenceTaken) return failure("ALREADY_EXISTS", "a receipt with this transactionId exists already");
  if (imageTakenByUser === null) return null;
  return imageTakenByUser === receipt.userId
    ? failure("ALREADY_EXISTS", "this image was processed already")
    : failure("NOT_AUTHENTIC", "this image was handed in before");
}
