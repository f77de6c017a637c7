import type { Paper } from "./paper.ts";
import type { Random } from "./random.ts";
import { two } from "./sale.ts";
import type { Sale } from "./sale.ts";

// What tills of all countries print, each in its own way.

/** The day of the sale by a pattern: `DD/MM/YY`, `YYYY-MM-DD`. */
export function dayOf({ date: { year, month, day } }: Sale, pattern: string): string {
  return pattern
    .replace("YYYY", String(year))
    .replace("YY", two(year % 100))
    .replace("MM", two(month))
    .replace("DD", two(day));
}

/** `18:05`, or with seconds. */
export function clockOf({ time: { hour, minute, second } }: Sale, hasSeconds = false): string {
  return `${two(hour)}:${two(minute)}${hasSeconds ? `:${two(second)}` : ""}`;
}

/** `6:05 PM`. */
export function halfDayClockOf({ time: { hour, minute } }: Sale): string {
  return `${hour % 12 === 0 ? 12 : hour % 12}:${two(minute)} ${hour < 12 ? "AM" : "PM"}`;
}

/** How many things were bought: counts added up, a weight being one thing. */
export function pieces({ lines }: Sale): number {
  return lines.reduce((sum, { measure }) => sum + (measure.kind === "count" ? measure.count : 1), 0);
}

/** Cells at columns, the first one to the left of its column, the others to the right of theirs. */
export function cells(paper: Paper, ends: readonly number[], texts: readonly string[]): string {
  let row = texts[0]!;
  for (const [i, text] of texts.slice(1).entries()) {
    const start = Math.floor((ends[i]! * paper.columns) / 100) - text.length;
    row = `${row.slice(0, Math.max(0, start - 1)).padEnd(Math.max(0, start))}${text}`;
  }
  return row;
}

/** The date row far below, among the numbers of shop, till and sale. */
export function tillRow(random: Random, day: string, time: string): string {
  return random.pick([
    `${random.digits(4)} ${random.digits(3)} ${day} ${time} ${random.digits(4)}`,
    `${day} ${time} ${random.digits(3)} ${random.digits(2)} ${random.digits(5)}`,
    `T${random.digits(2)} R${random.digits(4)} ${day} ${time}`,
  ]);
}

/** What somebody gives in cash for so much. */
export function given(random: Random, totalMinor: number): number {
  return Math.ceil(totalMinor / 500) * 500 + (random.chance(0.3) ? 1000 : 0);
}
