import { DEFAULT_TERMS } from "../../points/terms.ts";
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
  const terms = (await deps.termsFor([scorable]))(scorable);
  const record = composeReceiptRecord(receipt, reading, findingsOf(Enriched), name, terms);
  // Only what lists show: the record is composed again to be booked, and then it is the truth. Under a programme the
  // whole record is kept until then.
  const { totalAmountMinor } = record.body;
  const shown = { award: { totalPoints: record.award.totalPoints }, body: { totalAmountMinor } };
  const found = terms === DEFAULT_TERMS ? shown : record;
  return finishStage(deps, receipt, "Scored", () => ({ kind: "finished", found, events: [] }));
}
