import { book } from "../points/store.ts";
import type { Booked } from "../points/store.ts";
import type { ComposedRecord } from "../points/record.ts";
import type { Tx } from "../postgres/postgres.ts";
import type { Receipt } from "./receipt.ts";
import type { StageDeps } from "./stages/stage.ts";

/**
 * Books the record of a receipt, with campaigns, tier, limits and bonuses as they are at this moment. What a preview
 * shows comes from here, too: it undoes the tx.
 */
export async function bookReceipt(
  deps: Pick<StageDeps, "termsByRule" | "newId" | "tiers">,
  tx: Tx,
  { id: submissionId, applicationId, userId }: Receipt,
  { record, catalogueVersion }: { readonly record: ComposedRecord; readonly catalogueVersion: string },
  at: Date,
): Promise<Booked> {
  const award = { applicationId, userId, source: "receipt" } as const;
  const terms = await deps.termsByRule(tx, { ...award, rule: record.award.rule });
  const booking = { ...award, submissionId, record, terms, catalogueVersion };
  return (await book(tx, [booking], at, deps.newId, deps.tiers))[0]!;
}
