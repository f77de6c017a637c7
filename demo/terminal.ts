import { styleText } from "node:util";

/** A colour or weight as Node names it; left out where the terminal has none, under NO_COLOR, or in a pipe. */
export type Format = Parameters<typeof styleText>[0];

/** A cell of a table, formatted as a whole or not at all. */
export type Cell = string | { readonly text: string; readonly format: Format };

export interface Column {
  readonly title: string;
  readonly width: number;
  readonly align?: "left" | "right";
}

const INDENT = "   ";
const isLive = process.stdout.isTTY && process.env["TERM"] !== "dumb";
let isLineOpen = false;

/** Prints one line. */
export function say(text = ""): void {
  process.stdout.write(`${isLineOpen ? "\r\u{1B}[2K" : ""}${text === "" ? "" : INDENT + text}\n`);
  isLineOpen = false;
}

/** Shows a line that the next one replaces; only on a terminal. */
export function sayForNow(text: string): void {
  if (!isLive) return;
  process.stdout.write(`\r\u{1B}[2K${INDENT}${text}`);
  isLineOpen = true;
}

/** Prints the heading of a part; a temporary line stays above it. */
export function heading(title: string, about = ""): void {
  if (isLineOpen) process.stdout.write("\n");
  isLineOpen = false;
  process.stdout.write(`\n ${paint("bold", title)}${about === "" ? "" : ` ${paint("dim", `· ${about}`)}`}\n`);
}

/** Returns a text in a format, if the terminal supports it. */
export function paint(format: Format, text: string): string {
  return styleText(format, text, { stream: process.stdout });
}

/** Returns the line of a step that is done: a tick, its name, its duration, its result. */
export function step(name: string, tookMs: number | null, found: string): string {
  return `${paint("green", "✓")} ${name.padEnd(14)}${seconds(tookMs)}   ${found}`;
}

/** Returns the line of a step that is running. */
export function stepForNow(name: string, tookMs: number, about: string): string {
  return `${paint("yellow", "…")} ${name.padEnd(14)}${seconds(tookMs)}   ${paint("dim", about)}`;
}

/** Prints a table: titles, a line, the rows. Texts too long for their column are cut. */
export function table(columns: readonly Column[], groups: readonly (readonly (readonly Cell[])[])[]): void {
  const rule = paint("dim", columns.map(({ width }) => "─".repeat(width)).join("──"));
  say(columns.map((column) => paint("bold", fitted(column.title, column))).join("  "));
  for (const rows of groups) {
    say(rule);
    for (const row of rows) {
      say(
        row
          .map((cell, i) => {
            const column = columns[i]!;
            return typeof cell === "string" ? fitted(cell, column) : paint(cell.format, fitted(cell.text, column));
          })
          .join("  "),
      );
    }
  }
}

/** Returns a rating of 1 to 5 as its letter, green to red; a dash where there is none. */
export function grade(rating: number | null): Cell {
  const grades = [
    { text: "A", format: ["bold", "green"] },
    { text: "B", format: "green" },
    { text: "C", format: "yellow" },
    { text: "D", format: "magenta" },
    { text: "E", format: "red" },
  ] as const satisfies Cell[];
  return (rating === null ? undefined : grades[rating - 1]) ?? "–";
}

function seconds(tookMs: number | null): string {
  return (tookMs === null ? "" : `${(tookMs / 1000).toFixed(2)} s`).padStart(8);
}

function fitted(text: string, { width, align }: Column): string {
  return align === "right" ? cut(text, width).padStart(width) : cut(text, width).padEnd(width);
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
