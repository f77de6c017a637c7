// Who lives in the sample application, and what they eat and buy. Pure, by a seed.
import type { Food, Meal, ProgramDefinition } from "rewards-service-sdk";

/** Invented people; the domain is reserved for examples. */
const NAMES = [
  "Robin Example",
  "Kim Sample",
  "Alex Moss",
  "Sam Fern",
  "Noor Vale",
  "Jo Hazel",
  "Mika Stone",
  "Lou Brook",
  "Ari Heath",
  "Toni Marsh",
  "Remy Field",
  "Sasha Wold",
  "Nico Lark",
  "Charlie Reed",
  "Yuki Thorn",
  "Dana Birch",
  "Eli Rowan",
  "Max Clover",
  "Uma Lake",
  "Finn Sedge",
] as const;
export const PEOPLE = NAMES.map((name) => {
  const [firstName = "", lastName = ""] = name.split(" ");
  return { email: `${firstName}.${lastName}@example.org`.toLowerCase(), firstName, lastName, country: "GB" };
});

/** Foods that the catalogue has, from those that earn most to those that earn least. */
const KNOWN = [
  "Red lentils",
  "Carrots",
  "Porridge oats",
  "Apple",
  "Tomatoes",
  "Brown rice",
  "Wholemeal bread",
  "Spinach",
  "Greek yogurt",
  "Chicken breast",
  "Cheddar",
  "Butter",
  "Beef mince",
  "Milk chocolate",
] as const;
/** What people type and nobody knows yet: each more often than the next. */
const UNKNOWN = ["Zimbo bites", "Grandma's stew", "Qurri bowl deluxe", "Veggo crunch", "Plonk mix 7"] as const;

/** Weeks to come are better than the weeks before: people learn. */
const LEARNED_IN_DAYS = 60;

export type Random = () => number;

/** Random numbers from 0 to 1, the same for a seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<Each>(random: Random, list: readonly Each[]): Each {
  return list[Math.floor(random() * list.length)]!;
}

/** A food by its name; later days have more of the better ones. */
function foodName(random: Random, day: number): string {
  const better = random() ** (1 + day / LEARNED_IN_DAYS);
  return KNOWN[Math.floor(better * KNOWN.length)]!;
}

/** A meal of one to four ingredients; now and then one that nobody knows. */
export function mealOf(random: Random, userId: string, day: number, loggedAt: Date): Meal {
  const names = new Set(Array.from({ length: 1 + Math.floor(random() * 4) }, () => foodName(random, day)));
  for (let n = 0; n < 2; n += 1) {
    if (random() < 0.3) names.add(UNKNOWN[Math.floor(random() ** 2 * UNKNOWN.length)]!);
  }
  return {
    userId,
    logId: `meal-${loggedAt.getTime()}`,
    mealName: pick(random, ["Stew", "Curry", "Salad", "Soup", "Bowl"]),
    imageUrl: "https://example.org/meal.jpg",
    loggedAt: loggedAt.toISOString(),
    mealType: pick(random, ["breakfast", "lunch", "dinner"]),
    country: "GB",
    ingredients: [...names].map((name, i) => ({
      foodId: `own-${i}`,
      name,
      weight: 40 + 10 * Math.floor(random() * 20),
      unit: "g",
    })),
  };
}

/** A single food. */
export function foodOf(random: Random, userId: string, day: number, at: Date): Food {
  return {
    userId,
    logId: `food-${at.getTime()}`,
    foodId: "own-food",
    name: foodName(random, day),
    imageUrl: "https://example.org/food.jpg",
    merchant: { name: "Larkmeadow Market" },
    weight: 50 + 10 * Math.floor(random() * 15),
    unit: "g",
    nutrition: {},
  };
}

/** The programme from the first day on: limits, a campaign, tiers and bonuses. */
export function programOf(firstDay: string, lastDay: string): ProgramDefinition {
  return {
    name: "Greener baskets",
    timeZone: "Europe/London",
    points: { receipt: { multiplier: 1.25, pointsMax: 120 }, meal: { pointsMax: 30 }, food: { multiplier: 0.5 } },
    limits: { day: { points: 120 } },
    campaigns: [
      {
        id: "vegetable-weekends",
        name: "Vegetable weekends",
        from: firstDay,
        till: lastDay,
        when: { foodGroups: ["vegetable", "legume"], weekdays: ["sat", "sun"] },
        effect: { multiplier: 2 },
        budget: 2_000,
      },
    ],
    tiers: {
      by: "rolling_12_months",
      levels: [
        { tier: "bronze", name: "Sprout", from: 0 },
        { tier: "silver", name: "Leaf", from: 150, multiplier: 1.1 },
        { tier: "gold", name: "Tree", from: 400, multiplier: 1.25 },
      ],
    },
    bonuses: {
      welcome: { points: 25, on: "enrolment" },
      streaks: [{ id: "three-days", every: "day", length: 3, points: 10 }],
    },
  };
}

/** Rewards of the catalogue; one has few left. */
export const REWARDS = [
  { name: "A free coffee", points: 20, stock: 200, codes: "made", category: "Drinks", brand: "Bean Corner" },
  { name: "Vegetable box", points: 60, stock: 12, codes: "made", category: "Food", brand: "Larkmeadow Market" },
  { name: "Cooking class", points: 150, stock: 3, codes: "none", category: "Learning" },
] as const;

/** Sample receipts by day of the month; those that are optional are left out on a slow machine. */
export const RECEIPTS: readonly { readonly day: number; readonly sample: string; readonly isOptional?: true }[] = [
  { day: 2, sample: "completed" },
  { day: 5, sample: "completed_de" },
  { day: 7, sample: "no_valid_food_items" },
  { day: 9, sample: "completed", isOptional: true },
  { day: 12, sample: "completed", isOptional: true },
  { day: 14, sample: "merchant_name_not_found" },
  { day: 16, sample: "completed_de", isOptional: true },
  { day: 18, sample: "already_exists" },
  { day: 20, sample: "completed", isOptional: true },
  { day: 22, sample: "not_authentic" },
  { day: 23, sample: "completed", isOptional: true },
  { day: 25, sample: "internal_error" },
  { day: 26, sample: "held" },
  { day: 27, sample: "completed" },
  { day: 28, sample: "held" },
  { day: 29, sample: "held" },
];
