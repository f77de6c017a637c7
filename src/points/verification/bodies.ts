// What a record must be by its items. Sums are computed apart from those that booked it (record.ts).
import type { Amounts } from "../entry.ts";
import type { RecordBody, RecordItem } from "../record.ts";

/** The amounts of an award that its items sum up to. */
export type ItemAmounts = Pick<
  Amounts,
  "healthPoints" | "carbonPoints" | "bonusPoints" | "greenProducts" | "healthyProducts" | "co2eMg"
>;

/** Whether an award has the amounts of its items. False for what is no body. */
export function isSumOfItems(award: ItemAmounts, { items, excludedItems }: RecordBody): boolean {
  if (!Array.isArray(items) || !Array.isArray(excludedItems)) return false;
  const sums = { healthPoints: 0, carbonPoints: 0, bonusPoints: 0, greenProducts: 0, healthyProducts: 0, co2eMg: 0 };
  for (const item of items as readonly RecordItem[]) {
    sums.healthPoints += item.healthPoints;
    sums.carbonPoints += item.carbonPoints;
    sums.bonusPoints += item.bonusPoints;
    sums.co2eMg += item.co2eMg;
    if (item.carbonRating <= 2) sums.greenProducts++;
    if (item.healthRating <= 2) sums.healthyProducts++;
  }
  return (Object.keys(sums) as (keyof ItemAmounts)[]).every((amount) => sums[amount] === award[amount]);
}

type CreditedItem = Pick<RecordItem, "id" | "healthPoints" | "carbonPoints" | "bonusPoints" | "co2eMg">;

/** A record, and what reversed or corrected it, with the items of each. */
export interface CreditedRecord {
  readonly isReversed: boolean;
  readonly items: readonly CreditedItem[];
  /** In their order. */
  readonly later: readonly { readonly isReversal: boolean; readonly items: readonly CreditedItem[] | null }[];
}

const CREDITED = ["healthPoints", "carbonPoints", "bonusPoints", "co2eMg"] as const;

/** What is wrong with the items of a record and of what reversed or corrected it. */
export function brokenItems({ isReversed, items, later }: CreditedRecord): string[] {
  const all = [{ isReversal: false, items }, ...later];
  const credited = all.flatMap(({ isReversal, items }) => (items ?? []).map((item) => ({ isReversal, item })));
  const each = [...Map.groupBy(credited, ({ item }) => item.id).values()].map((mentions) => ({
    times: mentions.length,
    reversals: mentions.filter(({ isReversal }) => isReversal).length,
    isEven: CREDITED.every((amount) => mentions.reduce((sum, { item }) => sum + item[amount], 0) === 0),
  }));
  const isAnyLeft = each.some(({ times }) => times === 1);
  const rules = {
    "an item is taken back twice": each.some(({ times, reversals }) => times > 2 || reversals > 1),
    "an item is taken back that it does not have": each.some(({ times, reversals }) => times === 1 && reversals === 1),
    "an item is not taken back by what it gave": each.some(({ times, isEven }) => times === 2 && !isEven),
    "reversed, and an item is left": isReversed && isAnyLeft,
    "nothing is left, and it is not reversed": !isReversed && all.at(-1)!.isReversal && !isAnyLeft,
  };
  return Object.entries(rules).flatMap(([what, isBroken]) => (isBroken ? [what] : []));
}
