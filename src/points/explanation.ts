// Explains the points of a record, step by step for each item. Only the inputs stored with the record are used, so that
// the explanation stays true when foods, products and rules change. Every step has its figures and a text. Alternatives
// alone are those of the catalogue of today.
import { mayBeReplaced } from "../foods/alternatives/alternatives.ts";
import type { AlternativesOf } from "../foods/alternatives/alternatives.ts";
import { presentAlternative } from "../foods/alternatives/present.ts";
import type { Alternative } from "../foods/alternatives/schema.ts";
import type { RatingEvidence } from "../foods/rating/evidence.ts";
import { GRADES } from "../foods/rating/nutri-score.ts";
import type { BonusCause } from "./bonuses/granting.ts";
import { carbonBase, halvesOf, weigh, wholePoints } from "./award.ts";
import type { Award, AwardItem, PointsRule, Source } from "./award.ts";
import { OPERATION } from "./codes.ts";
import { explainedExtras, extrasOfItem } from "./explained-extras.ts";
import type { Settled } from "./extras.ts";
import type { LimitCut } from "./limits/limits.ts";
import type { Explanation, ItemExplanation, Step } from "./explanation-schema.ts";
import * as say from "./explanation-text.ts";
import { fromMinor } from "./money.ts";
import type { ItemBasis, RecordBody, RecordItem, SpendCut } from "./record.ts";
import { recordTotals } from "./record.ts";
import type { RecordTotals } from "./record.ts";
import type { Terms } from "./terms.ts";
import { kilograms } from "./transaction.ts";
import type { RecordRow } from "./transaction.ts";

/** A receipt before or after a correction, as it is shown. */
export type CorrectionState = NonNullable<Explanation["correction"]>["before"];

/** The evidence of a correction: the corrected receipt as a whole. Its record has only the difference. */
export interface CorrectionEvidence {
  readonly receiptId: string;
  readonly body: RecordBody;
  readonly before: CorrectionState;
  readonly after: CorrectionState;
}

/** An award or a correction of one, with the inputs and results of its rule. Parts erased with the user are absent. */
export interface ExplainedRow extends RecordRow {
  readonly rule: string;
  readonly catalogueVersion: string;
  readonly ruleInputs: {
    readonly items?: readonly AwardItem[];
    readonly award?: Award;
    readonly bases?: readonly ItemBasis[];
    readonly dayCut?: LimitCut;
    readonly spendCut?: SpendCut;
    readonly settled?: Settled;
    /** Only of a bonus that a programme gave. */
    readonly bonus?: BonusCause;
    /** Only of a correction. */
    readonly correction?: CorrectionEvidence;
  };
}

/** Whether a record is an award, which a rule explains. */
export function isAward<Row extends RecordRow>(row: Row): row is Row & { source: Source } {
  return row.operation === OPERATION.earn && row.source !== "manual" && row.source !== "reward";
}

/** The kind of submission that a record is about: a correction is about a receipt. */
export function sourceOf(row: RecordRow): Source {
  return isAward(row) ? row.source : "receipt";
}

/** Explains a record: an award, or the whole of a receipt after a correction. `terms` are those it was booked by. */
export function explain(
  row: ExplainedRow,
  { rule, campaigns }: Pick<Terms, "rule" | "campaigns">,
  alternativesOf: AlternativesOf = () => [],
): Explanation {
  const { items: awardItems = [], award, bases = [], dayCut, settled, correction } = row.ruleInputs;
  const body = correction?.body ?? row.body;
  const source = sourceOf(row);
  const { weights } = weigh(source, awardItems, rule);
  const facts = new Map([...body.items, ...body.excludedItems].map((item) => [item.id, item]));
  const places = new Map(body.items.map(({ id }, place) => [id, place]));
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
        ...(settled && counted && { extras: extrasOfItem(settled, campaigns, places.get(itemId) ?? -1) }),
        steps: [...(basis ? ratingSteps(basis, counted) : []), ...exclusion, ...points],
        ...(basis && counted && alternativesTo(basis, alternativesOf)),
      },
    ];
  });
  const totals = recordTotals(body);
  return {
    transactionId: row.id,
    source,
    createdAt: row.createdAt.toISOString(),
    rule: row.rule,
    catalogueVersion: row.catalogueVersion,
    totalPoints: totals.points,
    totalHealthPoints: totals.healthPoints,
    totalCarbonPoints: totals.carbonPoints,
    totalBonusPoints: totals.bonusPoints,
    arithmetic: arithmeticOf(row.ruleInputs, body, { rule, source }),
    ...(settled && { extras: explainedExtras(settled, campaigns) }),
    items,
    ...(correction && { correction: explainedCorrection(row, correction) }),
    text: say.whole({
      source,
      rule: row.rule,
      ...pointsOf(totals),
      counted: body.items.length,
      excluded: body.excludedItems.length,
      dayCut: dayCut ?? null,
    }),
  };
}

function arithmeticOf(
  { award, dayCut, spendCut }: ExplainedRow["ruleInputs"],
  body: RecordBody,
  { rule, source }: { readonly rule: PointsRule; readonly source: Source },
): Explanation["arithmetic"] {
  const sumOfCells = (award?.items ?? []).reduce(
    (sum, { healthCell, carbonCell }) => sum + BigInt(healthCell) + BigInt(carbonCell),
    0n,
  );
  const divisor = award?.divisor ?? "1";
  const figures = {
    sumOfCells: String(sumOfCells),
    divisor,
    earned: String(wholePoints(sumOfCells, BigInt(divisor), rule)),
    pointsMax: rule[source].pointsMax,
    capped: award?.capped ?? false,
    ...(dayCut && { dayCut }),
    ...(spendCut && { spendCut: shownSpendCut(spendCut, body) }),
    ...(rule.rounding && { rounding: rule.rounding }),
  };
  return { ...figures, text: say.arithmetic({ ...figures, ...pointsOf(recordTotals(body)) }) };
}

function pointsOf({ points, bonusPoints }: RecordTotals) {
  return { totalPoints: points, bonusPoints };
}

function shownSpendCut({ minimumMinor, uncutPoints }: SpendCut, { currency, totalAmountMinor }: RecordBody) {
  const amount = fromMinor(totalAmountMinor, currency);
  return { minimum: fromMinor(minimumMinor, currency), amount, currency, uncutPoints };
}

function explainedCorrection(row: ExplainedRow, { receiptId, before, after }: CorrectionEvidence) {
  const { reason = "" } = row.body;
  return { receiptId, relatedTransactionID: row.relatedId ?? "", reason, before, after };
}

/** What may be eaten in place of an item rated C or worse. A product is replaced like the food that completes it. */
function alternativesTo(
  { match, rated }: RatingEvidence,
  alternativesOf: AlternativesOf,
): { alternatives?: Alternative[] } {
  const ratings = rated && { carbonRating: rated.carbon.rating, healthRating: rated.health.rating };
  if (!ratings || !mayBeReplaced(ratings)) return {};
  const foodId = (match?.product ? match.reference?.id : match?.food?.id) ?? "";
  return { alternatives: alternativesOf(foodId, ratings).map((each) => presentAlternative(each, ratings)) };
}

function ratingSteps({ input, match, massMg, rated }: RatingEvidence, counted: boolean): Step[] {
  const first: Step[] = [
    { step: "input", ...input, text: say.input(input) },
    { step: "match", ...match, text: say.match(match) },
  ];
  if (!rated || !counted) return first;
  const { carbon, health, flags, weightGPerUnit, weightAssumed } = rated;
  const weight = { totalGrams: massMg === null ? null : massMg / 1_000, gramsPerUnit: weightGPerUnit };
  const { source, method, rating, ratingUncertain, reconstitution } = carbon;
  const gases = {
    kgCo2ePerKg: carbon.co2eGPerKg / 1_000,
    source,
    method,
    totalCO2e: kilograms(carbon.co2eMg),
    co2eLow: kilograms(carbon.co2eLowMg),
    co2eHigh: kilograms(carbon.co2eHighMg),
    rating,
    grade: GRADES[rating - 1]!,
    ratingUncertain,
    reconstitution,
  };
  const grade = GRADES[health.rating - 1]!;
  return [
    ...first,
    { step: "weight", ...weight, assumed: weightAssumed, text: say.weight(weight, weightAssumed) },
    { step: "carbon", ...gases, text: say.carbon(gases) },
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
  { award, rule, source }: { award: Award; rule: PointsRule; source: Source },
): Step {
  const figures = {
    rule: award.rule,
    healthBase: rule.base[item.healthRating],
    carbonBase: carbonBase(rule)[item.carbonRating],
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
