// The figures of the overview, from the reports of the API. Pure.
import { GIVEN_POINTS } from "../../reports/report.ts";
import type { Row } from "../../reports/report.ts";
import type { Frame } from "./timeframe.ts";

/** A figure in each period of the timeframe, and in those before. Null: there is nothing to compute it from. */
export interface Figures {
  readonly now: readonly (number | null)[];
  readonly before: readonly (number | null)[];
}

/** What a report says of the timeframe, by the first day of each period. */
export interface PeriodRows {
  rowsOf(start: string): readonly Row[];
}

/** Returns the rows of a report by period. */
export function byPeriod(rows: readonly Row[]): PeriodRows {
  const byStart = Map.groupBy(rows, ({ from }) => from);
  return { rowsOf: (start) => byStart.get(start) ?? [] };
}

/** Computes a figure for each period. */
export function figuresOf(frame: Frame, periods: PeriodRows, of: (rows: readonly Row[]) => number | null): Figures {
  const each = (starts: readonly string[]) => starts.map((start) => of(periods.rowsOf(start)));
  return { now: each(frame.starts), before: each(frame.before) };
}

/** Adds up columns of some rows. */
export function sum(rows: readonly Row[], ...columns: readonly string[]): number {
  let all = 0;
  for (const row of rows) for (const column of columns) all += numberOf(row[column]);
  return all;
}

/** Points given: earned and granted, less what corrections and reversals took back. */
export function issued(rows: readonly Row[]): number {
  return sum(rows, ...GIVEN_POINTS);
}

/** Points spent or reserved, less what was returned. */
export function redeemed(rows: readonly Row[]): number {
  return 0 - sum(rows, "redeemed", "refunded");
}

/** Points that nobody can spend any more. */
export function lapsed(rows: readonly Row[]): number {
  return 0 - sum(rows, "expired", "forfeited");
}

/** Receipts that ended so. */
export function receiptsBy(outcome: "completed" | "failed"): (rows: readonly Row[]) => number {
  return (rows) =>
    sum(
      rows.filter((row) => row["source"] === "receipt" && row["outcome"] === outcome),
      "submissions",
    );
}

/** The share of names that were matched to a food, of all that could be; null without any. */
export function matchRate(rows: readonly Row[]): number | null {
  const matched = sum(rows, "matched");
  const asked = matched + sum(rows, "unmatched", "abstained");
  return asked === 0 ? null : matched / asked;
}

/** The sum of a figure over its periods. */
export function total(values: readonly (number | null)[]): number {
  return values.reduce<number>((all, value) => all + (value ?? 0), 0);
}

/** The mean of a figure over its periods. */
export function mean(values: readonly (number | null)[]): number {
  return values.length === 0 ? 0 : total(values) / values.length;
}

/** The last value that is known. */
export function latest(values: readonly (number | null)[]): number | null {
  return values.findLast((value) => value !== null) ?? null;
}

function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
