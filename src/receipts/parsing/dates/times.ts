import { SIGN } from "../languages/currency-signs.ts";
import { anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";
import { figuresOf } from "./legible.ts";

/** A time of day in a row: `time` as `HH:MM:SS`, from `start` to `end` of the text. */
export interface PrintedTime {
  time: string;
  start: number;
  end: number;
}

/** `01:340M`: a P was read as 0. `2:20P`, `02:20p` have no M. */
const HALF = String.raw`(?:\s?([AaPp]|[0OD](?=M))\.?\s?[Mm0]\.?|\s?(P)(?:TG|G)\b|([AaPp])(?![\p{L}\d]))?`;
/** `14:32`, `14:32:05`, `2:05PM`, `14h32`, `14;32`, and the same with letters for figures. */
const TIME = new RegExp(
  String.raw`(?<![\d.,]|\d\s?:)([01lIO]?\d|2[0-3]|[012]O|[12][lI])\s?[:;hH]\s?([0-5OSlI][\dOlIS])(?:\s?[:.]\s?([0-5]\d|[0-5][OlI]))?(?:[.,]\d{3})?${HALF}(?![\d:]|[./-]20\d{2}(?!\d))`,
  "gu",
);
/** `14.32 Uhr`, `klo 14.32`: figures with points are a time if a word says so. */
const POINTED = new RegExp(
  String.raw`(?<=${anyWordOf(wordsOf("timeWords"))}\.?\s?:?\s?)([01]?\d|2[0-3])[.]([0-5]\d)(?![\d.,])|(?<![\d.,:])([01]?\d|2[0-3])[.]([0-5]\d)(?:[.]([0-5]\d))?(?=\s?(?:Uhr|hrs?|h)\b)`,
  "gi",
);
/** `2.32PM`, `2.32 p.m.` */
const POINTED_HALF = /(?<![\d.,:/-])(0?[1-9]|1[0-2])[.]([0-5]\d)\s?([AP])\.?M\b/gi;
/** `14.32`, `14.32.05`: times only right behind a date; `1432`, `T143205` only behind one without separators too. */
const POINTED_BEHIND = new RegExp(
  String.raw`^\s{0,2}(?:[-,/]\s?)?([01]?\d|2[0-3])[.,]([0-5]\d)(?:[.]([0-5]\d))?(?![\d.,]|\s?(?:${SIGN}|kg))`,
);
const FIGURES_BEHIND = /^\s{0,2}[-T/_]?([01]\d|2[0-3])([0-5]\d)([0-5]\d)?(?!\d|[.,]\d)/;

/** Returns the times of day in a row, from left to right. */
export function timesIn(text: string): PrintedTime[] {
  const found: PrintedTime[] = [];
  for (const match of text.matchAll(TIME)) {
    const [all, hour, minute, second, half, malayHalf, bareHalf] = match;
    // `3h20` is a time, `OI:2O` is none: at least one figure must be read as such.
    if (!/\d/.test(hour!) && !/\d/.test(minute!)) continue;
    const time = timeOf(hour!, minute!, second, half ?? malayHalf ?? bareHalf);
    if (time) found.push({ time, start: match.index, end: match.index + all.length });
  }
  for (const match of text.matchAll(POINTED)) {
    const [hour, minute, second] = match.slice(1).filter((part) => part !== undefined);
    const time = timeOf(hour!, minute!, second);
    if (time) found.push({ time, start: match.index, end: match.index + match[0].length });
  }
  for (const match of text.matchAll(POINTED_HALF)) {
    const time = timeOf(match[1]!, match[2]!, "00", match[3]);
    if (time) found.push({ time, start: match.index, end: match.index + match[0].length });
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Returns the time behind a date that is written without colons. `isOfFigures`: the date has no separators either. */
export function timeBehind(text: string, isOfFigures = false): string | null {
  const match = (isOfFigures ? FIGURES_BEHIND : POINTED_BEHIND).exec(text);
  return match && timeOf(match[1]!, match[2]!, match[3]);
}

function timeOf(hour: string, minute: string, second = "00", half?: string): string | null {
  const read = Number(figuresOf(hour));
  const isMorning = half?.toUpperCase() === "A";
  if (isMorning && read > 12) return null;
  const whole = half === undefined || read > 12 ? read : (read % 12) + (isMorning ? 0 : 12);
  return `${String(whole).padStart(2, "0")}:${figuresOf(minute)}:${figuresOf(second)}`;
}
