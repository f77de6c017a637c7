// What is said of a name, from its rows by kind. Pure.
import type { NameSource } from "../foods/matching/match.ts";
import type { UnknownName } from "./list.store.ts";

/** Rows of a name that are alike but for their user and time. */
export interface Alike {
  readonly name: string;
  readonly source: NameSource;
  /** Empty: no merchant is known. */
  readonly merchantKey: string;
  readonly merchantName: string | null;
  readonly currency: string | null;
  readonly times: number;
  readonly amountMinor: number;
}

const MERCHANTS_MAX = 3;
const CURRENCIES_MAX = 5;

/** Returns the usual spelling of a name, its sources, its merchants and what was spent, the most frequent first. */
export function summaryOf(rows: readonly Alike[]): Pick<UnknownName, "name" | "sources" | "merchants" | "spend"> {
  const times = (source: NameSource) => timesOf(rows.filter((row) => row.source === source));
  const merchants = byFrequency(
    rows.filter(({ merchantKey }) => merchantKey !== ""),
    ({ merchantKey }) => merchantKey,
  );
  const currencies = byFrequency(
    rows.filter(({ currency }) => currency !== null),
    ({ currency }) => currency!,
  );
  return {
    name: mostFrequent(rows, ({ name }) => name),
    sources: { receipt: times("receipt"), meal: times("meal"), food: times("food") },
    merchants: merchants.slice(0, MERCHANTS_MAX).map(([, of]) => ({
      merchantName: mostFrequent(of, ({ merchantName }) => merchantName ?? ""),
      times: timesOf(of),
    })),
    spend: currencies.slice(0, CURRENCIES_MAX).map(([currency, of]) => ({
      currency,
      amountMinor: of.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    })),
  };
}

function timesOf(rows: readonly Alike[]): number {
  return rows.reduce((sum, { times }) => sum + times, 0);
}

function byFrequency(rows: readonly Alike[], keyOf: (row: Alike) => string): (readonly [string, readonly Alike[]])[] {
  return [...Map.groupBy(rows, keyOf)]
    .map(([key, of]) => ({ key, of, times: timesOf(of) }))
    .toSorted((a, b) => b.times - a.times || (a.key < b.key ? -1 : 1))
    .map(({ key, of }) => [key, of] as const);
}

function mostFrequent(rows: readonly Alike[], keyOf: (row: Alike) => string): string {
  return byFrequency(rows, keyOf)[0]?.[0] ?? "";
}
