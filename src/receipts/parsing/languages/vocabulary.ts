import anyLanguageJson from "../../../../reference/receipts/any-language.json" with { type: "json" };
import countriesJson from "../../../../reference/receipts/countries.json" with { type: "json" };
import currenciesJson from "../../../../reference/receipts/currencies.json" with { type: "json" };
import type { Label } from "../rows/labels.ts";
import { countryProblems, currencyProblems } from "./country.ts";
import type { Country, Currency } from "./country.ts";
import { languageProblems, MONTHS, WEEKDAYS } from "./language.ts";
import type { Language, Measure, WordList } from "./language.ts";

// The words, countries and currencies of reference/receipts, read once as this module is loaded. The countries name the
// languages whose files are read: a new one needs no line of code.

/** Words of no language: brands, misread words, and what many languages have alike. */
const ANY = "any";

const CODES = [
  ...new Set((countriesJson as unknown as readonly Country[]).flatMap(({ languages }) => languages ?? [])),
];

async function languageFile(code: string): Promise<unknown> {
  const file = `../../../../reference/receipts/languages/${code}.json`;
  const found = (await import(file, { with: { type: "json" } }).catch((error: unknown) => {
    // A language without a file is reported with the other problems of the table.
    if ((error as { code?: string }).code === "ERR_MODULE_NOT_FOUND") return { default: undefined };
    throw error;
  })) as { default: unknown };
  return found.default;
}

const FILES: ReadonlyMap<string, unknown> = new Map(
  await Promise.all(CODES.map(async (code) => [code, await languageFile(code)] as const)),
);

const PROBLEMS = [
  ...countryProblems(
    countriesJson,
    (code) => FILES.get(code) !== undefined,
    (code) => currenciesJson.some((row) => row.code === code),
  ),
  ...currencyProblems(currenciesJson),
  ...languageProblems("any-language.json", anyLanguageJson),
  ...[...FILES].flatMap(([code, file]) => (file === undefined ? [] : languageProblems(`languages/${code}.json`, file))),
];
if (PROBLEMS.length > 0) throw new Error(`reference/receipts has errors:\n${PROBLEMS.join("\n")}`);

/** By code. */
export const LANGUAGES = new Map<string, Language>([
  ...([...FILES] as [string, Language][]),
  [ANY, anyLanguageJson],
]) as ReadonlyMap<string, Language>;

/** Of countries that a text speaks for alike the first one here is chosen. */
export const COUNTRIES = countriesJson as unknown as readonly Country[];

/** Of currencies that a text shows alike the first one here is chosen. */
export const CURRENCIES = currenciesJson as readonly Currency[];

/** The words of a list, of all languages, each once. */
export function wordsOf(list: WordList): string[] {
  return [...new Set([...LANGUAGES.values()].flatMap((language) => language[list] ?? []))];
}

/** The words of a measure, of all languages. */
export function measureWords(measure: Measure): string[] {
  return [...new Set([...LANGUAGES.values()].flatMap(({ measures }) => measures?.[measure] ?? []))];
}

/** The regular expressions of a list of all countries, as one source; each is a part of its own. */
export function patternsOf(list: "places" | "towns"): string {
  return COUNTRIES.flatMap((country) => country[list] ?? []).join("|");
}

/** The words of all labels, of all languages, each once. */
export function labelledWords(): [Label, string][] {
  const words = new Map<string, [Label, string]>();
  for (const { labels = {} } of LANGUAGES.values())
    for (const [label, list] of Object.entries(labels))
      for (const word of list) words.set(`${label} ${word}`, [label as Label, word]);
  return [...words.values()];
}

/** The names of the months, January first, in capitals. */
export const MONTH_NAMES: readonly (readonly string[])[] = MONTHS.map((month) =>
  namesOf((language) => language.months?.[month]),
);

/** The names of the weekdays or their beginnings, Sunday first, in capitals; with `=` only the whole word is meant. */
export const WEEKDAY_NAMES: readonly (readonly string[])[] = WEEKDAYS.map((day) =>
  namesOf((language) => language.weekdays?.[day]),
);

function namesOf(select: (language: Language) => readonly string[] | undefined): string[] {
  const names = [...LANGUAGES.values()].flatMap((language) => select(language) ?? []);
  return [...new Set(names.map((name) => name.toUpperCase()))];
}
