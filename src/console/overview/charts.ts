// What each chart of the overview shows: its spec, its sentence and its table. Pure.
import type { Row } from "../../reports/report.ts";
import { chartNumber } from "../charts/chart.ts";
import type { ChartSeries, ChartSpec, ChartUnit } from "../charts/chart.ts";
import type { ChartTable } from "../charts/figure.ts";
import { number } from "../format.ts";
import type { ConsoleLanguage } from "../language.ts";
import { changeOf } from "./change.ts";
import {
  byPeriod,
  figuresOf,
  issued,
  lapsed,
  latest,
  matchRate,
  mean,
  receiptsBy,
  redeemed,
  sum,
  total,
} from "./figures.ts";
import type { Figures, PeriodRows } from "./figures.ts";
import type { Frame } from "./timeframe.ts";

/** The reports that the overview reads. */
export const READ = ["points", "submissions", "matching", "impact", "users", "review", "webhooks"] as const;
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

export interface Overview {
  readonly key: readonly KeyFigure[];
  readonly charts: readonly Planned[];
  /** Nothing happened in either timeframe. */
  readonly isEmpty: boolean;
}

/** What the parts of the overview are computed from. */
interface Inputs {
  readonly language: ConsoleLanguage;
  readonly frame: Frame;
  readonly periods: Readonly<Record<ReadReport, PeriodRows>>;
}

/** A figure of a chart: its name, its values, and how it is drawn. */
interface Part extends Pick<ChartSeries, "kind" | "look"> {
  readonly name: string;
  readonly figures: Figures;
}

/** Plans the overview. */
export function overviewOf(language: ConsoleLanguage, frame: Frame, reports: Reports): Overview {
  const periods = Object.fromEntries(READ.map((name) => [name, byPeriod(reports[name])])) as Inputs["periods"];
  const inputs = { language, frame, periods };
  const planned = [
    points(inputs),
    outstanding(inputs),
    receipts(inputs),
    matching(inputs),
    impact(inputs),
    users(inputs),
  ];
  const charts = [...planned.map(({ chart }) => chart), webhooks(language, reports.webhooks)];
  return {
    key: planned.flatMap(({ key }) => key),
    charts,
    isEmpty: planned.every(({ chart }) => chart.spec === null),
  };
}

interface PlannedWithKey {
  readonly chart: Planned;
  readonly key: readonly KeyFigure[];
}

function points({ language, frame, periods }: Inputs): PlannedWithKey {
  const { points: words } = language.phrases.overview;
  const given = figuresOf(frame, periods.points, issued);
  const spent = figuresOf(frame, periods.points, redeemed);
  const gone = figuresOf(frame, periods.points, lapsed);
  const parts: Part[] = [
    { name: words.issued, kind: "line", look: 1, figures: given },
    { name: words.redeemed, kind: "line", look: 2, figures: spent },
  ];
  const chart = chartOf(language, frame, {
    id: "points",
    report: "points",
    unit: "number",
    words,
    parts,
    others: [
      {
        name: words.lapsed,
        figures: gone,
      },
    ],
    summary: {
      now: total(given.now),
      before: total(given.before),
    },
  });
  return { chart, key: [given, spent].map((figures, i) => keyOf(language, parts[i]!.name, "number", totals(figures))) };
}

function outstanding({ language, frame, periods }: Inputs): PlannedWithKey {
  const { outstanding: words } = language.phrases.overview;
  const figures = figuresOf(frame, periods.points, (rows) => sum(rows, "outstanding"));
  const summary = { now: latest(figures.now), before: latest(figures.before) };
  const parts: Part[] = [{ name: words.name, kind: "line", look: 1, figures }];
  const chart = chartOf(language, frame, {
    id: "outstanding",
    report: "points",
    unit: "number",
    words,
    parts,
    summary,
  });
  return { chart, key: [keyOf(language, words.name, "number", summary)] };
}

function receipts({ language, frame, periods }: Inputs): PlannedWithKey {
  const { receipts: words } = language.phrases.overview;
  const [completed, failed] = (["completed", "failed"] as const).map((outcome) =>
    figuresOf(frame, periods.submissions, receiptsBy(outcome)),
  );
  const parts: Part[] = [
    { name: words.completed, kind: "bar", look: 1, figures: completed! },
    { name: words.failed, kind: "bar", look: 2, figures: failed! },
  ];
  const summary = {
    now: total(completed!.now) + total(failed!.now),
    before: total(completed!.before) + total(failed!.before),
  };
  const codes = failureCodes(language, frame, periods.submissions);
  const chart = chartOf(language, frame, {
    id: "receipts",
    report: "submissions",
    unit: "number",
    parts,
    summary,
    words:
      codes === ""
        ? words
        : {
            ...words,
            hint: `${words.failures(codes)} ${words.hint}`,
          },
  });
  return { chart, key: [keyOf(language, words.name, "number", summary)] };
}

/** The three most frequent reasons of failures. */
function failureCodes({ locale }: ConsoleLanguage, { starts }: Frame, periods: PeriodRows): string {
  const rows = starts.flatMap((start) => periods.rowsOf(start)).filter((row) => row["source"] === "receipt");
  const byCode = Map.groupBy(
    rows.filter(({ errorCode }) => errorCode !== null),
    ({ errorCode }) => String(errorCode),
  );
  const counted = [...byCode].map(([code, of]) => ({ code, count: sum(of, "submissions") }));
  const first = counted.toSorted((a, b) => b.count - a.count).slice(0, 3);
  return first.map(({ code, count }) => `${code} (${chartNumber(locale, "number", count)})`).join(", ");
}

function matching({ language, frame, periods }: Inputs): PlannedWithKey {
  const { matching: words } = language.phrases.overview;
  const figures = figuresOf(frame, periods.matching, matchRate);
  const rateOf = (starts: readonly string[]) => matchRate(starts.flatMap((start) => periods.matching.rowsOf(start)));
  const summary = { now: rateOf(frame.starts), before: rateOf(frame.before) };
  const parts: Part[] = [{ name: words.name, kind: "line", look: 1, figures }];
  const chart = chartOf(language, frame, {
    id: "matching",
    report: "matching",
    unit: "percent",
    words,
    parts,
    summary,
  });
  return { chart, key: [keyOf(language, words.title, "percent", summary)] };
}

function impact({ language, frame, periods }: Inputs): PlannedWithKey {
  const { impact: words } = language.phrases.overview;
  const figures = figuresOf(frame, periods.impact, (rows) => sum(rows, "co2eKg"));
  const parts: Part[] = [{ name: words.title, kind: "bar", look: 1, figures }];
  const summary = totals(figures);
  const chart = chartOf(language, frame, { id: "impact", report: "impact", unit: "kg", words, parts, summary });
  return { chart, key: [keyOf(language, words.name, "kg", summary)] };
}

function users({ language, frame, periods }: Inputs): PlannedWithKey {
  const { users: words } = language.phrases.overview;
  const active = figuresOf(frame, periods.users, (rows) => sum(rows, "active"));
  const enrolled = figuresOf(frame, periods.users, (rows) => sum(rows, "enrolled"));
  const summary = { now: mean(active.now), before: mean(active.before) };
  const chart = chartOf(language, frame, {
    id: "users",
    report: "users",
    unit: "number",
    summary,
    words: {
      ...words,
      unit: words.unit[frame.by],
    },
    parts: [
      {
        name: words.name,
        kind: "line",
        look: 1,
        figures: active,
      },
    ],
    others: [
      {
        name: words.enrolled,
        figures: enrolled,
      },
    ],
  });
  return { chart, key: [keyOf(language, words.title, "number", summary)] };
}

interface Summary {
  readonly now: number | null;
  readonly before: number | null;
}

const totals = ({ now, before }: Figures): Summary => ({ now: total(now), before: total(before) });

interface ChartPlan {
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
function chartOf(language: ConsoleLanguage, frame: Frame, plan: ChartPlan): Planned {
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

function keyOf(language: ConsoleLanguage, name: string, unit: ChartUnit, summary: Summary): KeyFigure {
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

/** A period by its first day. */
export function periodLabel({ locale }: ConsoleLanguage, { by }: Pick<Frame, "by">, start: string): string {
  const options = by === "month" ? { month: "short", year: "numeric" } : { day: "numeric", month: "short" };
  return new Intl.DateTimeFormat(locale, { ...(options as object), timeZone: "UTC" }).format(new Date(start));
}

/** Endpoints drawn; the table has up to as many. */
const ENDPOINTS_MAX = 10;

function webhooks(language: ConsoleLanguage, rows: readonly Row[]): Planned {
  const { locale, phrases } = language;
  const { webhooks: words } = phrases.overview;
  const [pending, failed] = [sum(rows, "pending"), sum(rows, "failed")];
  const hasNumbers = pending + failed > 0;
  const worst = rows.toSorted((a, b) => sum([b], "failed", "pending") - sum([a], "failed", "pending"));
  const drawn = worst.slice(0, ENDPOINTS_MAX);
  const series = (["pending", "failed"] as const).map((column, i) => ({
    name: words[column],
    kind: "bar" as const,
    look: i === 0 ? (3 as const) : (2 as const),
    values: drawn.map((row) => sum([row], column)),
  }));
  const stateOf = ({ state }: Row) => words.states[state as keyof typeof words.states] ?? String(state);
  const counted = (value: number) => number(language, value);
  return {
    id: "webhooks",
    report: "webhooks",
    title: words.title,
    hint: words.hint,
    sentence:
      rows.length === 0
        ? words.empty
        : hasNumbers
          ? words.sentence(counted(pending), counted(failed))
          : words.allWell(counted(rows.length)),
    spec: hasNumbers
      ? {
          locale,
          unit: "number",
          labels: drawn.map((row) => addressOf(row)),
          series,
          isAcross: true,
        }
      : null,
    table: {
      caption: words.title,
      head: [words.endpoint, words.state, words.pending, words.failed],
      rows: worst
        .slice(0, 100)
        .map((row) => [
          String(row["url"]),
          stateOf(row),
          counted(sum([row], "pending")),
          counted(sum([row], "failed")),
        ]),
    },
  };
}

/** Characters of an address: more have no room beside a chart. */
const ADDRESS_MAX = 17;

/** An endpoint without `https://`, which all have; of a long one its end, which endpoints of one host differ in. */
function addressOf({ url }: Row): string {
  const address = String(url).replace(/^https?:\/\//, "");
  return address.length > ADDRESS_MAX ? `…${address.slice(1 - ADDRESS_MAX)}` : address;
}
