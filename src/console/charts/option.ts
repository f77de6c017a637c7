import type { BarSeriesOption, EChartsOption, LineSeriesOption, SeriesOption } from "echarts";
import { chartNumber } from "./chart.ts";
import type { ChartSeries, ChartSpec } from "./chart.ts";

const FONT_PX = 12;
/** A character of system-ui at 12 px is at most about this wide; the library takes those beyond ASCII to be square. */
const CHARACTER_PX = 7.5;
const MARGIN_PX = 8;
/** Names longer than this are cut; the table has them in full. */
const NAME_PX_MAX = 100;
/** Names of what is compared, beside bars from the side; their numbers are behind the bars, with the series' name. */
const LABEL_PX = 105;
const COUNT_PX = 45;
/** The library cuts a name that is not this much narrower than its place. */
const NAME_GAP_PX = 3;
/** Of a name. */
const NAME_LINE_PX = 14;
/** The axis below, and the margin above. */
const AXIS_PX = 42;
const BAR_PX_MAX = 40;
/** Points that are few enough to be marked one by one. */
const MARKED_MAX = 31;

// Variables of the page's style, so that one picture is right in light, dark and forced colours.
const TEXT = "var(--chart-text)";
const DECAL = "var(--chart-decal)";

interface Look {
  readonly colour: string;
  readonly dash: NonNullable<NonNullable<LineSeriesOption["lineStyle"]>["type"]>;
  readonly symbol: string;
  /** Null: plain. */
  readonly decal: Exclude<NonNullable<BarSeriesOption["itemStyle"]>["decal"], "none" | undefined> | null;
}

/** What distinguishes series beside their colours: a pattern of bars, dash and marker of lines. */
const LOOKS: Readonly<Record<ChartSeries["look"], Look>> = {
  1: { colour: "var(--chart-1)", dash: "solid", symbol: "circle", decal: null },
  2: {
    colour: "var(--chart-2)",
    dash: [6, 3],
    symbol: "rect",
    decal: { symbol: "rect", color: DECAL, dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: -Math.PI / 4 },
  },
  3: {
    colour: "var(--chart-3)",
    dash: [2, 2],
    symbol: "triangle",
    decal: { symbol: "circle", color: DECAL, dashArrayX: [[6, 6]], dashArrayY: [6, 0], symbolSize: 0.6 },
  },
  before: { colour: "var(--chart-before)", dash: [3, 4], symbol: "none", decal: null },
};

/** The options of a chart for ECharts. All texts go through functions: no text is ever read as a template. */
export function optionOf(spec: ChartSpec, [width, height]: readonly [number, number]): EChartsOption {
  const { locale, unit, labels, series, isAcross } = spec;
  const namesPx = Math.min(NAME_PX_MAX, Math.max(6 * CHARACTER_PX, ...series.map(({ name }) => widthPx(name))));
  const shifts = nameShifts(series, height - AXIS_PX);
  const periodPx = (width - namesPx - AXIS_PX) / Math.max(1, labels.length);
  const hasBars = series.some(({ kind }) => kind === "bar");
  // A line ends in the middle of the last bar; its name comes behind the bar.
  const besidePx = ({ kind }: ChartSeries) => (hasBars && kind === "line" ? Math.min(BAR_PX_MAX, periodPx) / 2 : 0);
  const text = { color: TEXT, fontSize: FONT_PX };
  const periods = {
    type: "category" as const,
    data: labels.map((_, index) => String(index)),
    axisLine: { lineStyle: { color: "var(--chart-axis)" } },
    axisTick: { show: false },
    axisLabel: {
      ...text,
      hideOverlap: true,
      formatter: (index: string) => labels[Number(index)] ?? "",
      ...(isAcross && { width: LABEL_PX, overflow: "truncate" as const }),
    },
    ...(isAcross && { inverse: true }),
  };
  const numbers = {
    type: "value" as const,
    splitNumber: 4,
    ...(unit === "percent" && { min: 0, max: 1, interval: 0.25 }),
    ...(unit === "number" && { minInterval: 1 }),
    splitLine: { lineStyle: { color: "var(--chart-grid)" } },
    axisLabel: { ...text, hideOverlap: true, formatter: (value: number) => chartNumber(locale, unit, value) },
  };
  return {
    animation: false,
    textStyle: { fontFamily: "inherit" },
    grid: {
      left: isAcross ? LABEL_PX + 3 * MARGIN_PX : MARGIN_PX,
      top: 14,
      bottom: isAcross ? 28 : MARGIN_PX,
      right: namesPx + 2 * MARGIN_PX + (isAcross ? COUNT_PX : 0),
      outerBoundsMode: isAcross ? "none" : "same",
      outerBounds: {
        left: 0,
        top: 0,
        right: 0,
        bottom: 0,
      },
    },
    xAxis: isAcross ? numbers : periods,
    yAxis: isAcross ? periods : numbers,
    series: series.map((each, index) => seriesOf(each, spec, { namesPx, offset: [besidePx(each), shifts[index]!] })),
  };
}

function widthPx(name: string): number {
  // oxlint-disable-next-line no-control-regex -- all of ASCII
  const beyondAscii = name.replaceAll(/[\u{0}-\u{7F}]/gu, "").length;
  return beyondAscii * FONT_PX + (name.length - beyondAscii) * CHARACTER_PX + NAME_GAP_PX;
}

/**
 * How far to move the name of each series from the end of its line, or the middle of its last bar, so that no two names
 * are in one place. An estimate: the axis ends a little above the highest value.
 */
export function nameShifts(series: readonly ChartSeries[], heightPx: number): number[] {
  const highest = Math.max(1e-9, ...series.flatMap(({ values }) => values.map(knownOr0)));
  let stacked = 0;
  const wanted = series.map(({ kind, values }, index) => {
    const last = knownOr0(values.at(-1) ?? null);
    if (kind === "bar") stacked += last;
    const value = kind === "bar" ? stacked - last / 2 : last;
    return { index, px: heightPx * (1 - value / (highest * 1.1)) };
  });
  const shifts = series.map(() => 0);
  let free = heightPx + NAME_LINE_PX / 2;
  for (const { index, px } of wanted.toSorted((a, b) => b.px - a.px)) {
    const placed = Math.min(px, free - NAME_LINE_PX);
    shifts[index] = placed - px;
    free = placed;
  }
  return shifts;
}

function knownOr0(value: number | null): number {
  return value !== null && Number.isFinite(value) ? value : 0;
}

function seriesOf(
  series: ChartSeries,
  { labels, isAcross, locale, unit }: ChartSpec,
  { namesPx, offset }: { readonly namesPx: number; readonly offset: number[] },
): SeriesOption {
  const { name, kind, look, values } = series;
  const { colour, dash, symbol, decal } = LOOKS[look];
  const data = values.map((value) => (value === null || !Number.isFinite(value) ? "-" : value));
  const label = { show: true, color: TEXT, fontSize: FONT_PX, width: namesPx, overflow: "truncate" as const };
  const common = { name, silent: true };
  if (kind === "line") {
    return {
      ...common,
      type: "line" as const,
      data,
      symbol,
      showSymbol: labels.length <= MARKED_MAX,
      symbolSize: 6,
      lineStyle: { type: dash, color: colour, width: look === "before" ? 1.5 : 2.5 },
      itemStyle: { color: colour },
      endLabel: { ...label, offset, formatter: () => name },
    };
  }
  // The name of stacked bars is beside the last one.
  const named = { ...label, offset, position: "right" as const, distance: 6, formatter: () => name };
  const counted = {
    show: true,
    color: TEXT,
    fontSize: FONT_PX,
    position: "right" as const,
    formatter: ({ value }: { value?: unknown }) => `${chartNumber(locale, unit, Number(value))} ${name}`,
  };
  return {
    ...common,
    type: "bar" as const,
    ...(!isAcross && { stack: "all" }),
    barMaxWidth: isAcross ? 22 : BAR_PX_MAX,
    data: data.map((value, index) => (!isAcross && index === data.length - 1 ? { value, label: named } : value)),
    ...(isAcross && { label: counted }),
    itemStyle: {
      color: colour,
      ...(decal && { decal: { ...decal } }),
      borderColor: "var(--chart-paper)",
      borderWidth: 0.5,
    },
  };
}
