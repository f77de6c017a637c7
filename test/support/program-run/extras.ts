// Points of tiers and campaigns, and limits of periods, written a second time from docs/programs.md.
import type { ProgramDefinition } from "../../../src/programs/definition.ts";
import { dayAt, weekday } from "./calendar.ts";
import type { Periods } from "./calendar.ts";
import { spread, sum } from "./points.ts";
import type { CountedItem, ItemPoints, Source } from "./points.ts";

export type Campaign = NonNullable<ProgramDefinition["campaigns"]>[number];

/** A counted item with what campaigns ask for. */
export interface ModelItem extends CountedItem {
  readonly foodId: string;
  readonly group: string;
}

/** A record as the campaigns see it. */
export interface ModelRecord {
  readonly source: Source;
  readonly merchant: string;
  readonly atMs: number;
  readonly items: readonly ModelItem[];
  /** Base points of the items, in their order. */
  readonly base: readonly ItemPoints[];
}

/** Points on top, of a campaign or of the tier (null), for each item. */
export interface Extra {
  readonly campaignId: string | null;
  readonly points: number;
  readonly shares: readonly number[];
  readonly weights: readonly number[];
}

const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
const GRADES = ["A", "B", "C", "D", "E"] as const;
const basesOf = (base: readonly ItemPoints[]) => base.map(({ health, climate }) => health + climate);

/** What a tier adds: the base points times the multiplier less one, rounded down. */
export function tierExtra(base: readonly ItemPoints[], multiplier: number): Extra | null {
  const weights = basesOf(base);
  const points = added(sum(weights), multiplier);
  return points > 0 ? extra(null, points, weights) : null;
}

/** What a campaign adds, at most `room`; null: it is not for this record. */
export function campaignExtra(campaign: Campaign, record: ModelRecord, timeZone: string, room: number): Extra | null {
  const { when = {}, effect } = campaign;
  const day = dayAt(record.atMs, timeZone);
  if (day < campaign.from || day > campaign.till) return null;
  if (when.sources && !when.sources.includes(record.source)) return null;
  if (when.merchants && !when.merchants.some((name) => isSameName(name, record.merchant))) return null;
  if (when.weekdays && !when.weekdays.includes(WEEKDAYS[weekday(day)]!)) return null;
  const bases = basesOf(record.base);
  const isMatching = record.items.map((item, i) => bases[i]! > 0 && isItem(when, item));
  const weights = bases.map((points, i) => (isMatching[i] ? points : 0));
  const matching = isMatching.filter(Boolean).length;
  if (matching === 0) return null;
  if (effect.multiplier !== undefined) {
    const points = added(sum(weights), effect.multiplier);
    return points > 0 ? extra(campaign.id, Math.min(room, points), weights) : null;
  }
  if (effect.pointsPerItem !== undefined) {
    return extra(campaign.id, Math.min(room, effect.pointsPerItem * matching), isMatching.map(Number));
  }
  return extra(campaign.id, Math.min(room, effect.pointsPerRecord!), weights);
}

function isItem(when: NonNullable<Campaign["when"]>, item: ModelItem): boolean {
  const { health, climate } = when.grades ?? {};
  return (
    (!when.foodGroups || when.foodGroups.includes(item.group)) &&
    (!when.foods || when.foods.includes(item.foodId)) &&
    (!health || health.includes(GRADES[item.health - 1]!)) &&
    (!climate || climate.includes(GRADES[item.climate - 1]!))
  );
}

function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function added(base: number, multiplier: number): number {
  return Math.floor((base * Math.round((multiplier - 1) * 100)) / 100);
}

function extra(campaignId: string | null, points: number, weights: readonly number[]): Extra {
  return { campaignId, points, weights, shares: spread(points, weights.map(BigInt)) };
}

/** Extras of at most `room` points in all, in their order. */
export function cutExtras(extras: readonly Extra[], room: number): Extra[] {
  let left = room;
  return extras.map((each) => {
    const points = Math.min(left, each.points);
    left -= points;
    return extra(each.campaignId, points, each.weights);
  });
}

/** An award of a user that counts in limits. */
export interface Counted {
  readonly source: Source;
  readonly periods: Periods;
  /** When it was booked, and with its corrections. */
  readonly booked: number;
  readonly now: number;
}

/** What the limits leave of a record: points in all. */
export function restOf(definition: ProgramDefinition, source: Source, at: Periods, others: readonly Counted[]): number {
  const rests = (["day", "week", "month"] as const).flatMap((period) => {
    const { points, meals, foodPoints } = definition.limits?.[period] ?? {};
    const within = others.filter((each) => each.periods[period] === at[period]);
    const eaten = within.filter((each) => each.source === "meal" && each.booked > 0).length;
    const foods = sum(within.filter((each) => each.source === "food").map(({ booked }) => booked));
    return [
      ...(points === undefined ? [] : [points - sum(within.map(({ now }) => now))]),
      ...(meals === undefined || source !== "meal" ? [] : [eaten < meals ? Infinity : 0]),
      ...(foodPoints === undefined || source !== "food" ? [] : [foodPoints - foods]),
    ];
  });
  return Math.max(0, Math.min(Infinity, ...rests));
}
