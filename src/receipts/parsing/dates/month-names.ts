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

/** Letters that are alike on worn print, as one of them: DFC is DEC, OCI is OCT. */
const ALIKE: Readonly<Record<string, string>> = { F: "E", T: "I", L: "I", U: "O", D: "O", Q: "O", G: "C" };
/** Longer names may have one letter wrong, missing or added. */
const LONG_NAME = 6;

const MONTH_OF_ALIKE = new Map<string, number>();
for (const [name, month] of MONTH_OF) {
  const known = MONTH_OF_ALIKE.get(alike(name));
  MONTH_OF_ALIKE.set(alike(name), known === undefined || known === month ? month : 0);
}
const LONG_NAMES = MONTH_NAMES.flatMap((names, index) =>
  names.filter((name) => name.length >= LONG_NAME).map((name) => ({ name, month: index + 1 })),
);

/** Returns the number of the month that a misread word names (`DFC`, `fvrier`, `NOVEM8ER`); 0 if it names none. */
export function misreadMonthOf(word: string): number {
  const month = monthOf(word);
  if (month !== 0) return month;
  const name = plainLetters(word)
    .replace(/[01568|]/g, (figure) => LETTER_OF[figure]!)
    .toUpperCase();
  const near = LONG_NAMES.filter((one) => isNearly(name, one.name));
  const months = new Set(near.map((one) => one.month));
  return months.size === 1 ? [...months][0]! : (MONTH_OF_ALIKE.get(alike(name)) ?? 0);
}

/** Whether two words differ by one letter that is wrong, missing or added. */
function isNearly(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  return restA.slice(1) === restB.slice(1) || restA === restB.slice(1) || restA.slice(1) === restB;
}

function alike(name: string): string {
  return name.replace(/[FTLUDQG]/g, (letter) => ALIKE[letter]!);
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
