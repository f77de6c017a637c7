// What a programme gives beside the points of submissions.
import type { Source } from "../award.ts";

/** Whether a welcome is given with the enrolment, or with the first points. */
export const WELCOME_ON = ["enrolment", "first_points"] as const;
export const STREAK_UNITS = ["day", "week"] as const;
export type StreakUnit = (typeof STREAK_UNITS)[number];

export interface WelcomeRule {
  readonly points: number;
  readonly on: (typeof WELCOME_ON)[number];
}

/** A bonus for each `length` days or weeks in a row. */
export interface StreakRule {
  readonly id: string;
  readonly every: StreakUnit;
  readonly length: number;
  readonly points: number;
  /** The kinds of submissions that count. */
  readonly sources: readonly Source[];
}

export interface ReferralRule {
  /** Points of the referring user; 0: none. */
  readonly points: number;
  /** Points of the new user; 0: none. */
  readonly newUserPoints: number;
  /** Referrals that one user gets points for; null: any number. */
  readonly perUserMax: number | null;
}

export interface BonusRules {
  /** The time zone of days and weeks (IANA). */
  readonly timeZone: string;
  readonly welcome: WelcomeRule | null;
  readonly streaks: readonly StreakRule[];
  readonly referral: ReferralRule | null;
}

/** The bonuses of the programme in force at a moment, and the id of its rules; null: it has none. */
export type BonusesAt = (
  applicationId: string,
  at: Date,
) => Promise<{ readonly rule: string; readonly bonuses: BonusRules } | null>;
