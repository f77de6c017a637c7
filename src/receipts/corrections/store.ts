import type { CorrectionState } from "../../points/explanation.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { int2, int4, json, orNull, statement, text, timestamptz, uuid } from "../../postgres/statement.ts";
import type { Enriched } from "../enrichment.ts";
import type { Extracted } from "../findings.ts";
import type { Receipt } from "../receipt.ts";
import { restartAfter } from "../restart.store.ts";
import type { Corrected } from "./corrected-record.ts";

const FIND = statement(
  "receipt-corrections.find",
  {
    id: uuid,
    number: int2,
    reason: text,
    before: json<CorrectionState>(),
    after: orNull(json<Corrected>()),
    recordId: orNull(uuid),
    points: int4,
    correctedAt: timestamptz,
  },
  `SELECT id, number, reason, before, after, record_id AS "recordId", points, corrected_at AS "correctedAt"
         FROM receipt_corrections WHERE user_id = $1 AND receipt_id = $2 ORDER BY number`,
);
const INSERT = statement(
  "receipt-corrections.insert",
  {},
  `INSERT INTO receipt_corrections (user_id, receipt_id, number, id, reason, before, after, record_id, points, corrected_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);
const INSERT_FINDINGS = statement(
  "receipt-corrections.insert-findings",
  {},
  `INSERT INTO receipt_findings (user_id, receipt_id, stage, found, found_at)
         VALUES ($1, $2, 'Extracted', $3, $5), ($1, $2, 'Enriched', $4, $5)`,
);
const REPLACE_FINDINGS = statement(
  "receipt-corrections.replace-findings",
  {},
  `WITH updated AS (UPDATE receipts SET updated_at = $5 WHERE user_id = $1 AND id = $2)
         UPDATE receipt_findings SET found = CASE stage WHEN 'Extracted' THEN $3::jsonb ELSE $4::jsonb END
         WHERE user_id = $1 AND receipt_id = $2 AND stage IN ('Extracted', 'Enriched')`,
);
const SET_ENRICHED = statement(
  "receipt-corrections.set-enriched",
  {},
  "UPDATE receipts SET stage = 'Enriched' WHERE user_id = $1 AND id = $2",
);

/** A correction as stored. */
export type StoredCorrection = Awaited<ReturnType<typeof correctionsOf>>[number];

/** The corrections of a receipt, in order. */
export async function correctionsOf(tx: Tx, { userId, id }: Pick<Receipt, "userId" | "id">) {
  return tx.query(FIND, [userId, id]);
}

/** Stores a correction of the locked receipt. */
export async function insertCorrection(
  tx: Tx,
  { userId, id }: Receipt,
  correction: Omit<StoredCorrection, "correctedAt">,
  now: Date,
): Promise<void> {
  const { number, id: correctionId, reason, before, after, recordId, points } = correction;
  const states = [JSON.stringify(before), after && JSON.stringify(after)];
  await tx.query(INSERT, [userId, id, number, correctionId, reason, ...states, recordId, points, now]);
}

/** Sets the locked receipt, which has failed, back to the stage Enriched with corrected findings. */
export async function restartEnriched(
  tx: Tx,
  receipt: Receipt,
  found: { readonly extracted: Extracted; readonly enriched: Enriched },
  now: Date,
): Promise<void> {
  const { userId, id } = receipt;
  await restartAfter(tx, receipt, "Uploaded", now);
  await tx.query(INSERT_FINDINGS, [userId, id, JSON.stringify(found.extracted), JSON.stringify(found.enriched), now]);
  await tx.query(SET_ENRICHED, [userId, id]);
}

/** Replaces what was read and matched of the locked receipt, which is held. */
export async function replaceFindings(
  tx: Tx,
  { userId, id }: Receipt,
  found: { readonly extracted: Extracted; readonly enriched: Enriched },
  now: Date,
): Promise<void> {
  await tx.query(REPLACE_FINDINGS, [userId, id, JSON.stringify(found.extracted), JSON.stringify(found.enriched), now]);
}
