import { carbonFootprint } from "./carbon.ts";
import type { CarbonFootprint } from "./carbon.ts";
import { isEligible } from "../catalogue/catalogue.ts";
import type { Catalogue, Food, FoodCarbon, FoodKind, FoodNutrition } from "../catalogue/catalogue.ts";
import { gradeOf, nutriScore2023 } from "./nutri-score.ts";
import type { Grade, NutriScoreCategory, NutriScoreComponents, Rating } from "./nutri-score.ts";
import type { Matcher, NameSource } from "../matching/match.ts";
import { completeNutrition, nutrientsOf } from "../nutrition/nutrition.ts";
import type { NutritionBasis, NutritionFlag, Per100, SentNutrition } from "../nutrition/nutrition.ts";
import { bareMassMgOf, massMgOf, printedMassMg, readPrintedSize } from "../measures/quantity.ts";
import { mentionsState } from "../matching/raw-or-cooked.ts";

/**
 * One thing bought or eaten, as sent or read from a receipt. A line sold by weight has that weight and `quantity` 1.
 */
export interface RateInput {
  /** The application's own id of the food; one that is an id of the catalogue means that food. */
  foodId: string | null;
  name: string;
  /** The weight of one unit, in `unit`; null or 0: not stated. */
  weight: number | null;
  /** Null = grams. */
  unit: string | null;
  quantity: number;
  /** The nutrition of the stated weight of one unit. */
  nutrition: SentNutrition | null;
}

/** A problem of an item that its grade had to work around. */
export type HealthFlag = "health_class_nearest" | "unit_assumed" | NutritionFlag;

/** The details of a grade for health. */
export interface RatedHealth {
  /** The Nutri-Score class used. */
  class: NutriScoreCategory;
  grade: Grade;
  score: number;
  components: NutriScoreComponents;
  basis: NutritionBasis;
  imputed: (keyof Per100)[];
}

/** An item with both of its ratings and their details. */
export interface RatedFood extends CarbonFootprint {
  kind: "rated";
  food: { id: string; name: string };
  /** The confidence of the match, 0 to 1; 1 where the id was given. */
  confidence: number;
  /** The mass of all units together, at least 1. */
  massMg: number;
  weightGPerUnit: number;
  /** The weight is neither sent nor printed in the name: it is the usual portion or, on a receipt, the usual pack. */
  weightAssumed: boolean;
  /** The unit of `weightGPerUnit`. */
  unit: "g";
  healthRating: Rating;
  health: RatedHealth;
  per100: Per100;
  redMeat: boolean;
  /** Plain water: rated, earns nothing. */
  isWater: boolean;
  flags: HealthFlag[];
}

/** `low_confidence`: a food was found, but more likely a wrong than a right one. A kind: recognised, and not rated. */
export type ExclusionReason = "no_match" | "low_confidence" | Exclude<FoodKind, "food" | "water">;

/** An item that is not rated: unknown, or of an excluded kind. */
export interface ExcludedFood {
  kind: "excluded";
  reason: ExclusionReason;
  /** Null where the weight depends on an unknown food. */
  massMg: number | null;
  /** The thing recognised; null where nothing was. */
  food: { id: string; name: string } | null;
  confidence: number;
}

/** An item that is valid by the schema but has no weight, or an impossible one. */
export interface IncompleteFood {
  kind: "incomplete";
  field: "unit" | "weight";
  message: string;
}

/** The result of rating an item. */
export type RateResult = RatedFood | ExcludedFood | IncompleteFood;

/** Rates one item at a time. */
export interface Rater {
  rate: (input: RateInput, source: NameSource) => RateResult;
}

/**
 * Ten tonnes: no line of a meal or a receipt weighs more. With the highest footprint of a product (1,000 kg CO2e per
 * kg) it is 10^13 mg of CO2e, so that the sums of hundreds of items are exact numbers and fit the database.
 */
export const MASS_MG_MAX = 10_000_000_000;
/** A printed size above this was misread. */
const PRINTED_MASS_MG_MAX = 30_000_000;

/**
 * Creates a rater for the catalogue, which finds names by the matcher. The same input has the same result with the same
 * `catalogue.version`.
 */
export function createRater(catalogue: Catalogue, matcher: Matcher): Rater {
  return {
    rate: (input, source) => {
      const named = input.foodId === null ? undefined : catalogue.byId.get(input.foodId);
      const candidate = named
        ? { food: named, confidence: 1, accepted: true }
        : matcher.match(input.name, { source, limit: 1 })[0];
      const stated = input.weight !== null && input.weight > 0 ? input.weight : null;
      if (!candidate?.accepted) {
        const massMg = stated === null ? null : bareMassMgOf(stated * input.quantity, input.unit);
        return {
          kind: "excluded",
          reason: candidate ? "low_confidence" : "no_match",
          massMg: massMg !== null && massMg > MASS_MG_MAX ? null : massMg,
          food: null,
          confidence: candidate?.confidence ?? 0,
        };
      }
      const food = named ?? asWeighed(candidate.food, input, catalogue);
      const unitMassMg =
        stated === null ? unstatedMassMg(input.name, source, food) : statedMassMg(stated, input.unit, food);
      const massMg = unitMassMg && massOf(unitMassMg.massMg, input.quantity);
      if (!isEligible(food)) {
        return {
          kind: "excluded",
          reason: food.kind as ExcludedFood["reason"],
          massMg: massMg === null || massMg > MASS_MG_MAX || food.packG === 0 ? null : massMg,
          food: { id: food.id, name: food.name },
          confidence: candidate.confidence,
        };
      }
      if (unitMassMg === null || massMg === null) {
        return { kind: "incomplete", field: "unit", message: "is not a unit that a weight can be read from" };
      }
      if (massMg > MASS_MG_MAX) {
        return { kind: "incomplete", field: "weight", message: "is more than 10,000 kg with its unit and quantity" };
      }
      const { carbon, nutrition } = figuresOf(food);
      const completed = completeNutrition(input.nutrition, unitMassMg.massMg / 1_000, nutrition);
      const { health, rating, isWater, isNearest } = rateHealth(food, completed.per100);
      return {
        kind: "rated",
        food: { id: food.id, name: food.name },
        confidence: candidate.confidence,
        massMg,
        weightGPerUnit: unitMassMg.massMg / 1_000,
        weightAssumed: unitMassMg.isAssumed,
        unit: "g",
        ...carbonFootprint(carbon, massMg),
        healthRating: rating,
        health: { ...health, basis: completed.basis, imputed: completed.imputed },
        per100: completed.per100,
        redMeat: food.redMeat,
        isWater,
        flags: [
          ...(isNearest ? (["health_class_nearest"] as const) : []),
          ...(stated !== null && input.unit === null ? (["unit_assumed"] as const) : []),
          ...completed.flags,
        ],
      };
    },
  };
}

/** Groups whose raw and cooked forms differ by their water. Vegetables differ less than their samples do. */
const WEIGHED_EITHER_WAY = /^(?:grain|legume|fish|meat-.*)$/;

/**
 * Returns the form of a food that was weighed, raw or cooked: they differ by their water, so the energy sent decides.
 */
function asWeighed(food: Food, input: RateInput, catalogue: Catalogue): Food {
  const raw = food.state === "cooked" && food.parent !== null ? catalogue.byId.get(food.parent) : food;
  const cooked = raw && catalogue.cookedOf.get(raw.id);
  const energyKcal = input.nutrition?.energyKcal;
  if (
    !raw ||
    !cooked ||
    !WEIGHED_EITHER_WAY.test(raw.group) ||
    !energyKcal ||
    !input.weight ||
    mentionsState(input.name)
  )
    return food;
  const massMg = massMgOf(input.weight, input.unit, raw);
  if (!massMg) return food;
  const kcalPer100 = (energyKcal * 100_000) / massMg;
  const distance = (form: Food) => Math.abs(Math.log(kcalPer100 / Math.max(1, form.nutrition?.energyKcal ?? 1)));
  return distance(cooked) < distance(raw) ? cooked : raw;
}

interface UnitMass {
  massMg: number;
  isAssumed: boolean;
}

function statedMassMg(weight: number, unit: string | null, food: Food): UnitMass | null {
  const massMg = massMgOf(weight, unit, food);
  return massMg === null ? null : { massMg: Math.max(1, massMg), isAssumed: false };
}

function unstatedMassMg(name: string, source: NameSource, food: Food): UnitMass {
  if (source !== "receipt") return { massMg: food.portionG * 1_000, isAssumed: true };
  const { size } = readPrintedSize(name);
  const printed = size === null ? null : printedMassMg(size, food);
  if (printed !== null && printed > 0 && printed <= PRINTED_MASS_MG_MAX) return { massMg: printed, isAssumed: false };
  return { massMg: food.packG * 1_000, isAssumed: true };
}

function massOf(unitMassMg: number, quantity: number): number {
  return Math.max(1, Math.round(unitMassMg * quantity));
}

function figuresOf(food: Food): { carbon: FoodCarbon; nutrition: FoodNutrition } {
  if (!food.carbon || !food.nutrition) throw new Error(`${food.id} has no figures`);
  return { carbon: food.carbon, nutrition: food.nutrition };
}

/**
 * Returns the Nutri-Score of a food as prepared. Herbs, spices, tea, coffee and baby food have none: they are scored
 * as the nearest class, and flagged, so that every rated item has a grade.
 */
function rateHealth(food: Food, per100: Per100) {
  const isWater = food.kind === "water" && per100.sugarG <= 0.5 && per100.energyKcal <= 4;
  const factor = food.carbon?.reconstitution ?? 1;
  const isNearest = food.nutriScoreClass === "not_applicable";
  const category = nearestClass(food, isWater);
  const score = nutriScore2023({
    category,
    redMeat: food.redMeat,
    nonNutritiveSweetener: food.nonNutritiveSweetener,
    per100: nutrientsOf(per100, factor),
  });
  if (!score) throw new Error(`${food.id} has no Nutri-Score class`);
  const health = { class: category, grade: gradeOf(score.rating), score: score.score, components: score.components };
  return { health, rating: score.rating, isWater, isNearest };
}

function nearestClass(food: Food, isWater: boolean): Exclude<NutriScoreCategory, "not_applicable"> {
  if (food.nutriScoreClass === "water") return isWater ? "water" : "beverage";
  if (food.nutriScoreClass !== "not_applicable") return food.nutriScoreClass;
  return food.carbon?.reconstitution ? "beverage" : "general";
}
