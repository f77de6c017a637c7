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
  readonly applicationId: string;
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
  /** Who referred the user, as long as something is due for it; null: nobody. */
  readonly referral: OpenReferral | null;
  /** The runs of streaks by their key; those that its batch can touch. */
  readonly runs: ReadonlyMap<string, readonly Run[]>;
}

export interface OpenReferral {
  /** Null: erased meanwhile. */
  readonly referrerId: string | null;
  /** Whether an erased user with the same address was referred before: nothing is given again. */
  readonly isRepeated: boolean;
}

/** What is known of the users of an application. */
export interface BonusStandings {
  readonly users: ReadonlyMap<string, BonusStanding>;
  /** Bonuses that referring users had for others. */
  readonly referrals: ReadonlyMap<string, number>;
}

export const NO_STANDING: BonusStanding = { hasEarned: false, wasWelcomed: false, referral: null, runs: new Map() };

/** An award as booked. */
export interface BonusAward {
  readonly applicationId: string;
  readonly userId: string;
  readonly source: Source;
  readonly submissionId: string;
  readonly rule: string;
  readonly points: number;
  /** Whether it has a green or healthy product. */
  readonly isGreenOrHealthy: boolean;
}

const NO_RULES: BonusRules = { timeZone: "UTC", welcome: null, streaks: [], referral: null };

/**
 * The bonuses that an award brings, in order, and the standings after it. Without rules it brings none, and yet may be
 * the first that earned.
 */
export function bonusesOf(
  standings: BonusStandings,
  award: BonusAward,
  ofAward: BonusRules | null,
): { readonly due: readonly DueBonus[]; readonly standings: BonusStandings } {
  const rules = ofAward ?? NO_RULES;
  const before = standings.users.get(award.userId) ?? NO_STANDING;
  const first = award.points > 0 && !before.hasEarned ? firstPoints(standings, before, award, rules) : null;
  const { due: streaks, runs } = award.isGreenOrHealthy ? streaksOf(before.runs, award, rules) : { due: [], ...before };
  const due = [...(first?.due ?? []), ...streaks];
  if (!first && runs === before.runs) return { due, standings };
  const user = { ...before, ...(first && { hasEarned: true, referral: null }), runs };
  const wasWelcomed = before.wasWelcomed || due.some(({ cause }) => cause.kind === "welcome");
  const referrals = first?.referrals ?? standings.referrals;
  return { due, standings: { users: new Map(standings.users).set(award.userId, { ...user, wasWelcomed }), referrals } };
}

/** What the first points of a user bring. */
function firstPoints(
  { referrals }: BonusStandings,
  { wasWelcomed, referral }: BonusStanding,
  award: BonusAward,
  { welcome, referral: rule }: BonusRules,
): { readonly due: readonly DueBonus[]; readonly referrals: ReadonlyMap<string, number> } {
  const { applicationId, userId, submissionId } = award;
  const own = { applicationId, userId, rule: award.rule, key: "", profileId: null };
  const due: DueBonus[] = [];
  if (welcome?.on === "first_points" && !wasWelcomed) {
    const cause = { kind: "welcome", on: "first_points", submissionId } as const;
    due.push({ ...own, cause, type: BONUS_TYPE.welcome, points: welcome.points });
  }
  if (!rule || !referral || referral.isRepeated) return { due, referrals };
  const { referrerId } = referral;
  if (rule.newUserPoints > 0) {
    const cause = { kind: "referred", submissionId } as const;
    due.push({ ...own, cause, type: BONUS_TYPE.referral, points: rule.newUserPoints, profileId: referrerId });
  }
  const number = referrerId === null ? 0 : (referrals.get(referrerId) ?? 0);
  if (referrerId === null || rule.points === 0 || number >= (rule.perUserMax ?? Infinity)) return { due, referrals };
  const cause = { kind: "referring" } as const;
  const theirs = { ...own, userId: referrerId, key: userId, profileId: userId };
  due.push({ ...theirs, cause, type: BONUS_TYPE.referral, points: rule.points });
  return { due, referrals: new Map(referrals).set(referrerId, number + 1) };
}

function streaksOf(before: BonusStanding["runs"], award: BonusAward, { streaks, timeZone }: BonusRules) {
  const { applicationId, userId, rule, submissionId } = award;
  const due: DueBonus[] = [];
  let runs = before;
  for (const streak of streaks.filter(({ sources }) => sources.includes(award.source))) {
    const { id, every, length, points } = streak;
    const unit = unitOf(timeOfId(submissionId), every, timeZone);
    const key = streakKey(streak, timeZone);
    const added = withUnit(runs.get(key) ?? [], unit, length);
    if (!added) continue;
    runs = new Map(runs).set(key, added.runs);
    if (!added.isDue) continue;
    const { first, last } = added.run;
    const days = { from: firstDayOf(first, every), till: lastDayOf(last, every) };
    const number = bonusesOfRun(added.run, length);
    const cause = { kind: "streak", submissionId, id, every, length, timeZone, ...days, number } as const;
    const once = { key: `${key} ${unit}`, type: BONUS_TYPE.streak, points, profileId: null };
    due.push({ applicationId, userId, rule, cause, ...once });
  }
  return { due, runs };
}
