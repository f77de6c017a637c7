// An opening balance: what a user had in another programme. Pure: a row in, entries out.
import { adjusting } from "../adjustments/adjustment.ts";
import type { Entry } from "../entry.ts";

export interface OpeningPoints {
  /** What the user can spend. */
  readonly points: number;
  /** All that the user ever earned: not less than `points`. */
  readonly lifetimePoints: number;
}

/** The inputs that are stored with both records: a second import compares itself with those of the first. */
export interface OpeningInputs {
  readonly opening?: OpeningPoints;
}

/** The reference of a user's opening balance, unless the integrator has an own one. */
export function openingReference(userId: string): string {
  return `opening balance of ${userId}`;
}

/**
 * The entries of an opening balance: all that was earned, which counts as earned; then what was spent of it before,
 * which does not. None for no points.
 */
export function opening(
  owner: { readonly applicationId: string; readonly userId: string },
  { points, lifetimePoints, ...said }: OpeningPoints & { readonly reference: string; readonly reason: string },
  newId: () => string,
  at: Date,
): Entry[] {
  if (lifetimePoints === 0) return [];
  const earned = adjusting(owner, { ...said, points: lifetimePoints, countsAsEarned: true }, newId(), at);
  const inputs: OpeningInputs = { opening: { points, lifetimePoints } };
  const asOpening = (entry: Entry): Entry => ({
    ...entry,
    ruleUse: { ...entry.ruleUse, inputs: JSON.stringify(inputs) },
    isOpening: true,
  });
  const first = asOpening(earned);
  if (points === lifetimePoints) return [first];
  const spent = adjusting(owner, { ...said, points: points - lifetimePoints, countsAsEarned: false }, newId(), at);
  // Both together take nothing: a balance that was negative before may stay so between them and after.
  return [first, asOpening({ ...spent, mayOverdraw: true })];
}
