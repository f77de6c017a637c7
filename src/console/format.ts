import { dateFormat, numberFormat } from "../html/formatters.ts";
import { formatMoney } from "../html/language.ts";
import type { ConsoleLanguage } from "./language.ts";

// Written as on the hosted pages.
export { formatCount as counted } from "../html/language.ts";

/** Formats an amount in major units; without a known currency as a number with two decimals. */
export function money(language: ConsoleLanguage, amount: number, currency: string | null): string {
  const text = formatMoney(language, amount, currency);
  // Isolated, from left to right: else a negative amount has its code on the other side than a positive one.
  return language.phrases.direction === "rtl" ? `\u2066${text}\u2069` : text;
}

/** Formats a whole number or one with decimals. */
export function number({ locale }: ConsoleLanguage, value: number, decimals = 0): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return numberFormat(locale, digits).format(value);
}

/** Formats a whole number with its sign; in Arabic with the mark that keeps the sign before it. */
export function signed({ locale }: ConsoleLanguage, value: number): string {
  return numberFormat(locale, { maximumFractionDigits: 0, signDisplay: "exceptZero" }).format(value);
}

/** Formats a share of 1 as per cent. */
export function percent({ locale }: ConsoleLanguage, share: number): string {
  return numberFormat(locale, { style: "percent", maximumFractionDigits: 1 }).format(share);
}

/** Formats an instant as date and time in UTC: the people of a console may sit in several time zones. */
export function instant({ locale }: ConsoleLanguage, at: string | Date): string {
  const options = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;
  return `${dateFormat(locale, options).format(new Date(at))} UTC`;
}

/** Formats a day: `YYYY-MM-DD`, or the UTC day of an instant. */
export function day({ locale }: ConsoleLanguage, at: string): string {
  const date = new Date(at.length === 10 ? `${at}T00:00:00Z` : at);
  return dateFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(date);
}

/** Formats the month of a day, `YYYY-MM-DD`. */
export function monthOf({ locale }: ConsoleLanguage, date: string, month: "long" | "short" = "long"): string {
  const options = { month, year: "numeric", timeZone: "UTC" } as const;
  return dateFormat(locale, options).format(new Date(`${date}T00:00:00Z`));
}

/** The colon between a label and its value: French has a space before it, which does not break. */
export function colon({ phrases }: ConsoleLanguage): string {
  return phrases.tag === "fr" ? "\u00a0:" : ":";
}
