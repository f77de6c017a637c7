import { differsByOneDigit, priceOf, ROUNDING_UNIT_MINOR } from "../rows/amounts.ts";
import { withDigitPutRight } from "./single-digit.ts";
import type { Change } from "./single-digit.ts";
import type { Label } from "../rows/labels.ts";
import type { DraftLine, DraftList, UnpricedRow } from "../items/lines.ts";
import type { ListBounds } from "../items/list-bounds.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { isPayment } from "../rows/row-kinds.ts";
import type { Totals } from "../totals/totals.ts";
import { anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";

/** The lines after their arithmetic was weighed: whether they add up to what is printed below them, and what was put right for it. */
export interface Reconciled {
  lines: DraftLine[];
  isBalanced: boolean;
  repairs: string[];
}

/** Makes the lines add up where one change does it: quantity × price, a sign, a line that isn't one, an amount not read, a misread digit. Else they stay as read. */
export function reconciled(
  { lines, unpriced }: DraftList,
  totals: Totals,
  rows: readonly ReceiptRow[],
  bounds: ListBounds,
): Reconciled {
  const sum = sumOf(lines);
  const targets = targetsOf(totals);
  const { totalMinor, taxMinor } = totals;
  // A tax that is in the prices is no reason to change a line; lines that miss just it are right as they are.
  const beforeTax = totalMinor !== null && taxMinor ? totalMinor - taxMinor : null;
  if (targets.includes(sum) || sum === beforeTax) return { lines: [...lines], isBalanced: true, repairs: [] };
  for (const { change, note } of [
    ...withLateLines(lines, rows, bounds, totalMinor),
    ...changesOf(lines, targets, sum, unpriced.length > 0, ({ rowIndex }) => isPayment(rows[rowIndex]!.labels)),
    ...withMissingAmount(lines, unpriced, targets, sum),
  ]) {
    if (targets.includes(sumOf(change))) return { lines: change, isBalanced: true, repairs: [note] };
  }
  const [repair] = withDigitPutRight(lines, targets, sum, totals, rows, bounds.end);
  if (repair) return { lines: repair.change, isBalanced: true, repairs: [repair.note] };
  return { lines: [...lines], isBalanced: false, repairs: [] };
}

/** What lines come to, discounts taken off. */
export function sumOf(lines: readonly DraftLine[]): number {
  return lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** What the lines may add up to: the total, before rounding, and the subtotal where rounding or a tax on top explains the rest. */
function targetsOf({ totalMinor, subTotalMinor, roundingMinor, taxMinor }: Totals): number[] {
  if (totalMinor === null) return subTotalMinor === null ? [] : [subTotalMinor];
  const unrounded = totalMinor - (roundingMinor ?? 0);
  const explained = [totalMinor, unrounded, totalMinor - (taxMinor ?? 0), unrounded - (taxMinor ?? 0)];
  return [
    totalMinor,
    unrounded,
    ...(subTotalMinor !== null && explained.includes(subTotalMinor) ? [subTotalMinor] : []),
  ];
}

/** What may be negative and is no discount; payments stand below the total. */
const NO_DISCOUNT: readonly Label[] = ["rounding", "change", "cash", "subtotal", "taxTotal"];

/** Goods that are charged after the subtotal: deposits, bags, bringing. */
const LATE_CHARGE = new RegExp(anyWordOf(wordsOf("lateCharges")), "i");

/** Charged beside the goods: a share of them, or by a word. Taxes have labels. */
const EXTRA_CHARGE = new RegExp(`%|${anyWordOf(wordsOf("extraCharges"))}`, "i");

/** Discounts, and goods that are charged last, printed between subtotal and total, or between a first total and the one that is to pay. */
function withLateLines(
  lines: readonly DraftLine[],
  rows: readonly ReceiptRow[],
  bounds: ListBounds,
  totalMinor: number | null,
): Change[] {
  const tail = rows.slice(bounds.end);
  const isPrintedTotal = ({ labels, amounts }: ReceiptRow): boolean =>
    labels.has("total") && !labels.has("subtotal") && amounts.length > 0;
  const toPay = tail.findIndex((row) => isPrintedTotal(row) && row.amounts.at(-1)!.minor === totalMinor);
  const total = toPay >= 0 ? toPay : tail.findIndex(isPrintedTotal);
  const late = tail.slice(0, total < 0 ? tail.length : total).flatMap((row, i): DraftLine[] => {
    const amount = row.amounts.at(-1);
    if (!amount || amount.minor === 0 || isPrintedTotal(row) || NO_DISCOUNT.some((label) => row.labels.has(label)))
      return [];
    // `DESCONTO 2,00` between two totals is taken off though it has no sign.
    const isTakenOff = amount.minor < 0 || row.labels.has("discount");
    const isGoods = row.labels.size === 0 && /\p{L}{3}/u.test(row.text) && !EXTRA_CHARGE.test(row.text);
    if (!isTakenOff && !LATE_CHARGE.test(row.text) && !isGoods) return [];
    // A cent or two is a rounding whose word was misread (`Rouriding -0.01`).
    if (Math.abs(amount.minor) < ROUNDING_UNIT_MINOR && row.labels.size === 0) return [];
    return [
      {
        kind: isTakenOff ? "discount" : "item",
        name: row.text.slice(0, amount.start).trim(),
        quantity: null,
        amountMinor: isTakenOff ? -Math.abs(amount.minor) : amount.minor,
        isAmountComputed: false,
        score: row.cells[0]!.score,
        rowIndex: bounds.end + i,
      },
    ];
  });
  const discounts = late.filter(({ kind }) => kind === "discount");
  return [
    ...(discounts.length > 0
      ? [{ change: [...lines, ...discounts], note: "discounts after the subtotal taken in" }]
      : []),
    ...(late.length > discounts.length
      ? [{ change: [...lines, ...late], note: "charges after the subtotal taken in" }]
      : []),
  ];
}

/** The amount that is wanting, given to the one row that has none: where its figures stand there without their point, or there is only one such row. */
function withMissingAmount(
  lines: readonly DraftLine[],
  unpriced: readonly UnpricedRow[],
  targets: readonly number[],
  sum: number,
): Change[] {
  return targets.flatMap((target) => {
    const amountMinor = target - sum;
    const printed = unpriced.filter(({ bareFigures }) => bareFigures.includes(amountMinor));
    const [row, second] = printed.length > 0 ? printed : unpriced;
    const isLikely =
      printed.length > 0 ||
      (lines.length >= 2 && amountMinor <= 2 * Math.max(...lines.map((line) => line.amountMinor)));
    if (amountMinor <= 0 || !row || second || !isLikely) return [];
    const line: DraftLine = {
      kind: "item",
      name: row.name,
      quantity: null,
      amountMinor,
      isAmountComputed: true,
      score: printed.length > 0 ? row.score : Math.min(0.5, row.score),
      rowIndex: row.rowIndex,
    };
    const change = [...lines, line].sort((a, b) => a.rowIndex - b.rowIndex);
    return [{ change, note: `${row.name}: amount taken from the total` }];
  });
}

/** Whether `minor` is `wanted` with up to three figures before it: `65,10` and `5,10`. */
function endsIn(minor: number, wanted: number): boolean {
  const figures = String(wanted).padStart(3, "0");
  const more = String(minor).length - figures.length;
  return more >= 1 && more <= 3 && String(minor).endsWith(figures);
}

/** What a line is whose amount was put right: nothing that is added is a discount or void. */
function kindOf({ kind }: DraftLine, amountMinor: number): DraftLine["kind"] {
  if (amountMinor >= 0) return "item";
  return kind === "item" ? "discount" : kind;
}

/** `isIncomplete`: rows of the list have no amount, so what is wanting is no misread digit. */
function* changesOf(
  lines: readonly DraftLine[],
  targets: readonly number[],
  sum: number,
  isIncomplete: boolean,
  isPaid: (line: DraftLine) => boolean,
): Generator<Change> {
  const replaced = (index: number, amountMinor: number): DraftLine[] =>
    lines.map((line, i) =>
      i === index ? { ...line, amountMinor, isAmountComputed: true, kind: kindOf(line, amountMinor) } : line,
    );
  for (const [i, { quantity, amountMinor, name }] of lines.entries()) {
    if (!quantity?.unitPriceMinor || quantity.isChecked) continue;
    const product = priceOf(quantity.thousandths, quantity.unitPriceMinor);
    if (product !== amountMinor)
      yield { change: replaced(i, product), note: `${name}: amount taken from quantity × price` };
  }
  for (const [i, { amountMinor, name }] of lines.entries()) {
    yield { change: replaced(i, -amountMinor), note: `${name}: sign of the amount turned` };
  }
  // `PACK 65,10` was `PACK 6  5,10`: the name's last figure ran into the amount.
  const runInto = [...new Set(targets)].flatMap((target) =>
    lines.flatMap(({ amountMinor }, i) => {
      const wanted = amountMinor + target - sum;
      return wanted >= 10 && endsIn(amountMinor, wanted) ? [{ i, wanted }] : [];
    }),
  );
  if (runInto.length === 1) {
    const [{ i, wanted }] = runInto as [{ i: number; wanted: number }];
    yield { change: replaced(i, wanted), note: `${lines[i]!.name}: a figure of the name taken out of the amount` };
  }
  // The last line may be a sum whose word was misread (`aty  1  7.50`).
  const last = lines.at(-1);
  const isSum = lines.length >= 2 && last !== undefined && 2 * last.amountMinor === sum;
  // The first may be of the head (`Regensburger Str. 8 13`).
  const isLong = lines.length > 2;
  const suspects = lines.filter(
    (line) =>
      line.name === "" || line.score < 0.8 || (isSum && line === last) || isPaid(line) || (isLong && line === lines[0]),
  );
  for (const suspect of suspects) {
    yield {
      change: lines.filter((line) => line !== suspect),
      note: `${suspect.name || "a line without a name"}: not a line of the list`,
    };
  }
  if (isIncomplete) return;
  for (const target of targets) {
    const oneDigit = lines.flatMap(({ amountMinor, score, quantity }, i) => {
      const wanted = amountMinor + target - sum;
      return wanted > 0 && score < 0.95 && !quantity?.isChecked && differsByOneDigit(amountMinor, wanted)
        ? [{ i, wanted }]
        : [];
    });
    // Two lines that could carry the mistake: nothing is known.
    if (oneDigit.length === 1) {
      const [{ i, wanted }] = oneDigit as [{ i: number; wanted: number }];
      yield { change: replaced(i, wanted), note: `${lines[i]!.name}: one digit of the amount put right by the total` };
    }
  }
}
