import { dateFormat, numberFormat, pluralRules } from "./formatters.ts";
import { ar } from "./languages/ar.ts";
import { de } from "./languages/de.ts";
import { en } from "./languages/en.ts";
import { es } from "./languages/es.ts";
import { fr } from "./languages/fr.ts";
import { it } from "./languages/it.ts";
import { nl } from "./languages/nl.ts";
import { pl } from "./languages/pl.ts";
import { pt } from "./languages/pt.ts";
import type { Counted, Phrases } from "./phrases.ts";

/** The languages of the hosted pages, in the order of the switch. To add a language, add its file here. */
export const LANGUAGES: readonly Phrases[] = [en, de, fr, es, it, nl, pl, pt, ar];

/** The language of a page: its phrases, and the locale of its numbers, money and dates. */
export interface Language {
  readonly phrases: Phrases;
  readonly locale: string;
  /** The person chose it by the switch, so links of the page pass it on. */
  readonly isChosen: boolean;
}

/** The requested languages. Each may be missing, malformed, or unsupported. */
export interface Wishes {
  /** The switch on the page. */
  readonly chosen?: string | null;
  /** The locale that the application sent. */
  readonly session?: string | null;
  /** The header Accept-Language. */
  readonly accepted?: string | undefined;
}

/** A longer header is cut off; browsers send some fifty characters. */
const ACCEPTED_CHARACTERS_MAX = 500;

/** A longer tag is ignored; parsing 15 kB of one took up to 90 ms. The session request has the same bound. */
const TAG_CHARACTERS_MAX = 64;

/** Returns the first supported language: of the switch, then the session, then the browser; else English. */
export function languageFor(wishes: Wishes): Language {
  return languageAmong(LANGUAGES, wishes, en);
}

/** Returns the first of some languages that is wished for, else the last argument. */
export function languageAmong<Words extends Pick<Phrases, "tag" | "locale">>(
  languages: readonly Words[],
  { chosen, session, accepted }: Wishes,
  otherwise: Words,
): { readonly phrases: Words; readonly locale: string; readonly isChosen: boolean } {
  const wishes = [chosen, session, ...acceptedTags(accepted ?? "")].flatMap((tag) => {
    const locale = localeOf(tag);
    const phrases = languages.find((candidate) => candidate.tag === locale?.language);
    return locale && phrases ? [{ locale, phrases }] : [];
  });
  const phrases = wishes[0]?.phrases ?? otherwise;
  // If "en" is chosen, the session or the header may still have "en-IE": the first with a country gives the locale.
  const regional = wishes.find((wish) => wish.phrases === phrases && wish.locale.region !== undefined);
  return {
    phrases,
    locale: regional?.locale.baseName ?? phrases.locale,
    isChosen: localeOf(chosen)?.language === phrases.tag,
  };
}

/** Returns the tags of an Accept-Language header (RFC 9110, 12.5.4), the preferred one first. */
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
  if (!tag || tag.length > TAG_CHARACTERS_MAX) return null;
  try {
    return new Intl.Locale(tag);
  } catch {
    return null;
  }
}

/** What numbers, money and dates are written by: of the hosted pages, or of the console. */
export interface Written {
  readonly phrases: Pick<Phrases, "direction">;
  readonly locale: string;
}

/** Formats a number in the locale. */
export function formatNumber(language: Pick<Written, "locale">, value: number): string {
  return numberFormat(language.locale).format(value);
}

/** Formats an amount in major units; a currency that is not three letters is left out. */
export function formatMoney({ phrases, locale }: Written, amount: number, currency: string | null): string {
  if (currency === null || !/^[A-Z]{3}$/.test(currency)) {
    return numberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(amount);
  }
  // The sign as receipts print it; in Arabic text a code, since a sign such as "UK£" would be split.
  const currencyDisplay = phrases.direction === "rtl" ? "code" : "narrowSymbol";
  return numberFormat(locale, { style: "currency", currencyDisplay, currency }).format(amount);
}

/** Formats a day, given as `YYYY-MM-DD`; null for any other text. */
export function formatDate(language: Pick<Written, "locale">, day: string): string | null {
  const instant = Date.parse(`${day}T12:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(instant)) return null;
  return dateFormat(language.locale, { dateStyle: "long", timeZone: "UTC" }).format(instant);
}

/** Returns a phrase with its number, in the plural form of the number. */
export function formatCount(language: Pick<Written, "locale">, phrase: Counted, count: number): string {
  const rule = pluralRules(language.locale).select(count);
  return (phrase[rule] ?? phrase.other).replace("{n}", formatNumber(language, count));
}

/** Returns a foreign name for use inside a phrase, isolated from a text that runs from right to left (UAX #9). */
export function nameWithin({ phrases }: Language, name: string): string {
  return phrases.direction === "rtl" ? `\u2068${name}\u2069` : name;
}
