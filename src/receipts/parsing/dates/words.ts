import { plainLetters } from "../languages/plain-letters.ts";
import type { WrittenDate } from "./forms.ts";
import type { DatedRow } from "./written.ts";
import { anyGluedWordOf, anyUnitOf, anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";

// Receipts show other dates than that of the purchase: the end of an offer or voucher, the last day for returns, best
// before, a registration, the form. The words are as the OCR reads them, in small letters without accents; spaces
// between them may be lost.

/** Role of a date. `named`: a word says that it is the document's own; `other`: it is the date of something else. */
export type DateRole = "named" | "unnamed" | "doubtful" | "other";

/** Words that are alone before that day. */
const DATE_START = anyWordOf(wordsOf("dateStarts"));
/** Words before the day of a document. */
const DATE_WORD = new RegExp(String.raw`${anyWordOf(wordsOf("dateWords"))}|^\W*${DATE_START}(?=\W*$)`, "g");

/**
 * Anywhere before a date they make it a date of something else. Word boundaries exclude longer words: Provence, Centro,
 * Limited, weekends.
 */
const OTHER_WORD = new RegExp(anyWordOf(wordsOf("otherDates")), "g");
/** The same, but only without a figure between them and the date, and without a time behind it. */
const DOUBTFUL_WORD = new RegExp(anyWordOf(wordsOf("doubtfulDates")), "g");
/** Directly before a date; those that are also short for a weekday only behind a word. */
const BOUND_WORD = new RegExp(
  String.raw`(?:${anyWordOf(wordsOf("bounds"))}|[a-z]{2}(?<!${anyGluedWordOf(wordsOf("dateNames"))})\W+${anyWordOf(wordsOf("boundsBehindWords"))})[\s:.]*$`,
);
/** `12.11.-18.11.2025` */
const RANGE_BEFORE = /(?<!\d)\d{1,2}[./]\d{1,2}[./]?\s?[-~]\s?$/;
/** Directly behind a date. */
const BOUND_WORD_BEHIND = new RegExp(String.raw`^[\s.]*${anyWordOf(wordsOf("boundsBehind"))}`);
const BETWEEN_RANGE = new RegExp(String.raw`^\s*(?:[-~&]|${anyWordOf(wordsOf("ranges"))})\s*$`);
/** A second print, on a later day. */
const REPRINT = new RegExp(anyWordOf(wordsOf("reprints")));
/** The day of a print, in the head that a browser prints: `17/03/2025, 10:31`. */
const PAGE_HEAD = /^\d{1,2}\/\d{1,2}\/\d{2,4}, \d{1,2}:\d{2}/;
/** A time right behind a date. */
const TIME_BEHIND = new RegExp(
  String.raw`^\W{0,3}#|^\W{0,3}t?\d{2}[:.]\d{2}|^\W{0,3}(?:${anyUnitOf(wordsOf("timeLinks"))})?\s?\d{1,2}[:.h]\d{2}`,
);
/** A date within a sentence, other than `Rechnung vom`. */
const SENTENCE_BEFORE = new RegExp(
  String.raw`[a-z]{3,}\W+(?!${anyWordOf(wordsOf("dateLinks"))}|${DATE_START})[a-z]{2,}\W*$`,
);

/** Returns the role of a date. `above` is the row before its own. */
export function roleOf(row: DatedRow, index: number, above: DatedRow | null): DateRole {
  const { dates, text } = row;
  const date = dates[index]!;
  const [earlier, later] = [dates[index - 1], dates[index + 1]];
  const before = lowerPlain(text.slice(earlier?.end ?? 0, date.start));
  const behind = lowerPlain(text.slice(date.end, later?.start ?? text.length));
  if (isRange(row, earlier, date) || isRange(row, date, later) || BOUND_WORD_BEHIND.test(behind)) return "other";
  if (RANGE_BEFORE.test(before)) return "other";
  const hasTime = TIME_BEHIND.test(behind);
  if (isOther(before, hasTime)) return "other";
  if (REPRINT.test(before) || (above === null && PAGE_HEAD.test(text))) return "doubtful";
  if (!/[a-z]/.test(before) && above && above.dates.length === 0 && endsInOther(lowerPlain(above.text)))
    return hasTime ? "doubtful" : "other";
  if (lastMatch(DATE_WORD, before) || (dates.length === 1 && lastMatch(DATE_WORD, behind))) return "named";
  if (!hasTime && SENTENCE_BEFORE.test(before)) return "doubtful";
  const heading = above && above.dates.length === 0 && !/\d/.test(above.text) ? lowerPlain(above.text) : "";
  return lastMatch(DATE_WORD, heading) ? "named" : "unnamed";
}

/** `ate  12-06-2018 17:46`: the D of `Date` is out of the picture. In Portuguese it means `until`. */
const CUT_DATE = /^\W*a?te\W*$/;

function isOther(before: string, hasTime: boolean): boolean {
  if (hasTime && CUT_DATE.test(before)) return false;
  if (BOUND_WORD.test(before)) return true;
  const own = lastMatch(DATE_WORD, before);
  for (const words of [OTHER_WORD, DOUBTFUL_WORD]) {
    const found = lastMatch(words, before);
    if (!found) continue;
    // `Return till 3  Date: ...`, `Original  Data: ...` in columns; but `Expiry date:` is one word.
    if (own && own.start >= found.end && !/^[a-z]*[\s.-]?\s?(?<!\s\s)$/.test(before.slice(found.end, own.start)))
      continue;
    const isNear = !/\d/.test(before.slice(found.end));
    if (words === DOUBTFUL_WORD ? hasTime || !isNear : hasTime && !isNear) continue;
    return true;
  }
  return false;
}

/** Whether a row ends in `Valid until` or the like, which applies to the date at the beginning of the next row. */
function endsInOther(text: string): boolean {
  if (BOUND_WORD.test(text)) return true;
  const found = lastMatch(OTHER_WORD, text);
  return found !== null && /^\D{0,12}$/.test(text.slice(found.end));
}

function isRange({ text }: DatedRow, from: WrittenDate | undefined, to: WrittenDate | undefined): boolean {
  if (!from || !to || from.readings[0]!.date === to.readings[0]!.date) return false;
  return BETWEEN_RANGE.test(lowerPlain(text.slice(from.end, to.start)));
}

function lastMatch(words: RegExp, text: string): { start: number; end: number } | null {
  const last = [...text.matchAll(words)].at(-1);
  return last ? { start: last.index, end: last.index + last[0].length } : null;
}

function lowerPlain(text: string): string {
  return plainLetters(text).toLowerCase();
}
