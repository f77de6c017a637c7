import type { Label } from "../rows/labels.ts";
import { wordProblem } from "./notation.ts";

// The file of a language, `reference/receipts/languages/<code>.json`: its members, and all errors it can have.

/** The meanings that the words of a row can have; see `Label`. */
export const LABELS = [
  "total",
  "subtotal",
  "tax",
  "taxTotal",
  "rounding",
  "cash",
  "card",
  "change",
  "savings",
  "count",
  "discount",
  "void",
  "head",
  "note",
] as const satisfies readonly Label[];

export const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
] as const;

/** In the order of `Date.getUTCDay()`. */
export const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

/** Measures that goods are sold by. */
export const MEASURES = ["kg", "g", "lb", "oz", "ml", "l"] as const;

export type Measure = (typeof MEASURES)[number];

/** The word lists of a language. */
export const WORD_LISTS = [
  /** Words over the columns of the list of goods. */
  "headings",
  /** Words of the column of counts whose row is no product. */
  "countColumns",
  /** Words of a count of what was sold, behind its figure: no heading. */
  "soldCounts",
  /** Words of columns and quantities inside the list that are no name. */
  "columnWords",
  /** Words of totals on a page without decimals. Fewer than labels, letter for letter: amounts are not read yet. */
  "wholeTotals",
  /** Words of a document whose amounts have no decimals. */
  "wholeDocuments",
  /** Words between a price and its unit: `per`. */
  "perWords",
  /** Units behind those. */
  "perUnits",
  /** Words behind the price of one. */
  "eachWords",
  /** Words before `/` or `per` and a unit, of the price of one. */
  "priceWords",
  /** All words of a row that is nothing but a tax. */
  "taxRowWords",
  /** Units behind a count of pieces. */
  "pieces",
  /** Words that end a company's name. */
  "legalForms",
  /** Legal forms that may be all of a row: the end of the name on the row above. */
  "nameEnds",
  /** Words of a shop's trade. */
  "businesses",
  /** Words of streets and places. */
  "addresses",
  /** Words that begin or end the name of a mall, a university or a hospital, which tenants print above their own. */
  "malls",
  /** Breweries and groups, whose houses print their own names below: `GREENE KING`, `LOUIS FITZGERALD GROUP`. */
  "groups",
  /** Words before the number of premises. */
  "premises",
  /** Words before the shop's name at the top. */
  "greetings",
  /** Labels of the shop's name, before a colon. */
  "sellerLabels",
  /** Labels of its name or its town, before a colon. */
  "shopLabels",
  /** Articles between a greeting or farewell and the shop's name. */
  "articles",
  /** Words before the shop's name in a farewell. */
  "farewells",
  /** Words that link a farewell and the shop's name. They are not the name. */
  "farewellLinks",
  /** Words of a farewell whose row may name a chain. Fewer than `farewells`: some of those are in names of goods. */
  "farewellRows",
  /** Words that address the customer, in slogans. */
  "appeals",
  /** Words that praise, in slogans in capitals: `FRESH BAKED DAILY`, `SMACZNIE I TANIO`. */
  "praises",
  /** What is alone on a row of the till and no name. */
  "tillRows",
  /** Words of the till before a number, in the head. */
  "numberedRows",
  /** Words for a number, behind those. */
  "numberWords",
  /** What the till or the document says of itself in the head. */
  "notNames",
  /** Beginnings of websites that are not the shop's own: mail, reviews, surveys. */
  "otherSites",
  /** Last parts of websites, beside the countries' of two letters. */
  "siteEndings",
  /** Words before the owner's name. */
  "owners",
  /** Words before the year when a shop was founded, behind its name: `since`. */
  "founded",
  /** Words between a company and its shop's name, or before the latter: `t/a`. */
  "tradingAs",
  /** Common first names, of owners whose shop has another name. */
  "firstNames",
  /** Words before a first name that make it a shop's: `casa`, `santa`. */
  "nameStarts",
  /** Words before the company that runs the shop, which has another name. */
  "operators",
  /** Words of a restaurant that are of no goods. */
  "restaurantAnywhere",
  /** Words of a restaurant beside its list of goods. */
  "restaurants",
  /** Words of an online shop. */
  "online",
  /** Words of a grocery. */
  "groceries",
  /** What follows the address in the head. */
  "afterAddress",
  /** Words before the number of a payment card. */
  "cardNumbers",
  /** Words before a number of something else that is masked like a card's. */
  "otherNumbers",
  /** What is given on top of the bill. */
  "tips",
  /** Words before those. */
  "tipKinds",
  /** Words that make a total the last one. */
  "finalTotals",
  /** What fuel cost, in place of its name: `FUEL TOTAL`. */
  "fuelTotals",
  /** Goods charged after the subtotal: deposits, bags, delivery. */
  "lateCharges",
  /** What is charged beside the goods: service, tips, gifts. */
  "extraCharges",
  /** Words before the day of the purchase. */
  "dateWords",
  /** Words for "date" themselves; also glued to the month's name (`DATENOV`). */
  "dateNames",
  /** Words that are alone before the day of the purchase. */
  "dateStarts",
  /** Words between a noun and the day of the purchase, beside `dateStarts`: `Rechnung vom`. */
  "dateLinks",
  /** Words between the date and the time of day. Units glued to it: no blank need be behind them. */
  "timeLinks",
  /** Words right before the first or last day of something else. */
  "bounds",
  /** The same, only behind another word: on their own they are short for a weekday. */
  "boundsBehindWords",
  /** Words right behind the last day of something else. */
  "boundsBehind",
  /** Words between the first and the last day of a period. */
  "ranges",
  /** Words before the day of a second print. */
  "reprints",
  /** Words glued to the month's name, before and behind it: `12thNovember`. */
  "monthPrefixes",
  "monthSuffixes",
  /** Words of a signature, whose times are not of the purchase: anywhere in a row, and at its start. */
  "signatures",
  "signatureStarts",
  /** Words before or behind the time of day. */
  "timeWords",
  /** Words that begin a row of payment, a short one. */
  "paymentStarts",
  /** Words before a date of something else, anywhere before it. */
  "otherDates",
  /** Words that speak of another date only right before it. */
  "doubtfulDates",
] as const;

export type WordList = (typeof WORD_LISTS)[number];

export interface Language extends Partial<Record<WordList, readonly string[]>> {
  name: string;
  comment?: string;
  labels?: Partial<Record<Label, readonly string[]>>;
  months?: Partial<Record<(typeof MONTHS)[number], readonly string[]>>;
  weekdays?: Partial<Record<(typeof WEEKDAYS)[number], readonly string[]>>;
  /** Words of measures, behind a figure; misread ones too. */
  measures?: Partial<Record<Measure, readonly string[]>>;
  /** Words with the letters that the OCR cannot read, as they should be. */
  restoredWords?: readonly string[];
}

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  labels: LABELS,
  months: MONTHS,
  weekdays: WEEKDAYS,
  measures: MEASURES,
};
/** Words that are compared by their letters; `=` before a label's word: it must be alone, letter for letter. */
const PLAIN_WORD = /^=?[a-z0-9]+(?: [a-z0-9]+)*$/;
const RESTORED_WORD = /^\p{Ll}{3,}$/u;

/** All that is wrong with the content of a language's file. Empty: it is a `Language`. */
export function languageProblems(file: string, content: unknown): string[] {
  if (!isRecord(content)) return [`${file}: is no object`];
  return [
    ...(typeof content["name"] === "string" && content["name"] !== "" ? [] : [`${file}: has no name`]),
    ...Object.entries(content).flatMap(([member, value]) => memberProblems(file, member, value)),
    ...labelProblems(file, content["labels"]),
  ];
}

function memberProblems(file: string, member: string, value: unknown): string[] {
  if (member === "name" || member === "comment") return [];
  if (member === "restoredWords")
    return listProblems(`${file}: ${member}`, value, (word) =>
      RESTORED_WORD.test(word) ? null : "is not three small letters or more",
    );
  if (WORD_LISTS.some((list) => list === member)) return listProblems(`${file}: ${member}`, value, wordProblem);
  const names = GROUPS[member];
  if (!names) return [`${file}: unknown member "${member}"`];
  if (!isRecord(value)) return [`${file}: ${member} is no object`];
  return Object.entries(value).flatMap(([name, words]) =>
    names.includes(name)
      ? listProblems(`${file}: ${member}.${name}`, words, (word) =>
          PLAIN_WORD.test(word) ? null : "is not written in small letters from a to z, words with one blank between",
        )
      : [`${file}: unknown member "${member}.${name}"`],
  );
}

/** Problems of a list of words, each with the word. */
export function listProblems(where: string, value: unknown, problemOf: (word: string) => string | null): string[] {
  if (!Array.isArray(value)) return [`${where} is no list`];
  return value.flatMap((word: unknown, index) => {
    if (typeof word !== "string") return [`${where}: ${JSON.stringify(word)} is no text`];
    const problem = problemOf(word) ?? (value.indexOf(word) < index ? "is listed twice" : null);
    return problem ? [`${where}: "${word}" ${problem}`] : [];
  });
}

function labelProblems(file: string, labels: unknown): string[] {
  if (!isRecord(labels)) return [];
  const languages = new Map([[file, { name: file, labels } as Language]]);
  return wordsWithTwoLabels(languages).map((conflict) => `${file}: ${conflictMessage(conflict)}`);
}

/** What to do about a word with two labels; the guide has the details. */
export const CONFLICT_REMEDY = "use a longer phrase of your language, or leave it out: docs/add-a-country.md";

/** A word that is read in two ways, with the labels and the languages that list it. */
export interface Conflict {
  word: string;
  uses: readonly string[];
}

/**
 * The words that two languages (or one) list under different labels. The parser reads a row in all languages at once,
 * so that a row with such a word would have both labels.
 */
export function wordsWithTwoLabels(languages: ReadonlyMap<string, Language>): Conflict[] {
  const labelsOfWord = new Map<string, Map<string, string[]>>();
  for (const [code, { labels = {} }] of languages)
    for (const [label, words] of Object.entries(labels))
      for (const word of Array.isArray(words) ? words : []) {
        const key = String(word).replace(/[= ]/g, "");
        const uses = labelsOfWord.get(key) ?? new Map<string, string[]>();
        uses.set(label, [...(uses.get(label) ?? []), code]);
        labelsOfWord.set(key, uses);
      }
  return [...labelsOfWord]
    .filter(([, uses]) => uses.size > 1)
    .map(([word, uses]) => ({ word, uses: [...uses].map(([label, codes]) => `${label} (${codes.join(", ")})`) }));
}

/** Names the labels of a word, the languages that list it, and the remedy. */
export function conflictMessage({ word, uses }: Conflict): string {
  return `"${word}" is listed as ${uses.join(" and ")}; ${CONFLICT_REMEDY}`;
}

/** Whether a value of a file is an object with members. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
