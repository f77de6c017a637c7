import { routeOf } from "../http/operation.ts";
import { knownValues } from "../http/query.ts";
import type { Server } from "../http/server.ts";
import { Problem } from "../problems.ts";
import type { Shares } from "../shares.ts";
import { getReport } from "./operations.ts";
import { TOO_LONG, readReportQuery } from "./query.ts";
import { readReport } from "./read.store.ts";
import type { ReadDeps } from "./read.store.ts";
import { REPORTS } from "./report.ts";
import { reportCsv } from "./report-csv.ts";

export interface ReportRouteDeps extends ReadDeps {
  /** Reports at a time: each reads up to some hundred thousand sums. */
  readonly shares: Shares;
}

/** Adds the route of reports. */
export function reportRoutes(server: Server, deps: ReportRouteDeps): void {
  server.get(getReport.path, routeOf(getReport), async (request, reply) => {
    const report = REPORTS.find((name) => name === request.params.name);
    const query = readReportQuery(new Map(knownValues(request)), deps.now());
    if (report === undefined) throw new Problem("notFound");
    if ("errors" in query) throw new Problem("validation", { errors: query.errors });
    const { format, ...asked } = query;
    const { id } = request.application;
    const end = await deps.shares.take(id);
    if (!end) throw new Problem("unavailable", { retryAfterSeconds: 1 });
    try {
      const read = await readReport(deps, id, { report, ...asked });
      if (read === "too long") throw new Problem("validation", { errors: { timeframe: [TOO_LONG] } });
      if (format === "json") return read;
      return await reply.type("text/csv; charset=utf-8").send(reportCsv(read));
    } finally {
      end();
    }
  });
}
