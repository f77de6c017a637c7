import { enrich as enrichReading, lookupItemsOf } from "../enrichment.ts";
import type { Findings } from "../findings.ts";
import type { Receipt } from "../receipt.ts";
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
  return finishStage(deps, receipt, "Enriched", () =>
    enrichment.kind === "failed"
      ? { kind: "rejected", failure: enrichment }
      : { kind: "finished", found: enrichment.enriched, events: [] },
  );
}
