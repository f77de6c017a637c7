import { routeOf } from "../http/operation.ts";
import { knownValues } from "../http/query.ts";
import type { Server } from "../http/server.ts";
import { Problem } from "../problems.ts";
import type { Shares } from "../shares.ts";
import { getReport } from "./operations.ts";
import { NO_SUCH_ENDPOINT, TOO_LONG, readReportQuery } from "./query.ts";
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
    const sent = new Map(knownValues(request));
    if (report === undefined) throw new Problem("notFound");
    const query = readReportQuery(report, sent, deps.now());
    if ("errors" in query) throw new Problem("validation", { errors: query.errors });
    const { format, ...asked } = query;
    const { id } = request.application;
    const end = await deps.shares.take(id);
    if (!end) throw new Problem("unavailable", { retryAfterSeconds: 1 });
    try {
      const read = await readReport(deps, id, { report, ...asked });
      if (read === "too long") throw new Problem("validation", { errors: { timeframe: [TOO_LONG] } });
      if (read === "no endpoint") throw new Problem("validation", { errors: { endpointId: [NO_SUCH_ENDPOINT] } });
      if (format === "json") return read;
      return await reply.type("text/csv; charset=utf-8").send(reportCsv(read));
    } finally {
      end();
    }
  });
}
