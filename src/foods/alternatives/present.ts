import type { FoundAlternative, Ratings } from "./alternatives.ts";
import type { Alternative } from "./schema.ts";

const GRADES = ["A", "B", "C", "D", "E"];

/** Returns an alternative as it is shown. `own` are the ratings of the food that it replaces. */
export function presentAlternative({ rated, use }: FoundAlternative, own: Ratings): Alternative {
  const { food, co2eGPerKg, carbonRating, healthRating, carbonDataSource } = rated;
  const carbon = compared("climate", carbonRating, own.carbonRating);
  const health = compared("health", healthRating, own.healthRating);
  return {
    foodId: food.id,
    name: food.name,
    use,
    co2ePerKg: co2eGPerKg / 1_000,
    carbonImpactRating: carbonRating,
    healthImpactRating: healthRating,
    carbonDataSource,
    text: `${food.name}, used for the same (${use}): ${carbon}, ${health}.`,
  };
}

function compared(what: string, other: number, own: number): string {
  const grade = GRADES[other - 1]!;
  return other === own ? `${what} ${grade} as well` : `${what} ${grade} instead of ${GRADES[own - 1]!}`;
}
