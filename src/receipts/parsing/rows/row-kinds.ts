import type { Label } from "./labels.ts";
import type { ReceiptRow } from "./receipt-rows.ts";
import { anyWholeWordOf, anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";

// What a row of a receipt is as a whole, beside its labels: a total, a tax, a tip, the heading of a list.

/** Where small coins are not used sums are rounded to 5 or 10; a larger figure beside the word is the rounded total. */
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

/** Whether a row is a total or subtotal with its amount, be it damaged: the list ends before it. */
export function isTotalRow({ amounts, labels, text }: ReceiptRow): boolean {
  const isCalledTotal = labels.has("total") || labels.has("subtotal");
  return (
    (amounts.length > 0 || DAMAGED_AMOUNT.test(text)) &&
    isCalledTotal &&
    !labels.has("discount") &&
    !labels.has("savings")
  );
}

/** Labels beside which the word total means something else. */
const NO_TOTAL: readonly Label[] = ["subtotal", "taxTotal", "savings", "count", "change"];

/** Whether labels are of a total, and none of them says that it is one of something else. */
export function isTotal(labels: ReadonlySet<Label>): boolean {
  return labels.has("total") && !NO_TOTAL.some((label) => labels.has(label));
}

/** Whether labels are of what was paid. */
export function isPayment(labels: ReadonlySet<Label>): boolean {
  return labels.has("cash") || labels.has("card");
}

/** What is given on top of the bill (`Tip: $5.00`, `Gratuity (20%)`); not TIP TOP bread. */
const TIP = new RegExp(String.raw`^\W*(?:additional\s+|auto\s+)?${anyWordOf(wordsOf("tips"))}[^\p{L}]*$`, "iu");

/** Whether a row is a tip. */
export function isTip({ text }: ReceiptRow): boolean {
  return TIP.test(text);
}

/** Words over the columns of a list. */
const HEADING_WORD = new RegExp(anyWholeWordOf(wordsOf("headings")), "gi");

const TAX_WORD = new RegExp(anyWholeWordOf(wordsOf("taxRowWords")), "gi");

/** A zero among letters is an O: `OP0DATKOWANA`. */
const ZERO_IN_WORD = /(?<![\d.,])0(?=[A-Za-z]{2})|(?<=[A-Za-z]{2})0(?=[A-Za-z])/g;

/** Whether a row is a tax of its own (`TAX 1 8.25 %  0.74`) and no good that is taxed. */
export function isTaxOnly({ text, labels }: ReceiptRow): boolean {
  if (!labels.has("tax")) return false;
  const words = text.replace(ZERO_IN_WORD, "O").replace(/[^A-Za-z ]/g, " ");
  return !/[A-Za-z]{3}/.test(words.replace(TAX_WORD, ""));
}

/** `Total Qty  1  7.50`, its first word however read. */
const COUNT_ROW = /^\W*\w{0,6}\s?(?:qty|quantity)\b/i;

/** Whether a row says nothing but such words beside its figures (`Qty  1  7.50`). */
export function isHeadingOnly({ text, labels }: ReceiptRow): boolean {
  if (labels.has("discount")) return false;
  if (COUNT_ROW.test(text) && !text.includes("@")) return true;
  const letters = text.replace(/[^A-Za-z/ ]/g, " ").trim();
  return /[A-Za-z]{3}/.test(letters) && !/[A-Za-z]/.test(letters.replace(HEADING_WORD, ""));
}

/** Figures of three digits, and a count of what was sold (`T0TAL SALES: 5 ITEMS 8 QTY`). */
const NO_HEADING = /\d{3}|\d\s?(?:ITEMS?|QTY)\b/i;

/** The row over the list that names its columns, of two or more words and no amount; -1 where there is none above the first total. */
export function headingIndex(rows: readonly ReceiptRow[]): number {
  const end = rows.findIndex(isTotalRow);
  return rows.slice(0, end < 0 ? rows.length : end).findIndex((row) => {
    const words = new Set(row.text.toUpperCase().replaceAll(".", "").match(HEADING_WORD));
    return words.size >= 2 && row.amounts.length === 0 && !row.labels.has("count") && !NO_HEADING.test(row.text);
  });
}
