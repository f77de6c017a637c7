// The points that a campaign adds to a record, before any budget and limit. Pure.
import { codeKey } from "../../foods/products/gtin.ts";
import { merchantKey } from "../../foods/aliases/alias.ts";
import type { Source } from "../award.ts";
import { basePoints, multiplied } from "../extras.ts";
import type { ComposedRecord, ItemBasis, RecordItem } from "../record.ts";
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

/** Points, and what they are distributed over the items of the record by. */
export interface Offer {
  readonly points: number;
  readonly weights: readonly number[];
}

/** What a campaign offers a record; null: nothing. Only items with base points count. */
export function offerOf(campaign: Campaign, about: Campaigned): Offer | null {
  if (!isRunning(campaign, about.atMs) || !isRecordMet(campaign, about)) return null;
  const { items } = about.record.body;
  const bases = new Map(about.record.bases.map((basis) => [basis.itemId, basis]));
  const counted = items.map(
    (item) => basePoints(item) > 0 && isItemMet(campaign.when, item, bases.get(item.id), about),
  );
  const weights = items.map((item, i) => (counted[i] ? basePoints(item) : 0));
  const base = weights.reduce((sum, each) => sum + each, 0);
  const { kind, amount } = campaign.effect;
  const points =
    kind === "multiplier" ? multiplied(base, amount) : kind === "pointsPerRecord" ? amount : amount * count(counted);
  if (base === 0 || points === 0) return null;
  return { points, weights: kind === "pointsPerItem" ? counted.map(Number) : weights };
}

function count(flags: readonly boolean[]): number {
  return flags.filter(Boolean).length;
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

function isItemMet(
  { foodGroups, foods, products, health, climate }: CampaignConditions,
  item: RecordItem,
  { basis = null }: Partial<ItemBasis> = {},
  { groupOf }: Campaigned,
): boolean {
  const { match = null } = basis ?? {};
  // A product counts as the food that completes it.
  const food = match?.reference ?? match?.food ?? null;
  const codes = [item.externalId, match?.product?.code ?? ""].filter((code) => code !== "").map(codeKey);
  return (
    (foodGroups === null || (food !== null && foodGroups.has(groupOf(food.id) ?? ""))) &&
    (foods === null || (food !== null && [food.id, food.name].some((each) => foods.has(foodKey(each))))) &&
    (products === null || codes.some((code) => products.has(code))) &&
    (health === null || health.has(item.healthRating)) &&
    (climate === null || climate.has(item.carbonRating))
  );
}
