import { LANGUAGES } from "../foods/catalogue/catalogue.ts";
import type { Language } from "../foods/catalogue/catalogue.ts";
import { COUNTRIES } from "./parsing/languages/vocabulary.ts";

/** Countries with one language, where names of foods are known in it. Elsewhere goods have names in several. */
const LANGUAGE_OF = new Map(
  COUNTRIES.flatMap(({ code, languages }) => {
    const language = LANGUAGES.find((each) => each === languages[0]);
    return languages.length === 1 && language ? [[code, language] as const] : [];
  }),
);

/** Returns the language that goods are named in on the receipts of a country; null where that is not one. */
export function goodsLanguageOf(country: string | null): Language | null {
  return LANGUAGE_OF.get(country ?? "") ?? null;
}
