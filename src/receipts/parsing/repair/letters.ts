import { COUNTRIES, LANGUAGES } from "../languages/vocabulary.ts";

// The OCR's dictionary has no ö, Ä, Ö, ß, ñ and ç, and often gives U for Ü: BROTCHEN, WURFELZUCKER, suB. On receipts of a country that
// writes them they are put back where the word leaves no doubt; all else stays as it was read.

const LETTER = "[A-Za-zÄÖÜäöüß]";

/** Of each country the words of its first language. */
const PARTS: ReadonlyMap<string, readonly { pattern: RegExp; right: string }[]> = new Map(
  COUNTRIES.map(({ code, languages: [first] }) => [
    code,
    (LANGUAGES.get(first ?? "")?.restoredWords ?? []).map((right) => ({
      pattern: new RegExp(asRead(right), "gi"),
      right,
    })),
  ]),
);

/** A pattern of what the OCR may have read for a word, letter for letter: a marked one with or without its mark, ß as B. Short words stand alone. */
function asRead(word: string): string {
  const letters = word.split("").map((letter) => {
    if (letter === "ß") return "(?:ß|B|b)";
    const bare = letter.normalize("NFD").replace(/\p{M}/gu, "");
    return bare === letter ? letter : `[${letter}${bare}${bare === "o" ? "0" : ""}]`;
  });
  const pattern = letters.join("");
  return word.length <= 4 ? `(?<!${LETTER})${pattern}(?!${LETTER})` : pattern;
}

/** The text with the letters put back that the country writes and the OCR cannot. */
export function withLettersRestored(text: string, country: string | null): string {
  const parts = PARTS.get(country ?? "") ?? [];
  return parts.reduce((read, { pattern, right }) => read.replace(pattern, (found) => inCaseOf(found, right)), text);
}

/** `right` in the capitals of `found`, letter by letter; ß has none on a till. */
function inCaseOf(found: string, right: string): string {
  const letters = found.split("");
  return right
    .split("")
    .map((letter, i) => (letter !== "ß" && letters[i] !== letters[i]!.toLowerCase() ? letter.toUpperCase() : letter))
    .join("");
}
