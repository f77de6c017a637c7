// The bonuses of a programme: welcome, streaks and referrals. Pure.
//
// Seam: the rules are filled in here. `settle` asks `bonusesOf` for the bonuses that a settled record causes. Each
// becomes a record of its own, after the award.
import type { ComposedRecord } from "../record.ts";
import type { NewBonus } from "./bonus.ts";

export interface StreakRule {
  readonly id: string;
  readonly every: "day" | "week";
  readonly length: number;
  readonly points: number;
}

export interface BonusRules {
  readonly timeZone: string;
  readonly welcome: { readonly points: number; readonly on: "enrolment" | "first_award" } | null;
  readonly streaks: readonly StreakRule[];
  readonly referral: { readonly points: number; readonly newUserPoints: number } | null;
}

/** What is known of a user for the bonuses. */
export interface BonusStanding {
  readonly isWelcomed: boolean;
}

/** A bonus of a user: mostly of the one who earned, of a referral also of the other. */
export interface DueBonus {
  readonly userId: string;
  readonly bonus: NewBonus;
}

/** A record with its extras, within its limits. */
export interface BonusCause {
  readonly userId: string;
  readonly submissionId: string;
  /** Its acceptance, in ms since 1970. */
  readonly atMs: number;
  readonly record: ComposedRecord;
}

/** The bonuses that a record causes, and the standing after it. */
export function bonusesOf(
  _rules: BonusRules,
  standing: BonusStanding | null,
  _cause: BonusCause,
): { readonly bonuses: readonly DueBonus[]; readonly standing: BonusStanding | null } {
  return { bonuses: [], standing };
}
