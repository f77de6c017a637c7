import type { Dispute } from "../disputes/dispute.ts";
import { proposedCorrection } from "./proposal.ts";
import type { DisputeEntry } from "./schema.ts";
import type { ShownReceipt } from "./shown.ts";

/** Returns the public form of a dispute. */
export function presentDispute(dispute: Dispute, shown: ShownReceipt): DisputeEntry {
  const { id, kind, lineId, expected, price, note, state, openedAt, decidedAt, reason, correctionId } = dispute;
  return {
    disputeId: id,
    kind,
    lineId,
    shown: dispute.shown,
    expected,
    price,
    note,
    state,
    openedAt: openedAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
    reason,
    correctionId,
    correction: state === "open" ? proposedCorrection(dispute, shown) : null,
  };
}
