// Random programmes, and random histories of submissions that their parts make a difference for.
import * as fc from "fast-check";
import type { ProgramBonuses } from "../../src/programs/bonuses.ts";
import type { ProgramDefinition } from "../../src/programs/definition.ts";
import type { Source } from "../../src/points/award.ts";
import { DAY_MS } from "../../src/time.ts";

export const MERCHANTS = ["Larkmeadow Market", "Rewe", "Corner Shop"] as const;
export const COUNTRIES = ["GB", "IE", null] as const;
const GROUPS = ["fruit", "vegetable", "meat-beef", "cheese", "legume"] as const;
const ZONES = ["UTC", "Europe/London", "America/New_York", "Pacific/Auckland"] as const;
/** Names as on receipts and in apps; one is no food, one is nothing known. */
const NAMES = ["Apples", "Carrots", "Beef mince", "Cheddar", "Lentils", "Mineral water", "Oat drink", "Zzqx", "Wine"];
const GRADES = ["A", "B", "C", "D", "E"] as const;

/** Each member is there or not. */
const some = <Each>(members: { [Member in keyof Each]: fc.Arbitrary<Each[Member]> }): fc.Arbitrary<Partial<Each>> =>
  fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<Partial<Each>>;
const someOf = <const Each>(all: readonly Each[]) => fc.subarray([...all], { minLength: 1 });
const choiceOf = (all: readonly string[]) =>
  fc.oneof(
    someOf(all).map((only) => ({ only })),
    someOf(all).map((except) => ({ except })),
  );
const hundredths = (min: number, max: number) => fc.integer({ min, max }).map((each) => each / 100);

const anyGrades = some(Object.fromEntries(GRADES.map((grade) => [grade, fc.nat(12)])));
const anySourcePoints = some({
  health: anyGrades,
  climate: anyGrades,
  multiplier: hundredths(0, 300),
  pointsMax: fc.integer({ min: 1, max: 120 }),
});
const anyLimits = some({ points: fc.nat(120), meals: fc.nat(3), foodPoints: fc.nat(40) });

/** Campaigns around a moment: some end before it, some have a budget that does not last. */
function anyCampaigns(now: number) {
  const day = (ago: number) => new Date(now - ago * DAY_MS).toISOString().slice(0, 10);
  const campaign = fc.record({
    days: fc.tuple(fc.nat(24), fc.nat(16)).map(([a, b]) => ({ from: day(Math.max(a, b)), till: day(Math.min(a, b)) })),
    when: fc.option(
      some({
        foodGroups: someOf(GROUPS),
        foods: someOf(["carrot", "apple"]),
        merchants: someOf(MERCHANTS),
        grades: some({ health: someOf(GRADES), climate: someOf(GRADES) }),
        sources: someOf(["receipt", "meal", "food"] as const),
        weekdays: someOf(["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const),
      }),
      { nil: undefined, freq: 2 },
    ),
    effect: fc.oneof(
      hundredths(101, 300).map((multiplier) => ({ multiplier })),
      fc.integer({ min: 1, max: 20 }).map((pointsPerItem) => ({ pointsPerItem })),
      fc.integer({ min: 1, max: 40 }).map((pointsPerRecord) => ({ pointsPerRecord })),
    ),
    limits: some({ firstUsers: fc.integer({ min: 1, max: 3 }), budget: fc.integer({ min: 1, max: 200 }) }),
  });
  return fc.array(campaign, { minLength: 1, maxLength: 3 }).map((all) =>
    all.map(({ days, when, effect, limits }, i) => ({
      id: `c-${i + 1}`,
      name: `Campaign ${i + 1}`,
      ...days,
      ...(when && { when }),
      effect,
      ...limits,
    })),
  );
}

const STREAKS: NonNullable<ProgramBonuses["streaks"]>[] = [
  [{ id: "day", every: "day", length: 2, points: 7 }],
  [{ id: "day", every: "day", length: 3, points: 7 }],
  [
    { id: "food", every: "day", length: 2, points: 5, sources: ["food"] },
    { id: "week", every: "week", length: 2, points: 9 },
  ],
];
const anyBonuses = some({
  welcome: fc.record({ points: fc.integer({ min: 1, max: 50 }), on: fc.constant("first_points" as const) }),
  streaks: fc.constantFrom(...STREAKS),
  referral: fc.constantFrom({ points: 20, newUserPoints: 10 }, { points: 20, newUserPoints: 0, perUserMax: 1 }),
});

/** Tiers that a few records reach. */
const anyTiers = fc.record({
  by: fc.constantFrom("lifetime" as const, "rolling_12_months" as const),
  levels: fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 21, max: 150 })).map(([low, high]) => [
    { tier: "bronze" as const, name: "Sprout", from: low, multiplier: 1.1 },
    { tier: "gold" as const, name: "Tree", from: high, multiplier: 1.5 },
  ]),
});

/** A programme with any of its parts. */
export function anyProgram(now: number): fc.Arbitrary<ProgramDefinition> {
  const members = some({
    timeZone: fc.constantFrom(...ZONES),
    points: some({
      receipt: anySourcePoints,
      meal: anySourcePoints,
      food: anySourcePoints,
      rounding: fc.constantFrom("down" as const, "nearest" as const, "up" as const),
    }),
    limits: some({ day: anyLimits, week: anyLimits, month: anyLimits }),
    minimumSpend: fc.constantFrom({ GBP: 5 }, { EUR: 8 }),
    eligible: some({
      foodGroups: choiceOf(GROUPS),
      merchants: choiceOf(MERCHANTS),
      countries: choiceOf(["GB", "IE"]),
      products: choiceOf(["own-1", "4006381333931"]),
    }),
    campaigns: anyCampaigns(now),
    bonuses: anyBonuses,
    tiers: anyTiers,
  });
  return members.map((each) => ({ name: "Any", ...each }));
}

/** One submission of a history. */
export interface AnySubmission {
  /** Number of its user. */
  readonly user: number;
  readonly source: Source;
  /** Its acceptance, before now. */
  readonly agoMs: number;
  /** How much later it is booked. */
  readonly lateMs: number;
  readonly merchant: string;
  readonly currency: "GBP" | "EUR";
  readonly totalMinor: number;
  readonly items: readonly { readonly name: string; readonly foodId: string | null; readonly quantity: number }[];
}

/** What users of two applications submit. */
export interface History {
  readonly countries: readonly (string | null)[];
  readonly submissions: readonly AnySubmission[];
  /** Whether another programme was in force before; else points/1. */
  readonly hasProgram: boolean;
  /** Whether the draft has the campaigns of that one: their budgets go on. */
  readonly keepsCampaigns: boolean;
  /** Submissions that one tx books at most. */
  readonly batch: number;
}

const USERS = 4;

export function anyHistory(days: number): fc.Arbitrary<History> {
  const item = fc.record({
    name: fc.constantFrom(...NAMES),
    foodId: fc.constantFrom(null, null, "own-1", "4006381333931"),
    quantity: fc.constantFrom(1, 2, 5, 0.4),
  });
  const submission = fc.record({
    user: fc.nat(USERS - 1),
    source: fc.constantFrom<Source>("receipt", "meal", "food"),
    // Some of it before the days that are replayed, or a year before some of these.
    agoMs: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 1_000, max: (days + 12) * DAY_MS }) },
      { weight: 1, arbitrary: fc.integer({ min: 364 * DAY_MS, max: (365 + days) * DAY_MS }) },
    ),
    lateMs: fc.oneof({ weight: 4, arbitrary: fc.nat(2_000) }, fc.nat(2 * DAY_MS)),
    merchant: fc.constantFrom(...MERCHANTS, ""),
    currency: fc.constantFrom("GBP" as const, "EUR" as const),
    totalMinor: fc.integer({ min: 100, max: 2_000 }),
    items: fc.array(item, { minLength: 1, maxLength: 4 }),
  });
  return fc.record({
    countries: fc.array(fc.constantFrom(...COUNTRIES), { minLength: USERS, maxLength: USERS }),
    submissions: fc.array(submission, { minLength: 30, maxLength: 60, size: "max" }),
    hasProgram: fc.boolean(),
    keepsCampaigns: fc.boolean(),
    batch: fc.constantFrom(1, 1, 4),
  });
}
