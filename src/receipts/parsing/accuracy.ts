// How often what was read is right, by what speaks for it. The shares are those of the 85 development receipts and 216 drawn ones, lowered where there were
// few cases; `npm run eval:receipts` shows stated and true accuracy side by side. On receipts unlike these they are too high.

/** What is known of a line when its accuracy is stated. `score` is the OCR's for its row. */
export interface LineEvidence {
  score: number;
  hasName: boolean;
  /** The list adds up to the total or subtotal. */
  isBalanced: boolean;
  /** Quantity × unit price gave the amount. */
  isMultiplied: boolean;
  /** The amount was not read but computed or put right. */
  isComputed: boolean;
}

/** That a line's name and amount are as printed, 0 to 1. */
export function lineAccuracy({ score, hasName, isBalanced, isMultiplied, isComputed }: LineEvidence): number {
  if (!hasName) return 0.5;
  if (isComputed) return 0.75;
  const isChecked = isBalanced || isMultiplied;
  // A row that is read with doubt is mostly wrong in its name, which no sum can check.
  return rounded((isChecked ? 0.995 : 0.95) - (score < 0.8 ? 0.12 : score < 0.9 ? 0.04 : 0));
}

/** That the total is right: `score` as readTotals() gives it, `isBalanced` where the list adds up to it. */
export function totalAccuracy(score: number, isBalanced: boolean): number {
  if (isBalanced) return score >= 0.6 ? 0.99 : 0.97;
  return score >= 0.9 ? 0.95 : score >= 0.5 ? 0.85 : 0.5;
}

/** That the date is right: `score` as findMoment() gives it. `isOrderKnown` where day and month cannot be exchanged, or the country says their order. */
export function dateAccuracy(score: number, isOrderKnown: boolean): number {
  const certain = score >= 5 ? 0.99 : score >= 3 ? 0.97 : score >= 1 ? 0.9 : 0.5;
  return isOrderKnown ? certain : certain - 0.15;
}

/** That the merchant is right: by the dictionary, else by how much the row in the head looks like a name. */
export function merchantAccuracy(score: number, isChain: boolean): number {
  if (isChain) return score >= 0.85 ? 0.99 : 0.93;
  return score >= 0.6 ? 0.96 : score >= 0.4 ? 0.9 : 0.6;
}

/** That merchant, date, total and all lines are right. */
export function receiptAccuracy(fields: readonly number[], lines: readonly number[]): number {
  // Lines are right or wrong together: what is wrong with one, bad light or an unknown layout, is with others.
  const worst = Math.min(1, ...lines);
  return rounded(fields.reduce((product, accuracy) => product * accuracy, worst));
}

function rounded(share: number): number {
  return Math.round(1000 * share) / 1000;
}
