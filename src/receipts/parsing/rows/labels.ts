import { plainLetters } from "../languages/plain-letters.ts";
import { isTooDifferent, lettersIn, containsFuzzyWord } from "./fuzzy-match.ts";
import type { LetterSet } from "./fuzzy-match.ts";
import { anyUnitOf } from "../languages/notation.ts";
import { CURRENCIES, labelledWords } from "../languages/vocabulary.ts";

/** Meaning of a row's words. A row without a label may be an item. */
export type Label =
  | "total"
  | "subtotal"
  /** A sum of taxes, or another charge on top (service). */
  | "taxTotal"
  /** Any word of taxes: of a rate, a table, or taxes in the prices. */
  | "tax"
  | "rounding"
  | "cash"
  | "card"
  | "change"
  /** Information that is neither paid nor taken off: savings so far, points, balances. */
  | "savings"
  /** Number of articles. */
  | "count"
  | "discount"
  | "void"
  /** Header texts about the till, the document and the shop, and the headings of the list. */
  | "head"
  /** A message to the customer. */
  | "note";

/**
 * Returns a text as a key for comparison, without spaces: letters that the OCR confuses become one, accents and other
 * characters are dropped. `ZURÜCK`, `Zurück` and `ZURUCK` have one key.
 */
export function compactKey(text: string): string {
  return foldForOcr(text).replaceAll(" ", "");
}

/** Like compactKey(), but with one space between words. */
export function foldForOcr(text: string): string {
  return plainLetters(text.replaceAll("ß", "B"))
    .toUpperCase()
    .replace(/[1L|!]/g, "I")
    .replace(/[0Q]/g, "O")
    .replaceAll("5", "S")
    .replaceAll("8", "B")
    .replace(/[^A-Z]+/g, " ")
    .trim();
}

/**
 * Merges letters that the OCR confuses on worn print: T with I, U with O (`IUIAL` is `TOTAL`). Only for longer words.
 */
function worn(letters: string): string {
  return letters.replaceAll("T", "I").replaceAll("U", "O");
}

/** A word to search. `slack` is the number of letters that may differ; null: it must be a word of its own. */
interface Pattern {
  label: Label;
  words: string;
  letters: string;
  letterSet: LetterSet;
  isWorn: boolean;
  slack: number | null;
  /** The letters in one part more than may differ: one of them is whole wherever the word nearly is. */
  parts: readonly string[];
}

/**
 * From this length words are compared as worn print, or also inside others. Set by hand on the development receipts.
 */
const WORN_LETTERS_MIN = 5;
const INNER_LETTERS_MIN = 6;

const PATTERNS: readonly Pattern[] = labelledWords().map(([label, word]) => {
  const letters = compactKey(word);
  const isExact = word.startsWith("=");
  const isWorn = letters.length >= WORN_LETTERS_MIN && !isExact;
  const isInner = letters.length >= INNER_LETTERS_MIN && !isExact;
  const slack = isInner ? Math.floor(letters.length / (word.includes(" ") ? 10 : 7)) : null;
  return {
    label,
    words: isWorn ? ` ${worn(foldForOcr(word))} ` : ` ${foldForOcr(word)} `,
    letters: worn(letters),
    letterSet: lettersIn(worn(letters)),
    isWorn,
    slack,
    parts: partsOf(worn(letters), 1 + (slack ?? 0)),
  };
});

/** `KONTANT` and `Contant` are cash in five languages, and no misread `montant`, a total in French. */
const KNOWN_WORDS: ReadonlySet<string> = new Set(
  PATTERNS.flatMap(({ words, letters }) => (words.trim().includes(" ") ? [] : [letters])),
);

function partsOf(letters: string, count: number): string[] {
  const size = Math.floor(letters.length / count);
  return Array.from({ length: count }, (_, i) => letters.slice(i * size, i < count - 1 ? (i + 1) * size : undefined));
}

/** After foldForOcr(): incl, inkl, inll, inc, inclusive, included. */
const INCLUSIVE = / IN[CKI]I?(?: |OSIV|USIV|UDE)/;

/**
 * `**** BALANCE  17.06`, `TAX 1.31 BAL 31.48` are the total. A balance alone is of something else, and `PRO BALANCE` is
 * dog food.
 */
const STARRED_BALANCE = /(?:(?<!\*)\*\*\W*(?:\w\s)?|\bTAX\s+)BAL(?:ANCE)?\b/i;

/** `SummeEUR`, `TotalCHF`, `TOTALTTC`: the OCR often loses the space between. */
const GLUED_CURRENCY = new RegExp(
  String.raw`(?<=\p{L}{4})(?:${anyUnitOf(CURRENCIES.flatMap(({ glued = [] }) => glued))}|TTC)(?!\p{L})`,
  "giu",
);

/** The size of a pack (`COLGATE TOTAL 100ML`): the row is goods and no sum. */
const PACK_SIZE = /(?<![\d.,])(?:\d{2,4}\s?(?:ml|cl|gr?)|\d{1,2}(?:\.\d)?\s?[o0]z)(?![\p{L}\d])/iu;

/** `Take-OutTotal`, `GrandTotal`. */
const GLUED_WORDS = /(?<=\p{Ll})(?=\p{Lu}\p{Ll}{3})/gu;

/** `IVA10%`, `VAT20.00%`: the space before a rate was lost, and its figures would be compared as letters. */
const GLUED_RATE = /(?<=\p{L}{3})(?=\d{1,2}(?:[.,]\d{1,2})?\s?%)/gu;

/** `GST INCL IN TOTAL  2.10`, `TOTAL INCLUDES GST OF 0.35`: the tax in the total, its O perhaps a zero. */
const IN_TOTAL = /\b[il1]n\s+(?:the\s+)?t[o0]t[ao]l\b|\bt[o0]tal\s+includes\b/i;

/** `ARROZ T1 5KG`: the grade of rice and beans in Brazil, which resembles TL, a lira. */
const GRADE = /(?<=\p{L}{3}.*\s)T1(?![\p{L}\d])/gu;

/** `SUMA PLN`: L and I are one when words are compared, so it would be a PIN, a payment by card in Dutch. */
const ZLOTY = /(?<!\p{L})PLN(?!\p{L})/gu;

/** Returns all labels of the words of a text. */
export function labelsOf(text: string): Set<Label> {
  const apartText = text.replace(GLUED_CURRENCY, " $&").replace(GLUED_RATE, " ").replace(GLUED_WORDS, " ");
  const words = ` ${foldForOcr(apartText.replace(GRADE, " ").replace(ZLOTY, " "))} `;
  const wornWords = worn(words);
  const wornLetters = wornWords.replaceAll(" ", "");
  const apart = wornWords.trim().split(" ");
  const letterSet = lettersIn(wornLetters);
  const labels = new Set<Label>();
  for (const pattern of PATTERNS) {
    // Nearly all words end here: a letter is missing, and none may be.
    const isLetterMissing = (pattern.letterSet & ~letterSet) !== 0;
    const { label, words: word, letters, letterSet: wanted, isWorn, slack } = pattern;
    if (isLetterMissing && (!slack || isTooDifferent(letterSet, wanted, slack))) continue;
    if (labels.has(label)) continue;
    const isThere =
      slack === null
        ? (isWorn ? wornWords : words).includes(word)
        : wornLetters.includes(letters) ||
          (slack > 0 &&
            pattern.parts.some((part) => wornLetters.includes(part)) &&
            containsFuzzyWord(apart, letters, slack, KNOWN_WORDS));
    if (isThere) labels.add(label);
  }
  if (IN_TOTAL.test(text) && labels.has("tax")) labels.delete("total");
  if (PACK_SIZE.test(text)) labels.delete("total");
  if (STARRED_BALANCE.test(text)) labels.add("total");
  // `TOTAL (GST INCL)` is a total that includes tax, not the total of taxes.
  if (labels.has("taxTotal") && INCLUSIVE.test(words)) labels.delete("taxTotal");
  return labels;
}
