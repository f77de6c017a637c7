import { compactKey } from "../src/receipts/parsing/rows/labels.ts";
import { columns } from "./receipt-tally.ts";
import type { Judgement } from "./receipt-tally.ts";

// How exactly the names of items are read: signs that the OCR does not have (ß ö ø å ł ç ñ …) count here, while the
// table of fields compares names without them.

/** The name of an item as read and as printed; the two were paired by their amount and letters. */
export interface NamePair {
  read: string;
  printed: string;
}

/** What the columns of the table mean. */
export const NAME_METRICS = `names     paired items of gold lists;  exact%: letter for letter, with marks;  letters%: the same without marks and case
signs%    letters with a mark and those outside a to z that the print has, read as such;  CER%: edit distance by characters`;

/** The names read by source, letter for letter. */
export function nameTable(judgements: ReadonlyMap<string, readonly Judgement[]>): string {
  const sources = [...judgements].toSorted(([a], [b]) => a.localeCompare(b));
  const all = sources.flatMap(([, list]) => list);
  const rows = [...sources, ["all", all] as const].map(([source, list]) => [
    source,
    ...sharesOf(list.flatMap(({ names }) => names)),
  ]);
  return columns([["source", "names", "exact%", "letters%", "signs", "signs%", "CER%"], ...rows]);
}

function sharesOf(names: readonly NamePair[]): string[] {
  const exact = names.filter(({ read, printed }) => plain(read) === plain(printed)).length;
  const alike = names.filter(({ read, printed }) => compactKey(read) === compactKey(printed)).length;
  let [signs, kept, errors, characters] = [0, 0, 0, 0];
  for (const { read, printed } of names) {
    const wanted = signsIn(printed);
    signs += wanted.length;
    kept += keptOf(wanted, signsIn(read));
    errors += distance(plain(read), plain(printed));
    characters += plain(printed).length;
  }
  return [
    String(names.length),
    percent(exact, names.length),
    percent(alike, names.length),
    String(signs),
    percent(kept, signs),
    percent(errors, characters),
  ];
}

function plain(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim();
}

/** The letters that the print has beside a to z. */
function signsIn(text: string): string[] {
  return Array.from(plain(text)).filter((letter) => /\p{L}|\p{Sc}/u.test(letter) && !/[A-Za-z]/.test(letter));
}

/** How many of the wanted letters are among those read, each counted once. */
function keptOf(wanted: readonly string[], read: readonly string[]): number {
  const rest = [...read];
  return wanted.filter((letter) => {
    const at = rest.indexOf(letter);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  }).length;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1), row[j]! + 1, next[j - 1]! + 1));
    row = next;
  }
  return row[b.length]!;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "-" : ((100 * part) / whole).toFixed(1);
}
