import type { Language } from "../catalogue/catalogue.ts";

/** Words that join others and mean nothing by themselves, in the languages of receipts. */
const JOINING = new Set(
  "and or of the a an n in with for to from on no de du des la le les l d au aux a et en pour avec sans sur un une und mit in im von vom am auf der die das den dem des ohne oder zu zum fur aus y con del el los las al por para sin una di della dello dei degli delle alla alle allo ai agli il gli ed da nel nella senza per uno".split(
    " ",
  ),
);

/** What follows says what the food lies in or comes with; the head of the name stands before. */
const AFTER_HEAD = new Set("in with on for avec au aux a la mit ohne im con al alla alle allo ai agli".split(" "));

/** A name as words: lower case, without accents, apostrophes or signs; a percentage stays one word (`1.5%`). */
export function wordsOf(text: string): string[] {
  const lower = text.toLowerCase();
  // Of the names five in six are plain letters, and need no more.
  if (/^[a-z ]*$/.test(lower)) return lower.split(" ").filter((word) => word !== "");
  return fold(lower)
    .replaceAll(/\b(?:[dljmnst]|qu|(?:a|de|ne|da|su)ll)['’](?=[a-z])/g, "")
    .replaceAll(/['’]/g, "")
    .replaceAll(/(\d),(\d)/g, "$1.$2")
    .replaceAll(/(\d)\s*%/g, "$1% ")
    .replaceAll("&", " and ")
    .replaceAll(/(?<!\d)\.|\.(?!\d)/g, " ")
    .split(/[^a-z0-9.%/]+/)
    .map((word) => word.replaceAll(/^[./]+|[./]+$/g, ""))
    .filter((word) => word !== "");
}

/** A word as printed: `isCut` where a full stop tells that its end is missing (`HACKFL. GEM.`). */
export interface PrintedWord {
  word: string;
  isCut: boolean;
}

/** What ends a piece of a name: a full stop behind two letters and not before a digit. */
const CUT = /(?<=\p{L}{2}\.)(?!\d)/u;

/** The words of a printed name, with joining words, in order. */
export function printedWordsOf(text: string): PrintedWord[] {
  return text.split(CUT).flatMap((piece) => {
    const words = wordsOf(piece);
    return words.map((word, at) => ({ word, isCut: piece.endsWith(".") && at === words.length - 1 }));
  });
}

/** Lower case without accents; ß, œ, æ and ø written out. French tea stays apart from the English article, pâté from pâtes. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFC")
    .replaceAll(/\b(th|pât)é(?=s?(?![a-zà-ÿ]))/g, "$1ee")
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036F]/g, "")
    .replaceAll("ß", "ss")
    .replaceAll("œ", "oe")
    .replaceAll("æ", "ae")
    .replaceAll("ø", "o");
}

/** Of these, those that are nothing else, tills' short forms among them (`W/`, `I.`): `a` is an article too. */
const ADDING = new Set("with w avec mit con in im i".split(" "));

/** True for a word that adds something to the thing named before. */
export function isAddingWord(word: string): boolean {
  return ADDING.has(word);
}

/** True for a word behind which stands what a thing lies in or comes with. */
export function isAfterHead(word: string): boolean {
  return AFTER_HEAD.has(word);
}

/** The words of a name that mean something: no joining words, no bare numbers, no product codes with digits in them. */
export function contentWords(text: string): string[] {
  return wordsOf(text).filter(isContentWord);
}

/** True for a word of a name that means something by itself. */
export function isContentWord(word: string): boolean {
  return !JOINING.has(word) && /^(?:[a-z/]{2,}|[\d.]+%)$/.test(word);
}

/** True for languages that name the thing before what tells it from others: `jus de pomme`, `zumo de manzana`, `succo di mela`. */
export function isHeadFirst(language: Language): boolean {
  return language === "fr" || language === "es" || language === "it";
}

/** True for a word that can say what the thing is. */
export function canHead(word: string): boolean {
  return !JOINING.has(word) && /^[a-z]{2,}$/.test(word);
}

/** A light stem: the endings of the plural and, in German, of the case. Equal for the forms of a word, not meant to be read. */
export function stem(word: string, language: Language): string {
  if (word.length <= 3 || !/^[a-z]+$/.test(word)) return word;
  if (language === "de") return stemGerman(word);
  if (language === "it") return stemItalian(word);
  const singular = stemPlural(word, language);
  return language === "en" ? (SPELLINGS.get(singular) ?? singular) : singular;
}

/** English words that are spelt in two ways, each with the way that stands for both. */
const SPELLINGS = new Map([
  ["yoghurt", "yogurt"],
  ["yoghourt", "yogurt"],
  ["donut", "doughnut"],
  ["omelet", "omelette"],
  ["fiber", "fibre"],
  ["flavored", "flavoured"],
  ["flavor", "flavour"],
]);

function stemPlural(word: string, language: Language): string {
  if (language === "fr") {
    if (!/[exs]$/.test(word)) return word;
    const singular = word.replace(/(?<=eau|eu)x$/, "").replace(/(?<=[^su])s$/, "");
    return singular.length > 4 ? singular.replace(/ee$|e$/, "") : singular;
  }
  if (!word.endsWith("s")) return word;
  if (language === "es") {
    return word
      .replace(/ces$/, "z")
      .replace(/(?<=[dlnrj])es$/, "")
      .replace(/(?<=[aeiou])s$/, "");
  }
  if (word.endsWith("ies")) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:oes|sses|ches|shes|xes)$/.test(word)) return word.slice(0, -2);
  if (/(?:loaves|leaves|halves|knives)$/.test(word)) return `${word.slice(0, -3)}f`;
  return /[^su]s$/.test(word) && !word.endsWith("is") ? word.slice(0, -1) : word;
}

const GERMAN_ENDINGS = ["en", "er", "es", "n", "e", "s"];

function stemGerman(word: string): string {
  if (!/[enrs]$/.test(word)) return word;
  for (const ending of GERMAN_ENDINGS) {
    if (word.endsWith(ending) && word.length - ending.length >= 4) return word.slice(0, -ending.length);
  }
  return word.length > 3 && word.endsWith("e") ? word.slice(0, -1) : word;
}

/** Italian words that only their last vowel tells from others (`polpa`, `panna`, `busta`, `puro`), each with what stands for its forms. */
const APART_IN_ITALIAN = new Map([
  ["polpo", "polpi"],
  ["polpi", "polpi"],
  ["panno", "panni"],
  ["panni", "panni"],
  ["busto", "busti"],
  ["grana", "grana"],
  ["pure", "pure"],
  ["secchio", "secchio"],
  ["galletto", "galletti"],
  ["galletti", "galletti"],
  ["soda", "soda"],
  ["collo", "colli"],
  // English and French words too, that mean something else.
  ["code", "code"],
  ["carte", "carte"],
]);

/**
 * Number and gender stand in the last vowel, which becomes an `o`: were it dropped, what other languages cut short would be Italian
 * (`mel`, `gran`). A soft c or g is kept, so that `pesce` and `pesci` are no `pesche`.
 */
function stemItalian(word: string): string {
  if (!/[aeio]$/.test(word)) return word;
  const apart = APART_IN_ITALIAN.get(word);
  if (apart !== undefined) return apart;
  const soft = word.replace(/(?<=[cg])(?:i[aeo]|i|e)$/, "i");
  return soft.endsWith("ci") || soft.endsWith("gi") ? soft : word.replace(/(?:(?<=[cg])h?i?|i)?[aeio]$/, "o");
}
