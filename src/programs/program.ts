// The rules of a programme, complete: defaults filled in, and names in the form in which they are compared.
import { scaled } from "../decimal.ts";
import { merchantKey } from "../foods/aliases/alias.ts";
import { codeKey } from "../foods/products/gtin.ts";
import { POINTS_1 } from "../points/award.ts";
import type { PointsRule, Rounding, Source } from "../points/award.ts";
import type { BonusRules } from "../points/bonuses/rules.ts";
import type { Campaign } from "../points/campaigns/campaign.ts";
import type { Limits, PeriodLimits } from "../points/limits/limits.ts";
import { toMinor } from "../points/money.ts";
import type { TierRules } from "../points/tiers/tier.ts";
import { bonusRulesOf } from "./bonuses.ts";
import { campaignsOf } from "./campaigns.ts";
import type { ProgramDefinition } from "./definition.ts";
import { tierRulesOf } from "./tiers.ts";

/** A choice of names: only these, or all but these. */
export interface Choice {
  readonly isOnly: boolean;
  readonly names: ReadonlySet<string>;
}

/** What must be so for an item to earn; null: anything goes. */
export interface Eligibility {
  readonly foodGroups: Choice | null;
  /** Keys of merchants' names. */
  readonly merchants: Choice | null;
  /** GTINs with 14 digits, or ids of products. */
  readonly products: Choice | null;
  /** In upper case. */
  readonly countries: Choice | null;
}

export interface Program {
  readonly name: string;
  /** The rule for each kind of submission. */
  readonly rules: Readonly<Record<Source, PointsRule>>;
  /** Null: none. */
  readonly limits: PeriodLimits | null;
  /** Least total of a receipt by currency, in its minor unit. */
  readonly minimumSpend: ReadonlyMap<string, number>;
  readonly eligible: Eligibility;
  readonly campaigns: readonly Campaign[];
  readonly tiers: TierRules | null;
  readonly bonuses: BonusRules | null;
}

const GRADE_RATINGS = { A: 1, B: 2, C: 3, D: 4, E: 5 } as const;
type Grade = keyof typeof GRADE_RATINGS;
type GradePoints = { readonly [grade in Grade]?: number };

/** Completes a definition without errors. `id` names its rules in records. */
export function programOf(definition: ProgramDefinition, id: string): Program {
  const { name, timeZone = "UTC", minimumSpend = {}, eligible = {} } = definition;
  const ruleFor = (source: Source) => ruleOf(definition, source, id);
  return {
    name,
    rules: { receipt: ruleFor("receipt"), meal: ruleFor("meal"), food: ruleFor("food") },
    limits: limitsOf(definition),
    minimumSpend: new Map(
      Object.entries(minimumSpend).map(([currency, amount]) => [currency, toMinor(amount, currency)]),
    ),
    eligible: {
      foodGroups: choiceOf(eligible.foodGroups, (group) => group.trim()),
      merchants: choiceOf(eligible.merchants, merchantKey),
      products: choiceOf(eligible.products, codeKey),
      countries: choiceOf(eligible.countries, countryKey),
    },
    campaigns: campaignsOf(definition.campaigns ?? [], timeZone),
    tiers: tierRulesOf(definition.tiers, timeZone),
    bonuses: bonusRulesOf(definition.bonuses, timeZone),
  };
}

/** The form in which countries are compared. */
export function countryKey(country: string): string {
  return country.trim().toUpperCase();
}

function ruleOf({ points = {} }: ProgramDefinition, source: Source, id: string): PointsRule {
  const { health = {}, climate = {}, multiplier = 1, pointsMax = POINTS_1[source].pointsMax } = points[source] ?? {};
  const base = baseOf(health);
  const carbonBase = baseOf(climate);
  const fraction = fractionOf(multiplier);
  const rounding: Rounding = points.rounding ?? "down";
  return {
    ...POINTS_1,
    id,
    base,
    ...(isSame(base, carbonBase) ? {} : { carbonBase }),
    ...(fraction.times === fraction.over ? {} : { multiplier: fraction }),
    ...(rounding === "down" ? {} : { rounding }),
    [source]: { ...POINTS_1[source], pointsMax },
  };
}

function baseOf(grades: GradePoints): PointsRule["base"] {
  const entries = Object.entries(GRADE_RATINGS).map(([grade, rating]) => [
    rating,
    grades[grade as Grade] ?? POINTS_1.base[rating],
  ]);
  return Object.fromEntries(entries) as PointsRule["base"];
}

/** A multiplier of at most two decimals as a fraction. */
function fractionOf(multiplier: number): { times: number; over: number } {
  const times = Number(scaled(multiplier, 2, "halfUp"));
  const common = commonDivisor(times, 100);
  return { times: times / common, over: 100 / common };
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

function isSame(a: PointsRule["base"], b: PointsRule["base"]): boolean {
  return Object.values(GRADE_RATINGS).every((rating) => a[rating] === b[rating]);
}

function limitsOf({ limits, timeZone = "UTC" }: ProgramDefinition): PeriodLimits | null {
  if (!limits) return null;
  const of = ({ points = null, meals = null, foodPoints = null }: Partial<Limits> = {}) => ({
    points,
    meals,
    foodPoints,
  });
  return { timeZone, day: of(limits.day), week: of(limits.week), month: of(limits.month) };
}

function choiceOf(
  choice: { readonly only?: readonly string[]; readonly except?: readonly string[] } | undefined,
  keyOf: (name: string) => string,
): Choice | null {
  const names = choice?.only ?? choice?.except;
  return names ? { isOnly: choice?.only !== undefined, names: new Set(names.map(keyOf)) } : null;
}
