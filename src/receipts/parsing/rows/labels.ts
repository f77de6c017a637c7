import { isTooDifferent, lettersIn, containsFuzzyWord } from "./fuzzy-match.ts";
import type { LetterSet } from "./fuzzy-match.ts";
import { anyUnitOf } from "../languages/notation.ts";
import { CURRENCIES, labelledWords } from "../languages/vocabulary.ts";

/** What the words of a row say it is; null: nothing known, so perhaps an item. */
export type Label =
  | "total"
  | "subtotal"
  /** A sum of taxes, or what else is put on top (service). */
  | "taxTotal"
  /** Any word of taxes, be it of a rate, a table or what is within the prices. */
  | "tax"
  | "rounding"
  | "cash"
  | "card"
  | "change"
  /** What is told and neither paid nor taken off: saved so far, points, balances. */
  | "savings"
  /** How many were sold. */
  | "count"
  | "discount"
  | "void"
  /** What the till says of itself, the document and the shop, and the headings of the list. */
  | "head"
  /** What is said to the customer. */
  | "note";

/** Letters the OCR confuses are made one, accents and all else dropped: `ZUROCK`, `Zurück` and `2UROCK` are compared alike. */
export function compactKey(text: string): string {
  return foldForOcr(text).replaceAll(" ", "");
}

/** As squashed(), words kept apart by one space. */
export function foldForOcr(text: string): string {
  return text
    .replaceAll("ß", "B")
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toUpperCase()
    .replace(/[1L|!]/g, "I")
    .replace(/[0Q]/g, "O")
    .replaceAll("5", "S")
    .replaceAll("8", "B")
    .replace(/[^A-Z]+/g, " ")
    .trim();
}

/** For words long enough to bear it, also what worn print confuses: T with I, U with O (`IUIAL` is `TOTAL`). */
function worn(letters: string): string {
  return letters.replaceAll("T", "I").replaceAll("U", "O");
}

/** `slack` null: the word must stand alone. */
interface Pattern {
  label: Label;
  words: string;
  letters: string;
  letterSet: LetterSet;
  isWorn: boolean;
  slack: number | null;
}

/** Words of this many letters are compared as worn print, longer ones also inside others. */
const WORN_LETTERS_MIN = 5;
const INNER_LETTERS_MIN = 6;

const PATTERNS: readonly Pattern[] = labelledWords().map(([label, word]) => {
  const letters = compactKey(word);
  const isExact = word.startsWith("=");
  const isWorn = letters.length >= WORN_LETTERS_MIN && !isExact;
  const isInner = letters.length >= INNER_LETTERS_MIN && !isExact;
  return {
    label,
    words: isWorn ? ` ${worn(foldForOcr(word))} ` : ` ${foldForOcr(word)} `,
    letters: worn(letters),
    letterSet: lettersIn(worn(letters)),
    isWorn,
    slack: isInner ? Math.floor(letters.length / (word.includes(" ") ? 10 : 7)) : null,
  };
});

/** Folded: incl, inkl, inll, inc, inclusive, included. */
const INCLUSIVE = / IN[CKI]I?(?: |OSIV|USIV|UDE)/;

/** `**** BALANCE  17.06`, `TAX 1.31 BAL 31.48`: the total; alone balances are of other things, and there is `PRO BALANCE` dog food. */
const STARRED_BALANCE = /(?:\*{2,}\W*(?:\w\s)?|\bTAX\s+)BAL(?:ANCE)?\b/i;

/** `SummeEUR`, `TotalCHF`, `TOTALTTC`: the OCR often loses the space between. */
const GLUED_CURRENCY = new RegExp(
  String.raw`(?<=\p{L}{4})(?:${anyUnitOf(CURRENCIES.flatMap(({ glued = [] }) => glued))}|TTC)(?!\p{L})`,
  "giu",
);

/** `COLGATE TOTAL 100ML`: what a pack holds is no word of a sum. */
const PACK_SIZE = /(?<![\d.,])(?:\d{2,4}\s?(?:ml|cl|gr?)|\d{1,2}(?:\.\d)?\s?[o0]z)(?![\p{L}\d])/iu;

/** `Take-OutTotal`, `GrandTotal`. */
const GLUED_WORDS = /(?<=\p{Ll})(?=\p{Lu}\p{Ll}{3})/gu;

/** `IVA10%`, `VAT20.00%`: so it does before a rate, whose figures would be read as letters. */
const GLUED_RATE = /(?<=\p{L}{3})(?=\d{1,2}(?:[.,]\d{1,2})?\s?%)/gu;

/** `GST INCL IN TOTAL  2.10`, `TOTAL INCLUDES GST OF 0.35`: the tax in it. */
const IN_TOTAL = /\bin\s+(?:the\s+)?total\b|\btotal\s+includes\b/i;

/** All labels that the words of a text carry. */
export function labelsOf(text: string): Set<Label> {
  const words = ` ${foldForOcr(text.replace(GLUED_CURRENCY, " $&").replace(GLUED_RATE, " ").replace(GLUED_WORDS, " "))} `;
  const wornWords = worn(words);
  const wornLetters = wornWords.replaceAll(" ", "");
  const apart = wornWords.trim().split(" ");
  const letterSet = lettersIn(wornLetters);
  const labels = new Set<Label>();
  for (const { label, words: word, letters, letterSet: wanted, isWorn, slack } of PATTERNS) {
    if (labels.has(label) || isTooDifferent(letterSet, wanted, slack ?? 0)) continue;
    const isThere =
      slack === null
        ? (isWorn ? wornWords : words).includes(word)
        : wornLetters.includes(letters) || (slack > 0 && containsFuzzyWord(apart, letters, slack));
    if (isThere) labels.add(label);
  }
  if (IN_TOTAL.test(text) && labels.has("tax")) labels.delete("total");
  if (PACK_SIZE.test(text)) labels.delete("total");
  if (STARRED_BALANCE.test(text)) labels.add("total");
  // `TOTAL (GST INCL)` is a total that includes tax, not the total of taxes.
  if (labels.has("taxTotal") && INCLUSIVE.test(words)) labels.delete("taxTotal");
  return labels;
}
