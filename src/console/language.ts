import { languageAmong } from "../html/language.ts";
import type { Wishes } from "../html/language.ts";
import { ar } from "./languages/ar/index.ts";
import { de } from "./languages/de/index.ts";
import { en } from "./languages/en/index.ts";
import { es } from "./languages/es/index.ts";
import { fr } from "./languages/fr/index.ts";
import { it } from "./languages/it/index.ts";
import { nl } from "./languages/nl/index.ts";
import { pl } from "./languages/pl/index.ts";
import { pt } from "./languages/pt/index.ts";

/** All words of the console in one language: a file for each section in `languages`. */
export type ConsolePhrases = typeof en;

/** The languages of the console, in the order of the switch. */
export const CONSOLE_LANGUAGES: readonly ConsolePhrases[] = [en, de, fr, es, it, nl, pl, pt, ar];

/** The language of a page: its words, and the locale of its numbers, money and dates. */
export interface ConsoleLanguage {
  readonly phrases: ConsolePhrases;
  readonly locale: string;
}

/** Returns the first language that the console has: what the person chose, then the browser's; else English. */
export function consoleLanguageFor(wishes: Pick<Wishes, "chosen" | "accepted">): ConsoleLanguage {
  const { phrases, locale } = languageAmong(CONSOLE_LANGUAGES, wishes, en);
  return { phrases, locale };
}
