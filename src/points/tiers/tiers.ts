// The tiers of a programme: which one points reach, what it adds to an award, and what counts for it. Pure.
import { TIER } from "../codes.ts";

/** The tiers that a programme may have, ascending. Their codes are those of rewards. */
export const TIER_NAMES = ["bronze", "silver", "gold", "platinum"] as const;
export type TierName = (typeof TIER_NAMES)[number];
export type TierCode = (typeof TIER)[keyof typeof TIER];

/** `lifetime`: all points ever earned. `rolling_12_months`: those of the last twelve months. */
export const TIERS_BY = ["lifetime", "rolling_12_months"] as const;
export type TiersBy = (typeof TIERS_BY)[number];

/** One tier of a programme. */
export interface TierLevel {
  /** 1 to 4. A higher code is a higher tier. */
  readonly code: TierCode;
  /** Its name, for people. */
  readonly name: string;
  /** The least points of it. */
  readonly from: number;
  /** The fraction that base points are multiplied by, 1 or more: 5 over 4 is 1.25. */
  readonly multiplier: Fraction;
}

export interface Fraction {
  readonly times: number;
  readonly over: number;
}

/** The tiers of a programme, ascending by points and by code. */
export interface Tiers {
  readonly by: TiersBy;
  /** IANA. The last twelve months begin and end with days of this zone. */
  readonly timeZone: string;
  readonly levels: readonly TierLevel[];
}

/** The tier of these points: the highest that they reach. Null: they reach none. */
export function tierOf({ levels }: Tiers, points: number): TierLevel | null {
  return levels.findLast(({ from }) => points >= from) ?? null;
}

/** The next higher tier, and the points to it. Null: there is none. */
export function nextTierOf({ levels }: Tiers, points: number): { level: TierLevel; missingPoints: number } | null {
  const level = levels.find(({ from }) => points < from);
  return level ? { level, missingPoints: level.from - points } : null;
}

/** The code of the tier of these points under a programme, or of none (0) without tiers. */
export function codeOf(tiers: Tiers | null, points: number): TierCode {
  return (tiers && tierOf(tiers, points)?.code) ?? TIER.none;
}

/** What a multiplier adds to the base points of a record: whole points, rounded down. */
export function extraPoints(basePoints: number, { times, over }: Fraction): number {
  return Number((BigInt(basePoints) * BigInt(times - over)) / BigInt(over));
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
export function pointsForTier({ by, timeZone }: Tiers, records: readonly CountedPoints[], atMs: number): number {
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
export function changeOf(tiers: Tiers | null, stored: StoredTier | null, points: number): TierChange | null {
  const from = stored?.code ?? codeOf(tiers, 0);
  const level = tiers && tierOf(tiers, points);
  const to = level?.code ?? TIER.none;
  return from === to ? null : { from, to, level, points };
}
