// The tiers of a programme: which one points reach, what it adds to an award, and what counts for it. Pure.
import { TIER } from "../codes.ts";
import type { SettledTier } from "../extras.ts";

/** The tiers that a programme may have, ascending. Their codes are those of rewards. */
export const TIER_NAMES = ["bronze", "silver", "gold", "platinum"] as const;
export type TierName = (typeof TIER_NAMES)[number];
export type TierCode = (typeof TIER)[keyof typeof TIER];

/** `lifetime`: all points ever earned. `rolling_12_months`: those of the last twelve months. */
export const TIERS_BY = ["lifetime", "rolling_12_months"] as const;
export type TiersBy = (typeof TIERS_BY)[number];

/** One tier of a programme. */
export interface TierLevel {
  /** A code of `TIER`, 1 to 4. A higher code is a higher tier. */
  readonly tier: TierCode;
  /** Its name, for people. */
  readonly name: string;
  /** The least points of it. */
  readonly from: number;
  /** Base points are multiplied by this many hundredths, 100 or more: 125 is 1.25. */
  readonly hundredths: number;
}

/** The tiers of a programme. */
export interface TierRules {
  readonly by: TiersBy;
  /** IANA. The last twelve months begin with a day of this zone. */
  readonly timeZone: string;
  /** Ascending by points and by code. */
  readonly levels: readonly TierLevel[];
}

/** Those of a programme without tiers: nobody has one. */
export const NO_LEVELS: TierRules = { by: "lifetime", timeZone: "UTC", levels: [] };

/** What is known of a user for the tier, when a record is booked. */
export interface TierStanding {
  /** The points that count at that moment, before the record (`pointsForTier`). */
  readonly points: number;
}

/** The tier that multiplies the points of the next record; null: none does. */
export function tierBefore(rules: TierRules, standing: TierStanding | null): SettledTier | null {
  const level = tierOf(rules, standing?.points ?? 0);
  return level && level.hundredths > 100 ? { tier: level.tier, name: level.name, hundredths: level.hundredths } : null;
}

/** The standing after `earned` more points, at the same moment. */
export function tierAfter(standing: TierStanding | null, earned: number): TierStanding {
  return { ...standing, points: (standing?.points ?? 0) + earned };
}

/** The tier of these points: the highest that they reach. Null: they reach none. */
export function tierOf({ levels }: TierRules, points: number): TierLevel | null {
  return levels.findLast(({ from }) => points >= from) ?? null;
}

/** The next higher tier, and the points to it. Null: there is none. */
export function nextTierOf({ levels }: TierRules, points: number): { level: TierLevel; missingPoints: number } | null {
  const level = levels.find(({ from }) => points < from);
  return level ? { level, missingPoints: level.from - points } : null;
}

/** The code of the tier of these points; 0 for none. */
export function codeOf(rules: TierRules, points: number): TierCode {
  return tierOf(rules, points)?.tier ?? TIER.none;
}

/**
 * The start of the last twelve months at a moment, in ms since 1970: of the same day of the year before, in the time
 * zone. So points count through the day that is twelve months after the day on which they were earned. 29 February ends
 * with 28 February. All moments of a day have the same start, and it never moves back.
 */
export function countedFrom(atMs: number, timeZone: string): number {
  const day = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone).toPlainDate();
  return day.subtract({ years: 1 }).toZonedDateTime(timeZone).epochMilliseconds;
}

/** The day of a moment in the programme's time zone, as in 2026-10-25. */
export function dayOf(atMs: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** Points of one record that count as earned, or that take back earned ones. */
export interface CountedPoints {
  readonly points: number;
  /**
   * When they were earned (ms since 1970): the time of the record, and of one that takes back, corrects or scores again
   * the time of the record that it relates to. So a reversal takes exactly what counted, as long as it counts.
   */
  readonly earnedAtMs: number;
}

/** The points that count for the tier at a moment. The ledger's statement computes the same (store.ts). */
export function pointsForTier({ by, timeZone }: TierRules, records: readonly CountedPoints[], atMs: number): number {
  const fromMs = by === "lifetime" ? -Infinity : countedFrom(atMs, timeZone);
  return records.reduce((sum, { points, earnedAtMs }) => sum + (earnedAtMs >= fromMs ? points : 0), 0);
}

/** What is stored of the tier of a user. */
export interface StoredTier {
  readonly code: TierCode;
  readonly since: Date;
}

/** A rise or fall: what to store and to report. */
export interface TierChange {
  readonly from: TierCode;
  readonly to: TierCode;
  readonly level: TierLevel | null;
  readonly points: number;
}

/**
 * The change of a user's tier; null: there is none. A user without a stored tier has that of 0 points, so that
 * nobody rises into the tier in which everybody begins.
 */
export function changeOf(rules: TierRules, stored: StoredTier | null, points: number): TierChange | null {
  const from = stored?.code ?? codeOf(rules, 0);
  const level = tierOf(rules, points);
  const to = level?.tier ?? TIER.none;
  return from === to ? null : { from, to, level, points };
}
