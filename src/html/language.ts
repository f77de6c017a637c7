import { ar } from "./languages/ar.ts";
import { de } from "./languages/de.ts";
import { en } from "./languages/en.ts";
import { es } from "./languages/es.ts";
import { fr } from "./languages/fr.ts";
import type { Counted, Phrases } from "./phrases.ts";

/** Every language of the hosted pages, in the order of the switch. Adding one is adding its file here. */
export const LANGUAGES: readonly Phrases[] = [en, de, fr, es, ar];

/** How a page speaks: its phrases, and the locale in which it writes numbers, money and dates. */
export interface Language {
  readonly phrases: Phrases;
  readonly locale: string;
  /** The person chose it by the switch, so that links of the page carry it on. */
  readonly isChosen: boolean;
}

/** Who wishes for which language. Each may be missing, malformed, or none of ours. */
export interface Wishes {
  /** The switch on the page. */
  readonly chosen?: string | null;
  /** What the application said of the person. */
  readonly session?: string | null;
  /** The header Accept-Language. */
  readonly accepted?: string | undefined;
}

/** A longer header is cut; browsers send some fifty characters. */
const ACCEPTED_CHARACTERS_MAX = 500;

/** The first of the wishes that we speak: the switch, then the session, then the browser; else English. */
export function languageFor({ chosen, session, accepted }: Wishes): Language {
  const wishes = [chosen, session, ...acceptedTags(accepted ?? "")].flatMap((tag) => {
    const locale = localeOf(tag);
    const phrases = LANGUAGES.find((candidate) => candidate.tag === locale?.language);
    return locale && phrases ? [{ locale, phrases }] : [];
  });
  const phrases = wishes[0]?.phrases ?? en;
  // "en" is chosen, but "en-IE" may stand in the session or the header: the first that knows a country says how to count.
  const regional = wishes.find((wish) => wish.phrases === phrases && wish.locale.region !== undefined);
  return {
    phrases,
    locale: regional?.locale.baseName ?? phrases.locale,
    isChosen: localeOf(chosen)?.language === phrases.tag,
  };
}

/** The tags of an Accept-Language header (RFC 9110, 12.5.4), the most wanted first. */
function acceptedTags(header: string): string[] {
  return header
    .slice(0, ACCEPTED_CHARACTERS_MAX)
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.split(";").map((piece) => piece.trim());
      const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}

function localeOf(tag: string | null | undefined): Intl.Locale | null {
  try {
    return tag ? new Intl.Locale(tag) : null;
  } catch {
    return null;
  }
}

/** A whole or decimal number as people of the locale write it. */
export function formatNumber(language: Language, value: number): string {
  return new Intl.NumberFormat(language.locale).format(value);
}

/** An amount in major units; a currency that is not three letters is left out. */
export function formatMoney(language: Language, amount: number, currency: string | null): string {
  // The sign as receipts print it; beside Arabic letters a sign such as "UK£" falls apart, a code doesn't.
  const currencyDisplay = language.phrases.direction === "rtl" ? "code" : "narrowSymbol";
  const style = { style: "currency", currencyDisplay } as const;
  const money = currency !== null && /^[A-Z]{3}$/.test(currency) ? { ...style, currency } : {};
  return new Intl.NumberFormat(language.locale, { minimumFractionDigits: 2, ...money }).format(amount);
}

/** A day, given as `YYYY-MM-DD`; null when it is none. */
export function formatDate(language: Language, day: string): string | null {
  const instant = Date.parse(`${day}T12:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(instant)) return null;
  return new Intl.DateTimeFormat(language.locale, { dateStyle: "long", timeZone: "UTC" }).format(instant);
}

/** A phrase with its number, in the form that the number wants. */
export function formatCount(language: Language, phrase: Counted, count: number): string {
  const rule = new Intl.PluralRules(language.locale).select(count);
  return (phrase[rule] ?? phrase.other).replace("{n}", formatNumber(language, count));
}

/** A foreign name for use inside a phrase: where that runs from right to left, isolated from it (UAX #9). */
export function nameWithin({ phrases }: Language, name: string): string {
  return phrases.direction === "rtl" ? `\u2068${name}\u2069` : name;
}
