import { isEligible, namesOf } from "./catalogue.ts";
import type { Catalogue, Food } from "./catalogue.ts";
import type { Lexicon } from "./lexicon.ts";
import { createNameIndex } from "./name-index.ts";
import type { NameMatch, QueryWord } from "./name-index.ts";
import { readPrintedSize } from "./quantity.ts";
import { createQueryReader } from "./query.ts";
import { contentWords, wordsOf } from "./words.ts";

/** Where a name comes from decides how it is read: tills abbreviate and sell raw, people log what they ate. */
export type NameSource = "receipt" | "meal" | "food";

/** A food that a name may mean. */
export type Candidate = {
  food: Food;
  /** The name of the food that fitted. */
  matchedName: string;
  /** How likely it is right, 0..1: of the candidates given as 0.9, about nine in ten are. */
  confidence: number;
  /** Sure enough to rate: `confidence` is at least `ACCEPTED_CONFIDENCE`. */
  accepted: boolean;
};

export type Matcher = {
  /** Foods for a name as printed or typed, best first, at most `limit` (5). Empty where no word is known. */
  match: (name: string, options: { source: NameSource; limit?: number }) => Candidate[];
};

/** Below it a match is more likely wrong than right. */
export const ACCEPTED_CONFIDENCE = 0.5;

/** A name that stands in the catalogue word for word. */
const EXACT_CONFIDENCE = 0.99;

/**
 * A logistic regression over 7,100 names of which none stands in the catalogue word for word: of hand-labelled lines (half a of the
 * evaluation's own names among them), of Open Food Facts' categories, ingredients and products (coarser labels, so they weigh less).
 * The constant is 0.3 above the fit's, which the coarse labels pull down: hand-labelled names came out eight points too low.
 * The price: on product names, with labels no finer than their category, it is too sure (docs/data.md, "Matching").
 */
const CONFIDENCE = {
  constant: -4.65,
  score: 1.08,
  lead: 2.18,
  groupLead: 1.71,
  similarity: -0.52,
  nameShare: 2.99,
  queryShare: 2.28,
};
const LEAD_MAX = 0.3;
const GROUP_LEAD_MAX = 0.2;

/** Candidates that are looked at after ranking. */
const CANDIDATES_MAX = 10;

/** A word that no food has in its name makes food this much less likely. */
const NON_FOOD_WORD_FACTOR = 0.55;

/** A brand by itself; a brand with other words that don't win against it; how sure those must be to win. */
const BRAND_CONFIDENCE = 0.93;
const BRAND_WITH_WORDS_CONFIDENCE = 0.82;
const OTHER_THAN_BRAND_CONFIDENCE = 0.7;

/** Groups that name what something tastes of, sweet or any; groups that come in savoury flavours; groups that say what something is. */
const FLAVOURS = new Set("fruit fruit-preserved vegetable nut herb-spice sweetener".split(" "));
const SAVOURY_FLAVOURS = new Set(
  "cheese cream egg fish meat-beef meat-lamb meat-pork meat-poultry meat-processed milk sauce sweet".split(" "),
);
const FLAVOURED = new Set("snack sweet ready-meal sauce biscuit baby-food cake breakfast drink yogurt".split(" "));
const FORMS = new Set(
  "baby-food biscuit bread breakfast cake cheese drink meat-processed ready-meal sauce snack soup sweet yogurt".split(
    " ",
  ),
);

/** Words that say whether the food is raw or cooked, so that no prior is needed. */
const RAW_WORDS = new Set(
  "raw dry dried uncooked fresh roh trocken getrocknet ungekocht cru crue secs sec crudo seco secos secas".split(" "),
);
const COOKED_WORDS = new Set(
  "cooked boiled roast roasted grilled fried steamed baked braised poached gekocht gebraten gegart gegrillt cuit cuite cuits cuites roti grille prepared leftover cocido cocida cocidos cocidas asado asada hervido hervida frito frita plancha horno".split(
    " ",
  ),
);

/** Reads names by the catalogue. Deterministic: equal scores go to the food that stands first in the catalogue. */
export function createMatcher(catalogue: Catalogue): Matcher {
  const isNoise = (word: string) => catalogue.words.get(word) === "" || catalogue.brands.get(word) === null;
  const index = createNameIndex(catalogue, isNoise);
  const reader = createQueryReader(catalogue, index.lexicon, isNoise);
  const rank = new Map(catalogue.foods.map((food, position) => [food.id, position]));
  const tellsNonFood = createNonFoodTeller(catalogue, index.lexicon);

  const exact = new Map<string, Food>();
  for (const food of catalogue.foods) {
    for (const { text } of namesOf(food)) {
      const key = contentWords(text).join(" ");
      if (key !== "" && !exact.has(key)) exact.set(key, food);
    }
  }

  const compare = (words: readonly QueryWord[], said: Food | undefined): Candidate[] => {
    const best = new Map<string, Scored>();
    const isNonFood = tellsNonFood(words);
    for (const match of index.compare(words)) {
      const { food } = match.name;
      const score = scoreOf(match) * (isNonFood && isEligible(food) ? NON_FOOD_WORD_FACTOR : 1);
      if (score > (best.get(food.id)?.score ?? 0)) best.set(food.id, { match, score });
    }
    const ranked = [...best.values()].sort(
      (a, b) =>
        Number(b.match.name.food === said) - Number(a.match.name.food === said) ||
        b.score - a.score ||
        rank.get(a.match.name.food.id)! - rank.get(b.match.name.food.id)!,
    );
    let ceiling = 1;
    return ranked.slice(0, CANDIDATES_MAX).map((scored, place) => {
      const candidate = candidateOf(scored, place, ranked, said, ceiling);
      ceiling = candidate.confidence;
      return candidate;
    });
  };

  /** What a brand stands for, with what else the name says of it: `WALKERS CHS & ON` are crisps, `CADBURY HOT CHOC` is no bar. */
  const withBrand = (brandFood: Food, words: readonly QueryWord[], said: Food | undefined): Candidate[] => {
    const rest = words.length > 0 ? compare(words, said) : [];
    const [other] = rest;
    // Words that are not understood may say that it is something else.
    const isAlone = words.every(({ emphasis }) => emphasis === "noise");
    const bare = candidateFor(brandFood, isAlone ? BRAND_CONFIDENCE : BRAND_WITH_WORDS_CONFIDENCE);
    if (!other) return [bare];
    if (saysMoreThanBrand(other, brandFood)) {
      return other.food.group === brandFood.group ? rest : capped(rest, BRAND_WITH_WORDS_CONFIDENCE);
    }
    if (!isEligible(brandFood)) return lead(bare, rest);
    const known = words.filter(({ readings }) => readings.length > 0);
    const [refined] = compare([...known, ...reader.hintsOf(brandFood)], undefined);
    if (refined?.food.group !== brandFood.group) return lead(bare, rest);
    const confidence = Math.max(refined.confidence, BRAND_WITH_WORDS_CONFIDENCE);
    return lead({ ...refined, confidence, accepted: true }, rest);
  };

  return {
    match: (name, { source, limit = 5 }) => {
      const printed = readPrintedSize(name).rest;
      // `7UP MOJITO` says more than its words of letters alone.
      const isWhole = !wordsOf(printed).some((word) => /[a-z]/.test(word) && /\d/.test(word));
      const whole = isWhole ? exact.get(contentWords(printed).join(" ")) : undefined;
      const query = reader.read(printed, source === "receipt");
      const said = whole ?? exact.get(query.plain);
      const candidates =
        query.brandFood && !whole
          ? withBrand(query.brandFood, query.words, said)
          : compare(whole ? reader.literal(printed) : query.words, said);
      const found = candidates.slice(0, limit);
      return source === "receipt" ? found : preferCooked(found, name, catalogue, limit);
    },
  };
}

/** The words of a name that only things no one eats have in theirs (`shampoo`, `dog`): whatever else stands there is its flavour. */
function createNonFoodTeller(catalogue: Catalogue, lexicon: Lexicon): (words: readonly QueryWord[]) => boolean {
  const eaten = new Set<number>();
  const others = new Set<number>();
  for (const food of catalogue.foods) {
    const isDrunkOrEaten = isEligible(food) || food.kind === "alcohol" || food.kind === "infant_formula";
    for (const { text } of namesOf(food))
      for (const word of contentWords(text))
        for (const { term } of lexicon.read(word, false).flat()) (isDrunkOrEaten ? eaten : others).add(term);
  }
  return (words) =>
    words.some(
      ({ readings, emphasis }) =>
        emphasis === "full" &&
        readings.some(({ term, similarity }) => similarity >= 0.97 && others.has(term)) &&
        !readings.some(({ term, similarity }) => similarity >= 0.9 && eaten.has(term)),
    );
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

/** True where the words beside a brand name another thing, and not what it tastes of. */
function saysMoreThanBrand({ food, confidence }: Candidate, brandFood: Food): boolean {
  if (confidence < OTHER_THAN_BRAND_CONFIDENCE) return false;
  if (brandFood.kind === "pet_food") return false;
  if (!isEligible(brandFood)) return !isEligible(food) || FORMS.has(food.group);
  // What a maker of food sells as mojito has no alcohol.
  if (food.kind === "alcohol") return false;
  if (food.group === brandFood.group || !isEligible(food)) return true;
  return !(FLAVOURS.has(food.group) || (SAVOURY_FLAVOURS.has(food.group) && FLAVOURED.has(brandFood.group)));
}

type Scored = { match: NameMatch; score: number };

function candidateOf(
  { match, score }: Scored,
  place: number,
  ranked: readonly Scored[],
  said: Food | undefined,
  ceiling: number,
): Candidate {
  const { food } = match.name;
  const leadOn = (isRival: (other: Food) => boolean) =>
    score - (ranked.find((other, at) => at !== place && isRival(other.match.name.food))?.score ?? 0);
  const lead = leadOn((other) => familyOf(other) !== familyOf(food));
  const leadOnOtherGroups = leadOn((other) => other.group !== food.group);
  const fit = food === said ? EXACT_CONFIDENCE : confidenceOf(match, score, lead, leadOnOtherGroups);
  // A place further down is never the surer one, however its name fits.
  const confidence = Math.round(1_000 * Math.min(fit, ceiling)) / 1_000;
  return { food, matchedName: match.name.text, confidence, accepted: confidence >= ACCEPTED_CONFIDENCE };
}

/** Raw and cooked forms of a food are no rivals: whichever is taken, the food is right. */
function familyOf(food: Food): string {
  return food.parent ?? food.id;
}

/** How well a name fits, 0..1: what it explains of the query, less so what the query says of it, and whether they speak of the same thing. */
export function scoreOf(match: NameMatch): number {
  const heads = match.headsAgree ? 1 : (match.nameHeadFound ? 0.9 : 0.72) * (match.queryHeadFound ? 0.97 : 0.8);
  return match.queryShare ** 0.9 * match.nameShare ** 0.5 * heads;
}

/** The chance that a match is right, by how well it fits, and how far it is ahead of other foods and of those of other groups. */
export function confidenceOf(match: NameMatch, score: number, lead: number, groupLead: number): number {
  const logit =
    CONFIDENCE.constant +
    CONFIDENCE.score * score +
    CONFIDENCE.lead * Math.max(-LEAD_MAX, Math.min(LEAD_MAX, lead)) +
    CONFIDENCE.groupLead * Math.max(-GROUP_LEAD_MAX / 2, Math.min(GROUP_LEAD_MAX, groupLead)) +
    CONFIDENCE.similarity * match.similarity +
    CONFIDENCE.nameShare * match.nameShare +
    CONFIDENCE.queryShare * match.queryShare;
  return 1 / (1 + Math.exp(-logit));
}

/** People log rice, pasta and lentils as they eat them: the cooked form goes first where the name leaves it open. */
function preferCooked(candidates: Candidate[], name: string, catalogue: Catalogue, limit: number): Candidate[] {
  const [first] = candidates;
  const cooked = first && isStaple(first.food) ? catalogue.cookedOf.get(first.food.id) : undefined;
  if (!first || !cooked || saysState(name)) return candidates;
  return [{ ...first, food: cooked }, ...candidates.filter(({ food }) => food !== cooked)].slice(0, limit);
}

/** Dry foods that weigh two to three times as much when eaten. */
function isStaple(food: Food): boolean {
  return food.state === "raw" && (food.group === "grain" || food.group === "legume");
}

/** True where a name itself says raw or cooked. */
export function saysState(name: string): boolean {
  return contentWords(name).some((word) => RAW_WORDS.has(word) || COOKED_WORDS.has(word));
}
