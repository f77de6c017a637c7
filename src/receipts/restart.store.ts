// Sets receipts going again that had ended.
import type { Tx } from "../postgres/postgres.ts";
import { statement } from "../postgres/statement.ts";
import { insertFailures } from "../reports/figures/deltas.store.ts";
import { claimUpload } from "./duplicates/claims.store.ts";
import type { Receipt, Stage } from "./receipt.ts";
import { STAGES } from "./receipt.ts";
import { HAS_USER, RECEIPT, RECEIPT_COLUMNS } from "./store.ts";

const LOCK = statement(
  "receipt-restart.lock",
  RECEIPT,
  `SELECT ${RECEIPT_COLUMNS} FROM receipts WHERE application_id = $1 AND id = $2 AND ${HAS_USER} FOR UPDATE`,
);
const DELETE_FINDINGS = statement(
  "receipt-restart.delete-findings",
  {},
  "DELETE FROM receipt_findings WHERE user_id = $1 AND receipt_id = $2 AND stage = ANY ($3)",
);
const RESTART = statement(
  "receipt-restart.restart",
  {},
  // It has not failed after all.
  `WITH failed AS MATERIALIZED (
           SELECT application_id, 'receipt' AS source, error_code, updated_at AS ended_at FROM receipts
           WHERE user_id = $1 AND id = $2 AND error_code IS NOT NULL
         ), counted AS (
           ${insertFailures("failed", { count: -1 })}
         )
         UPDATE receipts SET stage = $3, error_code = NULL, error_message = NULL, duplicate_of = NULL, attempts = 0,
                timeouts = 0, leased_until = NULL, runs = runs + 1, updated_at = $4
         WHERE user_id = $1 AND id = $2`,
);

/** Locks a receipt of this application in any state; null: there is none, or its user is erased. */
export async function lockAnyReceipt(tx: Tx, applicationId: string, id: string): Promise<Receipt | null> {
  return (await tx.query(LOCK, [applicationId, id]))[0] ?? null;
}

/** Takes the reference and the image again, which a failure has released. False: another receipt has one of them. */
export async function claimAgain(tx: Tx, receipt: Receipt): Promise<boolean> {
  const { isReferenceTaken, imageTakenByUser, isImageOfErased } = await claimUpload(tx, receipt);
  return !isReferenceTaken && imageTakenByUser === null && !isImageOfErased;
}

/**
 * Sets the locked receipt, which has failed, going again after `stage`. The findings of later stages are deleted. The
 * caller has taken its claims again.
 */
export async function restartAfter(tx: Tx, { userId, id }: Receipt, stage: Stage, now: Date): Promise<void> {
  await tx.query(DELETE_FINDINGS, [userId, id, [...STAGES.slice(STAGES.indexOf(stage) + 1), "Failed"]]);
  await tx.query(RESTART, [userId, id, stage, now]);
}
