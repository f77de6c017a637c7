import { resolve } from "node:path";
import type { TableColumns } from "../csv/header.ts";
import { Refusal, optional, required } from "./command.ts";
import type { Context } from "./command.ts";
import { atTimes } from "./report-times.ts";
import { createRowReport } from "./row-report.ts";
import type { RowOutcome } from "./row-report.ts";
import { readTable } from "./table-file.ts";
import type { TableRow } from "./table-file.ts";

const REASONS_SHOWN = 20;

/** The options of every command that imports a table. */
export const TABLE_OPTIONS = {
  file: required("FILE", "a CSV file with a header; gzipped or not"),
  ignore: optional("COLUMNS", "names of columns to ignore, separated by commas"),
  report: optional("FILE", "where to write the lines that were refused, and why (FILE.report.csv)"),
};

/** What is done with a batch of rows: the outcome of each, in order. */
export type TakeRows<Name extends string, Kind extends string> = (
  rows: readonly TableRow<Name>[],
) => Promise<RowOutcome<Kind>[]>;

/** The reason of a row that has too many cells or too few. */
export const UNFIT_ROW = "it has another number of cells than the header";

/**
 * Imports a table batch by batch, with progress on the standard error. Prints the number of rows by outcome, the first
 * of `kinds` first, and refuses in the end if one was `refused`: the exit code is 1. What was done before an
 * interruption stays done.
 */
export async function importTable<Name extends string, Kind extends string>(
  context: Pick<Context, "print" | "report" | "stopped">,
  options: { readonly file: string; readonly ignore: string | undefined; readonly report: string | undefined },
  table: {
    readonly columns: TableColumns<Name>;
    readonly kinds: readonly (Kind | "refused")[];
    readonly batchRows: number;
    readonly isDryRun: boolean;
    readonly take: TakeRows<Name, Kind | "refused">;
  },
): Promise<void> {
  const { file } = options;
  const ignored = options.ignore?.split(",") ?? [];
  const counts = new Map(table.kinds.map((kind) => [kind, 0]));
  const path = resolve(options.report ?? `${file}.report.csv`);
  const rowReport = createRowReport(path);
  const startedAt = performance.now();
  const reportLine = atTimes(context.report);
  let total = 0;
  try {
    for await (const { rows, share } of readTable({ file, ignored, ...table })) {
      if (context.stopped.aborted) throw new Refusal(`stopped after ${total} rows: the same command goes on`);
      const outcomes = await table.take(rows);
      for (const { kind } of outcomes) counts.set(kind, counts.get(kind)! + 1);
      await rowReport.add(rows.map(({ line }, i) => ({ line, outcome: outcomes[i]! })));
      total += rows.length;
      reportLine(`${total} rows, ${counts.get("refused")} refused, ${Math.round(100 * share)} % of the file`);
    }
  } finally {
    await rowReport.close();
  }
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const refused = counts.get("refused")!;
  const reasons = [...rowReport.reasons.values()];
  const report = rowReport.isWritten() ? path : null;
  const { isDryRun } = table;
  context.print({ rows: total, ...Object.fromEntries(counts), isDryRun, seconds, reasons, report }, [
    `${total} rows in ${seconds} s${isDryRun ? "; nothing was changed (--dry-run)" : ""}`,
    ...[...counts].map(([kind, count]) => `  ${kind}  ${count}`),
    ...reasons
      .slice(0, REASONS_SHOWN)
      .map(({ outcome, reason, count, lines }) => `    ${outcome}  ${count}  ${reason} (line ${lines.join(", ")})`),
    ...(report === null ? [] : [`  every line of these: ${report}`]),
  ]);
  if (refused > 0) throw new Refusal(`${refused} of ${total} rows were refused`);
}
