import type { MerchantKind } from "./header/merchant-dictionary.ts";
import type { QuantityUnit } from "./items/quantities.ts";

/** What is known of a receipt beside its picture. Evidence on the paper wins. */
export interface ReadingContext {
  /** The day of the upload, `YYYY-MM-DD`. */
  readonly today: string | null;
  /** The country that it is likely from, ISO 3166-1 alpha-2: its user's, else its application's. */
  readonly likelyCountry: string | null;
}

/** Nothing is known but the picture. */
export const NO_CONTEXT: ReadingContext = { today: null, likelyCountry: null };

/** One line of the list. `quantity` is a count or weight in `unit`; a discount or void has a negative amount. */
export interface ReceiptLine {
  kind: "item" | "discount" | "void";
  description: string;
  cleanedName: string;
  quantity: number;
  unit: QuantityUnit;
  unitPriceMinor: number | null;
  amountMinor: number;
  /** Probability that name and amount are as printed, 0 to 1. */
  accuracy: number;
}

/**
 * Everything that was read from a receipt. Money is in minor units of `currency`; null means that the receipt does not
 * show it or that it could not be read.
 */
export interface ReceiptReading {
  isReceipt: boolean;
  /** Share of a receipt's parts that were found, 0 to 1. */
  receiptScore: number;
  merchantName: string | null;
  businessName: string | null;
  merchantKind: MerchantKind;
  merchantAddress: string | null;
  country: string | null;
  currency: string | null;
  /** `YYYY-MM-DD` */
  date: string | null;
  /** `HH:MM:SS`, local */
  time: string | null;
  lines: readonly ReceiptLine[];
  subTotalMinor: number | null;
  discountsMinor: number;
  taxMinor: number | null;
  roundingMinor: number | null;
  totalMinor: number | null;
  paidMinor: number | null;
  changeMinor: number | null;
  cardLast4: string | null;
  /** Probability that merchant, date, total and all lines are right, 0 to 1. */
  accuracy: number;
  /** Accuracy of single fields; 0 if nothing was read. */
  fieldAccuracy: { merchantName: number; date: number; total: number };
  /** Corrections made by arithmetic, one sentence each. */
  repairs: readonly string[];
}
