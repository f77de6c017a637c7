// What the charts of the overview show. Pure.
import { chartNumber } from "../charts/chart.ts";
import type { ConsoleLanguage } from "../language.ts";
import { deliveriesChart } from "./deliveries-chart.ts";
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
import type { PeriodRows } from "./figures.ts";
import { READ, chartOf, keyOf, totals } from "./plan.ts";
import type { KeyFigure, Part, Planned, ReadReport, Reports } from "./plan.ts";
import type { Frame } from "./timeframe.ts";
import { webhooksChart } from "./webhooks-chart.ts";

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

/** Plans the overview. `deliveriesSince`: the first day with all deliveries, as it is written; null: all have them. */
export function overviewOf(
  language: ConsoleLanguage,
  frame: Frame,
  { reports, deliveriesSince }: { readonly reports: Reports; readonly deliveriesSince: string | null },
): Overview {
  const periods = Object.fromEntries(READ.map((name) => [name, byPeriod(reports[name])])) as Inputs["periods"];
  const inputs = { language, frame, periods };
  const planned = [
    points(inputs),
    outstanding(inputs),
    receipts(inputs),
    matching(inputs),
    impact(inputs),
    users(inputs),
    deliveriesChart(language, frame, { rows: reports.deliveries, countedSince: deliveriesSince }),
  ];
  const charts = [...planned.map(({ chart }) => chart), webhooksChart(language, reports.webhooks)];
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
  const reasons = failureReasons(language, frame, periods.submissions);
  const chart = chartOf(language, frame, {
    id: "receipts",
    report: "submissions",
    unit: "number",
    parts,
    summary,
    words:
      reasons === ""
        ? words
        : {
            ...words,
            hint: `${words.failures(reasons)} ${words.hint}`,
          },
  });
  return { chart, key: [keyOf(language, words.name, "number", summary)] };
}

/** The three most frequent reasons of failures. */
function failureReasons({ locale, phrases }: ConsoleLanguage, { starts }: Frame, periods: PeriodRows): string {
  const rows = starts.flatMap((start) => periods.rowsOf(start)).filter((row) => row["source"] === "receipt");
  const byCode = Map.groupBy(
    rows.filter(({ errorCode }) => errorCode !== null),
    ({ errorCode }) => String(errorCode),
  );
  const counted = [...byCode].map(([code, of]) => ({ code, count: sum(of, "submissions") }));
  const first = counted.toSorted((a, b) => b.count - a.count).slice(0, 3);
  const words: Readonly<Record<string, string>> = phrases.receipts.errors;
  return first.map(({ code, count }) => `${words[code] ?? code} (${chartNumber(locale, "number", count)})`).join(" · ");
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
