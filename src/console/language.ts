import { languageFor } from "../html/language.ts";
import type { Wishes } from "../html/language.ts";
import { en } from "./languages/en/index.ts";

/** All words of the console in one language: a file for each section in `languages`. */
export type ConsolePhrases = typeof en;

/** The languages of the console. */
export const CONSOLE_LANGUAGES: readonly ConsolePhrases[] = [en];

/** The language of a page: its words, and the locale of its numbers, money and dates. */
export interface ConsoleLanguage {
  readonly phrases: ConsolePhrases;
  readonly locale: string;
}

/** Returns the first language that the console has: what the person chose, then the browser's; else English. */
export function consoleLanguageFor(wishes: Pick<Wishes, "chosen" | "accepted">): ConsoleLanguage {
  const { phrases, locale } = languageFor(wishes);
  const found = CONSOLE_LANGUAGES.find(({ tag }) => tag === phrases.tag);
  return found ? { phrases: found, locale } : { phrases: en, locale: en.locale };
}
