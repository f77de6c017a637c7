// The probability that a reading is right, by its evidence. The shares were measured on the 85 development receipts and
// 216 drawn ones, and lowered where there were few cases. `npm run eval:receipts` shows stated and true accuracy side
// by side. On receipts unlike these the shares are too high.

/** Evidence for a line. `score` is the OCR's score of its row. */
export interface LineEvidence {
  score: number;
  hasName: boolean;
  /** The list adds up to the total or subtotal. */
  isBalanced: boolean;
  /** Quantity × unit price gave the amount. */
  isMultiplied: boolean;
  /** The amount was not read but computed or corrected. */
  isComputed: boolean;
}

/** Returns the probability that a line's name and amount are as printed, 0 to 1. */
export function lineAccuracy({ score, hasName, isBalanced, isMultiplied, isComputed }: LineEvidence): number {
  if (!hasName) return 0.5;
  if (isComputed) return 0.75;
  const isChecked = isBalanced || isMultiplied;
  // In a row with a low score mostly the name is wrong, which no sum can check.
  return rounded((isChecked ? 0.995 : 0.95) - (score < 0.8 ? 0.12 : score < 0.9 ? 0.04 : 0));
}

/**
 * Returns the probability that the total is right. `score` is that of readTotals(); `isBalanced`: the list adds up to
 * it.
 */
export function totalAccuracy(score: number, isBalanced: boolean): number {
  if (isBalanced) return score >= 0.6 ? 0.99 : 0.97;
  return score >= 0.9 ? 0.95 : score >= 0.5 ? 0.85 : 0.5;
}

/**
 * Returns the probability that the date is right. `score` is that of findMoment(); `isOrderKnown`: day and month cannot
 * be swapped, or the country decides their order.
 */
export function dateAccuracy(score: number, isOrderKnown: boolean): number {
  const certain = score >= 5 ? 0.99 : score >= 3 ? 0.97 : score >= 1 ? 0.9 : 0.5;
  return isOrderKnown ? certain : certain - 0.15;
}

/**
 * Returns the probability that the merchant is right: by the dictionary, or else by how much the row in the header
 * looks like a name.
 */
export function merchantAccuracy(score: number, isChain: boolean): number {
  if (isChain) return score >= 0.85 ? 0.99 : 0.93;
  return score >= 0.6 ? 0.96 : score >= 0.4 ? 0.9 : 0.6;
}

/** Returns the probability that merchant, date, total and all lines are right. */
export function receiptAccuracy(fields: readonly number[], lines: readonly number[]): number {
  // Lines are right or wrong together: bad light or an unknown layout affects more than one.
  const worst = Math.min(1, ...lines);
  return rounded(fields.reduce((product, accuracy) => product * accuracy, worst));
}

function rounded(share: number): number {
  return Math.round(1000 * share) / 1000;
}
