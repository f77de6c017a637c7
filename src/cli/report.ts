import { writeFile } from "node:fs/promises";
import { foodGroupsOf } from "../foods/catalogue/groups.ts";
import { readCatalogue } from "../foods/catalogue/store.ts";
import { readMerchants } from "../receipts/store.ts";
import { NO_SUCH_ENDPOINT, TIMEFRAME_DEFAULT, TOO_LONG, readReportQuery } from "../reports/query.ts";
import { readReport } from "../reports/read.store.ts";
import type { Report } from "../reports/read.store.ts";
import { rebuildFigures } from "../reports/rebuild.task.ts";
import { REPORTS } from "../reports/report.ts";
import type { Row } from "../reports/report.ts";
import { reportCsv } from "../reports/report-csv.ts";
import { CLIENT_ID, applicationOf } from "./client-id.ts";
import { Refusal, UsageError, argument, command, flag, optional, refusalOf } from "./command.ts";
import type { Command } from "./command.ts";
import { atTimes } from "./report-times.ts";

const DIFFERENCES_SHOWN = 10;

const SHOW = command({
  name: "report show",
  summary: "figures of an application by day, week or month",
  details: `Reports: ${REPORTS.join(", ")}. Days are those of UTC.`,
  options: {
    name: argument("NAME", "the report"),
    clientId: CLIENT_ID,
    timeframe: optional("TIME", `as of the API: month, 90d, 2026-01-01/2026-03-31 …; ${TIMEFRAME_DEFAULT} by default`),
    by: optional("PERIOD", "day, week or month; day by default"),
    endpointId: optional("ID", "of the report deliveries: one endpoint; all together by default"),
    csv: optional("FILE", "write the rows to this file as CSV"),
  },
  examples: [
    "report show points --client-id app_… --timeframe 12m --by month",
    "report show items --client-id app_… --csv items.csv",
  ],
  run: async ({ database, now, options: { name, clientId, csv, ...sent }, print }) => {
    const report = REPORTS.find((each) => each === name);
    if (report === undefined) throw new UsageError(`there is no report ${name}; there are ${REPORTS.join(", ")}`);
    const given = Object.entries(sent).flatMap(([option, value]) => (value === undefined ? [] : [[option, value]]));
    const query = readReportQuery(report, new Map(given as [string, string][]), now);
    if ("errors" in query) throw refusalOf(query.errors);
    const { id } = await applicationOf(database, clientId);
    const { groupOf } = foodGroupsOf(readCatalogue());
    const read = await readReport({ database, groupOf, shops: shopNames(), now: () => now }, id, { report, ...query });
    if (read === "too long") throw new Refusal(`the timeframe ${TOO_LONG}`);
    if (read === "no endpoint") throw refusalOf({ endpointId: [NO_SUCH_ENDPOINT] });
    if (csv !== undefined) await writeFile(csv, reportCsv(read));
    const written = csv === undefined ? table(read.columns, read.rows) : [`${read.rows.length} rows in ${csv}`];
    print(read, read.rows.length === 0 ? [] : [...incomplete(read), ...written]);
  },
});

const REBUILD = command({
  name: "report rebuild",
  summary: "compute the figures of reports from the records again",
  details:
    "Once after an upgrade from a release without reports, when its last process has ended; the service also does it by itself, " +
    "an hour after the upgrade. The service may run: what is booked meanwhile is counted. --check changes nothing, and " +
    "exits with 1 if a figure differs.",
  options: {
    clientId: optional("ID", "one application, by its client id; all by default"),
    check: flag("only report what differs"),
  },
  examples: ["report rebuild", "report rebuild --client-id app_… --check"],
  run: async ({ database, options: { clientId, check }, print, report, stopped }) => {
    const applications = clientId === undefined ? null : [(await applicationOf(database, clientId)).id];
    const reportLine = atTimes(report);
    const progress = (users: number, records: number): void => reportLine(`${users} users, ${records} records`);
    const options = { applications, shops: shopNames(), isStored: !check, signal: stopped, progress };
    const rebuilt = await rebuildFigures(database, options);
    if (rebuilt.kind === "running") throw new Refusal("figures are being computed already");
    const { users, records, differences } = rebuilt;
    const shown = differences.slice(0, DIFFERENCES_SHOWN);
    print({ users, records, days: differences.length, differences: shown }, [
      `${users} users, ${records} records: figures of ${differences.length} days ${check ? "differ" : "changed"}`,
      ...shown.map(({ applicationId, day, figures }) => `  ${applicationId} ${day}: ${JSON.stringify(figures)}`),
    ]);
    if (check && differences.length > 0) throw new Refusal("figures differ from the records");
  },
});

/** The commands of reports. */
export const REPORT_COMMANDS: readonly Command[] = [SHOW, REBUILD];

function shopNames(): ReadonlySet<string> {
  return new Set(readMerchants().map(({ name }) => name));
}

function incomplete({ report, completeSince }: Report): string[] {
  if (completeSince === null) return [];
  const remedy = report === "deliveries" ? "they are from an earlier release" : '"report rebuild" computes them';
  return [`days before ${completeSince} are not complete: ${remedy}`];
}

function table(columns: readonly string[], rows: readonly Row[]): string[] {
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? "")))];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => line[i]!.length)));
  return cells.map((line) =>
    line
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join("  ")
      .trimEnd(),
  );
}
