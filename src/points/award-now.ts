// An award as later records have left it. Pure.
import { totalPoints } from "./entry.ts";
import { itemsLeft } from "./item-changes.ts";
import { presentItems } from "./transaction.ts";
import type { RecordRow } from "./transaction.ts";

/** The points and items that are left of an award. `later`: what corrected, reversed or re-scored it, in order. */
export function awardNow(award: RecordRow, later: readonly RecordRow[]) {
  const all = [award, ...later];
  return {
    points: all.reduce((sum, record) => sum + totalPoints(record), 0),
    items: presentItems({ ...award.body, items: itemsLeft(all) }),
  };
}
