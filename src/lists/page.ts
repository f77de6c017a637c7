import type { Errors } from "../problems.ts";
import { timeRange } from "./timeframe.ts";
import type { TimeRange } from "./timeframe.ts";

/** The requested part of a list. */
export type ListPage =
  | { readonly kind: "first" }
  | { readonly kind: "all" }
  /** `number` from 1. */
  | { readonly kind: "page"; readonly number: number; readonly size: number };

export const PAGE_SIZE_DEFAULT = 20;
export const PAGE_SIZE_MAX = 100;
/** Maximum number of entries of All. */
export const ALL_MAX = 5_000;
const INT32_MAX = 2 ** 31 - 1;

/**
 * Parses pageSize, page, First, All and timeframe of a query without repeated names, in any letter case.
 * First overrides All, and All overrides pages. 0 means the default; a size above the maximum means the maximum.
 */
export function readPage(
  query: Iterable<readonly [name: string, value: string]>,
  now: Date,
): { page: ListPage; range: TimeRange } | { errors: Errors } {
  const errors: Errors = {};
  // If `first=true` was ignored, the client would silently get the whole list.
  const values = new Map([...query].map(([name, value]) => [name.toLowerCase(), value]));
  const count = (name: string): number => {
    const text = values.get(name.toLowerCase());
    if (text === undefined) return 0;
    if (/^\d{1,10}$/.test(text) && Number(text) <= INT32_MAX) return Number(text);
    errors[name] = ["must be a whole number from 0 to 2147483647"];
    return 0;
  };
  const flag = (name: string): boolean => {
    const text = values.get(name.toLowerCase())?.toLowerCase();
    if (text !== undefined && text !== "true" && text !== "false") errors[name] = ["must be true or false"];
    return text === "true";
  };
  const size = Math.min(count("pageSize") || PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX);
  const number = count("page") || 1;
  const isFirst = flag("First");
  const isAll = flag("All");
  const range = timeRange(values.get("timeframe") ?? "all", now);
  if (!range)
    errors["timeframe"] = [
      "must be all, today, yesterday, week, month, year, like 30d, 4w, 6m, 1y, or an ISO 8601 duration or interval, like P30D or 2026-01-01/2026-01-31",
    ];
  if (!range || Object.keys(errors).length > 0) return { errors };
  const page: ListPage = isFirst ? { kind: "first" } : isAll ? { kind: "all" } : { kind: "page", number, size };
  return { page, range };
}

/** Returns the sequence numbers of a page of `low` to `high`, the newest first; `high < low` if there are none. */
export function slice(page: ListPage, { low, high }: { low: number; high: number }): { low: number; high: number } {
  if (page.kind === "first") return { low: Math.max(low, high), high };
  if (page.kind === "all") return { low: Math.max(low, high - ALL_MAX + 1), high };
  const top = high - (page.number - 1) * page.size;
  return { low: Math.max(low, top - page.size + 1), high: top };
}
