// The texts of an explanation, built from its figures: plain English, one or two sentences for each step.
import type { RatingEvidence, EvidenceMatch } from "../foods/rating/evidence.ts";
import type { HealthFlag } from "../foods/rating/rate.ts";
import type { AwardItem, PointsRule, Rounding, Source } from "./award.ts";
import type { LimitCut } from "./limits/limits.ts";
import type { Explanation, Figures } from "./explanation-schema.ts";
import type { ExclusionReason } from "./scored-line.ts";

type Rated = NonNullable<RatingEvidence["rated"]>;

/** The item as sent or read. */
export function input({ name, foodId, weight, unit, quantity, nutrition }: RatingEvidence["input"]): string {
  const id = foodId === "" ? "" : ` with the id ${foodId}`;
  const amount = weight === null ? "no weight" : `${number(weight)} ${unit ?? "(no unit)"}`;
  const sent = nutrition.length > 0 ? list(nutrition.map(nutrientName)) : "no nutrition";
  return `"${name}"${id}, ${number(quantity)} × ${amount}, ${sent}.`;
}

/** The matched food, and how it was found. */
export function match(found: EvidenceMatch | null): string {
  if (!found) return "No word of the name is known.";
  const sure = `confidence ${number(found.confidence)}`;
  if (!found.food) return `No food fits well enough to be taken for it (${sure}).`;
  const food = `${found.food.name} (${found.food.id})`;
  const product = found.product
    ? ` It is product ${found.product.code} of ${found.product.source}, import ${found.product.revision}.`
    : "";
  const reference = found.reference
    ? ` Values missing in the product are those of ${found.reference.name} (${found.reference.id}), found by ${REFERENCE_BY[found.reference.by] ?? found.reference.by}.`
    : "";
  const nameOf = (author: string) => (author === "api" ? "the application" : "the operator");
  const alias = found.alias
    ? ` "${found.alias.name}"${found.alias.merchantName ? ` at ${found.alias.merchantName}` : ""} was added by ${nameOf(found.alias.author)} on ${found.alias.createdAt}.`
    : "";
  const words = (found.words ?? [])
    .map((word) => {
      const read = word.means === "" ? "was left out" : `was read as "${word.means}"`;
      return ` "${word.word}" ${read}: ${nameOf(word.author)} added this word on ${word.createdAt}.`;
    })
    .join("");
  const fitted = found.matchedName === null ? "" : ` ("${found.matchedName}" fits it)`;
  return `Taken for ${food}, found by ${MATCHED_BY[found.by]}${fitted}, ${sure}.${product}${reference}${alias}${words}`;
}

const MATCHED_BY: Readonly<Record<EvidenceMatch["by"], string>> = {
  own_food_id: "the application's own foodId",
  catalogue_id: "the catalogue's id",
  gtin: "the number under the bar code",
  alias: "an alias",
  name: "its name",
  product_name: "the name of a product",
};
const REFERENCE_BY: Readonly<Record<string, string>> = {
  source: "its source",
  category: "its category",
  product_name: "its name",
  sent_name: "the name sent",
};

/** The weight of the item. */
export function weight(
  { totalGrams, gramsPerUnit }: { totalGrams: number | null; gramsPerUnit: number },
  isAssumed: boolean,
): string {
  const each = `${number(gramsPerUnit)} g a unit`;
  const why = isAssumed ? ", which is usual for it since no weight was stated" : "";
  return `It weighs ${each}${why}${totalGrams === null ? "" : `, ${number(totalGrams)} g in all`}.`;
}

/** Its CO2e with source, range and rating. */
export function carbon(figures: Figures<"carbon">): string {
  const { kgCo2ePerKg, source, totalCO2e, co2eLow, co2eHigh, grade, method, ratingUncertain, reconstitution } = figures;
  const prepared =
    reconstitution === null
      ? ""
      : `, rated as prepared (${number(reconstitution)} kg are made of one: ${number(kgCo2ePerKg / reconstitution)} kg)`;
  return (
    `${number(kgCo2ePerKg)} kg CO2e per kg by ${source}${prepared}: ${number(totalCO2e)} kg, ` +
    `between ${number(co2eLow)} and ${number(co2eHigh)}. That is ${grade} by ${method}` +
    `${ratingUncertain ? ", though the range spans several classes" : ""}.`
  );
}

/** The source of the nutrition, and the values from another source. */
export function nutrition({ basis, source, imputed }: Rated["health"], flags: Rated["flags"]): string {
  const from =
    basis === "reference"
      ? `The nutrition is that of ${source}.`
      : basis === "input"
        ? "The nutrition is as sent."
        : `The nutrition is as sent; ${list(imputed.map(nutrientName))} from ${source}.`;
  return [from, ...flags.map((flag) => FLAGS[flag])].join(" ");
}

const FLAGS: Readonly<Record<HealthFlag, string>> = {
  health_class_nearest: "It has no class of Nutri-Score: the nearest was taken.",
  unit_assumed: "The weight came without a unit and was read as grams.",
  nutrition_implausible: "The values sent are more than the weight can hold and were not used.",
  nutrition_read_as_per_100g: "The values sent are too much for the weight and were read as values for 100 g.",
  energy_inconsistent: "The energy does not agree with fat, carbohydrates, protein and fibre; it was kept.",
  part_above_whole: "Sugar was above carbohydrates or saturates above fat, and was lowered to them.",
};

/** The Nutri-Score and its components. */
export function health({ class: category, components, score, grade }: Rated["health"]): string {
  const parts = (points: Readonly<Record<string, number>>) =>
    list(Object.entries(points).map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`)) || "nothing";
  return (
    `Nutri-Score 2023 as ${category.replaceAll("_", " ")}: ${parts(components.negative)}, less ` +
    `${parts(components.positive)}: ${score}. That is ${grade}.`
  );
}

/** The reason why it earns nothing. */
export function exclusion(reason: ExclusionReason): string {
  return EXCLUSIONS[reason];
}

const EXCLUSIONS: Readonly<Record<ExclusionReason, string>> = {
  NO_MATCH: "It earns nothing: nothing is known by that name. Its weight counts in a meal.",
  LOW_CONFIDENCE: "It earns nothing: what it might be is more likely wrong than right. Its weight counts in a meal.",
  ALCOHOL: "It does not count: alcohol earns nothing.",
  TOBACCO: "It does not count: tobacco earns nothing.",
  INFANT_FORMULA: "It does not count: infant formula earns nothing.",
  SUPPLEMENT: "It does not count: supplements earn nothing.",
  PET_FOOD: "It does not count: it is food for animals.",
  NON_FOOD: "It does not count: it is no food.",
  BAG: "It does not count: it is a bag.",
  DEPOSIT: "It does not count: it is a deposit.",
  DISCOUNT: "It does not count: it is a discount.",
  REFUND: "It does not count: it was refunded.",
  VOID: "It does not count: it was taken off the receipt.",
  NOT_ELIGIBLE: "It does not count: the programme gives no points for it.",
};

/** The computation of its cells, and its share of the points. */
export function points(
  figures: Figures<"points">,
  { kind, quantity, soldByWeight, massMg }: AwardItem,
  { rule, source }: { rule: PointsRule; source: Source },
): string {
  if (kind === "ignored") return "Plain water is rated and earns nothing.";
  const { healthBase, carbonBase, confidenceHalves, weight, healthCell, carbonCell, divisor } = figures;
  const halves = BigInt(confidenceHalves);
  const { times = 1, over = 1 } = rule.multiplier ?? {};
  const hundredths = halves === 0n || times === 0 ? "0" : String(BigInt(weight) / halves / BigInt(times));
  const multiplied = times === over ? "" : `, times the multiplier ${number(times / over)}`;
  const mass = massMg === null ? "" : ` (${number(massMg / 1_000)} g)`;
  const factors =
    source === "meal"
      ? `${rule.meal.factor} times ${confidenceHalves} halves by confidence, times its weight in mg${mass}`
      : `${confidenceHalves} halves by confidence, times ${hundredths} hundredths of a unit` +
        (soldByWeight
          ? ` (${number(quantity)} kg or l, each started one counts)`
          : ` (quantity ${number(quantity)}${source === "food" ? `${mass}, no more than it weighs portions` : ""})`);
  return (
    `By ${figures.rule} its health is worth ${healthBase} and its carbon ${carbonBase}, times ${weight}: ${factors}${multiplied}. ` +
    `Cells ${healthCell} and ${carbonCell} over ${divisor}: ${exact(healthCell, divisor)} and ` +
    `${exact(carbonCell, divisor)}. Its whole shares are ${figures.healthPoints} for health and ${figures.carbonPoints} for carbon.`
  );
}

/** The computation of the record's points from the cells of all items. */
export function arithmetic(
  figures: Omit<Explanation["arithmetic"], "text"> & { readonly totalPoints: number; readonly bonusPoints: number },
): string {
  const { sumOfCells, divisor, earned, pointsMax, capped, dayCut, spendCut, rounding = "down" } = figures;
  const { totalPoints, bonusPoints } = figures;
  const cap = capped ? `, cut to the most that one may earn, ${pointsMax}` : ` (at most ${pointsMax})`;
  return (
    `All cells together are ${sumOfCells}; divided by ${divisor} and rounded ${ROUNDED[rounding]} that is ${earned}${cap}. ` +
    (dayCut
      ? `A user may earn ${limitText(dayCut)}; of that ${dayCut.used} had been used for what was accepted ` +
        `${sinceText(dayCut)}, so that ${totalPoints} of the ${dayCut.uncutPoints} points were left. `
      : "") +
    (spendCut
      ? `The programme gives points from ${spendCut.minimum} ${spendCut.currency}, and this is ${spendCut.amount}: none of them count. `
      : "") +
    `The ${totalPoints - bonusPoints} ${bonusPoints > 0 ? "base " : ""}points are distributed over the cells in proportion; the rest after rounding goes to the largest remainders.`
  );
}

const ROUNDED: Readonly<Record<Rounding, string>> = { down: "down", nearest: "to the nearest", up: "up" };

/** A limit, such as `400 points a day`. */
function limitText({ limit, max }: LimitCut): string {
  const [kind = "", period = ""] = limit.split("_a_");
  const amount = {
    points: `${max} points`,
    meals: `points with ${max} meals`,
    food_points: `${max} points with foods`,
  };
  return `${amount[kind as keyof typeof amount]} a ${period}`;
}

/** The time of a limit, such as `on 2026-10-25 (UTC)`. */
function sinceText({ limit, day, timeZone = "UTC" }: LimitCut): string {
  return limit.endsWith("_day")
    ? `on ${day} (${timeZone})`
    : `in the ${limit.split("_a_")[1]!} from ${day} (${timeZone})`;
}

/** The record in a sentence. */
export function whole(figures: {
  source: Source;
  rule: string;
  totalPoints: number;
  bonusPoints: number;
  counted: number;
  excluded: number;
  dayCut: LimitCut | null;
}): string {
  const { source, rule, totalPoints, bonusPoints, counted, excluded, dayCut } = figures;
  const extras = bonusPoints > 0 ? `, ${bonusPoints} of them by its tier and campaigns` : "";
  const cut = dayCut ? ` It would have earned ${dayCut.uncutPoints}, but for the limit of ${limitText(dayCut)}.` : "";
  return `This ${source} earned ${totalPoints} points by ${rule}${extras}: ${counted} items counted, ${excluded} did not.${cut}`;
}

/** Points before rounding. */
function exact(cell: string, divisor: string): string {
  return number(Number(cell) / Number(divisor));
}

/** Up to three decimals; for small figures three significant digits. */
function number(value: number): string {
  return String(Math.abs(value) >= 0.1 || value === 0 ? Number(value.toFixed(3)) : Number(value.toPrecision(3)));
}

function list(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

const NUTRIENT_NAMES: Readonly<Record<string, string>> = {
  energyKcal: "energy",
  proteinG: "protein",
  carbsG: "carbohydrates",
  fatG: "fat",
  sugarG: "sugar",
  fiberG: "fibre",
  saltG: "salt",
  saturatedFatG: "saturates",
  fvlPct: "fruit, vegetable and legume share",
  fruitsVegetablesLegumesPct: "fruit, vegetable and legume share",
};

function nutrientName(member: string): string {
  return NUTRIENT_NAMES[member] ?? member;
}
