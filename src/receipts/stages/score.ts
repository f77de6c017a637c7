import type { Findings } from "../findings.ts";
import type { Receipt } from "../receipt.ts";
import { composeReceiptRecord } from "../receipt-record.ts";
import { findingsOf, finishStage } from "./stage.ts";
import type { NextReceipt, StageDeps } from "./stage.ts";

/** Validated → Scored: computes the points of each line. */
export async function score(
  deps: StageDeps,
  receipt: Receipt,
  { Extracted, Enriched }: Findings,
): Promise<NextReceipt> {
  const { reading, name } = findingsOf(Extracted);
  const scorable = { ...receipt, source: "receipt" } as const;
  const termsOf = await deps.termsFor([scorable]);
  const record = composeReceiptRecord(receipt, reading, findingsOf(Enriched), name, termsOf(scorable));
  return finishStage(deps, receipt, "Scored", () => ({ kind: "finished", found: record, events: [] }));
}
