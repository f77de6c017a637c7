import { isEligible } from "../catalogue/catalogue.ts";
import type { Catalogue, Food, Language } from "../catalogue/catalogue.ts";
import type { Lexicon } from "./lexicon.ts";
import type { QueryWord } from "./name-index.ts";
import { createPhrases, splitPhrases } from "./phrases.ts";
import type { SplitPhrases } from "./phrases.ts";
import { createContractedBrands, findShortBrand, shortenBrands } from "./short-brands.ts";
import type { ShortBrands } from "./short-brands.ts";
import { createWordReader } from "./query-words.ts";
import type { SpeltWord } from "./query-words.ts";
import { wordsOnTill } from "./till-words.ts";
import { WORDS_MAX } from "./tuning.ts";
import { contentWords, isAddingWord, isAfterHead, isContentWord, isLeftOut, printedWordsOf } from "./words.ts";
import type { PrintedWord } from "./words.ts";

/** A cut word up to this length is no brand of a thing. */
const CUT_BRAND_MAX = 4;

/** From this similarity on a word is read as one of a food, and not as what is left of a brand. */
const READ_WELL = 0.8;

/** A name split into its words, as they may be read, and its brand. */
export interface Query {
  words: QueryWord[];
  /** The name as printed, without brands and noise. Where it equals a name of the catalogue it means that food. */
  plain: string;
  /** The name with its surest abbreviations written out: phrases, and those of its language. Null: it has none. */
  written: string | null;
  /** The food that the name's brand means by itself; null where there is no brand, or it means no food. */
  brandFood: Food | null;
  /** The brand comes first, so that what follows may be a taste of its food. */
  startsWithBrand: boolean;
}

/** Reads names into the words of a query. */
export interface QueryReader {
  read: (name: string, isAbbreviated: boolean, language?: Language | null) => Query;
  /** True for a folded word that a name of the catalogue or a brand holds as it is, or an abbreviation. */
  isName: (word: string) => boolean;
  /** Returns the words as they are written, nothing guessed: for a name of the catalogue. */
  literal: (name: string) => QueryWord[];
  /** Returns the words of a brand's food; they count less than those of the name. */
  hintsOf: (food: Food) => QueryWord[];
}

/** The catalogue's brands, and its abbreviations of several words. */
export interface QueryPhrases {
  readonly brands: SplitPhrases<Food | null>;
  readonly shortBrands: ShortBrands<Food | null>;
  readonly abbreviations: SplitPhrases<string>;
}

/** Splits the phrases of the catalogue. `vocabulary`: the words of its foods. */
export function splitQueryPhrases(catalogue: Catalogue, vocabulary: readonly string[]): QueryPhrases {
  const abbreviations = [...catalogue.words].filter(([word]) => /[ &]/.test(word));
  const brands = splitPhrases(catalogue.brands);
  const known = [...vocabulary, ...catalogue.words.keys()];
  return { brands, shortBrands: shortenBrands(brands, known), abbreviations: splitPhrases(abbreviations) };
}

/** Creates a reader that knows the catalogue's abbreviations, brands and words. */
export function createQueryReader(
  catalogue: Catalogue,
  phrases: QueryPhrases,
  lexicon: Lexicon,
  isNoise: (word: string) => boolean,
): QueryReader {
  const brands = createPhrases(phrases.brands);
  const abbreviations = createPhrases(phrases.abbreviations);
  const { readWord, readPrinted, isOfLanguage } = createWordReader(catalogue, lexicon, isNoise);
  const readPlain = (text: string) => contentWords(text).flatMap((word) => readWord(word, false));

  const withWholeBrand = createBrandWriter(catalogue, phrases, lexicon);
  const shortBrandAt = createShortBrandSearch(catalogue, phrases, lexicon);

  return {
    read: (name, isAbbreviated, language = null) => {
      const printed = isAbbreviated ? withWholeBrand(wordsOnTill(name, catalogue, lexicon)) : printedWordsOf(name);
      const texts = printed.map(({ word }) => word);
      const spelt: SpeltWord[] = [];
      const plain: string[] = [];
      const writing = createWriting();
      let brandFood: Food | null = null;
      let [startsWithBrand, isAddition] = [false, false];
      const add = (words: SpeltWord[]) => spelt.push(...words.map((word) => ({ ...word, isAddition })));
      for (let at = 0; at < printed.length && spelt.length < WORDS_MAX;) {
        const found = brands.find(texts, at) ?? (isAbbreviated ? shortBrandAt(printed, at) : null);
        // A short form of the language is no brand of another: `VK` is Vollkorn in Germany.
        const isShort = found?.length === 1 && isOfLanguage(texts[at]!, language);
        const brand = isShort || (found && isCutWord(found, printed, at)) ? null : found;
        const phrase = abbreviations.find(texts, at);
        if (brand && brand.length >= (phrase?.length ?? 0)) {
          if (!isAdditionAt(texts, at)) brandFood ??= brand.value;
          startsWithBrand ||= at === 0;
          writing.keep(texts.slice(at, at + brand.length));
          at += brand.length;
        } else if (phrase) {
          add(readPlain(phrase.value));
          plain.push(...contentWords(phrase.value));
          writing.writeOut([phrase.value]);
          at += phrase.length;
        } else {
          const here = printed[at]!;
          if (at > 0 && isLeftOut(here.word, texts[at - 1])) {
            plain.push(here.word);
          } else if (isContentWord(here.word) || isShortForm(here, catalogue)) {
            const read = readPrinted(here, isAbbreviated, language);
            add(read);
            plain.push(here.word);
            if (isOfLanguage(here.word, language)) writing.writeOut(read.map(({ word }) => word));
            else writing.keep([here.word]);
          } else if (at > 0 && isAddingWord(here.word)) {
            isAddition = true;
          }
          at += 1;
        }
      }
      const brand = { brandFood, startsWithBrand };
      return { words: withNeighbours(spelt, lexicon), plain: plain.join(" "), written: writing.text(), ...brand };
    },
    isName: (word) => lexicon.has(word) || phrases.brands.has(word) || catalogue.words.has(word),
    literal: (name) =>
      contentWords(name)
        .slice(0, WORDS_MAX)
        .flatMap((word) => readWord(word, false)),
    hintsOf: (food) => readPlain(food.name).map((word) => ({ ...word, emphasis: "hint" })),
  };
}

/** Finds the brand that a till shortened to the word at a place, unless that is a word of its own. */
function createShortBrandSearch({ words }: Catalogue, { shortBrands }: QueryPhrases, lexicon: Lexicon) {
  return (printed: readonly PrintedWord[], at: number) => {
    const { word } = printed[at]!;
    const isOther = word.length < 3 || lexicon.has(word) || words.has(word);
    return isOther ? null : findShortBrand(shortBrands, printed, at, null);
  };
}

/** True for a till's short form that looks like a joining word or a number (`FROM.`, `4/4` of a tin). */
function isShortForm({ word, isCut }: PrintedWord, { words }: Pick<Catalogue, "words">): boolean {
  return (isCut || /^\d\/\d$/.test(word)) && Boolean(words.get(word));
}

/** A name written anew: words that stay, and those that abbreviations mean. */
function createWriting() {
  const words: string[] = [];
  let isChanged = false;
  return {
    keep: (kept: readonly string[]) => void words.push(...kept),
    writeOut: (meaning: readonly string[]) => {
      words.push(...meaning);
      isChanged = true;
    },
    /** Null where nothing was written out. */
    text: () => (isChanged ? words.join(" ") : null),
  };
}

/**
 * Returns a function that writes out a brand that a till contracted, where it is before other words: `WKRS RDY
 * SLT`. A word that may well be one of a food stays.
 */
function createBrandWriter(catalogue: Catalogue, phrases: QueryPhrases, lexicon: Lexicon) {
  const contractedBrand = createContractedBrands(phrases.brands);
  const isRead = (word: string) =>
    catalogue.words.has(word) ||
    phrases.brands.has(word) ||
    lexicon.read(word, true).some((part) => part.some(({ similarity }) => similarity >= READ_WELL));
  return (printed: readonly PrintedWord[]): readonly PrintedWord[] => {
    const [first, ...rest] = printed;
    if (!first || first.isCut || rest.length === 0) return printed;
    const whole = contractedBrand(first.word);
    return whole === null || isRead(first.word) ? printed : [{ ...first, word: whole }, ...rest];
  };
}

/**
 * True for a short word that a full stop cuts, beside others, where the brand is of a thing that nobody eats: `NETT.`
 * of `PESCHE NETT.` are nectarines, and no brand.
 */
function isCutWord(
  brand: { length: number; value: Food | null },
  printed: readonly PrintedWord[],
  at: number,
): boolean {
  const { word, isCut } = printed[at]!;
  const isThing = brand.value !== null && !isEligible(brand.value);
  return isThing && isCut && brand.length === 1 && word.length <= CUT_BRAND_MAX && printed.length > 1;
}

/** True where the word at a place is an addition, which the thing comes or is made with (`camembert au calvados`). */
function isAdditionAt(words: readonly string[], at: number): boolean {
  const before = words[at - 1] === "la" ? words[at - 2] : words[at - 1];
  return at > 1 && before !== undefined && isAfterHead(before);
}

/** Adds the readings of a word joined with its neighbours, since names may write them as one (`ORANGEN SAFT`). */
function withNeighbours(words: readonly SpeltWord[], lexicon: Lexicon): SpeltWord[] {
  const joined = words.map(({ word }, at) => lexicon.readJoined(words[at - 1]?.word ?? "", word));
  return words.map((read, at) => {
    const [before = [], after = []] = [joined[at], joined[at + 1]];
    return before.length + after.length === 0 ? read : { ...read, readings: [...read.readings, ...before, ...after] };
  });
}
