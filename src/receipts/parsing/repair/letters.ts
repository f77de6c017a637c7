import { COUNTRIES, LANGUAGES } from "../languages/vocabulary.ts";

// In small print the OCR misses half of the marks of ö, Ä, ñ, ç, ø, ł, å, ő, ş and the like (BROTCHEN, WURFELZUCKER),
// and reads ß as B. On receipts of countries that have them they are restored in words of no other spelling. The rest
// stays as read.

const LETTER = String.raw`\p{L}`;

/** Letters with no plain letter below their mark. */
const LOOKS_LIKE: Readonly<Record<string, string>> = { ø: "o0", ł: "l", đ: "d", ı: "i" };

/** The words of each country's first language. */
const PARTS: ReadonlyMap<string, readonly { pattern: RegExp; right: string }[]> = new Map(
  COUNTRIES.map(({ code, languages: [first] }) => [
    code,
    (LANGUAGES.get(first ?? "")?.restoredWords ?? []).map((right) => ({
      pattern: new RegExp(asRead(right), "giu"),
      right,
    })),
  ]),
);

/**
 * Returns a pattern for the OCR's readings of a word: an accented letter with or without its accent, ß as B. Short
 * words match whole words only.
 */
function asRead(word: string): string {
  const letters = word.split("").map((letter) => {
    if (letter === "ß") return "(?:ß|B|b)";
    const alike = LOOKS_LIKE[letter];
    if (alike) return `[${letter}${alike}]`;
    const bare = letter.normalize("NFD").replace(/\p{M}/gu, "");
    return bare === letter ? letter : `[${letter}${bare}${bare === "o" ? "0" : ""}]`;
  });
  const pattern = letters.join("");
  return word.length <= 4 ? `(?<!${LETTER})${pattern}(?!${LETTER})` : pattern;
}

/** Returns the text with the letters restored that the country has and the OCR missed. */
export function withLettersRestored(text: string, country: string | null): string {
  const parts = PARTS.get(country ?? "") ?? [];
  return parts.reduce((read, { pattern, right }) => read.replace(pattern, (found) => inCaseOf(found, right)), text);
}

/** Returns `right` with the capitals of `found`, letter by letter; ß has no capital on a till. */
function inCaseOf(found: string, right: string): string {
  const letters = found.split("");
  return right
    .split("")
    .map((letter, i) => (letter !== "ß" && letters[i] !== letters[i]!.toLowerCase() ? letter.toUpperCase() : letter))
    .join("");
}
