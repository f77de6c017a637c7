import { PARTNER_TYPE } from "../points/codes.ts";
import type { PartnerType } from "../points/codes.ts";
import { composeRecord } from "../points/record.ts";
import type { ComposedRecord, RecordHead } from "../points/record.ts";
import type { Terms } from "../points/terms.ts";
import type { NameEvidence } from "./checks/name.ts";
import type { Enriched } from "./enrichment.ts";
import type { MerchantKind } from "./parsing/header/merchant-dictionary.ts";
import type { ReceiptReading } from "./parsing/parse.ts";
import type { NewReceipt } from "./receipt.ts";

const PARTNER_TYPES: Readonly<Record<MerchantKind, PartnerType>> = {
  grocery: PARTNER_TYPE.grocery,
  restaurant: PARTNER_TYPE.restaurant,
  online: PARTNER_TYPE.online,
  other: PARTNER_TYPE.other,
};

/**
 * Composes the record of a receipt: its points, and the content of its transaction. Where its words show no kind of
 * shop, it has the kind of the chain that was declared, if that name is on it.
 */
export function composeReceiptRecord(
  receipt: NewReceipt,
  reading: ReceiptReading,
  enriched: Enriched,
  name?: NameEvidence,
  terms?: Terms,
): ComposedRecord {
  const declaredKind = name?.isNamed ? name.chainKind : undefined;
  const kind = reading.merchantKind === "other" ? (declaredKind ?? "other") : reading.merchantKind;
  const head: RecordHead = {
    reference: receipt.reference,
    brand: enriched.businessName,
    logo: "",
    location: reading.merchantAddress ?? "",
    partnerType: PARTNER_TYPES[kind],
    timestamp:
      enriched.purchasedAt ??
      receipt.declared.transactionTimestamp ??
      printedMoment(reading) ??
      receipt.acceptedAt.toISOString(),
    currency: enriched.currency,
    totalAmountMinor: reading.totalMinor ?? reading.lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
  };
  return composeRecord("receipt", head, enriched.lines, terms);
}

/** Returns the printed time. The till's clock is taken as UTC, because its zone is not printed. */
function printedMoment({ date, time }: ReceiptReading): string | null {
  return date === null ? null : `${date}T${time ?? "00:00:00"}.000Z`;
}
