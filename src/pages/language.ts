import { english } from "./english.ts";
import type { Phrases } from "./english.ts";

/** How a page speaks: its phrases, and the locale in which it writes numbers and money. */
export interface Language {
  readonly phrases: Phrases;
  readonly locale: string;
}

/** The language for a session's locale; English where there is none of ours. `locale` is well-formed or null. */
export function languageFor(locale: string | null): Language {
  // A locale of another language would write "1.234,5" into an English sentence.
  const isEnglish = locale !== null && new Intl.Locale(locale).language === english.tag;
  return { phrases: english, locale: isEnglish ? locale : "en-GB" };
}

/** A whole or decimal number as people of the locale write it. */
export function formatNumber(language: Language, value: number): string {
  return new Intl.NumberFormat(language.locale).format(value);
}

/** An amount in major units; a currency that is not three letters is left out. */
export function formatMoney(language: Language, amount: number, currency: string | null): string {
  const money = currency !== null && /^[A-Z]{3}$/.test(currency) ? ({ style: "currency", currency } as const) : {};
  return new Intl.NumberFormat(language.locale, { minimumFractionDigits: 2, ...money }).format(amount);
}
