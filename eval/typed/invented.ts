import { labelsOf } from "../../src/receipts/parsing/rows/labels.ts";
import { randomness } from "../../src/receipts/samples/seeded-noise.ts";

// A language that nobody speaks: every word of a typed receipt becomes another one of the same length, the same word
// always the same one. Figures, signs, currencies, units and months stay. What is read then is read from layout and
// arithmetic alone.

/** Words that stay: currencies, units that are symbols, parts of web addresses. */
const KEPT = new Set(
  "eur gbp usd chf cad aud nzd sgd myr zar inr php nok sek dkk pln czk huf ron brl mxn idr vnd kg ml cl ltr lbs www http https com".split(
    " ",
  ),
);
/** `14 Mar 2026`, `Mar 14, 2026`: the month is a part of the date, whose other words go. */
const NAMED_DATE = /\d{1,2}[-./ ]{0,2}\p{L}{3,9}[-./, ]{0,2}\d{2,4}|\p{L}{3,9} \d{1,2},? \d{4}/gu;
/** Shorter ones are tax marks, units and halves of the day more often than words. */
const WORD = /\p{L}{3,}/gu;
const CONSONANTS = Array.from("bdfghjklmnprstvz");
const VOWELS = Array.from("aeiou");
/** Words that the parser takes for one that it knows are drawn again, so many times. */
const DRAWS_MAX = 50;

/** Returns the translation into the invented language of a seed. */
export function inventedLanguage(seed: number): (text: string) => string {
  const words = new Map<string, string>();
  const translated = (word: string): string => {
    const key = word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    if (KEPT.has(key)) return word;
    const invented = words.get(key) ?? newWord(word.length, seed, key);
    words.set(key, invented);
    return Array.from(word, (letter, i) => (letter === letter.toUpperCase() ? invented[i]!.toUpperCase() : invented[i]!)).join(""); // prettier-ignore
  };
  return (text) => {
    let end = 0;
    const parts: string[] = [];
    for (const { 0: date, index } of text.matchAll(NAMED_DATE)) {
      parts.push(text.slice(end, index).replace(WORD, translated), date);
      end = index + date.length;
    }
    return [...parts, text.slice(end).replace(WORD, translated)].join("");
  };
}

function newWord(length: number, seed: number, key: string): string {
  const random = randomness(Array.from(key).reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) | 0, seed));
  const oneOf = (letters: readonly string[]): string => letters[Math.floor(random() * letters.length)]!;
  for (let draw = 0; ; draw++) {
    const startsWithVowel = random() < 0.3 ? 1 : 0;
    const word = Array.from({ length }, (_, i) => oneOf((i + startsWithVowel) % 2 === 0 ? CONSONANTS : VOWELS)).join(
      "",
    );
    if (labelsOf(word).size === 0 || draw === DRAWS_MAX) return word;
  }
}
