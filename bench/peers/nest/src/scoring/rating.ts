import type { Food } from "../entities/food.entity.js";
import type { NutritionDto, TrackFoodDto } from "../intakes/track-food.dto.js";
import type { ScoredFood } from "./scored-food.js";

const GRAMS: Record<string, number> = { g: 1, kg: 1_000, mg: 0.001, ml: 1, l: 1_000, oz: 28.35, lb: 453.6, cup: 240 };

// Nutri-Score 2023. Each threshold that a value exceeds is a point.
const GENERAL = {
  energyKj: [335, 670, 1005, 1340, 1675, 2010, 2345, 2680, 3015, 3350],
  sugarG: [3.4, 6.8, 10, 14, 17, 20, 24, 27, 31, 34, 37, 41, 44, 48, 51],
  proteinG: [2.4, 4.8, 7.2, 9.6, 12, 14, 17],
  fruitsPoints: [0, 1, 2, 5],
  grades: [0, 2, 10, 18],
};
const BEVERAGE = {
  energyKj: [30, 90, 150, 210, 240, 270, 300, 330, 360, 390],
  sugarG: [0.5, 2, 3.5, 5, 6, 7, 8, 9, 10, 11],
  proteinG: [1.2, 1.5, 1.8, 2.1, 2.4, 2.7, 3],
  fruitsPoints: [0, 2, 4, 6],
  grades: [-Infinity, 2, 6, 9],
};
const SATURATED_FAT_G = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const SALT_G = Array.from({ length: 20 }, (_, i) => (i + 1) / 5);
const FIBER_G = [3, 4.1, 5.2, 6.3, 7.4];
const FRUITS_PCT = [40, 60, 80];
const CO2E_PER_KG = [1, 2, 4, 8];
const KJ_PER_KCAL = 4.184;

/** Points of a rating from 1 to 5. */
const POINTS = [0, 5, 4, 2, 1, 0];
const POINTS_MAX = 25;
const PORTION_G = 20;

export function rate(food: Food, dto: TrackFoodDto): ScoredFood {
  const grams = dto.weight * (GRAMS[dto.unit.toLowerCase()] ?? 1);
  const quantity = dto.quantity ?? 1;
  const healthImpactRating = healthRating(food, dto.nutrition, grams);
  const carbonImpactRating = 1 + CO2E_PER_KG.filter((limit) => food.co2ePerKg >= limit).length;
  const units = Math.min(quantity, (grams * quantity) / PORTION_G, 5);
  const [health, carbon] = [POINTS[healthImpactRating]!, POINTS[carbonImpactRating]!];
  const totalPoints = Math.min(POINTS_MAX, Math.floor(((health + carbon) * units) / 2));
  const totalHealthPoints = health + carbon === 0 ? 0 : Math.round((totalPoints * health) / (health + carbon));
  return {
    foodId: dto.foodId,
    name: dto.name,
    imageUrl: dto.imageUrl,
    weight: dto.weight,
    unit: dto.unit,
    quantity,
    amount: dto.amount ?? 1,
    currency: dto.currency ?? "GBP",
    carbonImpactRating,
    healthImpactRating,
    co2e: (food.co2ePerKg * grams * quantity) / 1_000,
    totalPoints,
    totalCarbonPoints: totalPoints - totalHealthPoints,
    totalHealthPoints,
  };
}

/** By the nutrition as sent for the weight; what was not sent is the food's. */
function healthRating(food: Food, sent: NutritionDto, grams: number): number {
  const tables = food.category === "beverage" ? BEVERAGE : GENERAL;
  const per100 = (value: number | undefined, otherwise: number): number =>
    value === undefined ? otherwise : (value / grams) * 100;
  const negative =
    points(tables.energyKj, per100(sent.energyKcal, food.energyKcal) * KJ_PER_KCAL) +
    points(tables.sugarG, per100(sent.sugarG, food.sugarG)) +
    points(SATURATED_FAT_G, per100(sent.saturatedFatG, food.saturatedFatG)) +
    points(SALT_G, per100(sent.saltG, food.saltG));
  const fruits = points(FRUITS_PCT, sent.fruitsVegetablesLegumesPct ?? food.fruitsVegetablesLegumesPct);
  const protein = negative < 11 ? points(tables.proteinG, per100(sent.proteinG, food.proteinG)) : 0;
  const positive = points(FIBER_G, per100(sent.fiberG, food.fiberG)) + tables.fruitsPoints[fruits]! + protein;
  return 1 + tables.grades.filter((limit) => negative - positive > limit).length;
}

function points(thresholds: number[], value: number): number {
  return thresholds.filter((threshold) => value > threshold).length;
}
