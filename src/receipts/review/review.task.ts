// What a person decides about a receipt, each in one tx under the lock of its row.
import type { Tx } from "../../postgres/postgres.ts";
import { RECEIPT_QUEUE, failure } from "../receipt.ts";
import type { Stage } from "../receipt.ts";
import { claimAgain, lockAnyReceipt, restartAfter } from "../restart.store.ts";
import { failLocked } from "../stages/stage.ts";
import type { StageDeps } from "../stages/stage.ts";
import type { Decision } from "../holding/review.ts";
import { lockHeld, releaseHeld } from "../holding/store.ts";

/** A receipt that fails each time costs its application a reading each. */
const RUNS_MAX = 20;

export interface Reviewing {
  /** Sets a receipt that failed as INTERNAL_ERROR going again. */
  readonly retry: (tx: Tx, applicationId: string, id: string) => ReturnType<typeof retry>;
  /** Accepts or rejects a held receipt. False: it is not held. */
  readonly decide: (
    tx: Tx,
    held: { readonly applicationId: string; readonly id: string },
    decision: Decision["decision"],
    reason: string,
  ) => Promise<boolean>;
}

/** Creates what a person decides about receipts. */
export function createReviewing(deps: StageDeps): Reviewing {
  return {
    retry: (tx, applicationId, id) => retry(deps, tx, applicationId, id),
    decide: (tx, held, decision, reason) => decide(deps, tx, held, decision, reason),
  };
}

/** Sets a receipt that failed as INTERNAL_ERROR going again, unless another receipt has its reference or image. */
async function retry(
  deps: StageDeps,
  tx: Tx,
  applicationId: string,
  id: string,
): Promise<{ readonly stage: Stage } | "unknown" | "not retryable" | "taken"> {
  const receipt = await lockAnyReceipt(tx, applicationId, id);
  if (!receipt) return "unknown";
  if (receipt.errorCode !== "INTERNAL_ERROR" || receipt.runs >= RUNS_MAX) return "not retryable";
  if (!(await claimAgain(tx, receipt))) return "taken";
  // Validation claims the purchase, which the failure has released.
  const stage = receipt.stage === "Validated" || receipt.stage === "Scored" ? "Enriched" : receipt.stage;
  await restartAfter(tx, receipt, stage, deps.now());
  await deps.jobs.send(tx, RECEIPT_QUEUE, { id }, { singletonKey: id });
  return { stage };
}

/** Accepts or rejects a held receipt. False: it is not held. */
async function decide(
  deps: StageDeps,
  tx: Tx,
  { applicationId, id }: { readonly applicationId: string; readonly id: string },
  decision: Decision["decision"],
  reason: string,
): Promise<boolean> {
  const held = await lockHeld(tx, applicationId, id);
  if (!held) return false;
  const at = deps.now();
  const receipt = await releaseHeld(tx, held, { decision, reason, decidedAt: at.toISOString() }, at);
  if (decision === "accept") await deps.jobs.send(tx, RECEIPT_QUEUE, { id }, { singletonKey: id });
  else await failLocked(deps, tx, receipt, failure("NOT_AUTHENTIC", reason), null, at);
  return true;
}
