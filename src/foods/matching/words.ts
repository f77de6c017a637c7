import type { Language } from "../catalogue/catalogue.ts";

/** Words that join others and mean nothing by themselves, in the languages of receipts. */
const JOINING = new Set(
  "and or of the a an n in with for to from on no de du des la le les l d au aux a et en pour avec sans sur un une und mit in im von vom am auf der die das den dem des ohne oder zu zum fur aus y con del el los las al por para sin una di della dello dei degli delle alla alle allo ai agli il gli ed da nel nella senza per uno".split(
    " ",
  ),
);

/** Words before an addition: what the food lies in or comes with. The head of the name comes before them. */
const AFTER_HEAD = new Set("in with on for avec au aux a la mit ohne im con al alla alle allo ai agli".split(" "));

/**
 * Splits a name into words: lower case, without accents, apostrophes or signs; a percentage stays one word (`1.5%`).
 */
export function wordsOf(text: string): readonly string[] {
  // A lookup splits the same text up to three times in a row.
  if (text !== last.text) last = { text, words: split(text) };
  return last.words;
}

let last: { readonly text: string; readonly words: readonly string[] } = { text: "", words: [] };

function split(text: string): string[] {
  const lower = text.toLowerCase();
  // Five of six names are plain letters and need no more.
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

/** A word as printed. `isCut`: a full stop says that its end is missing (`HACKFL. GEM.`). */
export interface PrintedWord {
  word: string;
  isCut: boolean;
}

/** The end of a piece of a name: a full stop after two letters and not before a digit. */
const CUT = /(?<=\p{L}{2}\.)(?!\d)/u;

/** Splits a printed name into words, joining words included. */
export function printedWordsOf(text: string): PrintedWord[] {
  const pieces = text.includes(".") ? text.split(CUT) : [text];
  return pieces.flatMap((piece) => {
    const words = wordsOf(piece);
    return words.map((word, at) => ({ word, isCut: piece.endsWith(".") && at === words.length - 1 }));
  });
}

/**
 * Returns a text in lower case without accents; ß, œ, æ and ø are written out. French tea (`thé`) stays different
 * from the English article, and pâté from pâtes.
 */
export function fold(text: string): string {
  // Most names are plain letters, and the rest of it takes a third of the model's time.
  if (!/[^ -~]/.test(text)) return text.toLowerCase();
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

/**
 * Those of `AFTER_HEAD` without another meaning (`a` is an article too), and their short forms on tills (`W/`, `I.`).
 */
const ADDING = new Set("with w avec mit con in im i".split(" "));

/** True for a word that adds something to the thing before it. */
export function isAddingWord(word: string): boolean {
  return ADDING.has(word);
}

const WITHOUT = new Set("sans senza sin ohne without s".split(" "));
/** Parts of foods that are left out: a `SANDIA S/PEPITAS` is no pumpkin seed. */
const PARTS = new Set(
  "pepitas piel hueso huesos espinas semillas corteza costra tapa sal pelle osso ossa spine lische semi crosta sale peau os aretes arete pepins noyau pulpe croute couenne sel haut knochen graten kerne kern stein schwarte salz skin bone bones seeds stones".split(
    " ",
  ),
);

/** True for a word that names what is left out, behind a word that says so: `SIN PIEL`, `S/PIEL`. */
export function isLeftOut(word: string, before: string | undefined): boolean {
  const [start = "", part] = word.split("/");
  if (part !== undefined) return start === "s" && PARTS.has(part);
  return before !== undefined && WITHOUT.has(before) && PARTS.has(word);
}

/** True for a word that is followed by what a thing lies in or comes with. */
export function isAfterHead(word: string): boolean {
  return AFTER_HEAD.has(word);
}

/** Returns the words of a name with a meaning: no joining words, no bare numbers, no product codes with digits. */
export function contentWords(text: string): string[] {
  return wordsOf(text).filter(isContentWord);
}

/** True for a word with a meaning of its own. */
export function isContentWord(word: string): boolean {
  return (hasOnlyLetters(word) || /^[\d.]+%$/.test(word)) && !JOINING.has(word);
}

/** True for two letters and more, strokes among them. Faster than a pattern; each word is asked about three times. */
function hasOnlyLetters(word: string): boolean {
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at);
    if ((code < 97 || code > 122) && code !== 47) return false;
  }
  return word.length > 1;
}

/** True for languages with the head first: `jus de pomme`, `zumo de manzana`, `succo di mela`. */
export function isHeadFirst(language: Language): boolean {
  return language === "fr" || language === "es" || language === "it";
}

/** True for a word that can be the head of a name. */
export function canHead(word: string): boolean {
  return !JOINING.has(word) && /^[a-z]{2,}$/.test(word);
}

/** True for a word that may have an ending: four letters and more. */
export function hasStem(word: string): boolean {
  return word.length > 3 && /^[a-z]+$/.test(word);
}

/**
 * Returns a light stem, equal for all forms of a word: without the endings of the plural and, in German, of the case.
 */
export function stem(word: string, language: Language, isStemmed = hasStem(word)): string {
  if (!isStemmed) return word;
  if (language === "de") return stemGerman(word);
  if (language === "it") return stemItalian(word);
  const singular = stemPlural(word, language);
  return language === "en" ? (SPELLINGS.get(singular) ?? singular) : singular;
}

/** English words with two spellings, each with the spelling used for both. */
const SPELLINGS = new Map([
  ["yoghurt", "yogurt"],
  ["yoghourt", "yogurt"],
  ["donut", "doughnut"],
  ["omelet", "omelette"],
  ["fiber", "fibre"],
  ["flavored", "flavoured"],
  ["flavor", "flavour"],
]);

/** Those of them that are not the one used for both: their stems begin with other letters. */
export const OTHER_SPELLINGS: readonly string[] = [...SPELLINGS.keys()];

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

/**
 * Italian words that differ from others only in the last vowel (`polpa`, `panna`, `busta`, `puro`), each with its
 * stem.
 */
const ITALIAN_EXCEPTIONS = new Map([
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
  // English and French words with another meaning.
  ["code", "code"],
  ["carte", "carte"],
]);

/**
 * The last vowel, which says number and gender, becomes an `o`. Without it, words that other languages cut short
 * would be read as Italian (`mel`, `gran`). A soft c or g stays soft, so that `pesce` and `pesci` are no `pesche`.
 */
function stemItalian(word: string): string {
  if (!/[aeio]$/.test(word)) return word;
  const exception = ITALIAN_EXCEPTIONS.get(word);
  if (exception !== undefined) return exception;
  const soft = word.replace(/(?<=[cg])(?:i[aeo]|i|e)$/, "i");
  return soft.endsWith("ci") || soft.endsWith("gi") ? soft : word.replace(/(?:(?<=[cg])h?i?|i)?[aeio]$/, "o");
}
