// The stored keys of receipts (receipt_prints, and receipt_likeness of earlier releases), for finding earlier receipts
// with nearly the same figures.
import { lockKey } from "../../postgres/cell.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { bytea, json, nothing, orNull, statement, text, uuid } from "../../postgres/statement.ts";
import { unpackPage } from "../packed-forms.ts";
import type { PartedPage } from "../parts/parted-page.ts";
import type { NewReceipt } from "../receipt.ts";

/** Maximum number of earlier receipts that are compared in detail: those with most keys in common. */
export const DUPLICATE_CANDIDATES_MAX = 8;

const LOCK_KEYS = statement(
  "receipts.lock-duplicate-keys",
  { pg_advisory_xact_lock: nothing },
  // In ascending order, so that two receipts never wait for each other.
  `SELECT pg_advisory_xact_lock(${lockKey("key")})
         FROM (SELECT key FROM unnest($1::bigint[]) AS key ORDER BY key) AS keys`,
);
const FIND_CANDIDATES = statement(
  "receipts.find-duplicate-candidates",
  { userId: uuid, id: uuid },
  // The index of the prints has the keys alone: those of another application are rarely the same.
  `SELECT user_id AS "userId", receipt_id AS id FROM (
           SELECT user_id, receipt_id, count(*) AS common FROM receipt_likeness
           WHERE application_id = $1 AND key = ANY ($2::bigint[]) AND receipt_id <> $3 GROUP BY user_id, receipt_id
           UNION ALL
           SELECT user_id, receipt_id, (SELECT count(*) FROM unnest(keys) AS key WHERE key = ANY ($2::bigint[]))
           FROM receipt_prints WHERE application_id = $1 AND keys && $2::bigint[] AND receipt_id <> $3
         ) AS printed ORDER BY common DESC, receipt_id LIMIT $4`,
);
const READ_CANDIDATES = statement(
  "receipts.read-duplicate-candidates",
  { id: uuid, imageKey: text, page: orNull(json<PartedPage>()), packedPage: orNull(bytea) },
  `SELECT receipts.id, image_key AS "imageKey", found -> 'page' AS page, page AS "packedPage"
         FROM unnest($1::uuid[], $2::uuid[]) AS candidates (candidate_user, candidate_id)
         JOIN receipts ON (receipts.user_id, receipts.id) = (candidate_user, candidate_id)
         JOIN receipt_findings ON (receipt_findings.user_id, receipt_id) = (receipts.user_id, receipts.id)
         WHERE receipt_findings.stage = 'Extracted' OR receipt_findings.page IS NOT NULL`,
);
const INSERT_KEYS = statement(
  "receipts.insert-duplicate-keys",
  {},
  `INSERT INTO receipt_prints (application_id, keys, user_id, receipt_id) VALUES ($1, $2, $3, $4)
         ON CONFLICT (user_id, receipt_id) DO UPDATE SET keys = excluded.keys`,
);
const DELETE_KEYS = statement(
  "receipts.delete-duplicate-keys",
  {},
  `WITH printed AS (DELETE FROM receipt_prints WHERE user_id = $1 AND receipt_id = $2)
         DELETE FROM receipt_likeness WHERE user_id = $1 AND receipt_id = $2`,
);

/** An earlier receipt with nearly the same figures. */
export interface DuplicateCandidate {
  readonly id: string;
  readonly userId: string;
}

/** Locks keys until the end of the tx: no other tx decides meanwhile on a receipt with one of them. */
export async function lockDuplicateKeys(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx.query(LOCK_KEYS, [keys]);
}

/** Finds receipts of the application that share keys with this one and have not failed; most common keys first. */
export async function findDuplicateCandidates(
  tx: Tx,
  receipt: NewReceipt,
  keys: readonly string[],
): Promise<DuplicateCandidate[]> {
  return tx.query(FIND_CANDIDATES, [receipt.applicationId, keys, receipt.id, DUPLICATE_CANDIDATES_MAX]);
}

/**
 * Reads the pictures of candidates and their OCR text, by their ids. One is not there: erased, or its text was removed
 * after its time.
 */
export async function readCandidates(
  tx: Tx,
  candidates: readonly DuplicateCandidate[],
): Promise<Map<string, { imageKey: string; page: PartedPage }>> {
  const found = new Map<string, { imageKey: string; page: PartedPage }>();
  if (candidates.length === 0) return found;
  const rows = await tx.query(READ_CANDIDATES, [
    candidates.map(({ userId }) => userId),
    candidates.map(({ id }) => id),
  ]);
  for (const { id, imageKey, packedPage, ...row } of rows) {
    const page = row.page ?? (packedPage && unpackPage(packedPage));
    if (page) found.set(id, { imageKey, page });
  }
  return found;
}

/** Stores the keys of a receipt, so that later receipts find it. */
export async function insertDuplicateKeys(tx: Tx, receipt: NewReceipt, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await tx.query(INSERT_KEYS, [receipt.applicationId, keys, receipt.userId, receipt.id]);
}

/** Deletes the keys of a receipt: later receipts don't find it any more. */
export async function deleteDuplicateKeys(tx: Tx, { userId, id }: NewReceipt): Promise<void> {
  await tx.query(DELETE_KEYS, [userId, id]);
}
