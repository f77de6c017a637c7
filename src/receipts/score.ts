import type { LookupItem } from "../foods/lookup/lookup.ts";
import type { ItemRater } from "../foods/lookup/item-rater.ts";
import { isAccepted } from "../points/award.ts";
import { PARTNER_TYPE } from "../points/codes.ts";
import type { PartnerType } from "../points/codes.ts";
import { composeRecord } from "../points/record.ts";
import type { ComposedRecord, RecordHead } from "../points/record.ts";
import { scoredLine } from "../points/scored-line.ts";
import type { ExclusionReason, ScoredLine } from "../points/scored-line.ts";
import type { MerchantKind } from "./parsing/header/merchants.ts";
import type { ReceiptLine, ReceiptReading } from "./parsing/parse.ts";
import type { QuantityUnit } from "./parsing/items/quantities.ts";
import { failure } from "./receipt.ts";
import type { Failure, NewReceipt } from "./receipt.ts";

/** What enrichment found: who sold, and of each line which food it is and how it rates. */
export interface Enriched {
  /** The merchant's usual name, and the same as an id. */
  readonly businessName: string;
  readonly businessId: string;
  readonly currency: string;
  /** The receipt shows neither a currency nor a country. */
  readonly isCurrencyAssumed: boolean;
  readonly lines: readonly ScoredLine[];
  /** Of the foods by which the lines were rated. */
  readonly catalogueVersion: string;
}

/** Where a receipt shows neither a currency nor a country. */
export const ASSUMED_CURRENCY = "GBP";

/** Kilograms or litres in one of each unit that isn't counted. */
const IN_KG_OR_L: Readonly<Record<Exclude<QuantityUnit, "piece">, number>> = {
  kg: 1,
  l: 1,
  g: 0.001,
  ml: 0.001,
  lb: 0.453_592_37,
  oz: 0.028_349_523_125,
};

const PARTNER_TYPES: Readonly<Record<MerchantKind, PartnerType>> = {
  grocery: PARTNER_TYPE.grocery,
  restaurant: PARTNER_TYPE.restaurant,
  online: PARTNER_TYPE.online,
  other: PARTNER_TYPE.other,
};

/**
 * Finds the merchant and rates every line; the same reading under the same foods always comes out alike.
 * `declaredName` is the declared merchant if its name stands on the receipt.
 */
export function enrich(
  receiptId: string,
  reading: ReceiptReading,
  declaredName: string | null,
  rater: ItemRater & { catalogueVersion: string },
): Enriched | Failure {
  const merchants = merchantsOf(reading, declaredName);
  const [businessName] = merchants;
  if (businessName === undefined) return failure("MERCHANT_NAME_NOT_FOUND", "the store could not be identified");
  const lines = withVoids(reading.lines).map((line, i) =>
    rateLine(`${receiptId}-${i + 1}`, line, merchants, rater.rate),
  );
  const isValid = lines.some((line) => line.exclusionReason === null && isAccepted(line.confidence));
  if (!isValid) return failure("NO_VALID_FOOD_ITEMS", "no eligible products were found on the receipt");
  return {
    businessName,
    businessId: slugOf(businessName),
    currency: reading.currency ?? ASSUMED_CURRENCY,
    isCurrencyAssumed: reading.currency === null,
    lines,
    catalogueVersion: rater.catalogueVersion,
  };
}

/** The lines of a receipt, as they are to be looked up before it is enriched. */
export function lookupItemsOf(
  applicationId: string,
  reading: ReceiptReading,
  declaredName: string | null,
): LookupItem[] {
  const merchants = merchantsOf(reading, declaredName);
  const items = reading.lines.filter(({ kind }) => kind === "item");
  return items.map(({ description }) => ({ applicationId, foodId: null, name: description, merchants }));
}

/** What the merchant is called: its usual name, the printed one, else the declared one that stands on the receipt. */
function merchantsOf({ businessName, merchantName }: ReceiptReading, declaredName: string | null): string[] {
  return [businessName, merchantName, declaredName].filter((name) => name !== null);
}

/** The record that a receipt earns: its points, and what its transaction will show. */
export function scoreReceipt(receipt: NewReceipt, reading: ReceiptReading, enriched: Enriched): ComposedRecord {
  const head: RecordHead = {
    reference: receipt.reference,
    brand: enriched.businessName,
    logo: "",
    location: reading.merchantAddress ?? "",
    partnerType: PARTNER_TYPES[reading.merchantKind],
    timestamp: receipt.declared.transactionTimestamp ?? printedMoment(reading) ?? receipt.acceptedAt.toISOString(),
    currency: enriched.currency,
    totalAmountMinor: reading.totalMinor ?? reading.lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
  };
  return composeRecord("receipt", head, enriched.lines);
}

/** A line with what voids left of it; the void itself, and what it left nothing of, are marked. */
interface NetLine extends ReceiptLine {
  readonly isVoided: boolean;
}

/**
 * Takes voids off the lines they undo: the nearest one above with the same name, or else with the same amount.
 * A void that undoes nothing we can see stays a line of its own.
 */
export function withVoids(lines: readonly ReceiptLine[]): NetLine[] {
  const net: NetLine[] = lines.map((line) => ({ ...line, isVoided: line.kind === "void" }));
  lines.forEach((line, i) => {
    if (line.kind !== "void") return;
    const undone = net.findLastIndex(
      (candidate, j) => j < i && candidate.kind === "item" && candidate.amountMinor > 0 && undoes(line, candidate),
    );
    const item = net[undone];
    if (!item) return;
    const amountMinor = Math.max(0, item.amountMinor + line.amountMinor);
    const quantity = Math.round((item.quantity * amountMinor * 1000) / item.amountMinor) / 1000;
    net[undone] = { ...item, amountMinor, quantity, isVoided: amountMinor === 0 };
  });
  return net;
}

function undoes(line: ReceiptLine, item: ReceiptLine): boolean {
  const isSameName = line.cleanedName !== "" && line.cleanedName === item.cleanedName;
  return isSameName ? -line.amountMinor <= item.amountMinor : -line.amountMinor === item.amountMinor;
}

function rateLine(id: string, line: NetLine, merchants: readonly string[], rate: ItemRater["rate"]): ScoredLine {
  const { unit } = line;
  const soldByWeight = unit !== "piece";
  const quantity = soldByWeight ? thousandth(line.quantity * IN_KG_OR_L[unit]) : line.quantity;
  const facts = {
    id,
    externalId: "",
    name: line.description,
    cleanedName: line.cleanedName,
    imageUrl: "",
    quantity,
    amountMinor: line.amountMinor,
    soldByWeight,
  };
  const excluded = (exclusionReason: ExclusionReason): ScoredLine => ({
    ...facts,
    matchedName: "",
    massMg: null,
    exclusionReason,
  });
  if (line.isVoided) return excluded("VOID");
  if (line.kind === "discount") return excluded("DISCOUNT");
  if (line.amountMinor < 0) return excluded("REFUND");
  const sold = soldByWeight ? { weight: line.quantity, unit, quantity: 1 } : { weight: null, unit: null, quantity };
  const rating = rate({ foodId: null, name: line.description, ...sold, nutrition: null, merchants }, "receipt");
  if (rating.kind !== "incomplete") return scoredLine(facts, rating);
  return { ...excluded("NO_MATCH"), ...(rating.basis && { basis: rating.basis }) };
}

/** The till's clock taken as UTC: its zone is not printed. */
function printedMoment({ date, time }: ReceiptReading): string | null {
  return date === null ? null : `${date}T${time ?? "00:00:00"}.000Z`;
}

function slugOf(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}

function thousandth(value: number): number {
  return Math.round(value * 1000) / 1000;
}
