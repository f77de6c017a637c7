import { plainLetters } from "../languages/plain-letters.ts";
import { anyUnitOf } from "../languages/notation.ts";
import { MONTH_NAMES, wordsOf } from "../languages/vocabulary.ts";

/** Names, and beginnings of at least three letters that are of one month only. */
const MONTH_OF = monthsByBeginning();

/** Words glued to a month's name, before and behind it: `12thNovember`, `12denoviembrede2025`, `DATENOV`. */
const BEFORE_NAME = new RegExp(
  String.raw`^(?:${anyUnitOf(wordsOf("monthPrefixes"))}|.*(?:${anyUnitOf(wordsOf("dateNames"))}))(?=...)`,
  "i",
);
const BEHIND_NAME = new RegExp(String.raw`(?<=...)(?:${anyUnitOf(wordsOf("monthSuffixes"))})$`, "i");

/** The letters that the OCR reads as figures. */
const LETTER_OF: Record<string, string> = { 0: "O", 1: "I", 5: "S", 6: "G", 8: "B", "|": "I" };

/** Returns the number of the month that a word names, in full or abbreviated; 0 if it names none. */
export function monthOf(word: string): number {
  const plain = plainLetters(word);
  // `ThuNov`: the space before it was lost.
  const last = /[A-Za-z]([A-Z][a-z]+)$/.exec(plain)?.[1];
  const names = [plain, last ?? plain].flatMap((name) => [
    name.replace(/[01568|]/g, (figure) => LETTER_OF[figure]!),
    // A 1 may also have been an l.
    name.replace(/1/g, "L").replace(/[0568|]/g, (figure) => LETTER_OF[figure]!),
  ]);
  for (const name of names.map((one) => one.toUpperCase())) {
    const inner = name.replace(BEFORE_NAME, "").replace(BEHIND_NAME, "");
    const month = MONTH_OF.get(name) ?? MONTH_OF.get(inner);
    if (month) return month;
  }
  return 0;
}

function monthsByBeginning(): ReadonlyMap<string, number> {
  const months = new Map<string, number>();
  for (const [index, names] of MONTH_NAMES.entries())
    for (const name of names)
      for (let length = 3; length < name.length; length++) {
        const beginning = name.slice(0, length);
        const month = months.get(beginning);
        months.set(beginning, month === undefined || month === index + 1 ? index + 1 : 0);
      }
  for (const [index, names] of MONTH_NAMES.entries()) for (const name of names) months.set(name, index + 1);
  return months;
}
