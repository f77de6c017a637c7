import { plainLetters } from "../languages/plain-letters.ts";
import { cluePattern } from "../languages/country.ts";
import type { Clue } from "../languages/country.ts";
import { COUNTRIES, CURRENCIES } from "../languages/vocabulary.ts";

/** Where a receipt comes from: ISO 3166-1 alpha-2 and ISO 4217. */
export interface Origin {
  country: string | null;
  currency: string | null;
}

const CURRENCY_OF = new Map([
  ...CURRENCIES.flatMap(({ code, countries = [] }) => countries.map((country) => [country, code] as const)),
  ...COUNTRIES.map(({ code, currency }) => [code, currency] as const),
]);

/** A clue that is ready to be looked for. Words have no accents: the OCR drops them. */
interface ReadyClue {
  readonly country: string;
  readonly weight: number;
  readonly pattern: RegExp;
  /** The part of it that other countries print as well, and those; null: none do. */
  readonly shared: { readonly pattern: RegExp; readonly by: ReadonlySet<string> } | null;
}

const CLUES: readonly ReadyClue[] = COUNTRIES.flatMap(({ code, clues }) =>
  clues.map((clue) => ({
    country: code,
    weight: clue.weight,
    pattern: cluePattern(clue),
    shared: sharedPart(clue),
  })),
);

function sharedPart(clue: Clue): ReadyClue["shared"] {
  if (!clue.shared) return null;
  const { patterns, with: by } = clue.shared;
  const { source, flags } = cluePattern(patterns ? { patterns, matchCase: clue.matchCase === true } : clue);
  return { pattern: new RegExp(source, `${flags}g`), by: new Set(by) };
}

const CURRENCY_CLUES: readonly (readonly [string, RegExp])[] = CURRENCIES.filter(
  ({ patterns }) => patterns.length > 0,
).map(({ code, patterns }) => [code, new RegExp(patterns.join("|"))]);

/** The sign of a currency that others have too: `$`, `kr`. */
const SHARED_SIGN_OF = new Map(
  CURRENCIES.flatMap(({ code, sharedSign }) => (sharedSign ? [[code, sharedSign] as const] : [])),
);

/** Such signs beside an amount. */
const SHARED_SIGNS = [...new Set(SHARED_SIGN_OF.values())].map((sign) => {
  const source = sign.replace("$", String.raw`\$`);
  return {
    sign,
    pattern: new RegExp(String.raw`(?<![A-Za-z])${source}\.?\s?\d|\d\s?${source}(?![A-Za-z])`, "i"),
  };
});

/**
 * Weight of a chain's own country: more than dollars and telephone numbers, less than a neighbour's tax number (Tesco
 * in Dublin, Walmart in Toronto). Set by hand on the development receipts.
 */
const CHAIN_WEIGHT = 6;
/** Evidence of less weight is not enough for a country. Set by hand on the development receipts. */
const WEIGHT_MIN = 2;
/** Weight of a second row with the same clue, and of all such rows at most. Set by hand on the development receipts. */
const REPEATED = { weight: 0.3, max: 1 } as const;
/**
 * What the country that a receipt is likely from has on top of evidence for it: it decides between countries that the
 * paper speaks for alike. Less than the weakest clue.
 */
const LIKELY_WEIGHT = 1.5;
/** Signs of another currency than the country's that may be misread. Set by hand on the development receipts. */
const MISREAD_SIGNS_MAX = 2;

/** The evidence of a receipt's texts for each country. */
export type CountryClues = ReadonlyMap<string, number>;

/**
 * Returns the evidence of the texts for each country. `likely`: the country that the receipt is likely from, by what is
 * known of its user. That alone is no evidence: it counts where the paper speaks for it.
 */
export function countryCluesIn(texts: readonly string[], likely: string | null = null): CountryClues {
  const scores = new Map<string, number>();
  const add = (country: string, weight: number) => scores.set(country, (scores.get(country) ?? 0) + weight);
  for (const { country, weight, pattern, shared } of CLUES) {
    const found = texts.filter((text) => pattern.test(text) || pattern.test(plainLetters(text)));
    if (found.length === 0) continue;
    // A second row that says the same adds little.
    const all = weight + Math.min(REPEATED.max, REPEATED.weight * (found.length - 1));
    add(country, all);
    if (shared === null || likely === null || likely === country || !shared.by.has(likely)) continue;
    if (found.every((text) => !pattern.test(text.replaceAll(shared.pattern, " ")))) add(likely, all);
  }
  if (likely !== null && scores.has(likely)) add(likely, LIKELY_WEIGHT);
  return scores;
}

/** Returns the country with the most evidence; null if there is not enough. */
export function countryOf(clues: CountryClues): string | null {
  const [best] = [...clues].sort(([, a], [, b]) => b - a);
  return best && best[1] >= WEIGHT_MIN ? best[0] : null;
}

/** What is known of the origin beside the texts: the chain's country, and the one that the receipt is likely from. */
export interface KnownOrigin {
  readonly chain: string | null;
  readonly likely: string | null;
}

/**
 * Returns the country with the most evidence in the text and the chain, and the printed currency, or else the
 * country's. Without evidence it is the likely country, unless another currency is printed.
 */
export function originOf(
  texts: readonly string[],
  { chain, likely }: KnownOrigin,
  clues: CountryClues = countryCluesIn(texts, likely),
): Origin {
  const scores = new Map(clues);
  if (chain) scores.set(chain, (scores.get(chain) ?? 0) + CHAIN_WEIGHT);
  const evident = countryOf(scores);
  const printed = printedCurrency(texts);
  if (evident === null) return likelyOrigin(texts, printed?.currency ?? null, likely);
  const expected = CURRENCY_OF.get(evident) ?? null;
  // One or two signs of another currency than the country's are misread.
  const isOther = printed !== null && printed.rows > (expected ? MISREAD_SIGNS_MAX : 0);
  const currency = isOther && !haveSameSign(printed.currency, expected) ? printed.currency : expected;
  return { country: evident, currency };
}

/** The likely country, where nothing on the paper speaks for any. */
function likelyOrigin(texts: readonly string[], printed: string | null, likely: string | null): Origin {
  const currency = CURRENCY_OF.get(likely ?? "") ?? null;
  if (currency === null) return { country: null, currency: printed };
  const isSame = printed === null ? hasNoOtherSign(texts, currency) : haveSameSign(printed, currency);
  return isSame || printed === currency ? { country: likely, currency } : { country: null, currency: printed };
}

/** The currency that most rows show; of several alike the first one of the table. */
function printedCurrency(texts: readonly string[]): { currency: string; rows: number } | null {
  const counts = CURRENCY_CLUES.map(([currency, pattern]) => ({
    currency,
    rows: texts.filter((text) => pattern.test(text)).length,
  }));
  const [most] = counts.sort((a, b) => b.rows - a.rows);
  return most && most.rows > 0 ? most : null;
}

function haveSameSign(printed: string, expected: string | null): boolean {
  const sign = SHARED_SIGN_OF.get(printed);
  return sign !== undefined && sign === SHARED_SIGN_OF.get(expected ?? "");
}

/** Whether no amount has a sign like `kr` that is not the currency's. */
function hasNoOtherSign(texts: readonly string[], currency: string): boolean {
  const own = SHARED_SIGN_OF.get(currency);
  return SHARED_SIGNS.every(({ sign, pattern }) => sign === own || !texts.some((text) => pattern.test(text)));
}
