import type { Language } from "../catalogue/catalogue.ts";
import { fold } from "./words.ts";

/**
 * Where a till ran words together to save room, a capital inside a word says where the next one starts
 * (`Meg.FeineSüssrahm`, `HaferflockenFeinbl.`). Shorter beginnings are those of names (`McCain`).
 */
const SEAM = /(?<=\p{L}{2}\p{Ll})(?=\p{Lu}\p{L}{2})/gu;

/**
 * Returns a till's name as the catalogue spells it: words that were run together apart, and umlauts in place of two
 * vowels (`ROTKAEPPCHEN`), where that makes a known word of an unknown one.
 */
export function speltOut(name: string, language: Language | null, isKnown: (word: string) => boolean): string {
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
