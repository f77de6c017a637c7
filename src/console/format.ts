import type { ConsoleLanguage } from "./language.ts";

/** Formats a whole number or one with decimals. */
export function number({ locale }: ConsoleLanguage, value: number, decimals = 0): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(locale, digits).format(value);
}

/** Formats a share of 1 as per cent. */
export function percent({ locale }: ConsoleLanguage, share: number): string {
  return new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }).format(share);
}

/** Formats an amount in major units; without a known currency as a number with two decimals. */
export function money({ locale, phrases }: ConsoleLanguage, amount: number, currency: string | null): string {
  if (currency === null || !/^[A-Z]{3}$/.test(currency)) {
    return new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(amount);
  }
  const currencyDisplay = phrases.direction === "rtl" ? "code" : "narrowSymbol";
  return new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay }).format(amount);
}

/** Formats an instant as date and time in UTC: the people of a console may sit in several time zones. */
export function instant({ locale }: ConsoleLanguage, at: string | Date): string {
  const options = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;
  return `${new Intl.DateTimeFormat(locale, options).format(new Date(at))} UTC`;
}

/** Formats a day: `YYYY-MM-DD`, or the UTC day of an instant. */
export function day({ locale }: ConsoleLanguage, at: string): string {
  const date = new Date(at.length === 10 ? `${at}T00:00:00Z` : at);
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(date);
}

/** A phrase with a number: a form for each plural of the language. */
export type CountedPhrase = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** Returns the form of a phrase for a number. */
export function counted(language: ConsoleLanguage, phrase: CountedPhrase, n: number): string {
  const rule = new Intl.PluralRules(language.locale).select(n);
  return (phrase[rule] ?? phrase.other).replace("{n}", number(language, n));
}
