import { plainLetters } from "../languages/plain-letters.ts";
import { anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";
import type { ListBounds } from "../items/list-bounds.ts";
import { sumOfLines } from "../items/lines.ts";
import type { DraftLine } from "../items/lines.ts";
import { findQuantity } from "../items/quantities.ts";
import { ROUNDING_UNIT_MINOR } from "../rows/amounts.ts";
import type { Reconciled } from "./reconcile.ts";
import { nameOn } from "../rows/names.ts";
import type { Label } from "../rows/labels.ts";
import { isPayment } from "../rows/row-kinds.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import type { Totals } from "../totals/totals.ts";

// Lines between the goods and what was to pay: discounts, deposits, bags. Beside them are taxes, tips and roundings,
// which are no lines, and what only informs. Which are which the total shows: it is the goods with a choice of them.

/** Labels of rows that may be negative and are no discount. Payments are printed below the total. */
const NO_DISCOUNT: readonly Label[] = ["rounding", "change", "cash", "subtotal", "taxTotal"];
/** All labels of a discount for those who pay in cash. */
const PROMOTION: readonly Label[] = ["discount", "cash"];
/** Labels of charges that are no goods. */
const CHARGE: readonly Label[] = ["tax", "taxTotal", "rounding"];
/** Goods that are charged after the subtotal: deposits, bags, delivery. */
const LATE_CHARGE = new RegExp(anyWordOf(wordsOf("lateCharges")), "i");
/** Charges that are no goods: a share of the sum, or by their word. Taxes have labels. */
const EXTRA_CHARGE = new RegExp(`%|${anyWordOf(wordsOf("extraCharges"))}`, "i");
/** With more rows some choice adds up by chance, so it is all of them. */
const CHOSEN_MAX = 10;
/** How unlikely it is that a row is left out: one that is surely charged or taken off, and any other. */
const COST = { sure: 3, other: 1 } as const;
/** Where no printed sum says that the goods are read right, so much may be left out. */
const DOUBTFUL_COST_MAX = 2;

/** A row between the goods and the total. `line`: what it is on the list; null if it is no line. */
interface Between {
  at: number;
  minor: number;
  line: DraftLine | null;
  isTax: boolean;
  /** Its word says neither what is charged nor a discount, or says something that is no goods either: a donation. */
  isUnknown: boolean;
  cost: number;
}

/** The goods with the late lines. `isBalanced`: with the charges that are no lines they add up to the total. */
export type LateLines = Pick<Reconciled, "lines" | "isBalanced" | "repairs">;

/**
 * Returns the lines with those between the goods and the total, if with them, and with the charges that are no lines,
 * the goods or a printed sum of them make the total: `SUBTOTAL 41.60`, `COUPON -2.00`, `TAX 3.17`, `TOTAL 42.77`. Null
 * if they don't. Those below a printed sum are lines whatever was misread above.
 */
export function withLateLines(
  lines: readonly DraftLine[],
  rows: readonly ReceiptRow[],
  bounds: ListBounds,
  { totalMinor, roundingMinor }: Totals,
): LateLines | null {
  if (totalMinor === null) return null;
  const totals = roundingMinor ? [totalMinor - roundingMinor, totalMinor] : [totalMinor];
  const found = totals.flatMap((total) => lateLinesBelow(lines, rows, bounds, total) ?? []);
  return found.find(({ isBalanced }) => isBalanced) ?? found[0] ?? null;
}

function lateLinesBelow(
  lines: readonly DraftLine[],
  rows: readonly ReceiptRow[],
  bounds: ListBounds,
  totalMinor: number,
): LateLines | null {
  const tail = rows.slice(bounds.end);
  const above = tail.slice(0, endOf(tail, totalMinor));
  const goods = sumOfLines(lines);
  const minorOf = ({ amounts }: ReceiptRow): number => amounts.at(-1)?.minor ?? 0;
  // The sum of the goods, whatever its word.
  const isGoods = (row: ReceiptRow): boolean => minorOf(row) === goods && lines.length > 1;
  const between = above.flatMap((row, at) =>
    isGoods(row) ? [] : (betweenOn(withWordsAbove(row, above[at - 1]), at, bounds.end + at, totalMinor) ?? []),
  );
  const sums = above.flatMap((row, at) => (isSum(row) || isGoods(row) ? [{ at, minor: minorOf(row) }] : []));
  const isCertain = sums.some(({ minor }) => minor === goods);
  const chosen = chosenOf(between, totalMinor - goods, isCertain ? Infinity : DOUBTFUL_COST_MAX);
  if (chosen) return { ...joined(lines, chosen), isBalanced: true };
  // `SAVINGS -4.00` is the sum of those in the list, which the subtotal leaves out.
  const listed = sumOfLines(lines.filter(({ amountMinor }) => amountMinor < 0));
  for (const sum of sums) {
    const below = chosenOf(between.filter(({ at }) => at > sum.at), totalMinor - sum.minor, DOUBTFUL_COST_MAX); // prettier-ignore
    const late = below?.flatMap(({ line }) => line ?? []) ?? [];
    const isRepeated = sumOfLines(late.filter(({ kind }) => kind === "discount")) === listed && listed < 0;
    if (below && late.length > 0 && !isRepeated) return { ...joined(lines, below), isBalanced: false };
  }
  return null;
}

function joined(lines: readonly DraftLine[], chosen: readonly Between[]): Pick<LateLines, "lines" | "repairs"> {
  // `SUBTOTAL 42.15`, `SALES TAX 3.64`, `CITY MANDATE 0.07`: beside a tax on top it is a charge, too.
  const hasTax = chosen.some(({ isTax }) => isTax);
  const late = chosen.flatMap(({ line, isUnknown }) => (line && !(hasTax && isUnknown) ? [line] : []));
  const what = late.every(({ kind }) => kind === "discount") ? "discounts" : "charges";
  return { lines: [...lines, ...late], repairs: late.length === 0 ? [] : [`${what} after the subtotal included`] };
}

/** Returns the rows that are a difference, with as few likely ones left out as possible; null if none are. */
function chosenOf(between: readonly Between[], difference: number, costMax: number): Between[] | null {
  let best: { chosen: Between[]; cost: number } | null = null;
  const choices = between.length > CHOSEN_MAX ? 1 : 1 << between.length;
  for (let left = 0; left < choices; left++) {
    const [chosen, without] = [0, 1].map((bit) => between.filter((_, i) => ((left >> (between.length - 1 - i)) & 1) === bit)); // prettier-ignore
    const cost = without!.reduce((sum, one) => sum + one.cost, 0);
    const sum = chosen!.reduce((all, { minor }) => all + minor, 0);
    if (chosen!.length > 0 && sum === difference && cost <= costMax && cost < (best?.cost ?? Infinity))
      best = { chosen: chosen!, cost };
  }
  return best && best.chosen;
}

/** Returns the index of what was to pay; where it is not printed, that of the payment. */
function endOf(tail: readonly ReceiptRow[], totalMinor: number): number {
  const isTotalMinor = ({ amounts }: ReceiptRow): boolean => amounts.at(-1)?.minor === totalMinor;
  const toPay = tail.findIndex((row) => isPrintedTotal(row) && isTotalMinor(row));
  if (toPay >= 0) return toPay;
  const printed = tail.findIndex(isTotalMinor);
  const end = printed >= 0 ? printed : tail.findIndex(({ labels }) => isPayment(labels));
  return end < 0 ? tail.length : end;
}

function isSum(row: ReceiptRow): boolean {
  return isPrintedTotal(row) || (row.labels.has("subtotal") && row.amounts.length > 0);
}

function isPrintedTotal({ labels, amounts }: ReceiptRow): boolean {
  // `Total de descontos  -3,60` is no total.
  const isDiscount = labels.has("discount") && (amounts.at(-1)?.minor ?? 0) < 0;
  return labels.has("total") && !labels.has("subtotal") && !isDiscount && amounts.length > 0;
}

/** Returns a row of figures alone with the words of the row above: `DEPOSIT` over `0.20`. */
function withWordsAbove(row: ReceiptRow, above: ReceiptRow | undefined): ReceiptRow {
  const amount = row.amounts.at(-1);
  if (!amount || !above || above.amounts.length > 0 || row.labels.size > 0 || /\p{L}/u.test(row.text)) return row;
  const text = `${above.text}  ${row.text}`;
  const start = amount.start + above.text.length + 2;
  return { ...row, text, labels: above.labels, kinds: above.kinds, amounts: [{ ...amount, start, end: start + amount.end - amount.start }] }; // prettier-ignore
}

function betweenOn(row: ReceiptRow, at: number, rowIndex: number, totalMinor: number): Between | null {
  const minor = row.amounts.at(-1)?.minor ?? 0;
  if (minor === 0) return null;
  const isInforming = row.labels.has("savings") && minor > 0;
  const isTax = row.labels.has("tax") || row.labels.has("taxTotal");
  const line = isInforming || isTax ? null : lateLineOn(row, rowIndex, totalMinor);
  if (line) {
    const text = plainLetters(row.text);
    const isSure = (minor < 0 && !row.labels.has("savings")) || LATE_CHARGE.test(text);
    const isUnknown = minor > 0 && ((row.labels.size === 0 && !isSure) || EXTRA_CHARGE.test(text));
    return { at, minor: line.amountMinor, line, isTax, isUnknown, cost: isSure ? COST.sure : COST.other };
  }
  const isCharge =
    row.kinds.has("tip") ||
    CHARGE.some((label) => row.labels.has(label)) ||
    (row.labels.size === 0 && (Math.abs(minor) < ROUNDING_UNIT_MINOR || EXTRA_CHARGE.test(plainLetters(row.text))));
  return isCharge && !isInforming && !isSum(row)
    ? { at, minor, line: null, isTax, isUnknown: false, cost: COST.other }
    : null;
}

function lateLineOn(row: ReceiptRow, rowIndex: number, totalMinor: number): DraftLine | null {
  const amount = row.amounts.at(-1)!;
  // `DONATION ACT FOR CHANGE 3.00` between two totals is no change.
  const text = plainLetters(row.text);
  const isCharge = LATE_CHARGE.test(text);
  // `Total Bottle Deposit $0.20` is a charge, `Sum eks. pant 496,40` is none.
  if (isPrintedTotal(row) && !(isCharge && 2 * amount.minor < totalMinor)) return null;
  // `CASH PROMOTION 34.00` is no payment.
  const isPromotion = row.labels.has("discount") && [...row.labels].every((label) => PROMOTION.includes(label));
  const isOther = !isCharge && !isPromotion && NO_DISCOUNT.some((label) => row.labels.has(label));
  if (row.kinds.has("tip") || isOther) return null;
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
