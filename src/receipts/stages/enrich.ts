import { enrich as enrichReading, lookupItemsOf } from "../enrichment.ts";
import type { Findings } from "../findings.ts";
import { recordUnknownNames } from "../../unknown-names/store.ts";
import type { Receipt } from "../receipt.ts";
import { unknownLinesOf } from "../unknown-lines.ts";
import { findingsOf, finishStage } from "./stage.ts";
import type { NextReceipt, StageDeps } from "./stage.ts";

/** Extracted → Enriched: finds the merchant, and the food of each line. */
export async function enrich(deps: StageDeps, receipt: Receipt, { Extracted }: Findings): Promise<NextReceipt> {
  const { reading, name } = findingsOf(Extracted);
  const declaredName = name.isNamed ? receipt.declared.merchantName : null;
  const { applicationId } = receipt;
  const raterOf = await deps.raterFor(lookupItemsOf(applicationId, reading, declaredName));
  const { rate } = raterOf(applicationId);
  const { catalogueVersion } = deps;
  const enrichment = enrichReading(receipt.id, reading, declaredName, { rate, catalogueVersion });
  return finishStage(deps, receipt, "Enriched", async (tx, at) => {
    if (enrichment.kind === "enriched") return { kind: "finished", found: enrichment.enriched, events: [] };
    const { rejected, ...failure } = enrichment;
    if (rejected) {
      const { lines, businessName, currency } = rejected;
      await recordUnknownNames(tx, [unknownLinesOf(receipt, lines, { merchantName: businessName, currency })], at);
    }
    return { kind: "rejected", failure };
  });
}
