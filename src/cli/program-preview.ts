import { writeFile } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import { listApplications } from "../applications/store.ts";
import { foodGroupsOf } from "../foods/catalogue/groups.ts";
import { readCatalogue } from "../foods/catalogue/store.ts";
import type { Tx } from "../postgres/postgres.ts";
import type { ProgramDefinition } from "../programs/definition.ts";
import { isPointValue } from "../programs/preview/figures.ts";
import { DAYS_DEFAULT } from "../programs/preview/preview.ts";
import { preview } from "../programs/preview/preview.task.ts";
import { previewCsv, previewLines } from "../programs/preview/printed.ts";
import type { PreviewResult } from "../programs/preview/schema.ts";
import { findVersion } from "../programs/store.ts";
import { applicationOf } from "./client-id.ts";
import { Refusal, UsageError, command, optional } from "./command.ts";
import { definitionIn } from "./definition-file.ts";
import { atTimes } from "./report-times.ts";

/** Ten years: only the time that it takes is a limit here. */
const DAYS_MAX = 3_660;

/** `program preview` */
export const PREVIEW_COMMAND = command({
  name: "program preview",
  summary: "replay what was accepted in the last days under a programme: points, cost, winners and losers",
  details:
    "Nothing is booked or changed, and the service goes on meanwhile. Progress is written to the standard error. Limits, tiers, " +
    "streaks and budgets start as they really were at the start of the first day.",
  options: {
    file: optional("FILE", "the definition, JSON; this or --version"),
    version: optional("N", "a saved version"),
    clientId: optional("ID", "the application, by its client id; not needed if there is only one"),
    days: optional("N", `days of the programme's time zone, today included; ${DAYS_DEFAULT} by default`),
    pointValue: optional("AMOUNT", "what a point costs, e.g. 0.01: adds the cost"),
    format: optional("table|json|csv", "table by default"),
    out: optional("FILE", "write the result there"),
  },
  examples: [
    "program preview --file draft.json --days 30 --point-value 0.01",
    "program preview --client-id app_… --version 3 --format csv --out preview.csv",
  ],
  run: async ({ database, options, print, report, stopped }) => {
    // The collector lets a heap grow to four times of what it keeps: this takes a quarter more CPU and half the memory.
    setFlagsFromString("--heap-growing-percent=60");
    const { clientId, out } = options;
    const format = formatOf(options.format);
    const days = daysOf(options.days);
    const pointValue = pointValueOf(options.pointValue);
    const { id: applicationId } =
      clientId === undefined ? await onlyOne(database) : await applicationOf(database, clientId);
    const about = await programmeOf(database, applicationId, options);
    const startMs = performance.now();
    const reportLine = atTimes(report);
    const progress = (replayed: number, total: number | null): void => {
      if (replayed === 0) return;
      const seconds = (performance.now() - startMs) / 1_000;
      reportLine(`${replayed} of ${total} records, ${Math.round(replayed / seconds)} a second`);
    };
    const { groupOf } = foodGroupsOf(readCatalogue());
    const deps = { database, groupOf, now: () => new Date(), stopped, progress };
    const result = await preview(deps, applicationId, { ...about, days, pointValue });
    if (out === undefined) return print(result, linesIn(format, result));
    await writeFile(out, format === "json" ? `${JSON.stringify(result)}\n` : textIn(format, result), { mode: 0o600 });
    print({ file: out, records: result.total.records }, [`${result.total.records} records: ${out}`]);
  },
});

const FORMATS = ["table", "json", "csv"] as const;
type Format = (typeof FORMATS)[number];

function formatOf(given = "table"): Format {
  const format = FORMATS.find((each) => each === given);
  if (!format) throw new UsageError(`--format must be one of ${FORMATS.join(", ")}`);
  return format;
}

function daysOf(given = String(DAYS_DEFAULT)): number {
  if (!/^[1-9]\d{0,3}$/.test(given) || Number(given) > DAYS_MAX) {
    throw new UsageError(`--days must be a whole number from 1 to ${DAYS_MAX}`);
  }
  return Number(given);
}

function pointValueOf(given: string | undefined): number | null {
  if (given === undefined) return null;
  if (!/^\d{1,4}(\.\d{1,20})?$/.test(given) || !isPointValue(Number(given)) || Number(given) > 1_000) {
    throw new UsageError("--point-value must be an amount up to 1000 with at most six decimals, as 0.01");
  }
  return Number(given);
}

async function onlyOne(tx: Tx): Promise<{ readonly id: string }> {
  const [application, ...others] = await listApplications(tx);
  if (!application) throw new Refusal("there is no application");
  if (others.length > 0) throw new Refusal("there are several applications: --client-id says which");
  return application;
}

async function programmeOf(
  tx: Tx,
  applicationId: string,
  { file, version }: { readonly file: string | undefined; readonly version: string | undefined },
): Promise<{ readonly version: number | null; readonly definition: ProgramDefinition }> {
  if ((file === undefined) === (version === undefined)) throw new UsageError("give either --file or --version");
  if (file !== undefined) return { version: null, definition: definitionIn(file) };
  const number = /^[1-9]\d{0,8}$/.test(version!) ? Number(version) : 0;
  const saved = await findVersion(tx, applicationId, number);
  if (!saved) throw new Refusal("there is no such version");
  return { version: number, definition: saved.definition };
}

function linesIn(format: Format, result: PreviewResult): string[] {
  if (format === "table") return previewLines(result);
  return format === "csv" ? previewCsv(result).trimEnd().split("\n") : JSON.stringify(result, null, 2).split("\n");
}

function textIn(format: Format, result: PreviewResult): string {
  return linesIn(format, result)
    .map((line) => `${line}\n`)
    .join("");
}
