import { setImmediate as nextTurn } from "node:timers/promises";
import { presentCandidate } from "../foods/lookup/match-query.ts";
import type { Resolver } from "../foods/lookup/resolve.ts";
import { lookUp } from "../foods/lookup/store.ts";
import { fromMinor } from "../points/money.ts";
import type { Database } from "../postgres/postgres.ts";
import type { UnknownName as ShownName } from "./schema.ts";
import type { UnknownName } from "./list.store.ts";

const CANDIDATES_MAX = 3;

/** Returns the names as they are shown, each with the foods that it may mean. One lookup for all of them. */
export async function withCandidates(
  { database, resolver }: { readonly database: Database; readonly resolver: Resolver },
  applicationId: string,
  names: readonly UnknownName[],
): Promise<ShownName[]> {
  const items = names.map(({ name, merchants }) => ({
    foodId: null,
    name,
    merchants: merchants.slice(0, 1).map(({ merchantName }) => merchantName),
  }));
  const found = await lookUp(
    database,
    items.map((item) => ({ applicationId, ...item })),
  );
  const shown: ShownName[] = [];
  for (const [i, { nameId, firstSeen, lastSeen, spend, merchants, ...counts }] of names.entries()) {
    const { receipt, meal, food } = counts.sources;
    const source = receipt >= Math.max(meal, food) ? "receipt" : meal >= food ? "meal" : "food";
    const resolutions = resolver.resolve(items[i]!, found, applicationId, { source, limit: CANDIDATES_MAX });
    shown.push({
      id: nameId,
      ...counts,
      spend: spend.map(({ currency, amountMinor }) => ({ currency, amount: fromMinor(amountMinor, currency) })),
      merchants: merchants.map(({ merchantName, times }) => ({ merchantName, times })),
      firstSeen: firstSeen.toISOString(),
      lastSeen: lastSeen.toISOString(),
      candidates: resolutions.map((each) => presentCandidate(each, resolver.rateFood(each.food))),
    });
    // A name made to be hard takes most of a millisecond.
    await nextTurn();
  }
  return shown;
}
