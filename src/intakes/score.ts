import type { LookupItem } from "../foods/lookup/lookup.ts";
import { mealHealth } from "../foods/rating/meal-health.ts";
import { mealCarbonRating } from "../foods/rating/carbon.ts";
import type { Rating } from "../foods/rating/nutri-score.ts";
import type { ItemInput, ItemRater } from "../foods/lookup/item-rater.ts";
import { toMinor } from "../points/money.ts";
import { PARTNER_TYPE } from "../points/codes.ts";
import { composeRecord } from "../points/record.ts";
import type { ComposedRecord } from "../points/record.ts";
import { exclusionReason, scoredLine } from "../points/scored-line.ts";
import type { ExclusionReason, ScoredLine } from "../points/scored-line.ts";
import type { Terms } from "../points/terms.ts";
import type { IntakeErrorType } from "../webhooks/event.ts";
import type { IntakeSource } from "./intake.ts";
import type { Submission, SubmittedIngredient } from "./schema.ts";
import type { Portion } from "./status-schema.ts";

/** A submission that earned nothing, with the reason and the items left out of its rating. */
export interface FailedScoring {
  readonly kind: "failed";
  readonly errorType: IntakeErrorType;
  readonly errorMessage: string;
  readonly excluded: readonly { name: string; exclusionReason: ExclusionReason }[];
}

/** A submission's ratings and points. `portions` has the weight of each item of the record. */
export interface Scored {
  readonly kind: "scored";
  readonly record: ComposedRecord;
  /** The terms that it was scored under. */
  readonly terms: Terms;
  readonly portions: readonly Portion[];
  /** Rating of the meal as a whole, or of the food. */
  readonly carbonRating: Rating;
  readonly healthRating: Rating;
}

const DEFAULT_CURRENCY = "GBP";
const DEFAULT_AMOUNT = 1;

/** The rating of one item. */
type ItemRating = ReturnType<ItemRater["rate"]>;

/**
 * Awards the points of a submission whose items are rated: `ratings` are those of `itemsToRate`, in order.
 * Deterministic for the same ratings and terms. A meal's age counts up to `acceptedAt`. Of several failures the first
 * in this order is reported: too old, a missing currency, no valid food, anything else missing.
 */
export function scoreSubmission(
  intake: { id: string; source: IntakeSource; submission: Submission; acceptedAt: Date },
  ratings: readonly ItemRating[],
  mealWindowMs: number,
  terms: Terms,
): Scored | FailedScoring {
  const { source, submission } = intake;
  if (source === "meal" && intake.acceptedAt.getTime() - Date.parse(submission.loggedAt) > mealWindowMs) {
    return failed("OLD_MEAL_LOG", "the meal was logged outside of the allowed time window");
  }
  const ingredients = ingredientsOf(submission);
  const unpriced = ingredients.findIndex(({ amount, currency }) => amount !== null && currency === null);
  if (unpriced >= 0) {
    return failed("DATA_INCOMPLETE", `${pathOf(source, unpriced, "currency")} is required with an amount`);
  }

  const currency = ingredients.find(({ amount }) => amount !== null)?.currency ?? DEFAULT_CURRENCY;
  const { lines, totalAmountMinor, portions, excluded, incomplete } = tallyOf(intake, ratings, currency);
  const rated = ratings.filter((rating) => rating.kind === "rated");
  if (rated.length === 0 && incomplete === undefined) {
    return { ...failed("NO_VALID_FOOD_ITEMS", "no valid food items found"), excluded };
  }
  if (incomplete !== undefined) return { ...failed("DATA_INCOMPLETE", incomplete), excluded };

  const record = composeRecord(
    source,
    {
      reference: submission.reference,
      brand: merchantOf(submission)?.name ?? "",
      logo: merchantOf(submission)?.logo ?? "",
      location: submission.location,
      partnerType: PARTNER_TYPE.unspecified,
      timestamp: submission.loggedAt,
      currency,
      totalAmountMinor,
    },
    lines,
    terms,
  );
  const only = source === "food" ? rated[0] : undefined;
  return {
    kind: "scored",
    record,
    terms,
    portions,
    carbonRating: only?.carbonRating ?? mealCarbonRating(rated) ?? rated[0]!.carbonRating,
    healthRating: only?.healthRating ?? mealHealth(rated).rating,
  };
}

/** Sums up the ratings of a submission's items. `incomplete` names the first item that cannot be rated. */
function tallyOf(
  { id, source, submission }: { id: string; source: IntakeSource; submission: Submission },
  ratings: readonly ItemRating[],
  currency: string,
) {
  const lines: ScoredLine[] = [];
  const portions: Portion[] = [];
  const excluded: { name: string; exclusionReason: ExclusionReason }[] = [];
  let totalAmountMinor = 0;
  let incomplete: string | undefined;
  for (const [i, ingredient] of ingredientsOf(submission).entries()) {
    const rating = ratings[i]!;
    if (rating.kind === "incomplete") {
      incomplete ??= `${pathOf(source, i, rating.field)} ${rating.message}`;
      continue;
    }
    const { foodId: externalId, name, imageUrl, quantity } = ingredient;
    const amountMinor = toMinor(ingredient.amount ?? DEFAULT_AMOUNT, currency);
    const facts = { id: `${id}-${i + 1}`, externalId, name, cleanedName: name.trim(), imageUrl, quantity, amountMinor };
    lines.push(scoredLine({ ...facts, soldByWeight: false }, rating));
    if (rating.kind === "excluded") {
      excluded.push({ name, exclusionReason: exclusionReason(rating.reason) });
    } else {
      totalAmountMinor += amountMinor;
      portions.push(portionOf(ingredient, rating));
    }
  }
  return { lines, totalAmountMinor, portions, excluded, incomplete };
}

/** The path of an item's field in the request body. */
function pathOf(source: IntakeSource, i: number, field: string): string {
  return source === "meal" ? `ingredients[${i}].${field}` : field;
}

/** The items of a submission as they are rated. */
export function itemsToRate(submission: Submission): ItemInput[] {
  return ingredientsOf(submission).map((ingredient) => ({
    ...ingredient,
    merchants: merchantsOf(ingredient, submission),
  }));
}

/** The items of a submission to look up before it is scored. */
export function lookupItems(intake: { applicationId: string; submission: Submission }): LookupItem[] {
  const { applicationId, submission } = intake;
  return ingredientsOf(submission).map((ingredient) => ({
    applicationId,
    foodId: ingredient.foodId,
    name: ingredient.name,
    merchants: merchantsOf(ingredient, submission),
  }));
}

/** The items of a submission; a meal without ingredients is its own only one. */
export function ingredientsOf(submission: Submission): readonly SubmittedIngredient[] {
  return submission.ingredients.length > 0 ? submission.ingredients : [mealAsIngredient(submission)];
}

/** Names of the merchants of one ingredient. */
export function merchantsOf(ingredient: SubmittedIngredient, submission: Submission): string[] {
  const name = (ingredient.merchant ?? submission.merchant)?.name;
  return name ? [name] : [];
}

/** A meal sent without ingredients is matched by its name. */
function mealAsIngredient(meal: Submission): SubmittedIngredient {
  return {
    foodId: "",
    name: meal.name,
    imageUrl: meal.imageUrl,
    merchant: null,
    weight: null,
    unit: null,
    quantity: 1,
    amount: null,
    currency: null,
    nutrition: null,
  };
}

/** The food's merchant, else the first merchant of an ingredient. */
function merchantOf(submission: Submission) {
  return submission.merchant ?? submission.ingredients.find(({ merchant }) => merchant?.name)?.merchant ?? null;
}

function portionOf(
  ingredient: SubmittedIngredient,
  rating: { weightAssumed: boolean; weightGPerUnit: number },
): Portion {
  const { weight, unit } = ingredient;
  return {
    ...(weight !== null && unit !== null ? { weight, unit } : { weight: rating.weightGPerUnit, unit: "g" }),
    isAssumed: rating.weightAssumed,
    isAmountDefaulted: ingredient.amount === null,
  };
}

function failed(errorType: IntakeErrorType, errorMessage: string): FailedScoring {
  return { kind: "failed", errorType, errorMessage, excluded: [] };
}
