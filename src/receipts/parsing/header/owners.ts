import { anyPhraseOf, anyWordOf } from "../languages/notation.ts";
import { plainLetters } from "../languages/plain-letters.ts";
import { COUNTRIES, LANGUAGES, wordsOf } from "../languages/vocabulary.ts";
import { hasLegalForm, isBusiness } from "./header-rows.ts";

// Recognises rows that name who owns or runs the shop, and so have another name than it.

/** The owner, below the name. */
const OWNER = new RegExp(String.raw`^${anyWordOf(wordsOf("owners"))}\.?\s`, "i");

/** Whether a text names an owner. */
export function isOwner(text: string): boolean {
  return OWNER.test(plainLetters(text));
}

/** First names, and initials before a surname: `JAN KOWALCZYK`, `R. GARCIA MORENO`. */
const PERSON = new RegExp(
  String.raw`^(?:(?:de|don|dr|mgr)\.?\s)?(?:(?:\p{L}+[\s-]){0,3}?${anyWordOf(wordsOf("firstNames"))}|(?:\p{L}\.\s?){1,2}\p{L}{3,})(?:[\s-][\p{L}.]+){0,3}$`,
  "iu",
);
/** A first name alone, or one behind an article or the like, is that of a shop: `LA MARIA`, `CASA PABLO`. */
const PERSON_WORDS_MIN = 2;
const SHOP_FIRST = new RegExp(String.raw`^${anyWordOf([...wordsOf("articles"), ...wordsOf("nameStarts")])}\s`, "i");

/** The company of one person in Brazil: `J R DE OLIVEIRA PANIFICADORA ME`. */
const SOLE_TRADER = /^(?:\p{L}\.?\s){1,3}(?:d[aeo]s?\s)?\p{L}{3,}.*\sME\.?$/iu;

/** Two first names with a link between them are a shop's: `ADAM I EWA`, `Ana e Rita`. */
const PAIR = /^\p{L}{2,}\s(?:\p{L}|&)\s\p{L}{2,}$/u;

/** Whether a text is a person's name. */
export function isPerson(text: string): boolean {
  const plain = plainLetters(text.trim());
  if (SOLE_TRADER.test(plain)) return true;
  const isNamed =
    plain.split(/\s+/).length >= PERSON_WORDS_MIN && PERSON.test(plain) && !SHOP_FIRST.test(plain) && !PAIR.test(plain);
  return isNamed && !isBusiness(text) && !hasLegalForm(text);
}

/**
 * Whether tills of a country print the owner's name above the shop's, as those whose language lists first names do.
 * Elsewhere such a name is the shop's: `Oscar Wilde` above `Irish Pub Berlin`.
 */
export function areOwnersFirst(country: string | null): boolean {
  const languages = COUNTRIES.find(({ code }) => code === country)?.languages ?? [];
  return languages.some((code) => LANGUAGES.get(code)?.firstNames !== undefined);
}

/** The company that runs the shop: `OPERATED BY:` alone or before its name. */
const OPERATOR = new RegExp(String.raw`^\W*${anyPhraseOf(wordsOf("operators"))}`, "i");

/** Whether a text begins with words for the company that runs a shop. */
export function isOperator(text: string): boolean {
  return OPERATOR.test(plainLetters(text));
}
