// Reads pages of an application's receipts. A page reads a bounded number of rows: first the ids that match among the
// next receipts by key, then the entries of these alone.
import { firstIdAt } from "../../ids.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { bool, float8, int2, oneOf, orNull, statement, text, timestamptz, uuid } from "../../postgres/statement.ts";
import { RECEIPT_ERROR_CODES } from "../../webhooks/event.ts";
import { STAGES } from "../receipt.ts";
import { HAS_USER } from "../store.ts";
import { needsFindings } from "./query.ts";
import type { ReceiptQuery } from "./query.ts";

/** Receipts that one page reads: a filter that few of them pass must not read those of years. */
const SCANNED_MAX = 500;

/** Ids are below any version of them: an upper bound without a `before`. */
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

const SCANNED = { id: uuid, isMatching: bool };

/**
 * The next receipts of a scope below id $2, or above it in the other order, from id $3 on and below id $4, and whether
 * each passes the filters: status $5, error $6, user $7, reference $8, check $9, merchant $10 as read or as corrected,
 * held $12, disputed $13. At most $11. OFFSET 0: findings are looked up for each receipt that is read. The planner
 * could else read those of all receipts at once.
 */
const scan = (scope: string, order: "newest" | "oldest" = "newest"): string =>
  `SELECT id, (($5::text IS NULL OR CASE WHEN error_code IS NULL THEN stage ELSE 'Failed' END = $5)
           AND ($6::text IS NULL OR error_code = $6) AND ($7::uuid IS NULL OR user_id = $7)
           AND ($8::text IS NULL OR reference = $8) AND ${HAS_USER}
           AND ($12::bool IS NULL OR (held_at IS NOT NULL) = $12)
           AND ($13::bool IS NULL OR (open_disputes > 0) = $13)
           AND ($9::text IS NULL OR EXISTS (
             SELECT 1 FROM receipt_findings AS findings
             WHERE findings.user_id = receipts.user_id AND receipt_id = receipts.id
               AND findings.stage IN ('Validated', 'Failed', 'Completed')
               AND (found -> 'checks' @> jsonb_build_array(jsonb_build_object('name', $9::text, 'outcome', 'failed'))
                 OR found -> 'checks' @> jsonb_build_array(jsonb_build_object('name', $9::text, 'outcome', 'doubtful'))) OFFSET 0))
           AND ($10::text IS NULL OR EXISTS (
             SELECT 1 FROM receipt_findings AS findings
             WHERE findings.user_id = receipts.user_id AND receipt_id = receipts.id
               AND strpos(lower(CASE findings.stage WHEN 'Enriched' THEN found ->> 'businessName'
                   WHEN 'Extracted' THEN found -> 'reading' ->> 'merchantName'
                   WHEN 'Completed' THEN concat_ws(chr(10), found ->> 'businessName', found ->> 'merchantName') END), lower($10)) > 0 OFFSET 0)
             OR EXISTS (
               SELECT 1 FROM receipt_corrections AS corrections
               WHERE corrections.user_id = receipts.user_id AND receipt_id = receipts.id
                 AND strpos(lower(after -> 'record' -> 'body' ->> 'brand'), lower($10)) > 0 OFFSET 0))) IS TRUE AS "isMatching"
         FROM receipts WHERE application_id = $1 AND ${scope} AND id ${order === "newest" ? "<" : ">"} $2
           AND id >= $3 AND id < $4
         ORDER BY id ${order === "newest" ? "DESC" : "ASC"} LIMIT $11`;
/** The receipts of one user, or of one reference, and those that are held, or disputed, are found by key. */
const SCAN = statement("receipt-list.scan", SCANNED, scan("true"));
const SCAN_OF_USER = statement("receipt-list.scan-of-user", SCANNED, scan("user_id = $7"));
const SCAN_HELD = statement("receipt-list.scan-held", SCANNED, scan("held_at IS NOT NULL"));
const SCAN_DISPUTED = statement("receipt-list.scan-disputed", SCANNED, scan("open_disputes > 0"));
const SCAN_OF_REFERENCE = statement("receipt-list.scan-of-reference", SCANNED, scan("reference = $8"));
const SCAN_OLDEST = statement("receipt-list.scan-oldest", SCANNED, scan("true", "oldest"));
const SCAN_OLDEST_OF_USER = statement("receipt-list.scan-oldest-of-user", SCANNED, scan("user_id = $7", "oldest"));
const SCAN_OLDEST_HELD = statement("receipt-list.scan-oldest-held", SCANNED, scan("held_at IS NOT NULL", "oldest"));
const SCAN_OLDEST_DISPUTED = statement(
  "receipt-list.scan-oldest-disputed",
  SCANNED,
  scan("open_disputes > 0", "oldest"),
);
const SCAN_OLDEST_OF_REFERENCE = statement(
  "receipt-list.scan-oldest-of-reference",
  SCANNED,
  scan("reference = $8", "oldest"),
);
const SCANS = {
  newest: {
    all: (tx: Tx, values: unknown[]) => tx.query(SCAN, values),
    user: (tx: Tx, values: unknown[]) => tx.query(SCAN_OF_USER, values),
    held: (tx: Tx, values: unknown[]) => tx.query(SCAN_HELD, values),
    disputed: (tx: Tx, values: unknown[]) => tx.query(SCAN_DISPUTED, values),
    reference: (tx: Tx, values: unknown[]) => tx.query(SCAN_OF_REFERENCE, values),
  },
  oldest: {
    all: (tx: Tx, values: unknown[]) => tx.query(SCAN_OLDEST, values),
    user: (tx: Tx, values: unknown[]) => tx.query(SCAN_OLDEST_OF_USER, values),
    held: (tx: Tx, values: unknown[]) => tx.query(SCAN_OLDEST_HELD, values),
    disputed: (tx: Tx, values: unknown[]) => tx.query(SCAN_OLDEST_DISPUTED, values),
    reference: (tx: Tx, values: unknown[]) => tx.query(SCAN_OLDEST_OF_REFERENCE, values),
  },
} as const;

const ENTRIES = statement(
  "receipt-list.entries",
  {
    id: uuid,
    userId: uuid,
    reference: text,
    stage: oneOf(STAGES),
    errorCode: orNull(oneOf(RECEIPT_ERROR_CODES)),
    errorMessage: orNull(text),
    merchantName: orNull(text),
    totalMinor: orNull(float8),
    currency: orNull(text),
    points: orNull(float8),
    corrections: int2,
    held: bool,
    openDisputes: int2,
    acceptedAt: timestamptz,
    updatedAt: timestamptz,
    source: oneOf(["api", "hosted_page"]),
    isSample: bool,
  },
  `SELECT receipts.id, receipts.user_id AS "userId", reference, receipts.stage, error_code AS "errorCode",
                error_message AS "errorMessage",
                coalesce(corrected.after -> 'record' -> 'body' ->> 'brand', completed.found ->> 'businessName', enriched.found ->> 'businessName', extracted.found -> 'reading' ->> 'merchantName') AS "merchantName",
                coalesce(corrected.after -> 'record' -> 'body' ->> 'totalAmountMinor', completed.found ->> 'totalAmountMinor', scored.found -> 'body' ->> 'totalAmountMinor', extracted.found -> 'reading' ->> 'totalMinor')::float8
                  AS "totalMinor",
                coalesce(completed.found ->> 'currency', enriched.found ->> 'currency', extracted.found -> 'reading' ->> 'currency') AS currency,
                coalesce((corrected.after -> 'record' -> 'award' ->> 'totalPoints')::float8 + coalesce((
                           SELECT sum((extra ->> 'points')::float8)
                           FROM jsonb_array_elements(corrected.after -> 'record' -> 'settled' -> 'extras') AS extra), 0),
                         (completed.found ->> 'totalPoints')::float8, (scored.found -> 'award' ->> 'totalPoints')::float8)
                  AS points, coalesce(corrected.number, 0)::int2 AS corrections, held_at IS NOT NULL AS held, open_disputes AS "openDisputes",
                accepted_at AS "acceptedAt", updated_at AS "updatedAt", source, is_sample AS "isSample"
         FROM receipts
           LEFT JOIN receipt_findings AS extracted ON (extracted.user_id, extracted.receipt_id, extracted.stage) =
             (receipts.user_id, receipts.id, 'Extracted')
           LEFT JOIN receipt_findings AS enriched ON (enriched.user_id, enriched.receipt_id, enriched.stage) =
             (receipts.user_id, receipts.id, 'Enriched')
           LEFT JOIN receipt_findings AS scored ON (scored.user_id, scored.receipt_id, scored.stage) =
             (receipts.user_id, receipts.id, 'Scored')
           LEFT JOIN receipt_findings AS completed ON (completed.user_id, completed.receipt_id, completed.stage) =
             (receipts.user_id, receipts.id, 'Completed')
           LEFT JOIN LATERAL (
             SELECT number, after FROM receipt_corrections
             WHERE receipt_corrections.user_id = receipts.user_id AND receipt_id = receipts.id ORDER BY number DESC LIMIT 1
           ) AS corrected ON true
         WHERE application_id = $1 AND receipts.id = ANY ($2) ORDER BY receipts.id DESC`,
);

/** A receipt of the list as stored. */
export type ReceiptListRow = Awaited<ReturnType<typeof entriesOf>>[number];

/** Reads a page. `next` is the last receipt that was read; null: there are no more. */
export async function listReceiptRows(
  tx: Tx,
  applicationId: string,
  query: ReceiptQuery,
): Promise<{ rows: ReceiptListRow[]; next: string | null }> {
  const { status, errorCode, held, disputed, userId, transactionId, check, merchant, pageSize } = query;
  const isFiltered =
    status !== null ||
    held !== null ||
    disputed !== null ||
    errorCode !== null ||
    needsFindings(query) ||
    hasTwoKeys(query);
  // Without a filter every row matches but those of users who are being erased.
  const scanned = isFiltered ? SCANNED_MAX : Math.min(SCANNED_MAX, 2 * pageSize + 1);
  const bounds = [
    query.before ?? (query.order === "newest" ? LAST_ID : FIRST_ID),
    query.since ? firstIdAt(query.since.getTime()) : FIRST_ID,
    query.until ? firstIdAt(query.until.getTime()) : LAST_ID,
  ];
  const filters = [status, errorCode, userId, transactionId, check, merchant];
  const values = [applicationId, ...bounds, ...filters, scanned, flagOf(held), flagOf(disputed)];
  const found = await SCANS[query.order][scopeOf(query)](tx, values);
  const matching = found.filter(({ isMatching }) => isMatching);
  const page = matching.slice(0, pageSize);
  const newestFirst = page.length === 0 ? [] : await entriesOf(tx, applicationId, page);
  const rows = query.order === "newest" ? newestFirst : newestFirst.toReversed();
  if (matching.length > pageSize) return { rows, next: page.at(-1)!.id };
  return { rows, next: found.length === scanned ? found.at(-1)!.id : null };
}

/** The key that finds the receipts of a query. */
function scopeOf({ transactionId, userId, held, disputed }: ReceiptQuery): keyof (typeof SCANS)["newest"] {
  if (transactionId !== null) return "reference";
  if (userId !== null) return "user";
  if (held === "true") return "held";
  return disputed === "true" ? "disputed" : "all";
}

function flagOf(word: "true" | "false" | null): boolean | null {
  return word === null ? null : word === "true";
}

/** A reference and a user: one of them is a filter. */
function hasTwoKeys({ userId, transactionId }: ReceiptQuery): boolean {
  return userId !== null && transactionId !== null;
}

function entriesOf(tx: Tx, applicationId: string, page: readonly { id: string }[]) {
  return tx.query(ENTRIES, [applicationId, page.map(({ id }) => id)]);
}
