// How the deliveries of webhooks ended, as a chart by period: of all endpoints, or of one. Pure.
import type { Row } from "../../reports/report.ts";
import { percent } from "../format.ts";
import type { ConsoleLanguage } from "../language.ts";
import { byPeriod, figuresOf, latest, sum, total } from "./figures.ts";
import type { Figures, PeriodRows } from "./figures.ts";
import { chartOf, keyOf } from "./plan.ts";
import type { KeyFigure, Part, Planned } from "./plan.ts";
import type { Frame } from "./timeframe.ts";

export interface DeliveriesChart {
  readonly chart: Planned;
  readonly key: readonly KeyFigure[];
}

/** The chart of deliveries. `countedSince`: the first day (as written) with all of them; null: all days have them. */
export function deliveriesChart(
  language: ConsoleLanguage,
  frame: Frame,
  { rows, countedSince }: { readonly rows: readonly Row[]; readonly countedSince: string | null },
): DeliveriesChart {
  const { deliveries: words } = language.phrases.overview;
  const periods = byPeriod(rows);
  const of = (column: string): Figures => figuresOf(frame, periods, (some) => sum(some, column));
  const [first, later, failed, replayed] = [of("firstAttempt"), of("afterRetries"), of("failed"), of("replayed")];
  const parts: Part[] = [
    { name: words.first, kind: "bar", look: 1, figures: first },
    { name: words.later, kind: "bar", look: 3, figures: later },
    { name: words.failed, kind: "bar", look: 2, figures: failed },
  ];
  const ended = (when: "now" | "before"): number =>
    [first, later, failed].reduce((all, figures) => all + total(figures[when]), 0);
  const shares = sharesOf(language, { first: total(first.now), later: total(later.now), failed: total(failed.now) });
  const since = countedSince === null ? "" : words.since(countedSince);
  const chart = chartOf(language, frame, {
    id: "deliveries",
    report: "deliveries",
    unit: "number",
    words: { ...words, hint: [shares, words.hint, since].filter((text) => text !== "").join(" ") },
    parts,
    others: [
      { name: words.replayed, figures: replayed },
      { name: words.median, figures: figuresOf(frame, periods, secondsOf("medianSeconds")) },
      { name: words.p95, figures: figuresOf(frame, periods, secondsOf("p95Seconds")) },
    ],
    summary: { now: ended("now"), before: ended("before") },
  });
  if (chart.spec === null) return { chart, key: [] };
  const key = keyOf(language, words.key, "percent", {
    now: rateOf(periods, frame.starts),
    before: rateOf(periods, frame.before),
  });
  return { chart, key: [key] };
}

/** A period has one row. */
function secondsOf(column: "medianSeconds" | "p95Seconds"): (rows: readonly Row[]) => number | null {
  return (rows) => latest(rows.map((row) => (typeof row[column] === "number" ? row[column] : null)));
}

/** The share of what needed no second attempt, of all that nobody had to ask for; null without any. */
function rateOf(periods: PeriodRows, starts: readonly string[]): number | null {
  const rows = starts.flatMap((start) => periods.rowsOf(start));
  const ended = sum(rows, "firstAttempt", "afterRetries", "failed");
  return ended === 0 ? null : sum(rows, "firstAttempt") / ended;
}

function sharesOf(language: ConsoleLanguage, counts: { first: number; later: number; failed: number }): string {
  const { first, later, failed } = counts;
  const ended = first + later + failed;
  if (ended === 0) return "";
  const { shares } = language.phrases.overview.deliveries;
  return shares(percent(language, first / ended), percent(language, failed / ended));
}
