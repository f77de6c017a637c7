// What only one receipt may have: a reference and the bytes of an image within its application, a purchase of its user.
import type { Tx } from "../../postgres/postgres.ts";
import { statement, uuid } from "../../postgres/statement.ts";
import type { NewReceipt } from "../receipt.ts";

/** Who holds what only one receipt may have; null: this receipt itself. */
export interface Holders {
  /** Another receipt of the application has the reference. */
  readonly isReferenceTaken: boolean;
  /** The user whose other receipt has the same image bytes. */
  readonly imageTakenByUser: string | null;
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
const CLAIM_FACTS = statement(
  "receipts.claim-facts",
  {},
  "INSERT INTO receipt_facts (user_id, fingerprint, receipt_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
);
const REFERENCE_HOLDER = statement(
  "receipts.reference-holder",
  { id: uuid },
  `SELECT submission_id AS id FROM submission_references
         WHERE application_id = $1 AND kind = 'receipt' AND reference = $2`,
);
const IMAGE_HOLDER = statement(
  "receipts.image-holder",
  { id: uuid, userId: uuid },
  `SELECT receipt_id AS id, user_id AS "userId" FROM receipt_images WHERE application_id = $1 AND sha256 = $2`,
);
const FACTS_HOLDER = statement(
  "receipts.facts-holder",
  { id: uuid },
  "SELECT receipt_id AS id FROM receipt_facts WHERE user_id = $1 AND fingerprint = $2",
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
  "DELETE FROM receipt_images WHERE application_id = $1 AND sha256 = $2 AND receipt_id = $3",
);
const RELEASE_FACTS = statement(
  "receipts.release-facts",
  {},
  "DELETE FROM receipt_facts WHERE user_id = $1 AND receipt_id = $2",
);

/**
 * Claims what only one receipt of an application may have, if it is free (again), and tells who has it.
 * The reference always before the image, so that two receipts never wait for each other.
 */
export async function claimUpload(tx: Tx, receipt: NewReceipt): Promise<Holders> {
  const { id, applicationId, userId, reference, imageSha256 } = receipt;
  await tx.query(CLAIM_REFERENCE, [applicationId, reference, id]);
  const [referenceHolder] = await tx.query(REFERENCE_HOLDER, [applicationId, reference]);
  // What is about to fail for its reference keeps the image from nobody.
  if (referenceHolder?.id !== id) return { isReferenceTaken: true, imageTakenByUser: null };
  await claimImage(tx, { applicationId, imageSha256, userId, receiptId: id });
  const [image] = await tx.query(IMAGE_HOLDER, [applicationId, imageSha256]);
  return { isReferenceTaken: false, imageTakenByUser: image && image.id !== id ? image.userId : null };
}

/** Claims image bytes in the name of a receipt, if they are free. */
export async function claimImage(
  tx: Tx,
  claim: { applicationId: string; imageSha256: Buffer; userId: string; receiptId: string },
): Promise<void> {
  await tx.query(CLAIM_IMAGE, [claim.applicationId, claim.imageSha256, claim.userId, claim.receiptId]);
}

/** Claims a purchase for a receipt of its user; false when another of the user's receipts tells of it. */
export async function claimFacts(tx: Tx, receipt: NewReceipt, fingerprint: Buffer): Promise<boolean> {
  const { id, userId } = receipt;
  await tx.query(CLAIM_FACTS, [userId, fingerprint, id]);
  const [holder] = await tx.query(FACTS_HOLDER, [userId, fingerprint]);
  return holder?.id === id;
}

/** Frees what a receipt claimed. */
export async function releaseClaims(tx: Tx, receipt: NewReceipt): Promise<void> {
  const { id, applicationId, userId, reference, imageSha256 } = receipt;
  await tx.query(RELEASE_REFERENCE, [applicationId, reference, id]);
  await tx.query(RELEASE_IMAGE, [applicationId, imageSha256, id]);
  await tx.query(RELEASE_FACTS, [userId, id]);
}
