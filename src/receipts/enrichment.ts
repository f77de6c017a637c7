import type { LookupItem } from "../foods/lookup/lookup.ts";
import type { ItemInput, ItemRater } from "../foods/lookup/item-rater.ts";
import { isAccepted } from "../points/award.ts";
import { scoredLine } from "../points/scored-line.ts";
import type { ExclusionReason, ScoredLine } from "../points/scored-line.ts";
import { goodsLanguageOf } from "./goods-language.ts";
import type { ReceiptLine, ReceiptReading } from "./parsing/parse.ts";
import type { QuantityUnit } from "./parsing/items/quantities.ts";
import { failure } from "./receipt.ts";
import type { Failure } from "./receipt.ts";

/** The findings of enrichment: the merchant, and the food and rating of each line. */
export interface Enriched {
  /** The merchant's usual name. */
  readonly businessName: string;
  /** The same name as an id. */
  readonly businessId: string;
  readonly currency: string;
  /** The receipt shows neither a currency nor a country. */
  readonly isCurrencyAssumed: boolean;
  readonly lines: readonly ScoredLine[];
  /** Version of the foods that rated the lines. */
  readonly catalogueVersion: string;
  /** When it was bought, as a person corrected it while it was held. */
  readonly purchasedAt?: string;
}

/** The currency of a receipt that shows neither a currency nor a country. */
export const ASSUMED_CURRENCY = "GBP";

/** Kilograms or litres in one of each unit of weight or volume. */
const IN_KG_OR_L: Readonly<Record<Exclude<QuantityUnit, "piece">, number>> = {
  kg: 1,
  l: 1,
  g: 0.001,
  ml: 0.001,
  lb: 0.453_592_37,
  oz: 0.028_349_523_125,
};

/** The result of enrichment. */
export type Enrichment =
  | { readonly kind: "enriched"; readonly enriched: Enriched }
  /** `rejected`: what was found, where no line of it earns points. */
  | (Failure & { readonly rejected?: Enriched });

/**
 * Finds the merchant and rates every line. Deterministic for the same reading and the same foods.
 * `declaredName` is the declared merchant if its name is on the receipt, else null.
 */
export function enrich(
  receiptId: string,
  reading: ReceiptReading,
  declaredName: string | null,
  rater: ItemRater & { catalogueVersion: string },
): Enrichment {
  const merchants = merchantsOf(reading, declaredName);
  const [businessName] = merchants;
  if (businessName === undefined) return failure("MERCHANT_NAME_NOT_FOUND", "the store could not be identified");
  const lines = rateLines(receiptId, reading, merchants, rater.rate);
  const enriched = enrichedOf(reading, businessName, lines, rater.catalogueVersion);
  if (!lines.some(earnsPoints)) {
    const failed = failure("NO_VALID_FOOD_ITEMS", "no eligible products were found on the receipt");
    return { ...failed, rejected: enriched };
  }
  return { kind: "enriched", enriched };
}

/** Whether a line is a food that is surely enough the one that was bought. */
export function earnsPoints(line: ScoredLine): boolean {
  return line.exclusionReason === null && isAccepted(line.confidence);
}

/** The findings of a receipt with this merchant and these lines. */
export function enrichedOf(
  { currency }: ReceiptReading,
  businessName: string,
  lines: readonly ScoredLine[],
  catalogueVersion: string,
): Enriched {
  return {
    businessName,
    businessId: slugOf(businessName),
    currency: currency ?? ASSUMED_CURRENCY,
    isCurrencyAssumed: currency === null,
    lines,
    catalogueVersion,
  };
}

/** Rates every line as read. The ids of lines are that of the receipt with their number, from 1. */
export function rateLines(
  receiptId: string,
  reading: Pick<ReceiptReading, "lines" | "country">,
  merchants: readonly string[],
  rate: ItemRater["rate"],
): ScoredLine[] {
  const shop = { merchants, language: goodsLanguageOf(reading.country) };
  return withVoids(reading.lines).map((line, i) => rateLine(lineId(receiptId, i), line, shop, rate));
}

/** The id of a line as read, by its index. */
export function lineId(receiptId: string, index: number): string {
  return `${receiptId}-${index + 1}`;
}

/** Returns the lines of a receipt to look up before it is enriched. */
export function lookupItemsOf(
  applicationId: string,
  reading: ReceiptReading,
  declaredName: string | null,
): LookupItem[] {
  const merchants = merchantsOf(reading, declaredName);
  const items = reading.lines.filter(({ kind }) => kind === "item");
  return items.map(({ description }) => ({ applicationId, foodId: null, name: description, merchants }));
}

/** Returns the names of the merchant, best first: the usual one, the printed one, the declared one. */
export function merchantsOf({ businessName, merchantName }: ReceiptReading, declaredName: string | null): string[] {
  return [businessName, merchantName, declaredName].filter((name) => name !== null);
}

/** A line after voids were subtracted from it. */
interface NetLine extends ReceiptLine {
  /** The line is a void, or a void has cancelled all of it. */
  readonly isVoided: boolean;
}

/**
 * Subtracts each void from the line that it cancels: the nearest one above with the same name, else with the same
 * amount. A void without such a line stays a line of its own.
 */
export function withVoids(lines: readonly ReceiptLine[]): NetLine[] {
  const net: NetLine[] = lines.map((line) => ({ ...line, isVoided: line.kind === "void" }));
  lines.forEach((line, i) => {
    if (line.kind !== "void") return;
    const cancelled = net.findLastIndex(
      (candidate, j) => j < i && candidate.kind === "item" && candidate.amountMinor > 0 && cancels(line, candidate),
    );
    const item = net[cancelled];
    if (!item) return;
    const amountMinor = Math.max(0, item.amountMinor + line.amountMinor);
    const quantity = Math.round((item.quantity * amountMinor * 1000) / item.amountMinor) / 1000;
    net[cancelled] = { ...item, amountMinor, quantity, isVoided: amountMinor === 0 };
  });
  return net;
}

function cancels(line: ReceiptLine, item: ReceiptLine): boolean {
  const isSameName = line.cleanedName !== "" && line.cleanedName === item.cleanedName;
  return isSameName ? -line.amountMinor <= item.amountMinor : -line.amountMinor === item.amountMinor;
}

function rateLine(
  id: string,
  line: NetLine,
  shop: Pick<ItemInput, "merchants" | "language">,
  rate: ItemRater["rate"],
): ScoredLine {
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
  const rating = rate({ foodId: null, name: line.description, ...sold, nutrition: null, ...shop }, "receipt");
  if (rating.kind !== "incomplete") return scoredLine(facts, rating);
  return { ...excluded("NO_MATCH"), ...(rating.basis && { basis: rating.basis }) };
}

/** A name as an id. */
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
