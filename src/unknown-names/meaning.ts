import { NOT_FOOD_ID } from "../foods/catalogue/catalogue.ts";
import type { NewAlias } from "../foods/aliases/alias.ts";
import type { Errors } from "../problems.ts";
import type { MeaningBody } from "./schema.ts";

/** The meaning of a name as a new alias, or the errors. What it names is checked when it is used. */
export function aliasFor(
  name: string,
  { foodId, gtin, notFood, merchantName }: MeaningBody,
): NewAlias | { errors: Errors } {
  if ([foodId, gtin, notFood].filter((each) => each !== undefined).length !== 1) {
    return { errors: { foodId: ["is required, or a gtin, or notFood, and only one of them"] } };
  }
  const food = notFood ? NOT_FOOD_ID : (foodId ?? null);
  return { name, merchantName: merchantName?.trim() || null, foodId: food, gtin: gtin ?? null };
}

const TEXT_LENGTH_MAX = 255;

/** Reads a meaning from a query, each value at most once, or returns its errors. */
export function readMeaning(query: { get(name: string): string | null }): MeaningBody | { errors: Errors } {
  const errors: Errors = {};
  const meaning: Record<string, string | true> = {};
  for (const parameter of ["foodId", "gtin", "merchantName"] as const) {
    const value = query.get(parameter);
    if (value === null) continue;
    if (value.length > TEXT_LENGTH_MAX) errors[parameter] = [`must not be longer than ${TEXT_LENGTH_MAX} characters`];
    if (value.includes("\0")) errors[parameter] = ["must not hold the character NUL"];
    if (value.trim() === "" && parameter !== "merchantName") errors[parameter] = ["must not be empty"];
    meaning[parameter] = value;
  }
  const notFood = query.get("notFood");
  if (notFood !== null && notFood !== "true") errors["notFood"] = ["must be true"];
  if (notFood === "true") meaning["notFood"] = true;
  return Object.keys(errors).length > 0 ? { errors } : meaning;
}
