/** One line of the report. `value` is null when it was not measured. */
export interface Figure {
  readonly name: string;
  readonly value: number | null;
  readonly unit: string;
  /** Target of the figure, in its unit. */
  readonly aim?: { readonly atLeast: number } | { readonly below: number };
  /** Details for the reader. */
  readonly note?: string;
}

/** Quantile by nearest rank. NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** By how much y grows with x: the slope of the line with the least squares. 0 for fewer than two different x. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return spread > 0 ? points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread : 0;
}

/** The figures as a table for people. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, aim, note }) => [
    name,
    value === null ? "not measured" : `${rounded(value)} ${unit}`.trim(),
    aim === undefined ? "" : aimText(aim, value),
    note ?? "",
  ]);
  return columns([["figure", "measured", "aim", "note"], ...rows]);
}

/** Rows of text with their cells below each other. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).slice(0, -1).map((_, n) => Math.max(...rows.map((row) => row[n]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function aimText(aim: NonNullable<Figure["aim"]>, value: number | null): string {
  const isMet = value !== null && ("atLeast" in aim ? value >= aim.atLeast : value < aim.below);
  return `${"atLeast" in aim ? `≥ ${aim.atLeast}` : `< ${aim.below}`} ${isMet ? "met" : "missed"}`;
}

/** Three significant digits, whole numbers above a thousand. */
export function rounded(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
}
