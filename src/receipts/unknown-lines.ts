import type { ExclusionReason, ItemFacts } from "../points/scored-line.ts";
import { isUnknown } from "../unknown-names/sightings.ts";
import type { Sighted } from "../unknown-names/sightings.ts";
import type { Receipt } from "./receipt.ts";

/** A line with its reason for earning nothing; null: it earns. */
type Line = Pick<ItemFacts, "name" | "amountMinor"> & { readonly exclusionReason: ExclusionReason | null };

/** The lines of a receipt that nothing was matched with. */
export function unknownLinesOf(
  { id, applicationId, userId }: Receipt,
  lines: readonly Line[],
  { merchantName, currency }: { readonly merchantName: string; readonly currency: string },
): Sighted {
  const items = lines
    .filter(({ exclusionReason }) => isUnknown(exclusionReason))
    .map(({ name, amountMinor }) => ({ name, merchantName, paid: { currency, amountMinor } }));
  return { applicationId, userId, submissionId: id, source: "receipt", items };
}
