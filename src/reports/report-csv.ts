import { csvLine } from "../csv/csv.ts";
import type { Report } from "./read.store.ts";

/** A report as CSV: its columns, then a line for each row. An unknown value is empty. */
export function reportCsv({ columns, rows }: Pick<Report, "columns" | "rows">): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? "")))];
  return lines.map((line) => `${csvLine(line)}\n`).join("");
}
