import { anyWordOf, isPattern, wordProblem } from "./notation.ts";
import { isRecord, listProblems } from "./language.ts";

// The tables of countries and currencies, `reference/receipts/countries.json` and `currencies.json`.

/** The order of day, month and year in dates of figures. `mixed`: all three are in use. */
export const DATE_ORDERS = ["dayFirst", "monthFirst", "yearFirst", "mixed"] as const;

/**
 * A row of the table of countries. `code` is ISO 3166-1 alpha-2, `currency` ISO 4217. Most receipts are in the first
 * of the languages.
 */
export interface Country {
  code: string;
  name: string;
  /** Other names that people write for it. */
  names?: readonly string[];
  currency: string;
  dateOrder: (typeof DATE_ORDERS)[number];
  decimalMark: "." | ",";
  languages: readonly string[];
  clues: readonly Clue[];
  /** Regular expressions of a postcode or a state that make a text an address. Capital and small letters are alike. */
  places?: readonly string[];
  /** Regular expressions of a town with its state that make a text an address, never a company. Capitals count. */
  towns?: readonly string[];
}

/**
 * Words and forms of numbers that speak for a country, and how strongly. `patterns` are regular expressions, for what
 * the notation of words cannot say.
 */
export interface Clue {
  weight: number;
  words?: readonly string[];
  patterns?: readonly string[];
  /** Whether capital and small letters of words and patterns differ. */
  matchCase?: boolean;
  /**
   * What other countries print as well: these patterns of it, or all of it. With nothing else of the clue on a receipt,
   * it speaks alike for the one of them that the receipt is likely from.
   */
  shared?: { patterns?: readonly string[]; with: readonly string[] };
  comment?: string;
}

/**
 * A currency and the signs that receipts print for it. `sharedSign`: a sign that other currencies have too (`$`, `kr`).
 * `countries`: those that have it without a row in the table of countries. `isWhole`: amounts have no decimals.
 * `glued`: its words where the OCR loses the blank before them (`SummeEUR`), unless names of goods end so (`MACARON`).
 * The signs of amounts, each with the places where it is read; where a place has fewer, the reason is here.
 */
export interface Currency {
  code: string;
  sharedSign?: string;
  countries?: readonly string[];
  isWhole?: boolean;
  glued?: readonly string[];
  /** Printed before an amount or behind it. */
  signs?: readonly string[];
  /** Printed behind an amount only: before one they are the end of a word (`kr`). */
  signsBehind?: readonly string[];
  /** Printed signs of one letter, before a figure. Not before the price of one, where the letter may be a tax mark. */
  letterSigns?: readonly string[];
  /** What the OCR reads for a sign before an amount. */
  misreadSigns?: readonly string[];
  /** The same behind an amount. Fewer, since a letter there may be a unit or a tax mark. */
  misreadSignsBehind?: readonly string[];
  /** The same only before the price of one, beside `misreadSigns`: elsewhere they are litres or tax marks. */
  misreadUnitPriceSigns?: readonly string[];
  patterns: readonly string[];
}

/** The pattern of a clue. */
export function cluePattern({ words = [], patterns = [], matchCase = false }: Omit<Clue, "weight">): RegExp {
  const sources = [...(words.length > 0 ? [anyWordOf(words)] : []), ...patterns];
  return new RegExp(sources.join("|"), matchCase ? (sources.join("").includes(String.raw`\p{`) ? "u" : "") : "i");
}

const MEMBERS = [
  "code",
  "name",
  "names",
  "currency",
  "dateOrder",
  "decimalMark",
  "languages",
  "clues",
  "places",
  "towns",
  "comment",
];
const CLUE_MEMBERS = ["weight", "words", "patterns", "matchCase", "shared", "comment"];
const SIGN_LISTS = [
  "signs",
  "signsBehind",
  "letterSigns",
  "misreadSigns",
  "misreadSignsBehind",
  "misreadUnitPriceSigns",
];
const CURRENCY_MEMBERS = ["code", "sharedSign", "countries", "isWhole", "glued", ...SIGN_LISTS, "patterns", "comment"];
const WEIGHT_MAX = 20;

/**
 * All that is wrong with the table of countries. `hasLanguage`: whether a language has a file. `hasCurrency`: whether a
 * currency has a row.
 */
export function countryProblems(
  content: unknown,
  hasLanguage: (code: string) => boolean,
  hasCurrency: (code: string) => boolean,
): string[] {
  if (!Array.isArray(content)) return ["countries.json: is no list"];
  const codes = content.map((row: unknown) => (isRecord(row) ? row["code"] : null));
  return content.flatMap((row: unknown, index) => {
    if (!isRecord(row)) return [`countries.json: row ${index + 1} is no object`];
    const where = rowName("countries.json", row, index);
    return [
      ...unknownMembers(where, row, MEMBERS),
      ...(codes.indexOf(row["code"]) < index ? [`${where} has two rows`] : []),
      ...fieldProblem(where, row, "code", /^[A-Z]{2}$/),
      ...fieldProblem(where, row, "name", /\S/),
      ...currencyOfCountryProblem(where, row, hasCurrency),
      ...fieldProblem(where, row, "dateOrder", new RegExp(`^(?:${DATE_ORDERS.join("|")})$`)),
      ...fieldProblem(where, row, "decimalMark", /^[.,]$/),
      ...listProblems(`${where}: languages`, row["languages"], (code) =>
        hasLanguage(code) ? null : `has no file languages/${code}.json`,
      ),
      ...listProblems(`${where}: places`, row["places"] ?? [], patternProblem),
      ...listProblems(`${where}: towns`, row["towns"] ?? [], patternProblem),
      ...listProblems(`${where}: names`, row["names"] ?? [], (name) => (name.trim() === "" ? "is empty" : null)),
      ...(Array.isArray(row["clues"])
        ? row["clues"].flatMap((clue: unknown, i) => clueProblems(`${where}: clue ${i + 1}`, clue))
        : [`${where}: clues is no list`]),
    ];
  });
}

/** Without its row, nothing would be known of the currency: its sign, its code, and that it has no decimals. */
function currencyOfCountryProblem(
  where: string,
  row: Readonly<Record<string, unknown>>,
  hasCurrency: (code: string) => boolean,
): string[] {
  const problems = fieldProblem(where, row, "currency", /^[A-Z]{3}$/);
  const code = String(row["currency"]);
  return problems.length > 0 || hasCurrency(code)
    ? problems
    : [`${where}: currency ${code} has no row in currencies.json`];
}

/** How a problem names a row: by its code, else by its place. */
function rowName(file: string, { code }: Readonly<Record<string, unknown>>, index: number): string {
  return `${file}: ${typeof code === "string" ? code : `row ${index + 1}`}`;
}

function clueProblems(where: string, clue: unknown): string[] {
  if (!isRecord(clue)) return [`${where} is no object`];
  const { weight, words = [], patterns = [] } = clue;
  const isWeight = typeof weight === "number" && weight > 0 && weight <= WEIGHT_MAX;
  const isEmpty = Array.isArray(words) && Array.isArray(patterns) && words.length + patterns.length === 0;
  return [
    ...unknownMembers(where, clue, CLUE_MEMBERS),
    ...(isWeight ? [] : [`${where}: weight is no number from 1 to ${WEIGHT_MAX}`]),
    ...(isEmpty ? [`${where} has neither words nor patterns`] : []),
    ...listProblems(`${where}: words`, words, wordProblem),
    ...listProblems(`${where}: patterns`, patterns, patternProblem),
    ...sharedProblems(`${where}: shared`, clue["shared"] ?? { with: [] }),
  ];
}

function sharedProblems(where: string, shared: unknown): string[] {
  if (!isRecord(shared)) return [`${where} is no object`];
  return [
    ...unknownMembers(where, shared, ["patterns", "with"]),
    ...listProblems(`${where}: patterns`, shared["patterns"] ?? [], patternProblem),
    ...listProblems(`${where}: with`, shared["with"], codeProblem),
  ];
}

/** All that is wrong with the table of currencies. */
export function currencyProblems(content: unknown): string[] {
  if (!Array.isArray(content)) return ["currencies.json: is no list"];
  return content.flatMap((row: unknown, index) => {
    if (!isRecord(row)) return [`currencies.json: row ${index + 1} is no object`];
    const where = rowName("currencies.json", row, index);
    return [
      ...unknownMembers(where, row, CURRENCY_MEMBERS),
      ...fieldProblem(where, row, "code", /^[A-Z]{3}$/),
      ...listProblems(`${where}: glued`, row["glued"] ?? [], wordProblem),
      ...listProblems(`${where}: countries`, row["countries"] ?? [], codeProblem),
      ...("sharedSign" in row ? fieldProblem(where, row, "sharedSign", /^(?:[A-Za-z]+|\p{Sc})$/u) : []),
      ...SIGN_LISTS.flatMap((list) => listProblems(`${where}: ${list}`, row[list] ?? [], signProblem)),
      ...listProblems(`${where}: patterns`, row["patterns"], patternProblem),
    ];
  });
}

/** A sign is letters, perhaps with a point behind them, or a currency symbol. */
function signProblem(sign: string): string | null {
  return /^(?:[A-Za-z]+\.?|\p{Sc})$/u.test(sign) ? null : "is neither letters nor a currency symbol";
}

function codeProblem(code: string): string | null {
  return /^[A-Z]{2}$/.test(code) ? null : "is no code of a country";
}

function unknownMembers(where: string, row: Readonly<Record<string, unknown>>, members: readonly string[]): string[] {
  return Object.keys(row)
    .filter((member) => !members.includes(member))
    .map((member) => `${where}: unknown member "${member}"`);
}

function fieldProblem(where: string, row: Readonly<Record<string, unknown>>, field: string, form: RegExp): string[] {
  const value = row[field];
  return typeof value === "string" && form.test(value) ? [] : [`${where}: ${field} is ${JSON.stringify(value)}`];
}

function patternProblem(pattern: string): string | null {
  if (pattern === "") return "is empty";
  return isPattern(pattern) || isPattern(pattern, "u") ? null : "is no regular expression";
}
