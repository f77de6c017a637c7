// Claims that only one receipt can hold: its reference, its image bytes and its purchase in its application, and a
// purchase of its user.
import type { Tx } from "../../postgres/postgres.ts";
import { bool, bytea, json, orNull, statement, uuid } from "../../postgres/statement.ts";
import type { ReceiptLine } from "../parsing/reading.ts";
import { isImageOfErased, isPurchaseOfErased } from "../../users/erased-receipts.store.ts";
import { readingOf } from "../packed-findings.ts";
import type { NewReceipt } from "../receipt.ts";

/** Which claims of a receipt are held by another one. */
export interface ClaimConflicts {
  /** Another receipt of the application has the reference. */
  readonly isReferenceTaken: boolean;
  /** The user of the other receipt with the same image bytes; null: there is none. */
  readonly imageTakenByUser: string | null;
  /** A user of the application who was erased since has earned with the same image bytes. */
  readonly isImageOfErased: boolean;
  /** The earlier receipt of the same user that has the reference or the image; null: there is none. */
  readonly earlierOwn: string | null;
}

const CLAIM_REFERENCE = statement(
  "receipts.claim-reference",
  {},
  `INSERT INTO submission_references (application_id, kind, reference, submission_id)
         VALUES ($1, 'receipt', $2, $3) ON CONFLICT DO NOTHING`,
);
const CLAIM_IMAGE = statement(
  "receipts.claim-image",
  {},
  `INSERT INTO receipt_images (application_id, sha256, user_id, receipt_id)
         VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
);
const CLAIM_PURCHASE = statement(
  "receipts.claim-purchase",
  {},
  "INSERT INTO receipt_facts (user_id, fingerprint, receipt_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
);
const REFERENCE_HOLDER = statement(
  "receipts.reference-holder",
  { id: uuid, isOwn: bool },
  `SELECT submission_id AS id,
                EXISTS (SELECT 1 FROM receipts WHERE user_id = $3 AND receipts.id = submission_id) AS "isOwn"
         FROM submission_references
         WHERE application_id = $1 AND kind = 'receipt' AND reference = $2`,
);
const IMAGE_HOLDER = statement(
  "receipts.image-holder",
  { id: uuid, userId: uuid, isOwn: bool },
  `SELECT receipt_id AS id, user_id AS "userId",
                EXISTS (SELECT 1 FROM receipts WHERE user_id = $3 AND receipts.id = receipt_id) AS "isOwn"
         FROM receipt_images WHERE application_id = $1 AND sha256 = ANY ($2::bytea[]) AND receipt_id <> $4
         ORDER BY user_id <> $3, receipt_id LIMIT 1`,
);
const PURCHASE_HOLDER = statement(
  "receipts.purchase-holder",
  { id: uuid },
  "SELECT receipt_id AS id FROM receipt_facts WHERE user_id = $1 AND fingerprint = $2",
);
const CLAIM_SHARED_PURCHASE = statement(
  "receipts.claim-shared-purchase",
  {},
  `INSERT INTO receipt_purchases (application_id, fingerprint, user_id, receipt_id)
         VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
);
const SHARED_PURCHASE_HOLDER = statement(
  "receipts.shared-purchase-holder",
  { userId: orNull(uuid), id: orNull(uuid), lines: orNull(json<ReceiptLine[]>()), packed: orNull(bytea) },
  `SELECT held.user_id AS "userId", held.receipt_id AS id, found -> 'reading' -> 'lines' AS lines, packed
         FROM receipt_purchases AS held
           LEFT JOIN receipt_findings AS findings ON (findings.user_id, findings.receipt_id) =
             (held.user_id, held.receipt_id) AND (stage = 'Extracted' OR packed IS NOT NULL)
         WHERE application_id = $1 AND fingerprint = $2`,
);
const RELEASE_SHARED_PURCHASE = statement(
  "receipts.release-shared-purchase",
  {},
  "DELETE FROM receipt_purchases WHERE user_id = $1 AND receipt_id = $2",
);
const RELEASE_REFERENCE = statement(
  "receipts.release-reference",
  {},
  `DELETE FROM submission_references
         WHERE application_id = $1 AND kind = 'receipt' AND reference = $2 AND submission_id = $3`,
);
const RELEASE_IMAGE = statement(
  "receipts.release-image",
  {},
  "DELETE FROM receipt_images WHERE application_id = $1 AND sha256 = ANY ($2::bytea[]) AND receipt_id = $3",
);
const RELEASE_PURCHASE = statement(
  "receipts.release-purchase",
  {},
  "DELETE FROM receipt_facts WHERE user_id = $1 AND receipt_id = $2",
);

/**
 * Claims the reference and the image bytes of a receipt if they are free, and returns which are held by another one.
 * Always the reference before the image, so that two receipts never wait for each other.
 */
export async function claimUpload(tx: Tx, receipt: NewReceipt): Promise<ClaimConflicts> {
  const { id, applicationId, userId, reference } = receipt;
  await tx.query(CLAIM_REFERENCE, [applicationId, reference, id]);
  const [referenceHolder] = await tx.query(REFERENCE_HOLDER, [applicationId, reference, userId]);
  // This receipt fails because of its reference, so it must not claim the image as well.
  if (referenceHolder?.id !== id) {
    const earlierOwn = referenceHolder?.isOwn ? referenceHolder.id : null;
    return { isReferenceTaken: true, imageTakenByUser: null, isImageOfErased: false, earlierOwn };
  }
  const images = imagesOf(receipt);
  for (const sha256 of images) await claimImage(tx, { applicationId, imageSha256: sha256, userId, receiptId: id });
  const [image] = await tx.query(IMAGE_HOLDER, [applicationId, images, userId, id]);
  return {
    isReferenceTaken: false,
    imageTakenByUser: image?.userId ?? null,
    isImageOfErased: await isImageOfErased(tx, applicationId, images),
    earlierOwn: image?.isOwn ? image.id : null,
  };
}

/** The hashes of all images of a receipt, in an order in which two receipts never wait for each other. */
function imagesOf({ imageSha256, moreImages }: Pick<NewReceipt, "imageSha256" | "moreImages">): Buffer[] {
  const all = new Set([imageSha256.toString("hex"), ...moreImages]);
  return [...all].toSorted().map((hex) => Buffer.from(hex, "hex"));
}

/** Claims image bytes for a receipt if they are free. */
export async function claimImage(
  tx: Tx,
  claim: { applicationId: string; imageSha256: Buffer; userId: string; receiptId: string },
): Promise<void> {
  await tx.query(CLAIM_IMAGE, [claim.applicationId, claim.imageSha256, claim.userId, claim.receiptId]);
}

/**
 * Claims a purchase for a receipt. False: another receipt of the user is of this purchase, or one that earned before
 * the person was erased and enrolled again.
 */
export async function claimPurchase(tx: Tx, receipt: NewReceipt, fingerprint: Buffer): Promise<boolean> {
  const { id, userId } = receipt;
  await tx.query(CLAIM_PURCHASE, [userId, fingerprint, id]);
  const [holder] = await tx.query(PURCHASE_HOLDER, [userId, fingerprint]);
  return holder?.id === id && !(await isPurchaseOfErased(tx, userId, fingerprint));
}

/** The other receipt of the user that is of this purchase; null: there is none. */
export async function earlierOfPurchase(
  tx: Tx,
  { id, userId }: NewReceipt,
  fingerprint: Buffer,
): Promise<string | null> {
  const [holder] = await tx.query(PURCHASE_HOLDER, [userId, fingerprint]);
  return holder && holder.id !== id ? holder.id : null;
}

/** The holder of a purchase in an application. */
export interface SharedPurchaseHolder {
  /** Null: the user was erased. */
  readonly userId: string | null;
  /** Its receipt; null: it was erased. */
  readonly id: string | null;
  /** The lines as read; null: they were erased. */
  readonly lines: readonly ReceiptLine[] | null;
}

/** Claims a purchase in the application of a receipt. Returns the other receipt that holds it; null: this one does. */
export async function claimSharedPurchase(
  tx: Tx,
  receipt: NewReceipt,
  fingerprint: Buffer,
): Promise<SharedPurchaseHolder | null> {
  const { id, applicationId, userId } = receipt;
  await tx.query(CLAIM_SHARED_PURCHASE, [applicationId, fingerprint, userId, id]);
  const [holder] = await tx.query(SHARED_PURCHASE_HOLDER, [applicationId, fingerprint]);
  if (!holder || holder.id === id) return null;
  const lines = holder.packed ? readingOf(holder.packed).lines : holder.lines;
  return { userId: holder.userId, id: holder.id, lines };
}

/** Releases the claims of a receipt. */
export async function releaseClaims(tx: Tx, receipt: NewReceipt): Promise<void> {
  const { id, applicationId, userId, reference } = receipt;
  await tx.query(RELEASE_REFERENCE, [applicationId, reference, id]);
  await tx.query(RELEASE_IMAGE, [applicationId, imagesOf(receipt), id]);
  await tx.query(RELEASE_PURCHASE, [userId, id]);
  await tx.query(RELEASE_SHARED_PURCHASE, [userId, id]);
}
