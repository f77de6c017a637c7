/**
 * Returns the optimal string alignment distance of two words: letters to add, drop or replace and neighbours to swap.
 * Stops early and returns `limit + 1` where the distance is above `limit`.
 */
export function editDistance(a: string, b: string, limit = Infinity): number {
  let previous: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min(above[j - 1]! + (isSame ? 0 : 1), above[j]! + 1, row[j - 1]! + 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) cost = Math.min(cost, previous[j - 2]! + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > limit) return limit + 1;
    previous = above;
    above = row;
  }
  return Math.min(above[b.length]!, limit + 1);
}
