import type { Language } from "../catalogue/catalogue.ts";
import { fold } from "./words.ts";

/**
 * Where a till ran words together to save room, a capital inside a word says where the next one starts
 * (`Meg.FeineSüssrahm`, `HaferflockenFeinbl.`). Shorter beginnings are those of names (`McCain`).
 */
const SEAM = /(?<=\p{L}{2}\p{Ll})(?=\p{Lu}\p{L}{2})/gu;

/** A word with one or two digits among its letters, as a photo is misread (`YA0URT`, `M1ELE`). */
const MISREAD = /(?<![\p{L}\d])(?=\p{L}*[0158]\p{L}*[0158]?\p{L}*(?![\p{L}\d]))(?=[0158]?\p{L})[\p{L}0158]{4,}/gu;
/** The letters that each digit looks like. */
const LOOKS_LIKE: readonly Readonly<Record<string, string>>[] = [
  { 0: "o", 1: "i", 5: "s", 8: "b" },
  { 0: "o", 1: "l", 5: "s", 8: "b" },
];

/** Spanish and Italian tills print `C/` for `con`. */
const WITH = /(?<![\p{L}\d])C\/(?=\p{L}{3})/giu;

/** American tills print half-and-half in figures (`ORG 1/2 & 1/2 PT`). */
const HALVES = /(?<![\d/])1\/2\s?(?:&|and|n)\s?1\/2(?![\d/])/i;

/**
 * Returns a till's name as the catalogue spells it: words that were run together apart, umlauts in place of two
 * vowels (`ROTKAEPPCHEN`), and letters in place of digits that look like them, where that makes a known word of an
 * unknown one.
 */
export function speltOut(name: string, language: Language | null, isKnown: (word: string) => boolean): string {
  const spelt = name.includes("/") ? withoutStrokes(name, language) : name;
  return withWordsApart(/[0158]/.test(spelt) ? withoutMisreadings(spelt, isKnown) : spelt, language, isKnown);
}

function withoutStrokes(name: string, language: Language | null): string {
  const isIberianOrItalian = language === "es" || language === "it";
  return isIberianOrItalian ? name.replaceAll(WITH, "con ") : name.replace(HALVES, "half and half");
}

function withoutMisreadings(name: string, isKnown: (word: string) => boolean): string {
  return name.replaceAll(MISREAD, (word) => {
    for (const letters of LOOKS_LIKE) {
      const read = fold(word).replaceAll(/[0158]/g, (digit) => letters[digit]!);
      if (isKnown(read)) return read;
    }
    return word;
  });
}

function withWordsApart(name: string, language: Language | null, isKnown: (word: string) => boolean): string {
  const isSeamed = /\p{Ll}\p{Lu}/u.test(name);
  const isGerman = (language === "de" || language === null) && /[aou]e/i.test(name);
  // Most names have neither.
  if (!isSeamed && !isGerman) return name;
  return name.replaceAll(/[\p{L}'’]+/gu, (word) => {
    const folded = fold(word);
    if (isKnown(folded)) return word;
    const plain = isGerman ? folded.replaceAll(/([aou])e/g, "$1") : folded;
    if (plain !== folded && isKnown(plain)) return plain;
    return isSeamed ? word.replaceAll(SEAM, " ") : word;
  });
}
