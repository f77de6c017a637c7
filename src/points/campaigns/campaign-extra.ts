// The points that a campaign adds to a record, before any budget and limit. Pure.
import { codeKey } from "../../foods/products/gtin.ts";
import { merchantKey } from "../../foods/aliases/alias.ts";
import type { Source } from "../award.ts";
import { basePoints, multiplied } from "../extras.ts";
import type { ComposedRecord, RecordItem } from "../record.ts";
import { foodKey, isRunning } from "./campaign.ts";
import type { Campaign, CampaignConditions } from "./campaign.ts";

/** A record that a campaign may be for. */
export interface Campaigned {
  readonly record: ComposedRecord;
  readonly source: Source;
  /** Its acceptance, in ms since 1970. */
  readonly atMs: number;
  /** The catalogue's group of a food; null for a food that it does not have. */
  readonly groupOf: (foodId: string) => string | null;
}

/** What a campaign offers a record, before its budget, its number of users, and limits. */
export interface Offer {
  readonly campaign: Campaign;
  /** Above 0. */
  readonly points: number;
  /** What they are distributed over the items of the record by. */
  readonly weights: readonly number[];
}

/**
 * What campaigns offer a record, in their order. Only items with base points count: so the most that a record may earn
 * also bounds the number of its items that earn points of their own.
 */
export function offersOf(campaigns: readonly Campaign[], about: Campaigned): Offer[] {
  const met = campaigns.filter((campaign) => isRunning(campaign, about.atMs) && isRecordMet(campaign, about));
  if (met.length === 0) return [];
  const items = itemsOf(about);
  return met.flatMap((campaign) => offerOf(campaign, items) ?? []);
}

function offerOf(campaign: Campaign, items: readonly CampaignItem[]): Offer | null {
  const counted = items.map((item) => item.base > 0 && isItemMet(campaign.when, item));
  const weights = items.map(({ base }, i) => (counted[i] ? base : 0));
  const base = weights.reduce((sum, each) => sum + each, 0);
  const { kind, amount } = campaign.effect;
  const each = counted.filter(Boolean).length * amount;
  const points = kind === "multiplier" ? multiplied(base, amount) : kind === "pointsPerRecord" ? amount : each;
  if (base === 0 || points === 0) return null;
  return { campaign, points, weights: kind === "pointsPerItem" ? counted.map(Number) : weights };
}

function isRecordMet({ when, timeZone }: Campaign, { record, source, atMs }: Campaigned): boolean {
  const { sources, merchants, weekdays } = when;
  return (
    (sources === null || sources.has(source)) &&
    (merchants === null || merchants.has(merchantKey(record.body.brand))) &&
    (weekdays === null || weekdays.has(weekdayOf(atMs, timeZone)))
  );
}

function weekdayOf(atMs: number, timeZone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone).dayOfWeek;
}

/** An item with what conditions compare. */
interface CampaignItem extends Pick<RecordItem, "healthRating" | "carbonRating"> {
  readonly base: number;
  readonly group: string | null;
  readonly foods: readonly string[];
  readonly codes: readonly string[];
}

function itemsOf({ record, groupOf }: Campaigned): CampaignItem[] {
  const bases = new Map(record.bases.map(({ itemId, basis }) => [itemId, basis]));
  return record.body.items.map((item) => {
    const { match = null } = bases.get(item.id) ?? {};
    // A product counts as the food that completes it.
    const food = match?.reference ?? match?.food ?? null;
    const { healthRating, carbonRating } = item;
    return {
      healthRating,
      carbonRating,
      base: basePoints(item),
      group: food && groupOf(food.id),
      foods: food ? [food.id, food.name].map(foodKey) : [],
      codes: [item.externalId, match?.product?.code ?? ""].filter((code) => code !== "").map(codeKey),
    };
  });
}

function isItemMet({ foodGroups, foods, products, health, climate }: CampaignConditions, item: CampaignItem): boolean {
  return (
    (foodGroups === null || (item.group !== null && foodGroups.has(item.group))) &&
    (foods === null || item.foods.some((food) => foods.has(food))) &&
    (products === null || item.codes.some((code) => products.has(code))) &&
    (health === null || health.has(item.healthRating)) &&
    (climate === null || climate.has(item.carbonRating))
  );
}
