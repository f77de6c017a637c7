import type { UnknownName } from "../../unknown-names/schema.ts";

/** What a name is to mean, as it is in addresses and forms: a food, or not a food; at one merchant or at any. */
export interface Meaning {
  /** Null: not a food. */
  readonly foodId: string | null;
  /** Empty: at any merchant. */
  readonly merchantName: string;
}

/** Reads the meaning of an address or form; null: none was chosen. */
export function meaningIn(fields: URLSearchParams): Meaning | null {
  const merchantName = (fields.get("merchantName") ?? "").trim().slice(0, 255);
  const means = (fields.get("means") ?? "").slice(0, 300);
  if (means === "not-food") return { foodId: null, merchantName };
  return means.startsWith("food:") && means.length > 5 ? { foodId: means.slice(5), merchantName } : null;
}

/** The meaning as the fields of a form. */
export function fieldsOfMeaning({ foodId, merchantName }: Meaning): Record<string, string> {
  const means = foodId === null ? "not-food" : `food:${foodId}`;
  return { means, ...(merchantName !== "" && { merchantName }) };
}

/** The meaning as the API takes it in a body; in a query `notFood` is a text. */
export function bodyOfMeaning({ foodId, merchantName }: Meaning): object {
  return { ...(foodId === null ? { notFood: true } : { foodId }), ...(merchantName !== "" && { merchantName }) };
}

/** The filters and the page of the list, which all pages keep, so that one returns to the same place. */
export interface Place {
  readonly page: number;
  readonly timeframe: string;
  readonly spendIn: string;
}

export const TIMEFRAMES = ["all", "30d", "7d", "1d"] as const;

/** Reads the place of an address. */
export function placeIn(query: URLSearchParams, page: number): Place {
  const timeframe = TIMEFRAMES.find((each) => each === query.get("timeframe")) ?? "all";
  const currency = (query.get("spendIn") ?? "").trim().toUpperCase();
  return { page, timeframe, spendIn: /^[A-Z]{3}$/.test(currency) ? currency : "" };
}

/** The place as a query, without what is the default. */
export function queryOfPlace({ page, timeframe, spendIn }: Place): Record<string, string> {
  return {
    ...(page > 1 && { page: String(page) }),
    ...(timeframe !== "all" && { timeframe }),
    ...(spendIn !== "" && { spendIn }),
  };
}

/** A page of unknown names. */
export interface ListedNames {
  readonly names: readonly UnknownName[];
  readonly count: number;
}
