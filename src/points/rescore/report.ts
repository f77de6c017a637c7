// Sums up what scoring again would change: in all, by application and by food. Its size does not grow with history.
import { pointsOf } from "./difference.ts";
import type { Rescored } from "./rescore.ts";

/** Awards, how many of them differ, and their points before and after. */
export interface Sum {
  awards: number;
  differing: number;
  before: number;
  after: number;
}

/** The points of a food in the items that differ. */
export interface FoodSum {
  items: number;
  before: number;
  after: number;
}

/** Products have any number of names; beyond this they are summed up as one. */
const FOODS_MAX = 20_000;
const OTHER_FOODS = "(other foods)";

export interface RescoreReport {
  readonly total: Sum;
  readonly byApplication: ReadonlyMap<string, Sum>;
  readonly byFood: ReadonlyMap<string, FoodSum>;
  readonly skipped: ReadonlyMap<string, number>;
  /** Users whose points rise, and fall. */
  readonly users: { rise: number; fall: number };
  /** Adds awards of some users in some days. `areNew`: no earlier call had these users; otherwise the last one did. */
  add(rescored: readonly Rescored[], areNew: boolean): void;
}

export function createReport(): RescoreReport {
  const total = newSum();
  const byApplication = new Map<string, Sum>();
  const byFood = new Map<string, FoodSum>();
  const skipped = new Map<string, number>();
  const users = { rise: 0, fall: 0 };
  /** Differences of the last users so far: their later days may follow. */
  const byUser = new Map<string, number>();
  const count = (difference: number, by: 1 | -1) => {
    if (difference > 0) users.rise += by;
    if (difference < 0) users.fall += by;
  };
  const addUser = (userId: string, difference: number) => {
    const before = byUser.get(userId) ?? 0;
    byUser.set(userId, before + difference);
    count(before, -1);
    count(before + difference, 1);
  };
  const addFood = (name: string, points: { before: number; after: number }) => {
    const key = byFood.has(name) || byFood.size < FOODS_MAX ? name : OTHER_FOODS;
    const sum = byFood.get(key) ?? { items: 0, before: 0, after: 0 };
    byFood.set(key, { items: sum.items + 1, before: sum.before + points.before, after: sum.after + points.after });
  };
  const add = (rescored: readonly Rescored[], areNew: boolean) => {
    if (areNew) byUser.clear();
    for (const { award, changes } of rescored) {
      const { applicationId, userId } = award;
      const ofApplication = byApplication.get(applicationId) ?? newSum();
      byApplication.set(applicationId, ofApplication);
      for (const sum of [total, ofApplication]) sum.awards += 1;
      if (typeof changes === "string") {
        skipped.set(changes, (skipped.get(changes) ?? 0) + 1);
        continue;
      }
      if (changes.length === 0) continue;
      const points = pointsOf(changes);
      for (const sum of [total, ofApplication]) {
        sum.differing += 1;
        sum.before += points.before;
        sum.after += points.after;
      }
      addUser(userId, points.after - points.before);
      for (const change of changes) addFood(foodOf(change), pointsOf([change]));
    }
  };
  return { total, byApplication, byFood, skipped, users, add };
}

/** The food of a change, with that of before where it was another one. */
export function foodOf({ before, after }: Exclude<Rescored["changes"], string>[number]): string {
  const [old, item] = [before?.matchedName ?? "", after?.matchedName ?? ""];
  if (old === item) return old;
  return `${old || "(nothing)"} → ${item || "(nothing)"}`;
}

function newSum(): Sum {
  return { awards: 0, differing: 0, before: 0, after: 0 };
}
