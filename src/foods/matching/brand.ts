import { isEligible } from "../catalogue/catalogue.ts";
import type { Food } from "../catalogue/catalogue.ts";
import { candidateFor, capped, putFirst } from "./candidate.ts";
import type { Candidate } from "./candidate.ts";
import { FLAVOURED, FLAVOURS, FORMS, SAVOURY_FLAVOURS, TASTES } from "./food-groups.ts";
import type { QueryWord } from "./name-index.ts";
import type { Query, QueryReader } from "./query.ts";
import type { Context, Rank } from "./rank.ts";
import * as tuning from "./tuning.ts";

/**
 * Returns the candidates of a name with a brand: the brand's food, or what the other words say: `WALKERS CHS & ON`
 * are crisps,
 * `CADBURY HOT CHOC` is no bar.
 */
export function rankBrand(
  brandFood: Food,
  words: readonly QueryWord[],
  context: Context,
  { rank, hintsOf }: { rank: Rank; hintsOf: QueryReader["hintsOf"] },
): Candidate[] {
  const rest = words.length > 0 ? rank(words, context) : [];
  const [other] = rest;
  // Words that are not understood may say that it is something else.
  const isAlone = words.every(({ emphasis }) => emphasis === "noise");
  if (!other) {
    return [candidateFor(brandFood, isAlone ? tuning.BRAND_CONFIDENCE : tuning.BRAND_WITH_WORDS_CONFIDENCE)];
  }
  // `PHILADELPHIA CON YOGURT` is no yogurt.
  const isAdded = isEligible(brandFood) && known(words).every(({ isAddition }) => isAddition);
  const isDisputed = !isAdded && saysMoreThanBrand(other, brandFood, tuning.ACCEPTED_CONFIDENCE);
  const withWords = isDisputed ? tuning.DISPUTED_BRAND_CONFIDENCE : tuning.BRAND_WITH_WORDS_CONFIDENCE;
  const bare = candidateFor(brandFood, isAlone ? tuning.BRAND_CONFIDENCE : withWords);
  // What is left of a word (`PIST.`) may be that of any flavour.
  const isGuessed = known(words).every(isRemains) && other.food.group !== brandFood.group;
  if (!isGuessed && !isAdded && saysMoreThanBrand(other, brandFood, tuning.OTHER_THAN_BRAND_CONFIDENCE)) {
    // Where a brand makes another thing than the words of a product say, the words are right for one product in two.
    return other.food.group === brandFood.group ? rest : capped(rest, tuning.BRAND_WITH_WORDS_CONFIDENCE);
  }
  if (!isEligible(brandFood)) return putFirst(bare, rest);
  const [refined] = rank([...known(words), ...hintsOf(brandFood)], { ...context, exact: undefined });
  if (refined?.food.group !== brandFood.group) return putFirst(bare, rest);
  const confidence = isDisputed ? withWords : Math.max(refined.confidence, withWords);
  return putFirst({ ...refined, confidence, accepted: true }, rest);
}

/** True for a brand of things that nobody eats: what smells of lime has letters of a lime. */
export function isThingOfBrand([first]: readonly Candidate[], { brandFood }: Pick<Query, "brandFood">): boolean {
  return brandFood !== null && !isEligible(brandFood) && first?.food === brandFood;
}

/**
 * True where a name starts with a food's brand, which won against the taste behind it, and the letters, which know the
 * taste only, say otherwise: `HIPRO MIRTILLO` was blueberries.
 */
export function isTasteOfBrand(
  [first]: readonly Candidate[],
  [other]: readonly Candidate[],
  { brandFood, startsWithBrand }: Pick<Query, "brandFood" | "startsWithBrand">,
): boolean {
  if (!first || !other || !brandFood || !startsWithBrand || !isEligible(brandFood)) return false;
  if (first.confidence < tuning.BRAND_WITH_WORDS_CONFIDENCE || first.food.group !== brandFood.group) return false;
  return other.food.group !== brandFood.group && TASTES.has(other.food.group);
}

function known(words: readonly QueryWord[]): QueryWord[] {
  return words.filter(({ readings, emphasis }) => readings.length > 0 && emphasis !== "noise");
}

/** True for a word with so few letters left that it may be any of several. */
function isRemains({ readings }: QueryWord): boolean {
  return readings.length > 1 && readings.every(({ similarity }) => similarity < 1);
}

/**
 * True where the words beside a brand mean, with more than this confidence, another thing, and not a flavour of the
 * brand's.
 */
function saysMoreThanBrand({ food, confidence }: Candidate, brandFood: Food, confidenceMin: number): boolean {
  if (confidence <= confidenceMin) return false;
  if (brandFood.kind === "pet_food") return false;
  // What a spirit is mixed with: `BACARDI & COLA`.
  if (brandFood.kind === "alcohol" && food.group === "drink") return false;
  if (!isEligible(brandFood)) return !isEligible(food) || FORMS.has(food.group);
  // A mojito of a food maker has no alcohol.
  if (food.kind === "alcohol") return false;
  if (food.id === "sweets" && brandFood.id.includes("chocolate")) return false;
  if (food.group === brandFood.group || !isEligible(food)) return true;
  return !(FLAVOURS.has(food.group) || (SAVOURY_FLAVOURS.has(food.group) && FLAVOURED.has(brandFood.group)));
}
