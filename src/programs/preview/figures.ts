// Sums of a preview: points now and under the draft, by several views, and what they cost. Pure.
import { scaled } from "../../decimal.ts";
import type { Source } from "../../points/award.ts";

/** What a record, or a bonus, gives now and would give. */
export interface Compared {
  /** Number of its user, from 0. */
  readonly user: number;
  /** The day of the acceptance in the programme's time zone, as in 2026-10-25. */
  readonly day: string;
  readonly source: Source | "bonus";
  readonly now: Points;
  readonly draft: Points;
  /** It would not be there under the draft. */
  readonly isGone?: boolean;
}

/** The points of a record, and their parts. */
export interface Points {
  readonly points: number;
  readonly byFoodGroup: ReadonlyMap<string, number>;
  readonly byCampaign: ReadonlyMap<string, number>;
  readonly byBonus: ReadonlyMap<string, number>;
}

const NONE: ReadonlyMap<string, number> = new Map();
export const NO_POINTS: Points = { points: 0, byFoodGroup: NONE, byCampaign: NONE, byBonus: NONE };

/** A sum of points over records. */
export interface Sum {
  readonly records: number;
  readonly pointsNow: number;
  readonly pointsDraft: number;
}

/** Sums by a key: a day, a source, a group. */
export type Sums = readonly (Sum & { readonly key: string })[];

/** A user and what the draft would change for them. */
export interface UserSum {
  readonly userId: string;
  readonly pointsNow: number;
  readonly pointsDraft: number;
}

/** The sums of a preview. */
export interface Figures {
  readonly total: Sum;
  readonly byDay: Sums;
  readonly bySource: Sums;
  readonly byFoodGroup: Sums;
  readonly byCampaign: Sums;
  readonly byBonus: Sums;
  readonly users: {
    readonly count: number;
    readonly winners: number;
    readonly losers: number;
    readonly mostGained: readonly UserSum[];
    readonly mostLost: readonly UserSum[];
  };
}

/** Users shown on either side. */
const USERS_SHOWN = 20;

/** Collects the sums of a preview. Memory: some numbers for each user, day, group, campaign. */
export interface FiguresBuilder {
  add(compared: Compared): void;
  /** `userIds`: the ids of the users by their numbers. */
  figures(userIds: readonly string[]): Figures;
}

interface MutableSum {
  records: number;
  pointsNow: number;
  pointsDraft: number;
}

export function createFigures(): FiguresBuilder {
  const total: MutableSum = noSum();
  const views = {
    byDay: new Map<string, MutableSum>(),
    bySource: new Map<string, MutableSum>(),
    byFoodGroup: new Map<string, MutableSum>(),
    byCampaign: new Map<string, MutableSum>(),
    byBonus: new Map<string, MutableSum>(),
  };
  const users: MutableSum[] = [];

  return {
    add: ({ user, day, source, now, draft, isGone = false }) => {
      const records = isGone ? 0 : 1;
      const both = [records, now.points, draft.points] as const;
      addTo(total, ...both);
      addTo((users[user] ??= noSum()), ...both);
      addTo(sumOf(views.byDay, day), ...both);
      addTo(sumOf(views.bySource, source), ...both);
      for (const view of ["byFoodGroup", "byCampaign", "byBonus"] as const) {
        const [ofNow, ofDraft] = [now[view], draft[view]];
        if (ofNow.size === 0 && ofDraft.size === 0) continue;
        for (const key of new Set([...ofNow.keys(), ...ofDraft.keys()])) {
          addTo(sumOf(views[view], key), records, ofNow.get(key) ?? 0, ofDraft.get(key) ?? 0);
        }
      }
    },
    figures: (userIds) => ({
      total,
      byDay: sorted(views.byDay, byKey),
      bySource: sorted(views.bySource, byKey),
      byFoodGroup: sorted(views.byFoodGroup, byPoints),
      byCampaign: sorted(views.byCampaign, byKey),
      byBonus: sorted(views.byBonus, byKey),
      users: usersOf(users, userIds),
    }),
  };
}

/** Exact: the cost of points at a value of at most six decimals, as a decimal without rounding. */
export function costOf(points: number, pointValue: number): string {
  const micros = BigInt(points) * scaled(pointValue, VALUE_DECIMALS, "halfUp");
  const digits = (micros < 0n ? -micros : micros).toString().padStart(VALUE_DECIMALS + 1, "0");
  const whole = digits.slice(0, -VALUE_DECIMALS);
  const decimals = digits.slice(-VALUE_DECIMALS).replace(/0{1,4}$/, "");
  return `${micros < 0n ? "-" : ""}${whole}.${decimals}`;
}

/** Decimals of the value of a point. */
export const VALUE_DECIMALS = 6;

/** Whether a value has no more decimals than these. */
export function isPointValue(value: number): boolean {
  return scaled(value, VALUE_DECIMALS, "floor") === scaled(value, VALUE_DECIMALS, "ceil");
}

function noSum(): MutableSum {
  return { records: 0, pointsNow: 0, pointsDraft: 0 };
}

function addTo(sum: MutableSum, records: number, now: number, draft: number): void {
  sum.records += records;
  sum.pointsNow += now;
  sum.pointsDraft += draft;
}

function sumOf(view: Map<string, MutableSum>, key: string): MutableSum {
  const known = view.get(key);
  if (known) return known;
  const sum = noSum();
  view.set(key, sum);
  return sum;
}

type Keyed = Sums[number];

function sorted(view: ReadonlyMap<string, MutableSum>, order: (a: Keyed, b: Keyed) => number): Sums {
  return [...view].map(([key, sum]) => ({ key, ...sum })).sort(order);
}

function byKey(a: Keyed, b: Keyed): number {
  return a.key < b.key ? -1 : 1;
}

function byPoints(a: Keyed, b: Keyed): number {
  return b.pointsNow - a.pointsNow || b.pointsDraft - a.pointsDraft || byKey(a, b);
}

function usersOf(sums: readonly (MutableSum | undefined)[], userIds: readonly string[]): Figures["users"] {
  let [count, winners, losers] = [0, 0, 0];
  const gained: UserSum[] = [];
  const lost: UserSum[] = [];
  for (const [user, sum] of sums.entries()) {
    if (!sum) continue;
    count += 1;
    const { pointsNow, pointsDraft } = sum;
    if (pointsNow === pointsDraft) continue;
    const each = { userId: userIds[user]!, pointsNow, pointsDraft };
    if (pointsDraft > pointsNow) winners += 1;
    else losers += 1;
    keep(pointsDraft > pointsNow ? gained : lost, each);
  }
  return { count, winners, losers, mostGained: gained, mostLost: lost };
}

/** Keeps the largest differences, the largest first; of equal ones the lower id. */
function keep(largest: UserSum[], user: UserSum): void {
  const size = differenceOf(user);
  const place = largest.findIndex((other) => {
    const otherSize = differenceOf(other);
    return otherSize < size || (otherSize === size && other.userId > user.userId);
  });
  if (place >= 0) largest.splice(place, 0, user);
  else largest.push(user);
  largest.length = Math.min(largest.length, USERS_SHOWN);
}

function differenceOf({ pointsNow, pointsDraft }: UserSum): number {
  return Math.abs(pointsDraft - pointsNow);
}
