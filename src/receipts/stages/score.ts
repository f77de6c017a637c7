import type { Findings } from "../findings.ts";
import type { Receipt } from "../receipt.ts";
import { composeReceiptRecord } from "../receipt-record.ts";
import { findingsOf, finishStage } from "./stage.ts";
import type { NextReceipt, StageDeps } from "./stage.ts";

/** Validated → Scored: computes the points of each line. */
export function score(deps: StageDeps, receipt: Receipt, { Extracted, Enriched }: Findings): Promise<NextReceipt> {
  const { reading, name } = findingsOf(Extracted);
  const record = composeReceiptRecord(receipt, reading, findingsOf(Enriched), name);
  // Only what lists show: the record is composed again to be booked, and then it is the truth.
  const { totalAmountMinor } = record.body;
  const found = { award: { totalPoints: record.award.totalPoints }, body: { totalAmountMinor } };
  return finishStage(deps, receipt, "Scored", () => ({ kind: "finished", found, events: [] }));
}
