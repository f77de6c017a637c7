// Programmes to show: one as it would be in force, and one with everything that a programme may have. Pure.
import type { ProgramDefinition } from "../../src/programs/definition.ts";
import { DAY_MS } from "../../src/time.ts";

const CAMPAIGNS = 50;
const PRODUCTS = 1_000;
const NAMED = 20;

const gtin = (n: number): string => String(4_000_000_000_000 + ((n * 7_919_317) % 999_999_999_999));
const dayIn = (now: Date, days: number): string => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
const grades = (most: number) => ({ A: most, B: most - 1, C: most - 2, D: 1, E: 0 });

const levels = [
  { tier: "bronze" as const, name: "Sprout", from: 0 },
  { tier: "silver" as const, name: "Leaf", from: 150, multiplier: 1.1 },
  { tier: "gold" as const, name: "Tree", from: 400, multiplier: 1.25 },
];

/** Limits, a campaign, tiers and bonuses. */
export function startedProgramme(now: Date): ProgramDefinition {
  return {
    name: "Greener baskets",
    timeZone: "Europe/London",
    points: { receipt: { multiplier: 1.25, pointsMax: 120 }, meal: { pointsMax: 30 }, food: { multiplier: 0.5 } },
    limits: { day: { points: 120 } },
    campaigns: [campaign(now, 0)],
    tiers: { by: "rolling_12_months", levels },
    bonuses: { streaks: [{ id: "three-days", every: "day", length: 3, points: 10 }] },
  };
}

/** All members, 50 campaigns of 20 products, 1,000 products that earn nothing. */
export function largestProgramme(now: Date): ProgramDefinition {
  const source = (most: number) => ({
    health: grades(most),
    climate: grades(most + 1),
    multiplier: 1.25,
    pointsMax: 120,
  });
  const limit = { points: 400, meals: 5, foodPoints: 100 };
  return {
    name: "All that there can be",
    timeZone: "Europe/London",
    points: { receipt: source(9), meal: source(7), food: source(5), rounding: "nearest" },
    limits: { day: limit, week: limit, month: limit },
    minimumSpend: { GBP: 5, EUR: 6, USD: 7, CHF: 8, SEK: 60, DKK: 40, PLN: 25 },
    eligible: {
      foodGroups: { except: ["sweet", "snack"] },
      merchants: { except: Array.from({ length: 200 }, (_, n) => `Corner Shop ${n}`) },
      products: { except: Array.from({ length: PRODUCTS }, (_, n) => gtin(n)) },
      countries: { only: ["GB", "IE", "DE", "AT", "CH"] },
    },
    campaigns: Array.from({ length: CAMPAIGNS }, (_, n) => campaign(now, n, NAMED)),
    tiers: { by: "rolling_12_months", levels },
    bonuses: {
      welcome: { points: 25, on: "enrolment" },
      streaks: Array.from({ length: 10 }, (_, n) => ({ id: `days-${n}`, every: "day", length: 3 + n, points: 10 + n })),
    },
  };
}

function campaign(now: Date, n: number, products = 0): NonNullable<ProgramDefinition["campaigns"]>[number] {
  return {
    id: `vegetable-weekends-${n}`,
    name: `Vegetable weekends, part ${n}`,
    from: dayIn(now, -30 - n),
    till: dayIn(now, 60 + n),
    when: {
      foodGroups: ["vegetable", "legume"],
      ...(products > 0 && { products: Array.from({ length: products }, (_, i) => gtin(PRODUCTS + n * products + i)) }),
      weekdays: ["sat", "sun"],
    },
    effect: { multiplier: 2 },
    budget: 2_000_000,
  };
}
