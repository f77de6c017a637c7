// Receipts that are held for a person to decide. Pure.
import type { Check, CheckName } from "../checks/check.ts";

/** What an application wants to decide itself. */
export interface ReviewSettings {
  /** A receipt that was read with less confidence is held; null: none is. */
  readonly minConfidence: number | null;
  /** Checks: a receipt that fails them, or is doubtful, is held. */
  readonly holdOn: readonly CheckName[];
}

export const NO_REVIEW: ReviewSettings = { minConfidence: null, holdOn: [] };

/** Why a receipt was held, and what was decided. */
export interface Review {
  /** Names of checks, or `confidence`. */
  readonly because: readonly string[];
  readonly heldAt: string;
  readonly decision: Decision | null;
  /** The earlier receipt of the application that it was found to be the same as. */
  readonly similarTo?: string;
}

export const DECISIONS = ["accept", "reject"] as const;

/** What a person has decided. */
export interface Decision {
  readonly decision: (typeof DECISIONS)[number];
  readonly reason: string;
  readonly decidedAt: string;
}

/** Whether a refusal is held: all checks that failed are among those that the application decides on. */
export function isRefusalHeld({ holdOn }: ReviewSettings, checks: readonly Check[]): boolean {
  const failed = checks.filter(({ outcome }) => outcome === "failed");
  return failed.length > 0 && failed.every(({ name }) => holdOn.includes(name));
}

/** The reasons to hold a receipt; none: it is not held. */
export function holdReasons(
  { minConfidence, holdOn }: ReviewSettings,
  checks: readonly Check[],
  accuracy: number,
): string[] {
  const names = checks
    .filter(({ name, outcome }) => (outcome === "failed" || outcome === "doubtful") && holdOn.includes(name))
    .map(({ name }) => name);
  return minConfidence !== null && accuracy < minConfidence ? ["confidence", ...names] : names;
}
