import type { ReceiptCheck } from "../../webhooks/event.ts";

/** `doubtful` has a low score and rejects nothing. `not_checked`: there is nothing to compare with. */
export type CheckOutcome = "passed" | "failed" | "doubtful" | "not_checked";

/** The names of all checks, in the order of the documents. */
export const CHECK_NAMES = [
  "merchant_as_declared",
  "amount_as_declared",
  "time_as_declared",
  "card_as_declared",
  "lines_add_up",
  "date_is_past",
  "readable",
  "picture_unedited",
  "picture_is_photo",
  "picture_of_paper",
  "parts_overlap",
  "picture_is_new",
  "purchase_is_new",
  "pace_of_user",
  "purchase_is_recent",
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** The result of a check; `score` from 0 (surely not) to 1 (surely), `reason` for people. */
export interface Check extends ReceiptCheck {
  readonly name: CheckName;
  readonly outcome: CheckOutcome;
}

/** Nothing contradicts the receipt. */
export function passed(name: CheckName, score: number, reason: string): Check {
  return { name, outcome: "passed", score, reason };
}

/** Something is suspicious, but it doesn't reject the receipt. */
export function doubtful(name: CheckName, score: number, reason: string): Check {
  return { name, outcome: "doubtful", score, reason };
}

/** The check rejects the receipt. */
export function failed(name: CheckName, reason: string): Check {
  return { name, outcome: "failed", score: 0, reason };
}

/** The check could not be made. */
export function notChecked(name: CheckName, reason: string): Check {
  return { name, outcome: "not_checked", score: 0.5, reason };
}

/** Rounds a score to two decimals. */
export function rounded(score: number): number {
  return Math.round(score * 100) / 100;
}
