import { numberedKeys } from "../numbered-keys.ts";
import { isOpen } from "../applications/closed.ts";
import { readFileSync } from "node:fs";
import type { Tx } from "../postgres/postgres.ts";
import {
  bool,
  bytea,
  float8,
  int2,
  int4,
  json,
  neverNull,
  oneOf,
  orNull,
  statement,
  text,
  textArray,
  timestamptz,
  uuid,
} from "../postgres/statement.ts";
import { claimUpload, releaseClaims } from "./duplicates/claims.store.ts";
import { deleteDuplicateKeys } from "./duplicates/store.ts";
import { insertFailures } from "../reports/figures/deltas.store.ts";
import { toMerchantDictionary } from "./parsing/header/merchant-dictionary.ts";
import type { MerchantDictionary } from "./parsing/header/merchant-dictionary.ts";
import { RECEIPT_ERROR_CODES } from "../webhooks/event.ts";
import type { ReceiptErrorCode } from "../webhooks/event.ts";
import type { Findings } from "./findings.ts";
import { findAwardOf } from "../points/store.ts";
import { unpackFindings } from "./packed-findings.ts";
import type { CompletedRow } from "./packed-findings.ts";
import { composeReceiptRecord } from "./receipt-record.ts";
import { STAGES } from "./receipt.ts";
import type { Declared, NewReceipt, Receipt, Stage } from "./receipt.ts";
import type { Review } from "./holding/review.ts";
import type { ImageTraces } from "./checks/traces.ts";

/** The columns of a receipt, for statements that return whole ones. */
export const RECEIPT = {
  id: uuid,
  applicationId: uuid,
  userId: uuid,
  reference: text,
  source: oneOf(["api", "hosted_page"]),
  declared: json<Declared>(),
  isSample: bool,
  imageKey: text,
  imageSha256: bytea,
  moreImages: textArray,
  stage: oneOf(STAGES),
  attempts: int2,
  traces: orNull(json<ImageTraces>()),
  errorCode: orNull(oneOf(RECEIPT_ERROR_CODES)),
  errorMessage: orNull(text),
  acceptedAt: timestamptz,
  updatedAt: timestamptz,
  duplicateOf: orNull(uuid),
  runs: int2,
  heldAt: orNull(timestamptz),
  review: orNull(json<Review>()),
};
export const RECEIPT_COLUMNS = `id, application_id AS "applicationId", user_id AS "userId", reference, source, declared,
  is_sample AS "isSample", image_key AS "imageKey", image_sha256 AS "imageSha256", more_images AS "moreImages", stage, attempts,
  image_traces AS "traces", error_code AS "errorCode", error_message AS "errorMessage", accepted_at AS "acceptedAt", updated_at AS "updatedAt",
  duplicate_of AS "duplicateOf", runs, held_at AS "heldAt", review`;
/** Neither completed nor failed, nor held for review. */
export const IS_UNFINISHED = "error_code IS NULL AND stage <> 'Completed' AND held_at IS NULL";
/** Receipts of an erased user only wait for their deletion. */
export const HAS_USER = "NOT EXISTS (SELECT 1 FROM users WHERE users.id = receipts.user_id AND erased_at IS NOT NULL)";

/**
 * The turn of a new receipt of user $3 in application $2. A user's second waiting receipt comes after the first ones of
 * all users of the application, also of those who upload while it waits.
 */
const NEXT_TURN = `greatest(
           coalesce((SELECT min(turn) FROM receipts WHERE application_id = $2 AND ${IS_UNFINISHED}), 0),
           coalesce((SELECT max(turn) + 1 FROM receipts WHERE user_id = $3 AND ${IS_UNFINISHED}), 0))`;
const INSERT = statement(
  "receipts.insert",
  {},
  `WITH next AS MATERIALIZED (SELECT ${NEXT_TURN} AS turn)
         INSERT INTO receipts (id, application_id, user_id, reference, source, declared, is_sample, image_key,
                               image_sha256, image_traces, stage, accepted_at, updated_at, turn, more_images)
         SELECT $1, $2::uuid, $3, $4, $5, $6, $7, $8, $9, $10, 'Uploaded', $11::timestamptz, $11, turn, $12 FROM next`,
);
const LOCK = statement(
  "receipts.lock",
  RECEIPT,
  `SELECT ${RECEIPT_COLUMNS} FROM receipts WHERE id = $1 AND stage = $2 AND ${IS_UNFINISHED} AND ${HAS_USER} FOR UPDATE`,
);
const ADVANCE = statement(
  "receipts.advance",
  {},
  "UPDATE receipts SET stage = $3, attempts = 0, updated_at = $4 WHERE user_id = $1 AND id = $2",
);
const INSERT_FINDING = statement(
  "receipts.insert-finding",
  {},
  "INSERT INTO receipt_findings (user_id, receipt_id, stage, found, found_at) VALUES ($1, $2, $3, $4, $5)",
);
const PACK_FINDINGS = statement(
  "receipts.pack-findings",
  {},
  `WITH packed AS (DELETE FROM receipt_findings WHERE user_id = $1 AND receipt_id = $2)
         INSERT INTO receipt_findings (user_id, receipt_id, stage, found, packed, page, found_at)
         VALUES ($1, $2, 'Completed', $3, $4, $5, $6)`,
);
const FAIL = statement(
  "receipts.fail",
  {},
  `WITH ended AS (
           UPDATE receipts SET error_code = $3, error_message = $4, updated_at = $5, duplicate_of = $6
           WHERE user_id = $1 AND id = $2
           RETURNING application_id, 'receipt' AS source, error_code, updated_at AS ended_at
         )
         ${insertFailures("ended")}`,
);
const COUNT_RECENT = statement(
  "receipts.count-recent",
  { count: int4 },
  `SELECT count(*)::int AS count FROM receipts
         WHERE user_id = $1 AND accepted_at > $3 AND (accepted_at, id) < ($4, $2) AND error_code IS NULL`,
);
const IMAGE_KEYS = statement(
  "receipts.image-keys",
  { imageKey: text, moreImages: textArray },
  `SELECT image_key AS "imageKey", more_images AS "moreImages" FROM receipts WHERE id = ANY ($1::uuid[])`,
);
const WANTED_IMAGE_KEYS = statement(
  "receipts.wanted-image-keys",
  { imageKey: text, moreImages: textArray },
  `SELECT image_key AS "imageKey", more_images AS "moreImages"
         FROM receipts JOIN users ON users.id = receipts.user_id
         WHERE receipts.id = ANY ($1::uuid[]) AND users.erased_at IS NULL`,
);
const COUNT_WANTED_IMAGES = statement(
  "receipts.count-wanted-images",
  { images: neverNull(float8) },
  `SELECT coalesce(sum(1 + cardinality(more_images)), 0)::float8 AS images
         FROM receipts JOIN users ON users.id = receipts.user_id WHERE receipts.id < $1 AND users.erased_at IS NULL`,
);
const FIND = statement(
  "receipts.find",
  RECEIPT,
  `SELECT ${RECEIPT_COLUMNS} FROM receipts WHERE id = $2 AND application_id = $1`,
);
const READ = statement("receipts.read", RECEIPT, `SELECT ${RECEIPT_COLUMNS} FROM receipts WHERE id = $1`);
const FINDINGS = statement(
  "receipts.findings",
  {
    stage: oneOf([...STAGES.slice(1), "Failed"]),
    data: json<unknown>(),
    packed: orNull(bytea),
    at: timestamptz,
  },
  `SELECT stage, found AS data, packed, found_at AS at FROM receipt_findings WHERE user_id = $1 AND receipt_id = $2`,
);
const DROP_PAGES = statement(
  "receipts.drop-pages",
  { one: int4 },
  `WITH old AS (
           SELECT user_id, receipt_id FROM receipt_findings JOIN users ON users.id = user_id
           WHERE page IS NOT NULL AND found_at < $1 AND ${isOpen("users.application_id")}
           ORDER BY found_at LIMIT $2 FOR UPDATE OF receipt_findings SKIP LOCKED
         )
         UPDATE receipt_findings AS findings SET page = NULL FROM old
         WHERE findings.user_id = old.user_id AND findings.receipt_id = old.receipt_id AND stage = 'Completed'
         RETURNING 1 AS one`,
);
/** Stores a receipt, and claims its reference and image if they are free. */
export async function insertReceipt(tx: Tx, receipt: NewReceipt): Promise<void> {
  const { id, applicationId, userId, reference, source, declared, isSample } = receipt;
  const { imageKey, imageSha256, moreImages, traces, acceptedAt } = receipt;
  const declaration = [source, JSON.stringify(declared), isSample];
  const image = [imageKey, imageSha256, traces && JSON.stringify(traces)];
  await tx.query(INSERT, [id, applicationId, userId, reference, ...declaration, ...image, acceptedAt, moreImages]);
  await claimUpload(tx, receipt);
}

/** Locks an unfinished receipt if `stage` is still its last finished one; else null. */
export async function lockReceipt(tx: Tx, id: string, stage: Stage): Promise<Receipt | null> {
  return (await tx.query(LOCK, [id, stage]))[0] ?? null;
}

/** Stores the findings of a stage and makes it the last finished one of the locked receipt. */
export async function advance(tx: Tx, receipt: NewReceipt, stage: Stage, found: unknown, now: Date): Promise<void> {
  await tx.query(INSERT_FINDING, [receipt.userId, receipt.id, stage, JSON.stringify(found), now]);
  await tx.query(ADVANCE, [receipt.userId, receipt.id, stage, now]);
}

/** Stores the findings of all stages of the locked receipt in one row, and makes it completed. */
export async function completeReceipt(tx: Tx, receipt: NewReceipt, row: CompletedRow, now: Date): Promise<void> {
  const { facts, packed, page } = row;
  await tx.query(PACK_FINDINGS, [receipt.userId, receipt.id, JSON.stringify(facts), packed, page, now]);
  await tx.query(ADVANCE, [receipt.userId, receipt.id, "Completed", now]);
}

/** Removes the text of receipts that were completed before `before`. Returns the number of at most `limit`. */
export async function dropPages(tx: Tx, before: Date, limit: number): Promise<number> {
  return (await tx.query(DROP_PAGES, [before, limit])).length;
}

/**
 * Ends the locked receipt as failed, and releases its claims: its reference, image bytes, purchase and duplicate keys.
 * `found` is shown with the failure; null: nothing but its message.
 */
export async function failReceipt(
  tx: Tx,
  receipt: NewReceipt,
  error: { errorCode: ReceiptErrorCode; errorMessage: string; duplicateOf?: string | null },
  found: unknown,
  now: Date,
): Promise<void> {
  const { id, userId } = receipt;
  await tx.query(FAIL, [userId, id, error.errorCode, error.errorMessage, now, error.duplicateOf ?? null]);
  if (found !== null) await tx.query(INSERT_FINDING, [userId, id, "Failed", JSON.stringify(found), now]);
  await releaseClaims(tx, receipt);
  await deleteDuplicateKeys(tx, receipt);
}

/** Counts the other receipts of the user that were accepted after `since` and before this one, and have not failed. */
export async function countRecent(tx: Tx, { userId, id, acceptedAt }: NewReceipt, since: Date): Promise<number> {
  return (await tx.query(COUNT_RECENT, [userId, id, since, acceptedAt]))[0]!.count;
}

/** Returns the keys of all images of the receipts with these ids. */
export async function imageKeysOf(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query(IMAGE_KEYS, [ids]);
  return new Set(rows.flatMap(({ imageKey, moreImages }) => numberedKeys(imageKey, 1 + moreImages.length)));
}

/** Returns the keys of the images of those of these receipts whose user is not erased. */
export async function wantedImageKeys(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query(WANTED_IMAGE_KEYS, [ids]);
  return new Set(rows.flatMap(({ imageKey, moreImages }) => numberedKeys(imageKey, 1 + moreImages.length)));
}

/** The number of images of receipts with an id below one, but for those of erased users. */
export async function countWantedImages(tx: Tx, belowId: string): Promise<number> {
  return (await tx.query(COUNT_WANTED_IMAGES, [belowId]))[0]!.images;
}

/** Finds a receipt of this application; null also for one of another application. */
export async function findReceipt(tx: Tx, applicationId: string, id: string): Promise<Receipt | null> {
  return (await tx.query(FIND, [applicationId, id]))[0] ?? null;
}

/** Reads a receipt of any application in its current state. */
export async function readReceipt(tx: Tx, id: string): Promise<Receipt | null> {
  return (await tx.query(READ, [id]))[0] ?? null;
}

/**
 * Reads the findings of a receipt's finished stages. What was scored is the record, once that is booked, and is
 * composed again before. The text that was read is only there until the receipt is completed.
 */
export async function readFindings(tx: Tx, receipt: Receipt): Promise<Findings> {
  const rows = await tx.query(FINDINGS, [receipt.userId, receipt.id]);
  const stored: Findings = Object.fromEntries(rows.map(({ stage, data, at }) => [stage, { data, at }]));
  const packed = rows.find((row) => row.packed !== null)?.packed;
  if (packed) {
    const record = await findAwardOf(tx, receipt.userId, "receipt", receipt.id);
    // Erased meanwhile.
    return record ? { ...unpackFindings(packed, record), ...stored } : {};
  }
  const { Extracted, Enriched, Scored } = stored;
  if (!Extracted || !Enriched || !Scored || "bases" in Scored.data) return stored;
  const { reading, name } = Extracted.data;
  return { ...stored, Scored: { ...Scored, data: composeReceiptRecord(receipt, reading, Enriched.data, name) } };
}

/** Reads the shipped dictionary of chains. Called once, at start. */
export function readMerchants(): MerchantDictionary {
  return toMerchantDictionary(readFileSync(new URL("../../reference/merchants.jsonl", import.meta.url), "utf8"));
}
