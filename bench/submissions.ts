/** Submissions of the generator and the measurements; the same for the same number. */

/** Names of foods as on tills, labels and in diaries; most are in the catalogue, some are not. */
const NAMES = [
  "Red lentils 500 g",
  "Wholemeal bread",
  "Beef mince 12 % fat",
  "Semi-skimmed milk",
  "Banana",
  "Cheddar cheese mature",
  "Basmati rice",
  "Free range eggs",
  "Broccoli",
  "Salmon fillet",
  "Oat drink barista",
  "Chicken breast",
  "Greek yoghurt",
  "Tomatoes on the vine",
  "Dark chocolate 70 %",
  "Tofu, natural",
  "Apple juice",
  "Pasta penne",
  "Olive oil extra virgin",
  "House special number four",
];

const NUTRITION = { energyKcal: 80, proteinG: 3.4, carbsG: 18, fatG: 1.2, sugarG: 6, fiberG: 3, saltG: 0.1 };

const nameOf = (n: number): string => NAMES[n % NAMES.length]!;

/** The body of POST /track/food. */
export function food(userId: string, reference: string, n: number): object {
  return {
    userId,
    transactionId: reference,
    foodId: `food-${n % NAMES.length}`,
    name: nameOf(n),
    imageUrl: "https://images.example.org/food.jpg",
    merchant: { name: "Larkmeadow Market", country: "GB" },
    weight: 150,
    unit: "g",
    quantity: 1,
    amount: 1.45,
    currency: "GBP",
    nutrition: NUTRITION,
  };
}

/** A food with hardly more than it must have: ten million of them are to fit on a disk. */
export function leanFood(userId: string, reference: string, n: number): object {
  return { ...food(userId, reference, n), imageUrl: "x", merchant: { name: "Market" }, nutrition: { energyKcal: 80 } };
}

const INGREDIENTS = 8;

/** The body of POST /track/meals, with eight ingredients. */
export function meal(userId: string, reference: string, n: number): object {
  return {
    userId,
    transactionId: reference,
    mealName: `Dish of the day ${n}`,
    imageUrl: "https://images.example.org/meal.jpg",
    loggedAt: new Date().toISOString(),
    mealType: "lunch",
    country: "GB",
    ingredients: Array.from({ length: INGREDIENTS }, (_, i) => ({
      foodId: `ingredient-${i}`,
      name: nameOf(n * INGREDIENTS + i),
      weight: 60,
      unit: "g",
      nutrition: NUTRITION,
    })),
  };
}
