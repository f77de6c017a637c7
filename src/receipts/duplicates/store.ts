// How receipts that print nearly the same figures are found: by the keys of their likeness.
import type { Tx } from "../../postgres/postgres.ts";
import { json, nothing, orNull, statement, text, uuid } from "../../postgres/statement.ts";
import type { OcrPage } from "../../ocr/page.ts";
import type { NewReceipt } from "../receipt.ts";

/** So many earlier receipts are compared in detail, those with most keys in common. */
export const DUPLICATE_CANDIDATES_MAX = 8;

/** In one order, so that two receipts never wait for each other. */
const LOCK_LIKENESS = statement(
  "receipts.lock-likeness",
  { pg_advisory_xact_lock: nothing },
  `SELECT pg_advisory_xact_lock(key) FROM (SELECT key FROM unnest($1::bigint[]) AS key ORDER BY key) AS keys`,
);
const LOOKALIKES = statement(
  "receipts.lookalikes",
  { userId: uuid, id: uuid },
  `SELECT user_id AS "userId", receipt_id AS id FROM receipt_likeness
         WHERE application_id = $1 AND key = ANY ($2::bigint[]) AND receipt_id <> $3
         GROUP BY user_id, receipt_id ORDER BY count(*) DESC, receipt_id LIMIT $4`,
);
const SEEN = statement(
  "receipts.seen",
  { imageKey: text, page: orNull(json<OcrPage>()) },
  `SELECT image_key AS "imageKey", found -> 'page' AS page
         FROM receipts JOIN receipt_findings ON (receipt_findings.user_id, receipt_id) = (receipts.user_id, receipts.id)
         WHERE receipts.user_id = $1 AND receipts.id = $2 AND receipt_findings.stage = 'Extracted'`,
);
const KEEP_LIKENESS = statement(
  "receipts.keep-likeness",
  {},
  `INSERT INTO receipt_likeness (application_id, key, user_id, receipt_id)
         SELECT $1, key, $3, $4 FROM unnest($2::bigint[]) AS key ON CONFLICT DO NOTHING`,
);
const FORGET_LIKENESS = statement(
  "receipts.forget-likeness",
  {},
  "DELETE FROM receipt_likeness WHERE user_id = $1 AND receipt_id = $2",
);

/** An earlier receipt that prints nearly the same figures. */
export interface DuplicateCandidate {
  readonly id: string;
  readonly userId: string;
}

/** Waits until no other tx decides on a receipt with one of these keys. */
export async function lockLikeness(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx.query(LOCK_LIKENESS, [keys]);
}

/** Receipts of the application that have keys in common with this one and have not failed, the likest first. */
export async function findDuplicateCandidates(
  tx: Tx,
  receipt: NewReceipt,
  keys: readonly string[],
): Promise<DuplicateCandidate[]> {
  return tx.query(LOOKALIKES, [receipt.applicationId, keys, receipt.id, DUPLICATE_CANDIDATES_MAX]);
}

/** The picture of a receipt and what was read of it; null when it is gone, or was read before pages were kept. */
export async function readSeen(
  tx: Tx,
  { userId, id }: DuplicateCandidate,
): Promise<{ imageKey: string; page: OcrPage } | null> {
  const [seen] = await tx.query(SEEN, [userId, id]);
  return seen?.page ? { imageKey: seen.imageKey, page: seen.page } : null;
}

/** Lets later receipts find this one by its keys. */
export async function keepLikeness(tx: Tx, receipt: NewReceipt, keys: readonly string[]): Promise<void> {
  await tx.query(KEEP_LIKENESS, [receipt.applicationId, keys, receipt.userId, receipt.id]);
}

/** Lets later receipts find this one no more. */
export async function forgetLikeness(tx: Tx, { userId, id }: NewReceipt): Promise<void> {
  await tx.query(FORGET_LIKENESS, [userId, id]);
}
