import { priceOf } from "./amounts.ts";
import type { ReceiptRow } from "./columns.ts";
import type { DraftLine, ListBounds } from "./lines.ts";
import type { Totals } from "./totals.ts";

/** The lines after their arithmetic was weighed: whether they add up to what is printed below them, and what was put right for it. */
export type Reconciled = { lines: DraftLine[]; isBalanced: boolean; repairs: string[] };

/** Makes the lines add up where one change does it: quantity × price, a sign, a line that isn't one, a misread digit. Else they stay as read. */
export function reconciled(
  lines: readonly DraftLine[],
  totals: Totals,
  rows: readonly ReceiptRow[],
  bounds: ListBounds,
): Reconciled {
  const targets = targetsOf(totals);
  const fits = (list: readonly DraftLine[]): boolean => targets.includes(sumOf(list));
  if (targets.length === 0 || fits(lines)) return { lines: [...lines], isBalanced: targets.length > 0, repairs: [] };
  for (const { change, note } of [
    ...withLateDiscounts(lines, rows, bounds),
    ...changesOf(lines, targets, sumOf(lines)),
  ]) {
    if (fits(change)) return { lines: change, isBalanced: true, repairs: [note] };
  }
  return { lines: [...lines], isBalanced: false, repairs: [] };
}

/** What lines come to, discounts taken off. */
export function sumOf(lines: readonly DraftLine[]): number {
  return lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** What the lines may add up to: the total before rounding and before a tax that is added at the end, or the subtotal. */
function targetsOf({ totalMinor, subTotalMinor, roundingMinor, taxMinor }: Totals): number[] {
  if (totalMinor === null) return subTotalMinor === null ? [] : [subTotalMinor];
  const targets = [totalMinor];
  if (roundingMinor) targets.push(totalMinor - roundingMinor);
  // A subtotal counts only where tax, rounding or a discount explain what lies between it and the total.
  if (subTotalMinor !== null && Math.abs(subTotalMinor - totalMinor) <= 9) targets.push(subTotalMinor);
  if (taxMinor) targets.push(totalMinor - taxMinor, totalMinor - taxMinor - (roundingMinor ?? 0));
  return targets;
}

type Change = { change: DraftLine[]; note: string };

/** Discounts printed between subtotal and total. */
function withLateDiscounts(lines: readonly DraftLine[], rows: readonly ReceiptRow[], bounds: ListBounds): Change[] {
  const late = rows.slice(bounds.end).flatMap((row, i): DraftLine[] => {
    const amount = row.amounts.at(-1);
    if (!amount || amount.minor >= 0 || row.labels.has("rounding") || row.labels.has("change")) return [];
    const name = row.text.slice(0, amount.start).trim();
    return [
      {
        kind: "discount",
        name,
        quantity: null,
        amountMinor: amount.minor,
        isAmountComputed: false,
        score: row.cells[0]!.score,
        rowIndex: bounds.end + i,
      },
    ];
  });
  return late.length === 0 ? [] : [{ change: [...lines, ...late], note: "discounts after the subtotal taken in" }];
}

function* changesOf(lines: readonly DraftLine[], targets: readonly number[], sum: number): Generator<Change> {
  const replaced = (index: number, amountMinor: number): DraftLine[] =>
    lines.map((line, i) =>
      i === index
        ? { ...line, amountMinor, kind: amountMinor < 0 && line.kind === "item" ? "discount" : line.kind }
        : line,
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
  const suspects = lines.filter(({ name, score }) => name === "" || score < 0.8);
  for (const suspect of suspects) {
    yield {
      change: lines.filter((line) => line !== suspect),
      note: `${suspect.name || "a line without a name"}: not a line of the list`,
    };
  }
  for (const target of targets) {
    const oneDigit = lines.flatMap(({ amountMinor, score }, i) => {
      const wanted = amountMinor + target - sum;
      return wanted > 0 && score < 0.95 && differsByOneDigit(amountMinor, wanted) ? [{ i, wanted }] : [];
    });
    // Two lines that could carry the mistake: nothing is known.
    if (oneDigit.length === 1) {
      const [{ i, wanted }] = oneDigit as [{ i: number; wanted: number }];
      yield { change: replaced(i, wanted), note: `${lines[i]!.name}: one digit of the amount put right by the total` };
    }
  }
}

/** One digit read as another, or one lost or added at the front. */
function differsByOneDigit(a: number, b: number): boolean {
  const [x, y] = [String(Math.abs(a)), String(Math.abs(b))];
  if (x.length === y.length) return x.split("").filter((digit, i) => digit !== y[i]).length === 1;
  const [short, long] = x.length < y.length ? [x, y] : [y, x];
  return long.length === short.length + 1 && long.endsWith(short);
}
