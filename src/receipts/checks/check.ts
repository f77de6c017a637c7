import type { ReceiptCheck } from "../../webhooks/event.ts";

/** `doubtful` lowers the confidence and rejects nothing; `not_checked`: there is nothing to compare with. */
export type CheckOutcome = "passed" | "failed" | "doubtful" | "not_checked";

/** One check; `score` from 0 (surely not) to 1 (surely), `reason` in plain words. */
export interface Check extends ReceiptCheck {
  readonly outcome: CheckOutcome;
}

/** Nothing speaks against it. */
export function passed(name: string, score: number, reason: string): Check {
  return { name, outcome: "passed", score, reason };
}

/** Something does, and it counts for less. */
export function doubtful(name: string, score: number, reason: string): Check {
  return { name, outcome: "doubtful", score, reason };
}

/** It is refused for it. */
export function failed(name: string, reason: string): Check {
  return { name, outcome: "failed", score: 0, reason };
}

/** Nothing speaks either way. */
export function notChecked(name: string, reason: string): Check {
  return { name, outcome: "not_checked", score: 0.5, reason };
}

/** A score as it is shown: two decimals. */
export function rounded(score: number): number {
  return Math.round(score * 100) / 100;
}
