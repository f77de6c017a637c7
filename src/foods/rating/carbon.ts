import type { FoodCarbon } from "../catalogue/catalogue.ts";
import type { Rating } from "./nutri-score.ts";

/** The rating method a record was made with: classes of kg CO2e per kg of food as sold, farm to shop shelf. */
const CARBON_METHOD = "co2e-per-kg/1";

/** Upper bounds of A, B, C and D in kg CO2e per kg, exclusive: each class is twice the one before it. */
const CARBON_CLASS_LIMITS = [1, 2, 4, 8] as const;

/** The CO2e of one item with its rating. All masses are whole milligrams. */
export interface CarbonFootprint {
  co2eMg: number;
  co2eLowMg: number;
  co2eHighMg: number;
  co2eGPerKg: number;
  carbonRating: Rating;
  /** Low and high lie more than one class apart. */
  ratingUncertain: boolean;
  carbonMethod: string;
  carbonDataSource: string;
}

/** 1 (A) below 1 kg CO2e per kg, 2 below 2, 3 below 4, 4 below 8, else 5 (E); each lower bound belongs to its class. */
export function carbonRating(kgCo2ePerKg: number): Rating {
  return (1 + CARBON_CLASS_LIMITS.filter((limit) => kgCo2ePerKg >= limit).length) as Rating;
}

/** Returns the rating of a food. A concentrate is rated as prepared, or ground coffee would always be E. */
export function carbonRatingOf(carbon: FoodCarbon): Rating {
  return carbonRating(kgPerKgEaten(carbon));
}

/** Returns the footprint of a mass of food. The CO2e is that of the mass bought. */
export function carbonFootprint(carbon: FoodCarbon, massMg: number): CarbonFootprint {
  const co2eMg = Math.round((carbon.co2eGPerKg * massMg) / 1_000);
  const kgPerKg = kgPerKgEaten(carbon);
  const low = carbonRating(kgPerKg / carbon.uncertaintyK);
  const high = carbonRating(kgPerKg * carbon.uncertaintyK);
  return {
    co2eMg,
    co2eLowMg: Math.round(co2eMg / carbon.uncertaintyK),
    co2eHighMg: Math.round(co2eMg * carbon.uncertaintyK),
    co2eGPerKg: carbon.co2eGPerKg,
    carbonRating: carbonRating(kgPerKg),
    ratingUncertain: high - low > 1,
    carbonMethod: CARBON_METHOD,
    carbonDataSource: carbon.source,
  };
}

function kgPerKgEaten({ co2eGPerKg, reconstitution }: FoodCarbon): number {
  return co2eGPerKg / 1_000 / (reconstitution ?? 1);
}

/** Returns the rating of a meal: total CO2e by the total mass of the rated items. Null where nothing has a mass. */
export function mealCarbonRating(items: readonly { co2eMg: number; massMg: number }[]): Rating | null {
  const co2eMg = items.reduce((sum, item) => sum + item.co2eMg, 0);
  const massMg = items.reduce((sum, item) => sum + item.massMg, 0);
  return massMg > 0 ? carbonRating(co2eMg / massMg) : null;
}
