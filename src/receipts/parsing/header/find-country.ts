import { cluePattern } from "../languages/country.ts";
import { COUNTRIES, CURRENCIES } from "../languages/vocabulary.ts";

/** Where a receipt comes from: ISO 3166-1 alpha-2 and ISO 4217. */
export interface Origin {
  country: string | null;
  currency: string | null;
}

const CURRENCY_OF = new Map(COUNTRIES.map(({ code, currency }) => [code, currency]));

/** Text that is evidence for a country, and its weight. Words have no accents: the OCR drops them. */
const CLUES: readonly (readonly [string, number, RegExp])[] = COUNTRIES.flatMap(({ code, clues }) =>
  clues.map((clue) => [code, clue.weight, cluePattern(clue)] as const),
);

const CURRENCY_CLUES: readonly (readonly [string, RegExp])[] = CURRENCIES.filter(
  ({ patterns }) => patterns.length > 0,
).map(({ code, patterns }) => [code, new RegExp(patterns.join("|"))]);

/** Currencies that receipts write as `$`. */
const DOLLARS: readonly (string | null)[] = CURRENCIES.filter(({ isDollar }) => isDollar).map(({ code }) => code);

/**
 * Weight of a chain's own country: more than dollars and telephone numbers, less than a neighbour's tax number (Tesco
 * in Dublin, Walmart in Toronto). Set by hand on the development receipts.
 */
const CHAIN_WEIGHT = 6;
/** Evidence of less weight is not enough for a country. Set by hand on the development receipts. */
const WEIGHT_MIN = 2;
/** Weight of a second row with the same clue, and of all such rows at most. Set by hand on the development receipts. */
const REPEATED = { weight: 0.3, max: 1 } as const;
/** Signs of another currency than the country's that may be misread. Set by hand on the development receipts. */
const MISREAD_SIGNS_MAX = 2;

/** The evidence of a receipt's texts for each country. */
export type CountryClues = ReadonlyMap<string, number>;

/** Returns the evidence of the texts for each country. */
export function countryCluesIn(texts: readonly string[]): CountryClues {
  const scores = new Map<string, number>();
  for (const [country, weight, pattern] of CLUES) {
    const rows = texts.filter((text) => pattern.test(text)).length;
    // A second row that says the same adds little.
    if (rows > 0)
      scores.set(country, (scores.get(country) ?? 0) + weight + Math.min(REPEATED.max, REPEATED.weight * (rows - 1)));
  }
  return scores;
}

/** Returns the country with the most evidence; null if there is not enough. */
export function countryOf(clues: CountryClues): string | null {
  const [best] = [...clues].sort(([, a], [, b]) => b - a);
  return best && best[1] >= WEIGHT_MIN ? best[0] : null;
}

/**
 * Returns the country with the most evidence in the text and the chain, and the printed currency, or else the
 * country's.
 */
export function originOf(
  texts: readonly string[],
  chainCountry: string | null,
  clues: CountryClues = countryCluesIn(texts),
): Origin {
  const scores = new Map(clues);
  if (chainCountry) scores.set(chainCountry, (scores.get(chainCountry) ?? 0) + CHAIN_WEIGHT);
  const country = countryOf(scores);
  const counts = CURRENCY_CLUES.map(([currency, pattern]) => ({
    currency,
    rows: texts.filter((text) => pattern.test(text)).length,
  }));
  const [printed] = counts.sort((a, b) => b.rows - a.rows);
  const expected = country ? (CURRENCY_OF.get(country) ?? null) : null;
  // One or two signs of another currency than the country's are misread.
  const isOwnDollar = printed?.currency === "USD" && DOLLARS.includes(expected);
  const currency =
    !isOwnDollar && printed && printed.rows > (expected ? MISREAD_SIGNS_MAX : 0) ? printed.currency : expected;
  return { country, currency };
}
