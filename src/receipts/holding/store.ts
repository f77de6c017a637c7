import type { Tx } from "../../postgres/postgres.ts";
import { float8, orNull, someOf, statement } from "../../postgres/statement.ts";
import { CHECK_NAMES } from "../checks/check.ts";
import type { NewReceipt, Receipt } from "../receipt.ts";
import { HAS_USER, RECEIPT, RECEIPT_COLUMNS } from "../store.ts";
import { NO_REVIEW } from "./review.ts";
import type { Decision, Review, ReviewSettings } from "./review.ts";

const SETTINGS = statement(
  "receipt-review.settings",
  { minConfidence: orNull(float8), holdOn: someOf(CHECK_NAMES) },
  // A real as text first: 0.6 would be 0.6000000238418579.
  `SELECT min_confidence::text::float8 AS "minConfidence", hold_on AS "holdOn"
         FROM review_settings WHERE application_id = $1`,
);
const SET = statement(
  "receipt-review.set-settings",
  {},
  `INSERT INTO review_settings (application_id, min_confidence, hold_on, updated_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (application_id) DO UPDATE
         SET min_confidence = excluded.min_confidence, hold_on = excluded.hold_on, updated_at = excluded.updated_at`,
);
const HOLD = statement(
  "receipt-review.hold",
  {},
  `UPDATE receipts SET held_at = $3, leased_until = 'infinity', review = $4 WHERE user_id = $1 AND id = $2`,
);
const LOCK_HELD = statement(
  "receipt-review.lock-held",
  RECEIPT,
  `SELECT ${RECEIPT_COLUMNS} FROM receipts
         WHERE application_id = $1 AND id = $2 AND held_at IS NOT NULL AND ${HAS_USER} FOR UPDATE`,
);
const RELEASE = statement(
  "receipt-review.release",
  {},
  `UPDATE receipts SET held_at = NULL, leased_until = NULL, review = $3, runs = runs + 1, updated_at = $4
         WHERE user_id = $1 AND id = $2`,
);

/** What an application wants to decide itself. */
export async function reviewSettings(tx: Tx, applicationId: string): Promise<ReviewSettings> {
  return (await tx.query(SETTINGS, [applicationId]))[0] ?? NO_REVIEW;
}

/** Replaces what an application wants to decide itself. */
export async function setReviewSettings(
  tx: Tx,
  applicationId: string,
  { minConfidence, holdOn }: ReviewSettings,
  now: Date,
): Promise<void> {
  await tx.query(SET, [applicationId, minConfidence, holdOn, now]);
}

/** Holds the locked receipt until a decision. No reader claims it meanwhile. */
export async function holdReceipt(
  tx: Tx,
  { userId, id }: NewReceipt,
  { because, similarTo }: { readonly because: readonly string[]; readonly similarTo?: string | null },
  now: Date,
): Promise<void> {
  const review: Review = { because, heldAt: now.toISOString(), decision: null, ...(similarTo && { similarTo }) };
  await tx.query(HOLD, [userId, id, now, JSON.stringify(review)]);
}

/** Locks a held receipt of this application; null: there is none, or it is not held any more. */
export async function lockHeld(tx: Tx, applicationId: string, id: string): Promise<Receipt | null> {
  return (await tx.query(LOCK_HELD, [applicationId, id]))[0] ?? null;
}

/** Stores the decision on the locked receipt, and lets it go on. Returns it as it is now. */
export async function releaseHeld(tx: Tx, receipt: Receipt, decision: Decision, now: Date): Promise<Receipt> {
  const review: Review = { ...receipt.review!, decision };
  await tx.query(RELEASE, [receipt.userId, receipt.id, JSON.stringify(review), now]);
  return { ...receipt, review, heldAt: null, runs: receipt.runs + 1 };
}
