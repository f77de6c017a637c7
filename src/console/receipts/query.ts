// The search of the list: the fields of its form, and the query of the API that they mean. Pure.
import { DAY_MS } from "../../time.ts";

/** The fields of the form, as they were typed. */
export const SEARCH_FIELDS = [
  "state",
  "errorCode",
  "check",
  "merchant",
  "userId",
  "transactionId",
  "from",
  "until",
] as const;
export type Search = Readonly<Record<(typeof SEARCH_FIELDS)[number], string>> & { readonly before: string };

/** Receipts of a page. */
export const PAGE_SIZE = 25;

const TEXT_MAX = 255;

/** Reads the fields of the form; others are ignored. */
export function readSearch(query: unknown): Search {
  const given = (typeof query === "object" && query !== null ? query : {}) as Readonly<Record<string, unknown>>;
  const text = (name: string) => {
    const value = given[name];
    return typeof value === "string" ? value.trim().slice(0, TEXT_MAX) : "";
  };
  const fields = SEARCH_FIELDS.map((name) => [name, text(name)]);
  return { ...(Object.fromEntries(fields) as Search), before: text("before") };
}

/** Returns the fields that were filled in, for the address of another page of the same search. */
export function filledIn(search: Search): Record<string, string> {
  return Object.fromEntries(SEARCH_FIELDS.flatMap((name) => (search[name] === "" ? [] : [[name, search[name]]])));
}

/** Returns the query of GET /track/receipts. Days are UTC; the last one is included. */
export function apiQuery(search: Search): Record<string, string> {
  const { state, errorCode, check, merchant, userId, transactionId, from, until, before } = search;
  const query: Record<string, string> = { pageSize: String(PAGE_SIZE) };
  if (state === "held") query["held"] = "true";
  else if (state === "disputed") query["disputed"] = "true";
  else if (state !== "") query["status"] = state;
  for (const [name, value] of Object.entries({ errorCode, check, merchant, userId, transactionId, before })) {
    if (value !== "") query[name] = value;
  }
  const since = startOf(from);
  const last = startOf(until);
  if (since !== null) query["since"] = new Date(since).toISOString();
  if (last !== null) query["until"] = new Date(last + DAY_MS).toISOString();
  return query;
}

function startOf(day: string): number | null {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}
