import type { Tx } from "../../postgres/postgres.ts";
import { RECORD_STATUS } from "../codes.ts";
import { changeStatus, lockBalances } from "../ledger.store.ts";
import { move } from "../move.store.ts";
import type { Moved, MoveDeps } from "../moved-event.ts";
import { pointsSettings } from "../settings/store.ts";
import { findRecord, relatedRecords } from "../store.ts";
import { reversing } from "./reversal.ts";
import type { Reversal, ReversalOutcome } from "./reversal.ts";

export type Reversed =
  | { readonly kind: "reversed"; readonly moved: Moved; readonly waivedPoints: number }
  | { readonly kind: "unknown record" }
  | Exclude<ReversalOutcome, { readonly kind: "entry" }>;

/** Reverses a record in the tx and publishes `points.reversed`. Nothing is booked in any other outcome. */
export async function reverse(
  tx: Tx,
  { applicationId, userId }: { readonly applicationId: string; readonly userId: string },
  recordId: string,
  reversal: Reversal,
  deps: MoveDeps,
): Promise<Reversed> {
  const locked = await lockBalances(tx, [userId], []);
  const record = await findRecord(tx, userId, recordId);
  if (!record) return { kind: "unknown record" };
  const { reversalOverdraws: overdraws } = await pointsSettings(tx, applicationId);
  const later = await relatedRecords(tx, userId, recordId);
  const { availablePoints = 0 } = locked.balances.get(userId) ?? {};
  const outcome = reversing({ record, later, availablePoints, overdraws }, reversal, deps.newId());
  if (outcome.kind !== "entry") return outcome;
  const { entry, isWhole, waivedPoints } = outcome;
  if (isWhole) await changeStatus(tx, { userId, recordId, status: RECORD_STATUS.reversed }, deps.now());
  return { kind: "reversed", moved: await move(tx, locked, entry, deps), waivedPoints };
}
