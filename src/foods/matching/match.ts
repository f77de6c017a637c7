import { alcoholFreeIdOf, saysAlcoholFree } from "./alcohol-free.ts";
import { isEligible, namesOf } from "../catalogue/catalogue.ts";
import type { Catalogue, Language } from "../catalogue/catalogue.ts";
import { readPrintedSize } from "../measures/quantity.ts";
import type { PrintedSize } from "../measures/quantity.ts";
import { createAnimalCheck } from "./animals.ts";
import { isTasteOfBrand, isThingOfBrand, rankBrand } from "./brand.ts";
import { doubtSolids, isTin, preferDrink } from "./by-the-litre.ts";
import { capped, unaccepted } from "./candidate.ts";
import type { Candidate } from "./candidate.ts";
import { combine } from "./learned/combine.ts";
import type { NameModel } from "./learned/model.ts";
import { findPreservedForms, preferPreserved } from "./preserved-forms.ts";
import type { PreservedForms } from "./preserved-forms.ts";
import { createLexicon } from "./lexicon.ts";
import { doubted, withoutEveryday } from "./lone-words.ts";
import { createMatchData } from "./match-data.ts";
import type { MatchData } from "./match-data.ts";
import { isMeasuredAsThing } from "./measured-things.ts";
import { createNameIndex } from "./name-index.ts";
import { createNonFoodCheck } from "./non-food.ts";
import { createUnprocessedCheck } from "./unprocessed-check.ts";
import { createQueryReader } from "./query.ts";
import type { Query } from "./query.ts";
import { isImitation, isOfAnimals, saysPlantBased } from "./plant-based.ts";
import { withoutPreparation } from "./preparation.ts";
import { createRank } from "./rank.ts";
import type { ExactFood } from "./rank.ts";
import { cookedFormOf } from "./raw-or-cooked.ts";
import { remembering } from "./remembering.ts";
import { withoutServing } from "./served.ts";
import { speltOut } from "./spelt-out.ts";
import { lessSureOfTastes } from "./tastes.ts";
import { NAMED_CONFIDENCE, SURE_CONFIDENCE } from "./learned/tuning.ts";
import { SOMETHING_ELSE_CONFIDENCE_MAX } from "./tuning.ts";
import { contentWords, wordsOf } from "./words.ts";

/** The origin of a name decides how it is read: tills abbreviate and sell raw, people log what they ate. */
export type NameSource = "receipt" | "meal" | "food";

/** Finds foods by names. */
export interface Matcher {
  /**
   * Returns the foods of a name as printed or typed, best first, at most `limit` (5). Empty where no word is known.
   * `language`: what people speak where it was printed, where that is one language; a name of another language may
   * still be meant.
   */
  match: (
    name: string,
    options: { source: NameSource; limit?: number; language?: Language | null },
  ) => readonly Candidate[];
}

/** Facts beside a name's words that decide between its meanings. */
interface Said {
  readonly language: Language | null;
  readonly isPlantBased: boolean;
}

/**
 * Creates a matcher for the catalogue. Deterministic: of equal scores the food that comes first in the catalogue
 * wins. `data` is that of the catalogue, and of the very same foods. `model`: what names mean by their letters; null:
 * only the catalogue's words are known. It remembers what it found.
 */
export function createMatcher(
  catalogue: Catalogue,
  data: MatchData = createMatchData(catalogue),
  model: NameModel | null = null,
): Matcher {
  const index = createNameIndex(catalogue.foods.flatMap(namesOf), data.weighted);
  const lexicon = createLexicon(data.weighted.vocabulary);
  const reader = createQueryReader(catalogue, data.phrases, lexicon, (word) => data.noise.has(word));
  const nonFoodIn = createNonFoodCheck(data.usesOfTerm);
  const otherAnimalFor = createAnimalCheck(data.animals);
  const preservedForms = findPreservedForms(catalogue);
  const rank = createRank({
    index,
    nonFoodIn,
    unprocessedFor: createUnprocessedCheck(data.processes),
    otherAnimalFor,
    foods: catalogue.foods,
  });
  const exactFor = createExactSearch(data);

  /** Asks the model where the words are not sure. */
  const withLetters = (
    byWords: Candidate[],
    { printed, query, said, isTyped }: { printed: string; query: Query; said: Said; isTyped: boolean },
    model: NameModel,
  ): Candidate[] => {
    const confidence = byWords[0]?.confidence ?? 0;
    if (confidence >= NAMED_CONFIDENCE) return byWords;
    const { language, isPlantBased } = said;
    if (confidence >= SURE_CONFIDENCE && !isPlantBased) return byWords;
    if (isThingOfBrand(byWords, query)) return byWords;
    const combined = combine(byWords, model(query.written ?? printed, language), catalogue, {
      // A food's own brand: `MAT` of `CATHEDRAL CITY MAT` is no mat.
      isThing: nonFoodIn(query.words, language) === "head" && !(query.brandFood && isEligible(query.brandFood)),
      isPlantBased,
      isTyped,
      isOfOther: otherAnimalFor(query.words),
    });
    return isTasteOfBrand(byWords, combined, query) ? byWords : combined;
  };

  return remembering({
    match: (name, { source, limit = 5, language = null }) => {
      const isTyped = source !== "receipt";
      const { size, ...read } = readPrintedSize(isTyped ? withoutEveryday(name, language, data.exact) : name);
      const rest = isTyped ? read.rest : speltOut(read.rest, language, reader.isName);
      const plain = contentWords(rest).join(" ");
      const printed = !isTyped || data.exact.has(plain) ? rest : withoutNotes(rest, source, data.exact);
      const printedSaid = { language, isPlantBased: saysPlantBased(printed) };
      const wholeName = printed === rest ? plain : contentWords(printed).join(" ");
      const isShort = wordsOf(printed).some(isCode) || INITIAL.test(printed);
      const whole = isShort ? undefined : exactFor(wholeName, printedSaid);
      const query = reader.read(printed, !isTyped, language);
      const said = query.brandFood && isImitation(query.brandFood) ? { language, isPlantBased: true } : printedSaid;
      const context = { exact: whole ?? exactFor(query.plain, said), isTyped, language };
      const byWords =
        query.brandFood && !whole
          ? rankBrand(query.brandFood, query.words, context, { rank, hintsOf: reader.hintsOf })
          : rank(whole ? reader.literal(printed) : query.words, context);
      const ranked = model ? withLetters(byWords, { printed, query, said, isTyped }, model) : byWords;
      const found = formSold(ranked, `${name} ${query.written ?? ""}`, size, { catalogue, preservedForms }).slice(
        0,
        limit,
      );
      if (isTyped) return preferCooked(doubted(found, printed), name, catalogue, limit);
      const believed = doubtMeasured(found, name, size);
      return lessSureOfTastes(believed, { exact: whole?.food, printed, isKnown: reader.isName });
    },
  });
}

/** Puts the form first that is sold: without alcohol, as a drink, or preserved. `name`: as printed and written out. */
function formSold(
  ranked: readonly Candidate[],
  name: string,
  size: PrintedSize | null,
  { catalogue, preservedForms }: { catalogue: Catalogue; preservedForms: PreservedForms },
): readonly Candidate[] {
  if (ranked[0]?.food.kind === "alcohol" && saysAlcoholFree(name)) return withoutAlcohol(ranked, catalogue);
  return preferDrink(preferPreserved(ranked, isTin(size) ? `${name} tin` : name, preservedForms), size, catalogue);
}

/** Accepts nothing that is not sold by such a measure. */
function doubtMeasured(found: readonly Candidate[], name: string, size: PrintedSize | null): readonly Candidate[] {
  const food = found[0]?.food;
  const isThing = food !== undefined && isEligible(food) && isMeasuredAsThing(name, food.group);
  return isThing ? unaccepted(found) : doubtSolids(found, size);
}

/** What a person typed, without how it was cut, served and, unless that names a food, prepared. */
function withoutNotes(name: string, source: NameSource, exact: MatchData["exact"]): string {
  const bare = withoutServing(name);
  return source === "food" || exact.has(contentWords(bare).join(" ")) ? bare : withoutPreparation(bare);
}

/** A letter in place of a word: `O-SAFT` is more than juice. */
const INITIAL = /^\p{L}[-.]\p{L}/u;

/**
 * True for a word of letters and digits: `7UP MOJITO` says more than its words of letters alone. The number of a pasta
 * or the type of a flour (`FIDEO N2`, `FARINE T45`) says no more.
 */
function isCode(word: string): boolean {
  return /[a-z]/.test(word) && /\d/.test(word) && !/^(?:no?|t)\d{1,3}$/.test(word);
}

/** Returns the words of a name without shares of fat, fruit or cocoa: `TOPFEN 20%` is quark, whatever its fat. */
function withoutShares(words: string): string {
  return words.includes("%") ? words.replaceAll(/(?:^| )[\d.]+%/g, "").trim() : words;
}

/** Finds the food of a name word for word; none where it is an animal's, and the thing is made of plants. */
function createExactSearch({ exact, exactIn }: MatchData) {
  return (name: string, { language, isPlantBased }: Said): ExactFood | undefined => {
    const find = (text: string) => (language && exactIn[language].get(text)) ?? exact.get(text);
    const found = find(name) ?? find(withoutShares(name));
    return found && isPlantBased && isOfAnimals(found.food) ? undefined : found;
  };
}

const matchers = new WeakMap<Catalogue, Matcher>();

/**
 * The matcher of a catalogue that knows its words alone, created once in a process: it takes 0.4 s. For building the
 * model of names, and for tests; the service has `shippedMatcherOf`.
 */
export function matcherOf(catalogue: Catalogue): Matcher {
  const matcher = matchers.get(catalogue) ?? createMatcher(catalogue);
  matchers.set(catalogue, matcher);
  return matcher;
}

/** Puts the cooked form first where a typed name says so or leaves it open: people log what they eat as they eat it. */
function preferCooked(candidates: Candidate[], name: string, catalogue: Catalogue, limit: number): Candidate[] {
  const [first] = candidates;
  const cooked = first && cookedFormOf(first.food, name, catalogue);
  if (!first || !cooked) return candidates;
  return [{ ...first, food: cooked }, ...candidates.filter(({ food }) => food !== cooked)].slice(0, limit);
}

/** Replaces a drink by its alcohol-free form; where the catalogue has none, lowers the confidence of all candidates. */
function withoutAlcohol(candidates: readonly Candidate[], catalogue: Catalogue): Candidate[] {
  const [first] = candidates;
  if (!first) return [];
  const free = catalogue.byId.get(alcoholFreeIdOf(first.food) ?? "");
  const others = candidates.filter(({ food }) => food.kind !== "alcohol" && food !== free);
  return free ? [{ ...first, food: free }, ...others] : capped(candidates, SOMETHING_ELSE_CONFIDENCE_MAX);
}
