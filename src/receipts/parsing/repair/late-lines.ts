import { plainLetters } from "../languages/plain-letters.ts";
import { anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";
import type { ListBounds } from "../items/list-bounds.ts";
import { sumOf } from "../items/lines.ts";
import type { DraftLine } from "../items/lines.ts";
import type { Repair } from "./repair.ts";
import { findQuantity } from "../items/quantities.ts";
import { ROUNDING_UNIT_MINOR } from "../rows/amounts.ts";
import { nameOn } from "../rows/names.ts";
import type { Label } from "../rows/labels.ts";
import { isPayment } from "../rows/row-kinds.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";

/** Labels of rows that may be negative and are no discount. Payments are printed below the total. */
const NO_DISCOUNT: readonly Label[] = ["rounding", "change", "cash", "subtotal", "taxTotal"];

/** All labels of a discount for those who pay in cash. */
const PROMOTION: readonly Label[] = ["discount", "cash"];

/** Goods that are charged after the subtotal: deposits, bags, delivery. */
const LATE_CHARGE = new RegExp(anyWordOf(wordsOf("lateCharges")), "i");

/** Charges that are no goods: a share of the sum, or by their word. Taxes have labels. */
const EXTRA_CHARGE = new RegExp(`%|${anyWordOf(wordsOf("extraCharges"))}`, "i");

/**
 * Returns the lines with the discounts, and with the goods, that are printed between the subtotal and the total, or
 * between a first total and the one to pay.
 */
export function lateLineRepairs(
  lines: readonly DraftLine[],
  rows: readonly ReceiptRow[],
  bounds: ListBounds,
  totalMinor: number | null,
): Repair[] {
  const tail = rows.slice(bounds.end);
  const toPay = toPayIndex(tail, totalMinor);
  // Where what was to pay is not printed, the discounts are between the total and the payment.
  const isComputed = toPay < 0 && !tail.some(({ amounts }) => amounts.some(({ minor }) => minor === totalMinor));
  const total = toPay >= 0 ? toPay : tail.findIndex(isComputed ? ({ labels }) => isPayment(labels) : isPrintedTotal);
  const late = lateLines(tail.slice(0, total < 0 ? tail.length : total), bounds, totalMinor);
  const discounts = late.filter(({ kind }) => kind === "discount");
  // `Total Savings -$2.10` may have been taken off above.
  const isNews = ({ rowIndex }: DraftLine): boolean => !isTotalSaved(rows[rowIndex]!);
  const news = late.filter(isNews);
  return [
    ...(news.length > 0 && news.length < late.length
      ? [{ lines: [...lines, ...news], note: "charges after the subtotal included" }]
      : []),
    ...(discounts.length > 0 ? withAndWithoutSum(lines, discounts, "discounts after the subtotal included") : []),
    ...(late.length > discounts.length ? withAndWithoutSum(lines, late, "charges after the subtotal included") : []),
  ];
}

function isTotalSaved({ labels }: ReceiptRow): boolean {
  return labels.has("savings") && labels.has("total");
}

/** Returns the lines with the late ones, and with those without the last if it is their sum: `Savings:  -£11.70`. */
function withAndWithoutSum(lines: readonly DraftLine[], late: readonly DraftLine[], note: string): Repair[] {
  const [parts, last] = [late.slice(0, -1), late.at(-1)!];
  const isSum = parts.length > 0 && last.amountMinor === sumOf(parts);
  return [late, ...(isSum ? [parts] : [])].map((added) => ({ lines: [...lines, ...added], note }));
}

/**
 * Returns the lines with those between a first total and the one to pay, if they are the difference between the two:
 * `SUMA PLN 54,00`, `KAUCJA PET  6 * 0,50  3,00`, `DO ZAPŁATY 57,00`; `SUBTOTAL 41.60`, `COUPON -2.00`, `TOTAL 39.60`.
 * Null if they are not. They are lines whatever was misread above.
 */
export function withLinesBetweenTotals(
  lines: readonly DraftLine[],
  rows: readonly ReceiptRow[],
  bounds: ListBounds,
  totalMinor: number | null,
): DraftLine[] | null {
  const tail = rows.slice(bounds.end);
  const toPay = toPayIndex(tail, totalMinor);
  if (totalMinor === null || toPay < 0) return null;
  const between = tail.slice(0, toPay);
  const late = lateLines(between, bounds, totalMinor);
  const isDifference = (some: readonly DraftLine[]): boolean =>
    some.length > 0 && between.some((row) => isSum(row) && row.amounts.at(-1)!.minor + sumOf(some) === totalMinor);
  const allCharges = late.filter(({ name }) => LATE_CHARGE.test(plainLetters(name)));
  // `BUTELKA KAUCJA  1,50`, `OPAKOWANIA ZWROTNE SUMA  1,50`
  const isTheirSum = (line: DraftLine, i: number): boolean =>
    i > 0 && isPrintedTotal(rows[line.rowIndex]!) && line.amountMinor === sumOf(allCharges.slice(0, i));
  const charges = allCharges.filter((line, i) => !isTheirSum(line, i));
  const discounts = late.filter(({ kind, rowIndex }) => kind === "discount" && !rows[rowIndex]!.labels.has("savings"));
  // `SAVINGS -4.00` is the sum of those in the list, which the subtotal leaves out.
  const isRepeated = sumOf(discounts) === sumOf(lines.filter(({ amountMinor }) => amountMinor < 0));
  const found = [charges, isRepeated ? [] : discounts].find(isDifference);
  return found ? [...lines, ...found] : null;
}

function toPayIndex(tail: readonly ReceiptRow[], totalMinor: number | null): number {
  return tail.findIndex((row) => isPrintedTotal(row) && row.amounts.at(-1)!.minor === totalMinor);
}

function lateLines(below: readonly ReceiptRow[], bounds: ListBounds, totalMinor: number | null): DraftLine[] {
  return below.flatMap((row, i) => lateLineOn(row, bounds.end + i, totalMinor) ?? []);
}

function isSum(row: ReceiptRow): boolean {
  return isPrintedTotal(row) || (row.labels.has("subtotal") && row.amounts.length > 0);
}

function isPrintedTotal({ labels, amounts }: ReceiptRow): boolean {
  // `Total de descontos  -3,60` is no total.
  const isDiscount = labels.has("discount") && (amounts.at(-1)?.minor ?? 0) < 0;
  return labels.has("total") && !labels.has("subtotal") && !isDiscount && amounts.length > 0;
}

function lateLineOn(row: ReceiptRow, rowIndex: number, totalMinor: number | null): DraftLine | null {
  const amount = row.amounts.at(-1);
  if (!amount || amount.minor === 0) return null;
  // `DONATION ACT FOR CHANGE 3.00` between two totals is no change.
  const text = plainLetters(row.text);
  const isCharge = LATE_CHARGE.test(text);
  // `Total Bottle Deposit $0.20` is a charge, `Sum eks. pant 496,40` is none.
  if (isPrintedTotal(row) && !(isCharge && 2 * amount.minor < (totalMinor ?? 0))) return null;
  // `CASH PROMOTION 34.00` is no payment.
  const isPromotion = row.labels.has("discount") && [...row.labels].every((label) => PROMOTION.includes(label));
  if (!isCharge && !isPromotion && NO_DISCOUNT.some((label) => row.labels.has(label))) return null;
  // `DESCONTO 2,00` between two totals is a discount although it has no sign.
  const isDiscount = amount.minor < 0 || row.labels.has("discount");
  const isGoods = row.labels.size === 0 && /\p{L}{3}/u.test(text) && !EXTRA_CHARGE.test(text);
  if (!isDiscount && !isCharge && !isGoods) return null;
  // A cent or two is a rounding whose word was misread (`Rouriding -0.01`).
  if (Math.abs(amount.minor) < ROUNDING_UNIT_MINOR && row.labels.size === 0) return null;
  return {
    kind: isDiscount ? "discount" : "item",
    name: (isDiscount ? "" : nameOn(row.text, amount, false)) || row.text.slice(0, amount.start).trim(),
    quantity: isDiscount ? null : findQuantity([row.text], amount.minor),
    amountMinor: isDiscount ? -Math.abs(amount.minor) : amount.minor,
    isAmountComputed: false,
    score: row.cells[0]!.score,
    rowIndex,
  };
}
