// Which bonuses an award brings, by the programme's rules and what is known of the users. Pure: booking reads what is
// known under the locks of the balances, a preview keeps it in memory.
import { timeOfId } from "../../ids.ts";
import type { Source } from "../award.ts";
import { BONUS_TYPE } from "../codes.ts";
import type { BonusType } from "./bonus.ts";
import type { BonusRules, StreakRule } from "./rules.ts";
import { bonusesOfRun, firstDayOf, lastDayOf, streakKey, unitOf, withUnit } from "./streaks.ts";
import type { Run } from "./streaks.ts";

/** Why a bonus was given: what its explanation shows. */
export type BonusCause =
  | { readonly kind: "welcome"; readonly on: "enrolment" }
  | { readonly kind: "welcome"; readonly on: "first_points"; readonly submissionId: string }
  | { readonly kind: "referred"; readonly submissionId: string }
  /** Nothing of what the new user bought or ate. */
  | { readonly kind: "referring" }
  | {
      readonly kind: "streak";
      readonly submissionId: string;
      readonly id: string;
      readonly every: StreakRule["every"];
      readonly length: number;
      readonly timeZone: string;
      /** The first and the last day in a row, as known now. */
      readonly from: string;
      readonly till: string;
      /** The how manieth bonus of these days or weeks in a row. */
      readonly number: number;
    };

/** A bonus that is due. */
export interface DueBonus {
  readonly userId: string;
  /** The rule of the award that brought it, or of the enrolment. */
  readonly rule: string;
  readonly cause: BonusCause;
  /** With the user and the kind of the cause: what is given once. */
  readonly key: string;
  readonly type: BonusType;
  readonly points: number;
  /** The other user of a referral; null: none, or erased. */
  readonly profileId: string | null;
}

/** What is known of a user before an award. */
export interface BonusStanding {
  /** Whether a submission has earned points. */
  readonly hasEarned: boolean;
  /** Whether the user, or an erased one with their address, had the bonus. */
  readonly wasWelcomed: boolean;
  /** Who referred the user, until that is settled by the first points; null: nobody. */
  readonly referral: OpenReferral | null;
  /** By the key of the streak; those that are asked for. */
  readonly streaks: ReadonlyMap<string, StreakStanding>;
}

export interface OpenReferral {
  /** Null: erased meanwhile. */
  readonly referrerId: string | null;
  /** Whether an erased user with the same address was referred before: nothing is given again. */
  readonly isRepeated: boolean;
}

export interface StreakStanding {
  readonly length: number;
  readonly runs: readonly Run[];
}

/** The bonuses that referring users had for others; a user who is missing had none. */
export type ReferralCounts = ReadonlyMap<string, number>;

export const NO_BONUSES: BonusStanding = { hasEarned: false, wasWelcomed: false, referral: null, streaks: new Map() };

/** An award as booked. */
export interface BonusAward {
  readonly userId: string;
  readonly source: Source;
  readonly submissionId: string;
  readonly rule: string;
  readonly points: number;
  /** Whether it has a green or healthy product. */
  readonly isGreenOrHealthy: boolean;
}

/** What an award brings. */
export interface Bonuses {
  readonly due: readonly DueBonus[];
  /** Of its user, after it. */
  readonly user: BonusStanding;
  readonly referrals: ReferralCounts;
}

const NO_RULES: BonusRules = { timeZone: "UTC", welcome: null, streaks: [], referral: null };

/**
 * The bonuses that an award brings, in order, and the standings after it. Without rules it brings none, and yet may be
 * the first that earned.
 */
export function bonusesOf(
  { user, referrals }: { readonly user: BonusStanding | null; readonly referrals: ReferralCounts },
  award: BonusAward,
  ofAward: BonusRules | null,
): Bonuses {
  const rules = ofAward ?? NO_RULES;
  const before = user ?? NO_BONUSES;
  const first =
    award.points > 0 && !before.hasEarned
      ? firstPoints(before, referrals, award, rules)
      : { due: [], user: settled(before), referrals };
  if (!award.isGreenOrHealthy) return first;
  const { due, streaks } = streaksOf(before.streaks, award, rules);
  const isSame = streaks === before.streaks;
  return { ...first, due: [...first.due, ...due], user: isSame ? first.user : { ...first.user, streaks } };
}

/** Nothing is due any more for a referral of a user who has earned. */
function settled(user: BonusStanding): BonusStanding {
  return user.hasEarned && user.referral ? { ...user, referral: null } : user;
}

/** What the first points of a user bring. */
function firstPoints(
  before: BonusStanding,
  referrals: ReferralCounts,
  { userId, rule, submissionId }: BonusAward,
  { welcome, referral: rules }: BonusRules,
): Bonuses {
  const due: DueBonus[] = [];
  const own = { userId, rule, key: "", profileId: null };
  if (welcome?.on === "first_points" && !before.wasWelcomed) {
    const cause = { kind: "welcome", on: "first_points", submissionId } as const;
    due.push({ ...own, cause, type: BONUS_TYPE.welcome, points: welcome.points });
  }
  const wasWelcomed = before.wasWelcomed || due.length > 0;
  const user = { ...before, hasEarned: true, wasWelcomed, referral: null };
  const { referral } = before;
  if (!rules || !referral || referral.isRepeated) return { due, user, referrals };
  const { referrerId } = referral;
  if (rules.newUserPoints > 0) {
    const cause = { kind: "referred", submissionId } as const;
    due.push({ ...own, cause, type: BONUS_TYPE.referral, points: rules.newUserPoints, profileId: referrerId });
  }
  const number = referrerId === null ? 0 : (referrals.get(referrerId) ?? 0);
  const isOver = number >= (rules.perUserMax ?? Infinity);
  if (referrerId === null || rules.points === 0 || isOver) return { due, user, referrals };
  const theirs = { userId: referrerId, rule, key: userId, profileId: userId };
  due.push({ ...theirs, cause: { kind: "referring" }, type: BONUS_TYPE.referral, points: rules.points });
  return { due, user, referrals: new Map(referrals).set(referrerId, number + 1) };
}

function streaksOf(before: BonusStanding["streaks"], award: BonusAward, { streaks: rules, timeZone }: BonusRules) {
  const { userId, rule, submissionId } = award;
  const due: DueBonus[] = [];
  let streaks = before;
  for (const streak of rules.filter(({ sources }) => sources.includes(award.source))) {
    const { id, every, length, points } = streak;
    const unit = unitOf(timeOfId(submissionId), every, timeZone);
    const key = streakKey(streak, timeZone);
    const added = withUnit(streaks.get(key)?.runs ?? [], unit, length);
    if (!added) continue;
    streaks = new Map(streaks).set(key, { length, runs: added.runs });
    if (!added.isDue) continue;
    const { first, last } = added.run;
    const days = { from: firstDayOf(first, every), till: lastDayOf(last, every) };
    const number = bonusesOfRun(added.run, length);
    const cause = { kind: "streak", submissionId, id, every, length, timeZone, ...days, number } as const;
    due.push({ userId, rule, cause, key: `${key} ${unit}`, type: BONUS_TYPE.streak, points, profileId: null });
  }
  return { due, streaks };
}
