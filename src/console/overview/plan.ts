// A chart of a figure by period, with its sentence, its table and its key figure. Pure.
import { chartNumber } from "../charts/chart.ts";
import type { ChartSeries, ChartSpec, ChartUnit } from "../charts/chart.ts";
import type { ChartTable } from "../charts/figure.ts";
import { number } from "../format.ts";
import { dateFormat } from "../../html/formatters.ts";
import type { ConsoleLanguage } from "../language.ts";
import { changeOf } from "./change.ts";
import type { Row } from "../../reports/report.ts";
import { total } from "./figures.ts";
import type { Figures } from "./figures.ts";
import type { Frame } from "./timeframe.ts";

/** The reports that the overview reads. */
export const READ = [
  "points",
  "submissions",
  "matching",
  "impact",
  "users",
  "deliveries",
  "review",
  "webhooks",
] as const;
export type ReadReport = (typeof READ)[number];
export type Reports = Readonly<Record<ReadReport, readonly Row[]>>;

/** A chart before it is drawn. */
export interface Planned {
  readonly id: string;
  readonly title: string;
  readonly sentence: string;
  readonly hint: string;
  /** Null: there is nothing to draw, and the sentence says what to do. */
  readonly spec: ChartSpec | null;
  readonly table: Omit<ChartTable, "csv">;
  /** The report behind it. */
  readonly report: ReadReport;
}

/** A large number at the top. */
export interface KeyFigure {
  readonly name: string;
  readonly value: string;
  readonly change: string;
}

/** A figure of a chart: its name, its values, and how it is drawn. */
export interface Part extends Pick<ChartSeries, "kind" | "look"> {
  readonly name: string;
  readonly figures: Figures;
}

export interface Summary {
  readonly now: number | null;
  readonly before: number | null;
}

/** The sums of both timeframes. */
export const totals = ({ now, before }: Figures): Summary => ({ now: total(now), before: total(before) });

export interface ChartPlan {
  readonly id: string;
  readonly report: ReadReport;
  readonly unit: ChartUnit;
  readonly words: { readonly title: string; readonly unit: string; readonly hint: string; readonly empty: string };
  readonly parts: readonly Part[];
  /** Columns of the table that are not drawn. */
  readonly others?: readonly Pick<Part, "name" | "figures">[];
  readonly summary: Summary;
}

/** The chart with a grey line for the timeframe before: that of its first part, or of all bars together. */
export function chartOf(language: ConsoleLanguage, frame: Frame, plan: ChartPlan): Planned {
  const { locale, phrases } = language;
  const { id, report, unit, words, parts, others = [], summary } = plan;
  const before = beforeOf(parts);
  const isEmpty = parts.every(({ figures }) => [...figures.now, ...figures.before].every((value) => !value));
  const labels = frame.starts.map((start) => periodLabel(language, frame, start));
  const hasBefore = before.some((value) => value !== null && value !== 0);
  const series: ChartSeries[] = [
    ...(hasBefore
      ? [{ name: phrases.overview.before, kind: "line" as const, look: "before" as const, values: before }]
      : []),
    ...parts.map(({ name, kind, look, figures }) => ({ name, kind, look, values: figures.now })),
  ];
  const columns = [...parts, ...others];
  const written = (value: number | null | undefined) =>
    value === null || value === undefined ? "–" : exact(language, unit, value);
  return {
    id,
    report,
    title: words.title,
    hint: words.hint,
    sentence: isEmpty
      ? words.empty
      : phrases.overview.sentence(written(summary.now), words.unit, changeOf(language, unit, summary)),
    spec: isEmpty
      ? null
      : {
          locale,
          unit,
          labels,
          series,
        },
    table: {
      caption: words.title,
      head: [
        phrases.overview.period[frame.by],
        ...columns.flatMap(({ name }) => [name, phrases.overview.beforeOf(name)]),
      ],
      rows: frame.starts.map((_, i) => [
        labels[i]!,
        ...columns.flatMap(({ figures }) => [written(figures.now[i]), written(figures.before[i])]),
      ]),
    },
  };
}

/** The timeframe before, as one line: bars are added up. */
function beforeOf(parts: readonly Part[]): (number | null)[] {
  const stacked = parts.filter(({ kind }) => kind === "bar");
  if (stacked.length === 0) return [...parts[0]!.figures.before];
  return stacked[0]!.figures.before.map((_, i) => total(stacked.map(({ figures }) => figures.before[i] ?? null)));
}

/** A figure with its change. */
export function keyOf(language: ConsoleLanguage, name: string, unit: ChartUnit, summary: Summary): KeyFigure {
  const value = summary.now === null ? "–" : exact(language, unit, summary.now);
  return { name, value, change: changeOf(language, unit, summary) };
}

/** Numbers of sentences and tables: never shortened. */
function exact(language: ConsoleLanguage, unit: ChartUnit, value: number): string {
  if (unit === "percent") return chartNumber(language.locale, unit, value);
  // The mean of small numbers.
  const decimals = unit === "kg" ? 1 : Number.isInteger(value) || value >= 10 ? 0 : value >= 1 ? 1 : 2;
  return number(language, value, decimals);
}

const MONTH = { month: "short", year: "numeric", timeZone: "UTC" } as const;
const DAY = { day: "numeric", month: "short", timeZone: "UTC" } as const;

/** A period by its first day. */
export function periodLabel({ locale }: ConsoleLanguage, { by }: Pick<Frame, "by">, start: string): string {
  const parts = by === "month" ? MONTH : DAY;
  return dateFormat(locale, parts).format(new Date(start));
}
