import { plainLetters } from "../languages/plain-letters.ts";
import type { Label } from "./labels.ts";
import type { LabelledRow, ReceiptRow } from "./receipt-rows.ts";
import { anyUnitOf, anyWholeWordOf, anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";

// The kind of a row as a whole, beside its labels: a total, a tax, a tip, the heading of a list.

/** Sums are rounded to 5 or 10 where small coins are not used. A larger figure beside the word is the rounded total. */
export const ROUNDING_MINOR_MAX = 9;

/** `SUMME EUR 19, 6`, `TOTAL 4.`: an amount that ends a row and has lost one or both of its decimals. */
const DAMAGED_AMOUNT = /(?<![\d.,])(\d{1,4})\s?[.,]\s?(\d?)\s*$/;

/** Whether the row ends in a damaged amount that may have been `minor`. */
export function mayHaveBeen(row: ReceiptRow, minor: number): boolean {
  const [, major, digit = ""] = (row.amounts.length === 0 && DAMAGED_AMOUNT.exec(row.text)) || [];
  return (
    Number(major) === Math.floor(minor / 100) &&
    String(minor % 100)
      .padStart(2, "0")
      .includes(digit)
  );
}

/** Whether a row is a total or subtotal with its amount, readable or damaged: the list ends before it. */
function isTotalRow({ amounts, labels, text }: LabelledRow): boolean {
  const isNamedTotal = labels.has("total") || labels.has("subtotal");
  return (
    (amounts.length > 0 || DAMAGED_AMOUNT.test(text)) &&
    isNamedTotal &&
    !labels.has("discount") &&
    !labels.has("savings")
  );
}

/** Beside these labels the word total means something else. */
const NO_TOTAL: readonly Label[] = ["subtotal", "taxTotal", "savings", "count", "change"];

/** Whether labels are of a total, and not of a total of something else. */
export function isTotal(labels: ReadonlySet<Label>): boolean {
  return labels.has("total") && !NO_TOTAL.some((label) => labels.has(label));
}

/** Whether labels are of a payment. */
export function isPayment(labels: ReadonlySet<Label>): boolean {
  return labels.has("cash") || labels.has("card");
}

const TIP_KIND = anyWordOf(wordsOf("tipKinds"));
/** A tip on top of the bill (`Tip: $5.00`, `Gratuity (20%)`, `PROPINA VOLUNTARIA`); not TIP TOP bread. */
const TIP = new RegExp(
  String.raw`^\W*(?:${TIP_KIND}\s+)?${anyWordOf(wordsOf("tips"))}(?:\s+${TIP_KIND})?[^\p{L}]*$`,
  "iu",
);

/** Whether a row is a tip. */
function isTip({ text }: LabelledRow): boolean {
  return TIP.test(plainLetters(text));
}

/** Words in the heading of a list. */
const HEADING_WORD = new RegExp(anyWholeWordOf(wordsOf("headings")), "gi");

const TAX_WORD = new RegExp(anyWholeWordOf(wordsOf("taxRowWords")), "gi");

/** A zero among letters is an O: `OP0DATKOWANA`. */
const ZERO_IN_WORD = /(?<![\d.,])0(?=[A-Za-z]{2})|(?<=[A-Za-z]{2})0(?=[A-Za-z])/g;

/** Whether a row is a tax of its own (`TAX 1 8.25 %  0.74`) and no good that is taxed. */
function isTaxOnly({ text, labels }: LabelledRow): boolean {
  if (!labels.has("tax")) return false;
  const words = plainLetters(text)
    .replace(ZERO_IN_WORD, "O")
    .replace(/[^A-Za-z ]/g, " ");
  return !/[A-Za-z]{3}/.test(words.replace(TAX_WORD, ""));
}

/** `Total Qty  1  7.50`, its first word however read. */
const COUNT_ROW = new RegExp(String.raw`^\W*\w{0,6}\s?(?:${anyUnitOf(wordsOf("countColumns"))})\b`, "i");

/** `2 QTY  GREEN ONIONS  1.00`: a count of goods, with their name. */
const COUNTED_GOODS = new RegExp(
  String.raw`^\s*\d{1,3}\s?(?:${anyUnitOf(wordsOf("countColumns"))})\s+\p{L}{3,}.*\p{L}{3}`,
  "iu",
);

/** Whether a row has only words for columns beside its figures (`Qty  1  7.50`). */
function isColumnWords({ text, labels, amounts }: LabelledRow): boolean {
  if (labels.has("discount")) return false;
  // A count and the price of one with their labels, before the amount: `Qtde.: 1  UN: UN  Vl. Unit.: 4,99  4,99`.
  if (
    amounts.length > 1 &&
    /\p{L}\.?\s?:\s?\d/u.test(text) &&
    /\p{L}\.?\s?:\s?$/u.test(text.slice(0, amounts[0]!.start))
  )
    return false;
  if (COUNT_ROW.test(text) && !text.includes("@") && !COUNTED_GOODS.test(text)) return true;
  const letters = plainLetters(text)
    .replace(/[^A-Za-z/ ]/g, " ")
    .trim();
  return /[A-Za-z]{3}/.test(letters) && !/[A-Za-z]/.test(letters.replace(HEADING_WORD, ""));
}

/** Figures of three digits, and a count of what was sold (`T0TAL SALES: 5 ITEMS 8 QTY`). */
const NO_HEADING = new RegExp(String.raw`\d{3}|\d\s?(?:${anyUnitOf(wordsOf("soldCounts"))})\b`, "i");

/** Whether a row names the columns of a list: two or more words for columns and no amount. */
function isColumnHeadings({ text, amounts, labels }: LabelledRow): boolean {
  if (amounts.length > 0 || labels.has("count") || NO_HEADING.test(text)) return false;
  return new Set(plainLetters(text).toUpperCase().replaceAll(".", "").match(HEADING_WORD)).size >= 2;
}

/** Whether a row says what was paid or returned as change, with its amount. */
function isPaymentRow({ amounts, labels }: LabelledRow): boolean {
  return amounts.length > 0 && (isPayment(labels) || labels.has("change"));
}

const PAYMENT_START = new RegExp(String.raw`^\W*${anyWordOf(wordsOf("paymentStarts"))}`, "i");
/** More letters than this are a name. Set by hand on the development receipts. */
const PAYMENT_LETTERS_MAX = 12;

/** Whether a row is a payment and nothing that a shop sells: `CASH  100.00`, `VISA  9.20`. */
function isBarePayment(row: LabelledRow): boolean {
  const text = plainLetters(row.text);
  const letters = text.replace(/[^A-Za-z]/g, "").length;
  return isPaymentRow(row) && letters <= PAYMENT_LETTERS_MAX && PAYMENT_START.test(text);
}

/** Whether a row is a field of the header: `Date: 12.11.2025`, `Table: 12`. */
function isHeaderField({ amounts, labels, text }: LabelledRow): boolean {
  return labels.has("head") && !amounts.some((amount) => amount.isMarked) && text.includes(":");
}

/**
 * Kind of a row as a whole, beside the labels of its words. A row can be of several kinds:
 * `TOTAL TAX  1.20` is a total and a tax.
 */
export type RowKind =
  /** A total or subtotal with its amount: the list ends before it. */
  | "total"
  /** A tax of its own (`TAX 1 8.25 %  0.74`), not goods that are taxed. */
  | "tax"
  /** A tip (`Tip: $5.00`). */
  | "tip"
  /** A payment or change with its amount, perhaps goods with such a word (`GREETING CARD 6.29`). */
  | "payment"
  /** A payment that cannot be goods (`CASH  100.00`). */
  | "barePayment"
  /** A field of the header (`Date: 12.11.2025`). */
  | "headerField"
  /** Nothing but words for columns beside its figures (`Qty  1  7.50`). */
  | "columnWords"
  /** The row over the list that names its columns. */
  | "columnHeadings";

const IS_OF_KIND: Readonly<Record<RowKind, (row: LabelledRow) => boolean>> = {
  total: isTotalRow,
  tax: isTaxOnly,
  tip: isTip,
  payment: isPaymentRow,
  barePayment: isBarePayment,
  headerField: isHeaderField,
  columnWords: isColumnWords,
  columnHeadings: isColumnHeadings,
};
const KINDS = Object.entries(IS_OF_KIND) as [RowKind, (row: LabelledRow) => boolean][];

/** Returns all kinds of a row. */
export function kindsOf(row: LabelledRow): ReadonlySet<RowKind> {
  return new Set(KINDS.flatMap(([kind, isOfKind]) => (isOfKind(row) ? [kind] : [])));
}

/** Returns the index of the row over the list that names its columns; -1 if none is above the first total. */
export function headingIndex(rows: readonly ReceiptRow[]): number {
  const end = rows.findIndex(({ kinds }) => kinds.has("total"));
  return rows.slice(0, end < 0 ? rows.length : end).findIndex(({ kinds }) => kinds.has("columnHeadings"));
}

/** Whether a row only informs about amounts that are printed elsewhere (`YOU SAVED 1.20`, `5 ITEMS`). */
export function isInformation({ labels }: LabelledRow): boolean {
  return labels.has("savings") || labels.has("count");
}
