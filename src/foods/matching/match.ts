import { alcoholFreeIdOf, saysAlcoholFree } from "./alcohol-free.ts";
import { isEligible } from "../catalogue/catalogue.ts";
import type { Catalogue, Food } from "../catalogue/catalogue.ts";
import { confidenceOf, FLAVOURS, INGREDIENTS, scoreOf } from "./confidence.ts";
import { createNonFoodTeller } from "./non-food.ts";
import { createNameIndex } from "./name-index.ts";
import type { NameMatch, QueryWord } from "./name-index.ts";
import { readNames } from "./names.ts";
import type { Worded } from "./names.ts";
import { readPrintedSize } from "../rating/quantity.ts";
import { createProcessTeller, UNPROCESSED_FACTOR } from "./processing.ts";
import { createQueryReader } from "./query.ts";
import { cookedFormOf } from "./state.ts";
import { contentWords, wordsOf } from "./words.ts";

/** Where a name comes from decides how it is read: tills abbreviate and sell raw, people log what they ate. */
export type NameSource = "receipt" | "meal" | "food";

/** A food that a name may mean. */
export interface Candidate {
  food: Food;
  /** The name of the food that fitted. */
  matchedName: string;
  /** How likely it is right, 0..1: of the candidates given as 0.9, about nine in ten are. */
  confidence: number;
  /** Sure enough to rate: `confidence` is at least `ACCEPTED_CONFIDENCE`. */
  accepted: boolean;
}

/** Finds foods by names. */
export interface Matcher {
  /** Foods for a name as printed or typed, best first, at most `limit` (5). Empty where no word is known. */
  match: (name: string, options: { source: NameSource; limit?: number }) => Candidate[];
}

/** Below it a match is more likely wrong than right. */
export const ACCEPTED_CONFIDENCE = 0.5;

/** A name that stands in the catalogue word for word; one that means its food only roughly, or elsewhere another one. */
const EXACT_CONFIDENCE = 0.99;
const ROUGH_CONFIDENCE = 0.7;
/** Any other name: only the catalogue's own and brands reach 0.9. */
const READ_CONFIDENCE_MAX = 0.89;

/** A name stands whole in a query, spelt as it is. */
const WHOLE = 0.97;

/** What fits less well than this share of the best is no rival: how far ahead of it the best is tells no more. */
const WORTH_SHARE = 0.25;

/** Candidates that are looked at after ranking. */
const CANDIDATES_MAX = 10;

/** A word that no food has in its name makes food this much less likely. */
const NON_FOOD_WORD_FACTOR = 0.55;

/** A brand by itself; a brand with other words that don't win against it; how sure those must be to win. */
const BRAND_CONFIDENCE = 0.93;
const BRAND_WITH_WORDS_CONFIDENCE = 0.82;
const OTHER_THAN_BRAND_CONFIDENCE = 0.7;
/** A brand with words that may well be another thing (`FAIRY TALE BAKERY RYE BREAD`). */
const DISPUTED_BRAND_CONFIDENCE = 0.6;

/** What a name says it is not. */
const NOT_ACCEPTED = 0.3;

/** Fruit and nuts below this weight are bought by the many. */
const SMALL_PIECE_G = 20;

/** Groups that come in savoury flavours, beside `FLAVOURS`; groups that are flavoured; groups that say what something is. */
const SAVOURY_FLAVOURS = new Set(
  "cheese cream egg fish meat-beef meat-lamb meat-pork meat-poultry meat-processed milk sauce sweet".split(" "),
);
const FLAVOURED = new Set("snack sweet ready-meal sauce biscuit baby-food cake breakfast drink yogurt".split(" "));
const FORMS = new Set(
  "baby-food biscuit bread breakfast cake cheese drink meat-processed ready-meal sauce snack soup sweet yogurt".split(
    " ",
  ),
);
/** What comes in flavours, and what it then tastes of: tills print the flavour behind (`MILCHREIS ZIMT`), where it is so much less likely what is meant. */
const CARRIERS = new Set("breakfast cake cream drink milk plant-drink sauce snack sweet yogurt".split(" "));
const TASTES = new Set([...FLAVOURS, "sweet"]);
const FLAVOUR_FACTOR = 0.6;
/** A dish whose whole name stands where the query says what the thing is; an ingredient beside it (`butternut squash risotto`) is in it. */
const DISHES = new Set([...FORMS].filter((group) => !INGREDIENTS.has(group)));
const OF_DISH_FACTOR = 0.7;

/** Reads names by the catalogue. Deterministic: equal scores go to the food that stands first in the catalogue. */
export function createMatcher(catalogue: Catalogue): Matcher {
  const noise = new Set([...keysWith(catalogue.words, ""), ...keysWith(catalogue.brands, null)]);
  const isNoise = (word: string) => noise.has(word);
  const worded = readNames(catalogue.foods);
  const index = createNameIndex(worded, isNoise);
  const readings = worded.vocabulary.map(index.lexicon.readExactly);
  const reader = createQueryReader(catalogue, index.lexicon, isNoise);
  const rank = new Map(catalogue.foods.map((food, position) => [food.id, position]));
  const tellsNonFood = createNonFoodTeller(worded, readings, index.lexicon);
  const tellsProcess = createProcessTeller(worded, readings, index.lexicon);
  const exact = namesWordForWord(worded);

  const compare = (words: readonly QueryWord[], { said, isTyped }: Context): Candidate[] => {
    const best = new Map<Food, Scored>();
    const nonFood = tellsNonFood(words);
    const lacksProcess = tellsProcess(words);
    const matches = index.compare(words);
    let [isFlavoured, isDish] = [false, false];
    for (const match of matches) {
      if (match.nameShare < WHOLE || match.similarity < WHOLE) continue;
      isFlavoured ||= match.isAtStart && CARRIERS.has(match.name.food.group);
      isDish ||= match.headsAgree && DISHES.has(match.name.food.group);
    }
    let most = 0;
    for (const match of matches) {
      const { food } = match.name;
      const score =
        scoreOf(match) *
        (nonFood !== "none" && isEligible(food) ? NON_FOOD_WORD_FACTOR : 1) *
        (lacksProcess?.(food) ? UNPROCESSED_FACTOR : 1) *
        (isFlavoured && !match.isAtStart && TASTES.has(food.group) ? FLAVOUR_FACTOR : 1) *
        (isDish && !match.queryHeadFound && INGREDIENTS.has(food.group) ? OF_DISH_FACTOR : 1);
      if (score > (best.get(food)?.score ?? 0)) best.set(food, { match, score });
      if (score > most) most = score;
    }
    const worth = [...best.values()].filter(
      ({ match, score }) => score >= WORTH_SHARE * most || match.name.food === said?.food,
    );
    const ranked = worth.sort(
      (a, b) =>
        Number(b.match.name.food === said?.food) - Number(a.match.name.food === said?.food) ||
        b.score - a.score ||
        rank.get(a.match.name.food.id)! - rank.get(b.match.name.food.id)!,
    );
    let ceiling = 1;
    return ranked.slice(0, CANDIDATES_MAX).map((scored, place) => {
      const isOfNonFood = nonFood === "head" && isEligible(scored.match.name.food);
      const highest = isOfNonFood ? Math.min(ceiling, NOT_ACCEPTED) : ceiling;
      const candidate = candidateOf(scored, place, ranked, { said, isTyped }, highest);
      ceiling = candidate.confidence;
      return candidate;
    });
  };

  /** What a brand stands for, with what else the name says of it: `WALKERS CHS & ON` are crisps, `CADBURY HOT CHOC` is no bar. */
  const withBrand = (brandFood: Food, words: readonly QueryWord[], context: Context): Candidate[] => {
    const rest = words.length > 0 ? compare(words, context) : [];
    const [other] = rest;
    // Words that are not understood may say that it is something else.
    const isAlone = words.every(({ emphasis }) => emphasis === "noise");
    if (!other) return [candidateFor(brandFood, isAlone ? BRAND_CONFIDENCE : BRAND_WITH_WORDS_CONFIDENCE)];
    const isDisputed = saysMoreThanBrand(other, brandFood, ACCEPTED_CONFIDENCE);
    const withWords = isDisputed ? DISPUTED_BRAND_CONFIDENCE : BRAND_WITH_WORDS_CONFIDENCE;
    const bare = candidateFor(brandFood, isAlone ? BRAND_CONFIDENCE : withWords);
    if (saysMoreThanBrand(other, brandFood, OTHER_THAN_BRAND_CONFIDENCE)) {
      return other.food.group === brandFood.group ? rest : capped(rest, BRAND_WITH_WORDS_CONFIDENCE);
    }
    if (!isEligible(brandFood)) return lead(bare, rest);
    const known = words.filter(({ readings }) => readings.length > 0);
    const [refined] = compare([...known, ...reader.hintsOf(brandFood)], { ...context, said: undefined });
    if (refined?.food.group !== brandFood.group) return lead(bare, rest);
    const confidence = isDisputed ? withWords : Math.max(refined.confidence, withWords);
    return lead({ ...refined, confidence, accepted: true }, rest);
  };

  return {
    match: (name, { source, limit = 5 }) => {
      const printed = readPrintedSize(name).rest;
      // `7UP MOJITO` says more than its words of letters alone.
      const isWhole = !wordsOf(printed).some((word) => /[a-z]/.test(word) && /\d/.test(word));
      const whole = isWhole ? exact.get(contentWords(printed).join(" ")) : undefined;
      const query = reader.read(printed, source === "receipt");
      const context = { said: whole ?? exact.get(query.plain), isTyped: source !== "receipt" };
      const candidates =
        query.brandFood && !whole
          ? withBrand(query.brandFood, query.words, context)
          : compare(whole ? reader.literal(printed) : query.words, context);
      const isAlcohol = candidates[0]?.food.kind === "alcohol";
      const meant = isAlcohol && saysAlcoholFree(name) ? withoutAlcohol(candidates, catalogue) : candidates;
      const found = meant.slice(0, limit);
      if (context.isTyped) return preferCooked(found, name, catalogue, limit);
      return whole && isBareTaste(whole.food, printed) ? capped(found, ROUGH_CONFIDENCE) : found;
    },
  };
}

/** The words or brands that stand for `value`. */
function keysWith<Value>(table: ReadonlyMap<string, Value>, value: Value): string[] {
  return [...table.keys()].filter((key) => table.get(key) === value);
}

/** What is known of a name beside its words: the food it is word for word, and whether a person wrote it and no till. */
interface Context {
  said: Said | undefined;
  isTyped: boolean;
}
interface Said {
  food: Food;
  isRough: boolean;
}

/** The food of each name, word for word. A name that means one food here and another there (`chips`) is a rough one of the first. */
function namesWordForWord({ names, vocabulary, words, starts }: Worded): ReadonlyMap<string, Said> {
  const exact = new Map<string, Said>();
  for (const rough of [false, true]) {
    names.forEach((said, name) => {
      if (said.isRough !== rough || starts[name] === starts[name + 1]) return;
      let key = "";
      for (let at = starts[name]!; at < starts[name + 1]!; at += 1) key += `${key && " "}${vocabulary[words[at]!]}`;
      const known = exact.get(key);
      if (!known) exact.set(key, said);
      else if (rough && known.food !== said.food) exact.set(key, { food: known.food, isRough: true });
    });
  }
  return exact;
}

function candidateFor(food: Food, confidence: number): Candidate {
  return { food, matchedName: food.name, confidence, accepted: confidence >= ACCEPTED_CONFIDENCE };
}

/** A candidate put before the others, which are never surer than it. */
function lead(first: Candidate, others: readonly Candidate[]): Candidate[] {
  return [
    first,
    ...others
      .filter(({ food }) => food !== first.food)
      .map((other) => candidateFor(other.food, Math.min(other.confidence, 1 - first.confidence))),
  ];
}

/** No surer than `ceiling`: of products whose brand makes another thing than their words say, one in two is what they say. */
function capped(candidates: readonly Candidate[], ceiling: number): Candidate[] {
  return candidates.map((each) => ({ ...each, confidence: Math.min(each.confidence, ceiling) }));
}

/** True where the words beside a brand name, more surely than so, another thing, and not what it tastes of. */
function saysMoreThanBrand({ food, confidence }: Candidate, brandFood: Food, least: number): boolean {
  if (confidence <= least) return false;
  if (brandFood.kind === "pet_food") return false;
  if (!isEligible(brandFood)) return !isEligible(food) || FORMS.has(food.group);
  // What a maker of food sells as mojito has no alcohol.
  if (food.kind === "alcohol") return false;
  if (food.group === brandFood.group || !isEligible(food)) return true;
  return !(FLAVOURS.has(food.group) || (SAVOURY_FLAVOURS.has(food.group) && FLAVOURED.has(brandFood.group)));
}

interface Scored {
  match: NameMatch;
  score: number;
}

function candidateOf(
  { match, score }: Scored,
  place: number,
  ranked: readonly Scored[],
  { said, isTyped }: Context,
  ceiling: number,
): Candidate {
  const { food } = match.name;
  const leadOn = (isRival: (other: Food) => boolean) =>
    score - (ranked.find((other, at) => at !== place && isRival(other.match.name.food))?.score ?? 0);
  const lead = leadOn((other) => familyOf(other) !== familyOf(food));
  const groupLead = leadOn((other) => other.group !== food.group);
  const isSaid = food === said?.food;
  const read = confidenceOf(match, { score, lead, groupLead, isTyped });
  const own = isSaid ? EXACT_CONFIDENCE : Math.min(read, READ_CONFIDENCE_MAX);
  const fit = (isSaid ? said.isRough : match.name.isRough) ? Math.min(own, ROUGH_CONFIDENCE) : own;
  // A place further down is never the surer one, however its name fits.
  const confidence = Math.round(1_000 * Math.min(fit, ceiling)) / 1_000;
  return { food, matchedName: match.name.text, confidence, accepted: confidence >= ACCEPTED_CONFIDENCE };
}

/** Raw and cooked forms of a food are no rivals: whichever is taken, the food is right. */
function familyOf(food: Food): string {
  return food.parent ?? food.id;
}

/** People log what they eat as they eat it: the cooked form goes first where the name says so or leaves it open. */
function preferCooked(candidates: Candidate[], name: string, catalogue: Catalogue, limit: number): Candidate[] {
  const [first] = candidates;
  const cooked = first && cookedFormOf(first.food, name, catalogue);
  if (!first || !cooked) return candidates;
  return [{ ...first, food: cooked }, ...candidates.filter(({ food }) => food !== cooked)].slice(0, limit);
}

/** Drinks without their alcohol where the catalogue has them so; the others are then no surer than not. */
function withoutAlcohol(candidates: readonly Candidate[], catalogue: Catalogue): Candidate[] {
  const [first] = candidates;
  if (!first) return [];
  const free = catalogue.byId.get(alcoholFreeIdOf(first.food) ?? "");
  const others = candidates.filter(({ food }) => food.kind !== "alcohol" && food !== free);
  return free ? [{ ...first, food: free }, ...others] : capped(candidates, NOT_ACCEPTED);
}

/** One of a fruit or nut that is sold by many (`FRAISE`, `ALMOND`) is on a receipt as often what something tastes of. */
function isBareTaste(food: Food, printed: string): boolean {
  const isSmall = food.group === "nut" || (food.pieceG !== null && food.pieceG <= SMALL_PIECE_G);
  return (
    isSmall && FLAVOURS.has(food.group) && /^\p{L}+$/u.test(printed.trim()) && !/(?:[^s]s|[xn])$/i.test(printed.trim())
  );
}
