import type { Static } from "typebox";
import { sendPage } from "../../html/page.ts";
import type { Server } from "../../http/server.ts";
import { Problem } from "../../problems.ts";
import type { Row } from "../../reports/report.ts";
import type { Report } from "../../reports/schema.ts";
import type { ConsoleApi } from "../api.ts";
import type { ChartSpec, DrawnChart } from "../charts/chart.ts";
import { queryOf } from "../form.ts";
import { day } from "../format.ts";
import { overviewOf } from "./charts.ts";
import { READ } from "./plan.ts";
import type { Reports } from "./plan.ts";
import { overviewPage } from "./page.ts";
import type { ReviewNow } from "./page.ts";
import { frameOf, reportQuery } from "./timeframe.ts";

const SEE = { config: { console: "see" } } as const;
const SEE_DATA = { config: { console: "see", isData: true } } as const;

export interface OverviewDeps {
  readonly now: () => Date;
  draw(spec: ChartSpec): Promise<DrawnChart | null>;
}

/** Adds the overview of an application, and the CSV behind each of its charts. */
export function overviewRoutes(scope: Server, { now, draw }: OverviewDeps): void {
  scope.get("/console/:application/overview", SEE, async (request, reply) => {
    const { view, api } = request.console;
    const asked = frameOf(queryOf(request), now());
    const { reports, completeSince, deliveriesSince } = await readReports(api, reportQuery(asked.frame));
    const since =
      deliveriesSince && deliveriesSince > asked.frame.before[0]! ? day(view.language, deliveriesSince) : null;
    const overview = overviewOf(view.language, asked.frame, { reports, deliveriesSince: since });
    const figures = await Promise.all(
      overview.charts.map(async (planned) => ({ planned, drawn: planned.spec && (await draw(planned.spec)) })),
    );
    const review = reviewNow(reports.review);
    return sendPage(reply, 200, overviewPage(view, { asked, overview, figures, review, completeSince }));
  });

  scope.get("/console/:application/overview/csv/:report", SEE_DATA, async (request, reply) => {
    const { report: name } = request.params as { report: string };
    const report = READ.find((each) => each === name);
    const { frame, problem } = frameOf(queryOf(request), now());
    if (report === undefined || problem !== null) throw new Problem("notFound");
    const query = { timeframe: `${frame.from}/${frame.till}`, by: frame.by, format: "csv" };
    const csv = await request.console.api.get<string>(`/reports/${report}`, query);
    // Of our own words and days alone: nobody can choose a name for the file.
    const file = `${report}-${frame.from}-${frame.till}.csv`;
    return reply
      .type("text/csv; charset=utf-8")
      .header("content-disposition", `attachment; filename="${file}"`)
      .header("x-content-type-options", "nosniff")
      .send(csv);
  });
}

/** Reads the reports one after the other: an application has one at a time. */
async function readReports(
  api: ConsoleApi,
  query: Readonly<Record<string, string>>,
): Promise<{ reports: Reports; completeSince: string | null; deliveriesSince: string | null }> {
  const reports: Partial<Record<(typeof READ)[number], readonly Row[]>> = {};
  // Deliveries are counted since a later release than all others.
  let [completeSince, deliveriesSince]: (string | null)[] = [null, null];
  for (const name of READ) {
    const report = await api.get<Static<typeof Report>>(`/reports/${name}`, query);
    if (name === "deliveries") deliveriesSince = report.completeSince;
    else completeSince ??= report.completeSince;
    reports[name] = report.rows;
  }
  return {
    reports: reports as Reports,
    completeSince: completeSince ?? null,
    deliveriesSince: deliveriesSince ?? null,
  };
}

function reviewNow(rows: readonly Row[]): ReviewNow {
  const [{ held = 0, heldSince = null, disputed = 0 } = {}] = rows;
  return { held: Number(held), heldSince: heldSince === null ? null : String(heldSince), disputed: Number(disputed) };
}
