import { nutriScore2023 } from "./nutri-score.ts";
import type { NutriScore } from "./nutri-score.ts";
import { nutrientsOf } from "../nutrition/nutrition.ts";
import type { Per100 } from "../nutrition/nutrition.ts";
import type { RatedFood } from "./rate.ts";

/**
 * Returns a meal's grade for health: all of its food as one general food, from the summed nutrition by mass. It
 * counts as red meat where red meat has most of the protein. Plain water counts only alone, or a glass of it would
 * improve any meal.
 */
export function mealHealth(items: readonly Pick<RatedFood, "massMg" | "per100" | "redMeat" | "isWater">[]): NutriScore {
  const eaten = items.some(({ isWater }) => !isWater) ? items.filter(({ isWater }) => !isWater) : items;
  const massMg = eaten.reduce((sum, item) => sum + item.massMg, 0);
  const mean = (field: keyof Per100) =>
    massMg > 0 ? eaten.reduce((sum, item) => sum + item.per100[field] * item.massMg, 0) / massMg : 0;
  const proteinOf = (list: typeof eaten) => list.reduce((sum, item) => sum + item.per100.proteinG * item.massMg, 0);
  const redMeat = 2 * proteinOf(eaten.filter((item) => item.redMeat)) > proteinOf(eaten);
  const score = nutriScore2023({
    category: "general",
    redMeat,
    nonNutritiveSweetener: false,
    per100: nutrientsOf(
      {
        energyKcal: mean("energyKcal"),
        proteinG: mean("proteinG"),
        carbsG: mean("carbsG"),
        sugarG: mean("sugarG"),
        fatG: mean("fatG"),
        saturatedFatG: mean("saturatedFatG"),
        fiberG: mean("fiberG"),
        saltG: mean("saltG"),
        fvlPct: mean("fvlPct"),
      },
      1,
    ),
  });
  if (!score) throw new Error("The class general always has a Nutri-Score");
  return score;
}
