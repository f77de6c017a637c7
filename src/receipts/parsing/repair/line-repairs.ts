import type { DraftLine } from "../items/lines.ts";
import type { Repair } from "./repair.ts";
import { differsByOneDigit, priceOf } from "../rows/amounts.ts";

/** A line with a lower score may not be a line at all. Set by hand on the development receipts. */
const LINE_SCORE_MIN = 0.8;
/** A line with a lower score may have a misread digit. Set by hand on the development receipts. */
const DIGIT_SCORE_MIN = 0.95;

/**
 * Yields the lines with one line changed or removed, the likeliest change first. `isIncomplete`: rows of the list have
 * no amount, so the difference is not a misread digit.
 */
export function* lineRepairs(
  lines: readonly DraftLine[],
  targets: readonly number[],
  sum: number,
  isIncomplete: boolean,
  isPaid: (line: DraftLine) => boolean,
): Generator<Repair> {
  yield* multiplied(lines);
  for (const [i, { amountMinor, name }] of lines.entries()) {
    yield { lines: withAmount(lines, i, -amountMinor), note: `${name}: sign of the amount changed` };
  }
  yield* withoutFigureOfName(lines, targets, sum);
  yield* withoutSuspects(lines, sum, isPaid);
  if (!isIncomplete) yield* withDoubtfulDigit(lines, targets, sum);
}

function withAmount(lines: readonly DraftLine[], index: number, amountMinor: number): DraftLine[] {
  return lines.map((line, i) =>
    i === index ? { ...line, amountMinor, isAmountComputed: true, kind: kindOf(line, amountMinor) } : line,
  );
}

/** Returns the kind of a line with a corrected amount: nothing that is added is a discount or void. */
function kindOf({ kind }: DraftLine, amountMinor: number): DraftLine["kind"] {
  if (amountMinor >= 0) return "item";
  return kind === "item" ? "discount" : kind;
}

function* multiplied(lines: readonly DraftLine[]): Generator<Repair> {
  for (const [i, { quantity, amountMinor, name }] of lines.entries()) {
    if (!quantity?.unitPriceMinor || quantity.isChecked) continue;
    const product = priceOf(quantity.thousandths, quantity.unitPriceMinor);
    if (product !== amountMinor)
      yield { lines: withAmount(lines, i, product), note: `${name}: amount taken from quantity × price` };
  }
}

/** `PACK 65,10` was `PACK 6  5,10`: the last figure of the name was joined to the amount. */
function* withoutFigureOfName(lines: readonly DraftLine[], targets: readonly number[], sum: number): Generator<Repair> {
  const joined = [...new Set(targets)].flatMap((target) =>
    lines.flatMap(({ amountMinor }, i) => {
      const wanted = amountMinor + target - sum;
      return wanted >= 10 && endsIn(amountMinor, wanted) ? [{ i, wanted }] : [];
    }),
  );
  const [only, second] = joined;
  if (!only || second) return;
  const note = `${lines[only.i]!.name}: a figure of the name removed from the amount`;
  yield { lines: withAmount(lines, only.i, only.wanted), note };
}

/** Whether `minor` is `wanted` with up to three figures before it: `65,10` and `5,10`. */
function endsIn(minor: number, wanted: number): boolean {
  const figures = String(wanted).padStart(3, "0");
  const more = String(minor).length - figures.length;
  return more >= 1 && more <= 3 && String(minor).endsWith(figures);
}

/** Removes one line that may not be one: without a name, with a low score, a payment, the first or the last. */
function* withoutSuspects(
  lines: readonly DraftLine[],
  sum: number,
  isPaid: (line: DraftLine) => boolean,
): Generator<Repair> {
  // The last line may be a sum whose word was misread (`aty  1  7.50`).
  const last = lines.at(-1);
  const isSum = lines.length >= 2 && last !== undefined && 2 * last.amountMinor === sum;
  // The first line may be of the header (`Regensburger Str. 8 13`).
  const isLong = lines.length > 2;
  const suspects = lines.filter(
    (line) =>
      line.name === "" ||
      line.score < LINE_SCORE_MIN ||
      (isSum && line === last) ||
      isPaid(line) ||
      (isLong && line === lines[0]),
  );
  for (const suspect of suspects) {
    yield {
      lines: lines.filter((line) => line !== suspect),
      note: `${suspect.name || "a line without a name"}: not a line of the list`,
    };
  }
}

/** Corrects one digit of a line that the OCR read with doubt. If two lines could have the error, neither is changed. */
function* withDoubtfulDigit(lines: readonly DraftLine[], targets: readonly number[], sum: number): Generator<Repair> {
  for (const target of targets) {
    const oneDigit = lines.flatMap(({ amountMinor, score, quantity }, i) => {
      const wanted = amountMinor + target - sum;
      return wanted > 0 && score < DIGIT_SCORE_MIN && !quantity?.isChecked && differsByOneDigit(amountMinor, wanted)
        ? [{ i, wanted }]
        : [];
    });
    const [only, second] = oneDigit;
    if (!only || second) continue;
    const note = `${lines[only.i]!.name}: one digit of the amount corrected from the total`;
    yield { lines: withAmount(lines, only.i, only.wanted), note };
  }
}
