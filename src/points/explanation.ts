// Why a record is worth what it is: each item from what was sent or read to its points. Made from what the record keeps,
// so that it stays true when foods, products and rules have moved on. Every step says its figures and then the same in words.
import type { Basis, BasisMatch } from "../foods/basis.ts";
import { GRADES } from "../foods/health.ts";
import type { Grade, Rating } from "../foods/health.ts";
import { halvesOf, POINTS_1, weigh } from "./award.ts";
import type { Award, AwardItem, PointsRule } from "./award.ts";
import * as say from "./explanation-text.ts";
import type { ItemBasis, RecordItem } from "./record.ts";
import { recordTotals } from "./record.ts";
import { kilograms } from "./transaction.ts";
import type { RecordRow } from "./transaction.ts";

/** A record with what its rule was given and computed. What was erased with its user is absent. */
export interface ExplainedRow extends RecordRow {
  readonly rule: string;
  readonly catalogueVersion: string;
  readonly ruleInputs: {
    readonly items?: readonly AwardItem[];
    readonly award?: Award;
    readonly bases?: readonly ItemBasis[];
  };
}

/** A step of the way: its name, its figures, and the same in words. */
export type Step =
  | ({ readonly step: "input" } & Basis["input"] & Told)
  | ({ readonly step: "match" } & Partial<BasisMatch> & Told)
  | ({
      readonly step: "weight";
      /** Of all units together; null = not known. */
      readonly totalGrams: number | null;
      readonly gramsPerUnit: number | null;
      readonly assumed: boolean;
    } & Told)
  | ({
      readonly step: "carbon";
      readonly kgCo2ePerKg: number;
      readonly source: string;
      readonly method: string;
      readonly totalCO2e: number;
      readonly co2eLow: number;
      readonly co2eHigh: number;
      readonly rating: Rating;
      readonly grade: Grade;
      readonly ratingUncertain: boolean;
      readonly reconstitution: number | null;
    } & Told)
  | ({
      readonly step: "nutrition";
      readonly basis: string;
      readonly source: string;
      readonly per100: NonNullable<Basis["rated"]>["health"]["per100"];
      readonly imputed: readonly string[];
      readonly flags: readonly string[];
    } & Told)
  | ({
      readonly step: "health";
      readonly method: "nutri-score-2023";
      readonly class: string;
      readonly components: NonNullable<Basis["rated"]>["health"]["components"];
      readonly score: number;
      readonly rating: Rating;
      readonly grade: Grade;
    } & Told)
  | ({ readonly step: "exclusion"; readonly reason: string } & Told)
  | ({
      readonly step: "points";
      readonly rule: string;
      readonly healthBase: number;
      readonly carbonBase: number;
      readonly confidenceHalves: number;
      /** What a base is multiplied with; halves × hundredths of units, for a meal factor × halves × mg. */
      readonly weight: string;
      readonly healthCell: string;
      readonly carbonCell: string;
      readonly divisor: string;
      readonly healthPoints: number;
      readonly carbonPoints: number;
    } & Told);

interface Told {
  readonly text: string;
}

/** One item and its steps. */
export interface ItemExplanation {
  readonly id: string;
  readonly name: string;
  /** False: it stands in `excludedItems`. */
  readonly counted: boolean;
  readonly totalPoints: number;
  readonly steps: readonly Step[];
}

/** The answer of the explanation endpoint. */
export interface Explanation {
  readonly transactionId: string;
  readonly source: RecordRow["source"];
  readonly createdAt: string;
  readonly rule: string;
  readonly catalogueVersion: string;
  readonly totalPoints: number;
  readonly totalHealthPoints: number;
  readonly totalCarbonPoints: number;
  readonly arithmetic: {
    readonly sumOfCells: string;
    readonly divisor: string;
    /** The floor of the sum of the cells by the divisor. */
    readonly earned: string;
    readonly pointsMax: number;
    readonly capped: boolean;
  } & Told;
  readonly items: readonly ItemExplanation[];
  readonly text: string;
}

/** The rules that records may name. */
const RULES: ReadonlyMap<string, PointsRule> = new Map([[POINTS_1.id, POINTS_1]]);

/** Explains a record. */
export function explain(row: ExplainedRow): Explanation {
  const { body, source } = row;
  const { items: awardItems = [], award, bases = [] } = row.ruleInputs;
  const rule = RULES.get(row.rule) ?? POINTS_1;
  const { weights } = weigh(source, awardItems, rule);
  const facts = new Map([...body.items, ...body.excludedItems].map((item) => [item.id, item]));
  const items = bases.flatMap(({ itemId, basis }, index): ItemExplanation[] => {
    const item = facts.get(itemId);
    if (!item) return [];
    const counted = "healthRating" in item;
    const awardItem = awardItems[index];
    const itemAward = award?.items[index];
    const points =
      counted && awardItem && award && itemAward
        ? [pointsStep(item, awardItem, itemAward, String(weights[index] ?? 0n), { award, rule, source })]
        : [];
    const exclusion = counted
      ? []
      : [{ step: "exclusion", reason: item.exclusionReason, text: say.exclusion(item.exclusionReason) } as const];
    return [
      {
        id: itemId,
        name: item.name,
        counted,
        totalPoints: counted ? item.healthPoints + item.carbonPoints + item.bonusPoints : 0,
        steps: [...(basis ? ratingSteps(basis, counted) : []), ...exclusion, ...points],
      },
    ];
  });
  const totals = recordTotals(body);
  const sumOfCells = (award?.items ?? []).reduce(
    (sum, { healthCell, carbonCell }) => sum + BigInt(healthCell) + BigInt(carbonCell),
    0n,
  );
  const divisor = award?.divisor ?? "1";
  const arithmetic = {
    sumOfCells: String(sumOfCells),
    divisor,
    earned: String(sumOfCells / BigInt(divisor)),
    pointsMax: rule[source].pointsMax,
    capped: award?.capped ?? false,
  };
  return {
    transactionId: row.id,
    source,
    createdAt: row.createdAt.toISOString(),
    rule: row.rule,
    catalogueVersion: row.catalogueVersion,
    totalPoints: totals.points,
    totalHealthPoints: totals.healthPoints,
    totalCarbonPoints: totals.carbonPoints,
    arithmetic: { ...arithmetic, text: say.arithmetic({ ...arithmetic, totalPoints: totals.points }) },
    items,
    text: say.whole({
      source,
      rule: row.rule,
      totalPoints: totals.points,
      counted: body.items.length,
      excluded: body.excludedItems.length,
    }),
  };
}

function ratingSteps({ input, match, massMg, rated }: Basis, counted: boolean): Step[] {
  const first: Step[] = [
    { step: "input", ...input, text: say.input(input) },
    { step: "match", ...match, text: say.match(match) },
  ];
  if (!rated || !counted) return first;
  const { carbon, health, flags, weightGPerUnit, weightAssumed } = rated;
  const weight = { totalGrams: massMg === null ? null : massMg / 1_000, gramsPerUnit: weightGPerUnit };
  const masses = {
    kgCo2ePerKg: carbon.co2eGPerKg / 1_000,
    totalCO2e: kilograms(carbon.co2eMg),
    co2eLow: kilograms(carbon.co2eLowMg),
    co2eHigh: kilograms(carbon.co2eHighMg),
    grade: GRADES[carbon.rating - 1]!,
  };
  const { source, method, rating, ratingUncertain, reconstitution } = carbon;
  const grade = GRADES[health.rating - 1]!;
  return [
    ...first,
    { step: "weight", ...weight, assumed: weightAssumed, text: say.weight(weight, weightAssumed) },
    {
      step: "carbon",
      ...masses,
      source,
      method,
      rating,
      ratingUncertain,
      reconstitution,
      text: say.carbon({ ...carbon, ...masses }),
    },
    {
      step: "nutrition",
      basis: health.basis,
      source: health.source,
      per100: health.per100,
      imputed: health.imputed,
      flags,
      text: say.nutrition(health, flags),
    },
    {
      step: "health",
      method: "nutri-score-2023",
      class: health.class,
      components: health.components,
      score: health.score,
      rating: health.rating,
      grade,
      text: say.health({ ...health, grade }),
    },
  ];
}

function pointsStep(
  item: RecordItem,
  awardItem: AwardItem,
  { healthCell, carbonCell }: Award["items"][number],
  weight: string,
  { award, rule, source }: { award: Award; rule: PointsRule; source: RecordRow["source"] },
): Step {
  const figures = {
    rule: award.rule,
    healthBase: rule.base[item.healthRating],
    carbonBase: rule.base[item.carbonRating],
    confidenceHalves: halvesOf(awardItem, rule),
    weight,
    healthCell,
    carbonCell,
    divisor: award.divisor,
    healthPoints: item.healthPoints,
    carbonPoints: item.carbonPoints,
  };
  return { step: "points", ...figures, text: say.points(figures, awardItem, { rule, source }) };
}
