import type { Food, Meal } from "rewards-service-sdk";

/** The person who earns the points. The address has a domain that is reserved for examples. */
export const PERSON = { email: "robin@example.org", firstName: "Robin", lastName: "Example", country: "GB" };

/** The contents of the receipt's photo, as the shopper declares them. */
export const RECEIPT = { merchantName: "Larkmeadow Market", amount: 22.68 };

/** Returns a meal logged at `loggedAt`. */
export function meal(userId: string, loggedAt: Date): Meal {
  const ingredient = (foodId: string, name: string, weight: number) => ({ foodId, name, weight, unit: "g" });
  return {
    userId,
    logId: "demo-meal",
    mealName: "Lentil curry with rice",
    imageUrl: "https://example.org/lentil-curry.jpg",
    loggedAt: loggedAt.toISOString(),
    mealType: "dinner",
    country: "GB",
    ingredients: [
      ingredient("f-1", "Red lentils", 80),
      ingredient("f-2", "Brown rice", 75),
      ingredient("f-3", "Chopped tomatoes", 200),
      ingredient("f-4", "Spinach", 60),
      ingredient("f-5", "Olive oil", 10),
    ],
  };
}

/** Returns a single food with its nutrition for the stated weight, as on its label. */
export function food(userId: string, logId: string): Food {
  return {
    userId,
    logId,
    foodId: "f-6",
    name: "Greek yogurt",
    imageUrl: "https://example.org/yogurt.jpg",
    merchant: { name: "Larkmeadow Market" },
    weight: 150,
    unit: "g",
    nutrition: { energyKcal: 146, proteinG: 13.5, carbsG: 6, fatG: 7.5, sugarG: 6, fiberG: 0, saltG: 0.15 },
  };
}
