import type { Static } from "typebox";
import { parseInstant } from "../http/formats.ts";
import { bareMassMgOf } from "../foods/measures/quantity.ts";
import { MASS_MG_MAX } from "../foods/rating/rate.ts";
import { knownMembers } from "../http/schema-members.ts";
import type { Errors } from "../problems.ts";
import { MerchantBody, NutritionBody } from "./schema.ts";
import type { FoodBody, IngredientBody, MealBody, Submission, SubmittedIngredient } from "./schema.ts";

export type IntakeSource = "meal" | "food";

const METADATA_BYTES_MAX = 16 * 1024;
const METADATA_DEPTH_MAX = 32;
const FUTURE_MS_MAX = 24 * 3600 * 1000;
/** Of units whose mass depends on the food: that is judged when the food is known (rate.ts). */
const PIECES_MAX = 1e9;

/** Converts the body of a meal to a submission, or returns all errors that its schema cannot find. */
export function mealSubmission(body: Static<typeof MealBody>, now: Date): Submission | { errors: Errors } {
  const errors = referenceErrors(body);
  const loggedAtMs = parseInstant(body.loggedAt) ?? Number.NaN;
  if (loggedAtMs > now.getTime() + FUTURE_MS_MAX) errors["loggedAt"] = ["must not be more than 24 hours in the future"];
  const metadataError = body.metadata ? errorOfMetadata(body.metadata) : null;
  if (metadataError !== null) errors["metadata"] = [metadataError];
  const ingredients = (body.ingredients ?? []).map((ingredient, i) => {
    Object.assign(errors, weightErrors(ingredient, `ingredients[${i}].`));
    return submittedIngredient(ingredient);
  });
  const currency = ingredients.find((ingredient) => ingredient.currency !== null)?.currency;
  ingredients.forEach((ingredient, i) => {
    if (ingredient.currency !== null && ingredient.currency !== currency) {
      errors[`ingredients[${i}].currency`] = ["must be the same for all ingredients of a meal"];
    }
  });
  if (Object.keys(errors).length > 0) return { errors };
  return {
    reference: referenceIn(body),
    name: body.mealName,
    imageUrl: body.imageUrl,
    loggedAt: new Date(loggedAtMs).toISOString(),
    mealType: body.mealType,
    country: body.country ?? "",
    location: body.location ?? "",
    merchant: null,
    metadata: body.metadata ?? null,
    ingredients,
  };
}

/** Converts the body of a food to a submission, or returns all errors that its schema cannot find. */
export function foodSubmission(body: Static<typeof FoodBody>, now: Date): Submission | { errors: Errors } {
  const errors = { ...referenceErrors(body), ...weightErrors(body, "") };
  if (Object.keys(errors).length > 0) return { errors };
  return {
    reference: referenceIn(body),
    name: body.name,
    imageUrl: body.imageUrl,
    loggedAt: now.toISOString(),
    mealType: "",
    country: body.merchant.country ?? "",
    location: "",
    merchant: knownMembers(MerchantBody, body.merchant),
    metadata: null,
    // The default currency of a food is GBP. For an ingredient, an amount without currency is an error.
    ingredients: [submittedIngredient({ ...body, currency: body.currency ?? "GBP" })],
  };
}

/**
 * Checks the integrator's reference, which may have either of its two names. Also for bodies that break their schema,
 * so that one response has all errors; a reference that breaks its schema is skipped here.
 */
export function referenceErrors(body: unknown): Errors {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return {};
  const { logId, transactionId } = body as Partial<Record<"logId" | "transactionId", unknown>>;
  if (transactionId === undefined && logId === undefined) return { transactionId: ["is required (or logId)"] };
  if (typeof transactionId !== "string" || typeof logId !== "string" || logId === transactionId) return {};
  const error = ["must be equal where both transactionId and logId are given"];
  return { transactionId: error, logId: error };
}

/** The integrator's reference in a valid body. */
function referenceIn({ logId, transactionId }: { logId?: string; transactionId?: string }): string {
  return transactionId ?? logId ?? "";
}

interface Weighed {
  readonly weight?: number;
  readonly unit?: string;
  readonly quantity?: number;
}

function weightErrors({ weight = 0, unit, quantity = 1 }: Weighed, path: string): Errors {
  const massMg = bareMassMgOf(weight * quantity, unit ?? null);
  const isTooMuch = massMg === null ? weight * quantity > PIECES_MAX : massMg > MASS_MG_MAX;
  return isTooMuch ? { [`${path}weight`]: ["is more than 10,000 kg with its unit and quantity"] } : {};
}

function submittedIngredient(ingredient: Static<typeof IngredientBody>): SubmittedIngredient {
  return {
    foodId: ingredient.foodId,
    name: ingredient.name,
    imageUrl: ingredient.imageUrl ?? "",
    merchant: ingredient.merchant ? knownMembers(MerchantBody, ingredient.merchant) : null,
    weight: ingredient.weight ?? null,
    unit: ingredient.unit ?? null,
    quantity: ingredient.quantity ?? 1,
    amount: ingredient.amount ?? null,
    currency: ingredient.currency?.toUpperCase() ?? null,
    nutrition: ingredient.nutrition ? knownMembers(NutritionBody, ingredient.nutrition) : null,
  };
}

function errorOfMetadata(metadata: object): string | null {
  if (depthOf(metadata) > METADATA_DEPTH_MAX) {
    return `must not be nested more than ${METADATA_DEPTH_MAX} levels deep`;
  }
  if (!isWritable(metadata)) return "must not have a number that is too large";
  if (Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES_MAX) return "must not be larger than 16 KiB";
  return null;
}

/** Whether JSON can write every number: 1e400 is read as Infinity and would be stored as null. */
function isWritable(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isWritable);
}

/** Levels of objects and arrays. The nesting of bodies is already bounded here. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
