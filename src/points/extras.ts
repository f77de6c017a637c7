// Points on top of a record's base points: those of the user's tier and of campaigns. Every extra is computed from the
// base points, none from another extra, and they add up in the items' `bonusPoints`. Pure.
import { cutTo, distribute } from "./award.ts";
import { recordTotals, withAward } from "./record.ts";
import type { ComposedRecord, RecordItem } from "./record.ts";

/** The tier that a user had before a record, where it multiplies. */
export interface SettledTier {
  /** A code of `TIER`. */
  readonly tier: number;
  readonly name: string;
  /** Its multiplier: 125 is 1.25. */
  readonly hundredths: number;
}

/**
 * What left an extra fewer points than it would have given: the budget of its campaign, its number of users, a limit of
 * a day, week or month, or what the award itself had, where a later record of it is composed.
 */
export const EXTRA_CUTS = ["budget", "users", "limit", "award"] as const;
export type ExtraCut = (typeof EXTRA_CUTS)[number];

/** The points of one tier or campaign. */
export interface Extra {
  /** The id of the campaign; null: the tier. */
  readonly campaignId: string | null;
  /** What it would have given without a budget and without limits. */
  readonly uncutPoints: number;
  readonly points: number;
  /** Null: nothing cut it. */
  readonly cutBy: ExtraCut | null;
  /** The points of each item of the record, in its order. */
  readonly shares: readonly number[];
  /** What its points are distributed over the items by. Not stored. */
  readonly weights?: readonly number[];
}

/** What was decided once, when the record was booked. Later records of the same award apply it again. */
export interface Settled {
  readonly tier: SettledTier | null;
  readonly extras: readonly Extra[];
}

/** The stored form. */
export function storedSettled({ tier, extras }: Settled): Settled {
  return { tier, extras: extras.map(({ weights: _weights, ...extra }) => extra) };
}

/** The base points of an item. */
export function basePoints({ healthPoints, carbonPoints }: Pick<RecordItem, "healthPoints" | "carbonPoints">): number {
  return healthPoints + carbonPoints;
}

/** The points that may be given, and what limits them. */
export interface Room {
  readonly points: number;
  readonly cutBy: ExtraCut | null;
}

export const NO_BOUND: Room = { points: Infinity, cutBy: null };

/** An extra of at most the `uncutPoints` that there is room for. */
export function extraOf(
  campaignId: string | null,
  uncutPoints: number,
  weights: readonly number[],
  room: Room = NO_BOUND,
): Extra {
  return cutExtra({ campaignId, uncutPoints, points: uncutPoints, cutBy: null, shares: [], weights }, room);
}

function cutExtra(extra: Extra, room: Room): Extra {
  const points = Math.min(extra.points, room.points);
  const cutBy = points < extra.points ? room.cutBy : extra.cutBy;
  const shares = distribute(BigInt(points), (extra.weights ?? extra.shares).map(BigInt));
  return { ...extra, points, cutBy, shares };
}

/** `base` times `hundredths - 100` hundredths, rounded down: what a multiplier adds. */
export function multiplied(base: number, hundredths: number): number {
  return Number((BigInt(base) * BigInt(hundredths - 100)) / 100n);
}

/** Returns a record of base points with these extras in its items. */
export function withExtras(record: ComposedRecord, settled: Settled): ComposedRecord {
  const items = record.body.items.map((item, i): RecordItem => {
    const bonusPoints = settled.extras.reduce((sum, { shares }) => sum + shares[i]!, 0);
    return { ...item, bonusPoints };
  });
  return { ...record, body: { ...record.body, items }, settled };
}

/** Reduces a record to at most `pointsMax` points in all: its base points come first, then each extra in order. */
export function cutRecord(pointsMax: number, record: ComposedRecord): ComposedRecord {
  if (recordTotals(record.body).points <= pointsMax) return record;
  const cut = withAward(record, cutTo(pointsMax, record.award));
  if (!record.settled) return cut;
  let left = Math.max(0, pointsMax - cut.award.totalPoints);
  const extras = record.settled.extras.map((extra) => {
    const kept = cutExtra(extra, { points: left, cutBy: "limit" });
    left -= kept.points;
    return kept;
  });
  return withExtras(cut, { ...record.settled, extras });
}
