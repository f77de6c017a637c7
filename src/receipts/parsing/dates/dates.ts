import { plainLetters } from "../languages/plain-letters.ts";
import { anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";
import { withCommonYears } from "./buddhist-years.ts";
import type { WrittenDate } from "./forms.ts";
import { dayChooser } from "./order.ts";
import type { DateContext } from "./order.ts";
import { roleOf } from "./words.ts";
import type { DateRole } from "./words.ts";
import { timeBehind } from "./times.ts";
import { datesIn } from "./written.ts";
import type { DatedRow } from "./written.ts";
import { DAY_MS } from "../../../time.ts";

export type { DateContext } from "./order.ts";

/** Date and time of the purchase, as far as printed. */
export interface PrintedMoment {
  date: string | null;
  time: string | null;
  /** Evidence for the date: its form, a time beside it, a word for it, a repetition. */
  score: number;
  /** Day and month could be swapped, and neither the receipt nor the country decides their order. */
  isOrderGuessed: boolean;
}

/** A number with a lower score is no date. Set by hand on the development receipts, as are the scores below. */
const SCORE_MIN = 1;
const SCORE_OF: Record<DateRole, number> = { named: 2, unnamed: 0, doubtful: -1, other: 0 };
const SOON_DAYS = 31;

interface Candidate {
  date: string;
  isGuessed: boolean;
  score: number;
  row: number;
  written: WrittenDate;
}

/**
 * Finds the date and time of the purchase among the rows of a receipt. Dates of other things are skipped; a time beside
 * the date, a word for it and a repetition raise its score.
 */
export function findMoment(rows: readonly string[], context: DateContext): PrintedMoment {
  const dated = rows.map((row) => datesIn(withCommonYears(row, context.country)));
  const chosen = dayChooser(dated, context);
  const found = new Map<string, Candidate>();
  const timed = (index: number): boolean => dated[index]!.times.length > 0;
  for (const [index, row] of dated.entries())
    for (const [i, written] of row.dates.entries()) {
      const role = roleOf(row, i, dated[index - 1] ?? null);
      if (role === "other") continue;
      const { date, isGuessed } = chosen(row, written);
      const score = written.certainty + SCORE_OF[role] + (row.times.length > 0 ? 2 : 0);
      const known = found.get(date);
      const again = known && written.certainty > 0 ? 1 : 0;
      // The first row with a time counts: the time of the card slip is later. The start of the signature (`TSE-Start`)
      // is not the purchase.
      const isFirst =
        known && (row.times.length === 0 || (timed(known.row) && !isOfSigning(dated[known.row]!)) || isOfSigning(row));
      const place = isFirst ? known : { row: index, written };
      found.set(date, {
        date,
        isGuessed,
        score: Math.max(known?.score ?? score, score) + again,
        row: place.row,
        written: place.written,
      });
    }
  const [best] = [...found.values()]
    .filter(({ score }) => score >= SCORE_MIN)
    .sort((a, b) => rank(b, context.today) - rank(a, context.today) || a.row - b.row);
  return {
    date: best?.date ?? null,
    time: findTime(dated, best ?? null),
    score: best?.score ?? 0,
    isOrderGuessed: best?.isGuessed ?? false,
  };
}

const SIGNATURE = new RegExp(
  String.raw`${anyWordOf(wordsOf("signatures"))}|^\W*${anyWordOf(wordsOf("signatureStarts"))}`,
  "i",
);

/** Whether a row has times of the signature: German tills print when it was started and finished. */
function isOfSigning({ text }: DatedRow): boolean {
  return SIGNATURE.test(plainLetters(text));
}

/**
 * Returns the rank of a date. Future dates rank last: they are the end of an offer, or the receipt is not genuine.
 * Recent dates rank higher: receipts are uploaded soon.
 */
function rank({ date, score }: Candidate, today: string | null): number {
  const days = today === null ? Infinity : (Date.parse(today) - Date.parse(date)) / DAY_MS;
  return days < -1 ? score - 100 : days <= SOON_DAYS ? score + 1 : score;
}

const TIME_WORD = new RegExp(anyWordOf(wordsOf("timeWords")), "i");

/** Returns the time nearest to the date. Opening hours (two times in a row) don't count. */
function findTime(rows: readonly DatedRow[], of: Candidate | null): string | null {
  if (of) {
    const { text, times } = rows[of.row]!;
    const { start, end } = of.written;
    const away = (time: { start: number; end: number }): number =>
      time.start >= end ? time.start - end : start - time.end + 1;
    const [nearest] = times.toSorted((a, b) => away(a) - away(b));
    const own = nearest?.time ?? timeBehind(text.slice(end), /^\d+$/.test(text.slice(start, end)));
    if (own) return own;
  }
  let best: { time: string; distance: number } | null = null;
  for (const [index, { text, times }] of rows.entries()) {
    if (times.length !== 1) continue;
    const distance = Math.abs(index - (of?.row ?? index)) - (TIME_WORD.test(plainLetters(text)) ? 1 : 0);
    if (!best || distance < best.distance) best = { time: times[0]!.time, distance };
  }
  return best?.time ?? null;
}
