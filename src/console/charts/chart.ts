import { numberFormat } from "../../html/formatters.ts";

/** How numbers of a chart are written. */
export type ChartUnit = "number" | "percent" | "kg";

/** A series: bars, or a line. `null` is unknown, and leaves a gap. */
export interface ChartSeries {
  readonly name: string;
  readonly kind: "bar" | "line";
  /** Its colour, and the pattern, dash or marker that distinguishes it without colour; `before` is grey. */
  readonly look: 1 | 2 | 3 | "before";
  readonly values: readonly (number | null)[];
}

/** What a chart shows: plain data, so that it can be drawn in a thread. */
export interface ChartSpec {
  readonly locale: string;
  readonly unit: ChartUnit;
  /** Of the axis: periods, or what is compared. */
  readonly labels: readonly string[];
  /** Bars are stacked. */
  readonly series: readonly ChartSeries[];
  /** Bars from the side, for long labels. */
  readonly isAcross?: boolean;
}

/** A picture of a chart, drawn for a width: the page shows the one that fits, so that text is never too small. */
export interface DrawnChart {
  readonly wide: string;
  readonly narrow: string;
}

/** Width and height in CSS pixels. */
export const CHART_SIZES = { wide: [560, 250], narrow: [320, 230] } as const;

/** Formats a number of a chart. */
export function chartNumber(locale: string, unit: ChartUnit, value: number): string {
  const options: Intl.NumberFormatOptions =
    unit === "percent"
      ? { style: "percent", maximumFractionDigits: 1 }
      : { maximumFractionDigits: unit === "kg" ? 1 : 0, ...(Math.abs(value) >= 100_000 && { notation: "compact" }) };
  return numberFormat(locale, options).format(value);
}
