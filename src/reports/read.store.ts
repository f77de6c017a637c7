import type { TimeRange } from "../lists/timeframe.ts";
import type { Database } from "../postgres/postgres.ts";
import type { GroupOf } from "../programs/eligibility.ts";
import { DAY_MS } from "../time.ts";
import { dayOf } from "./figures/collected.ts";
import { deliveriesOf } from "./figures/deliveries.ts";
import { spanOf } from "./periods.ts";
import type { Period } from "./periods.ts";
import {
  SUMS_MAX,
  aboutFigures,
  campaignsNow,
  hasEndpoint,
  outstandingBefore,
  reviewNow,
  sumsByPeriod,
  webhooksNow,
} from "./sums.store.ts";
import { COLUMNS, FIGURES } from "./report.ts";
import type { DailyReport, ReportName, Row } from "./report.ts";
import { rowsOf } from "./tables.ts";
import type { CampaignNow } from "./tables.ts";

/** A report, as it is shown and written. */
export interface Report {
  readonly report: ReportName;
  /** Null for the moment. */
  readonly by: Period | null;
  readonly from: string | null;
  readonly till: string | null;
  /** The first day with all figures; null: all days have them. */
  readonly completeSince: string | null;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export interface ReadDeps {
  readonly database: Database;
  readonly groupOf: GroupOf;
  readonly shops: ReadonlySet<string>;
  readonly now: () => Date;
}

const NO_CAMPAIGNS: ReadonlyMap<string, CampaignNow> = new Map();

/** Rows of one response. */
export const ROWS_MAX = 20_000;

/** What is asked for. Only deliveries can be those of one endpoint. */
interface Asked {
  readonly range: TimeRange;
  readonly by: Period;
  readonly endpointId?: string | null;
}

/**
 * "too long": the timeframe has more periods, figures or rows than a report may have. "no endpoint": the application
 * has none with this id.
 */
export async function readReport(
  deps: ReadDeps,
  applicationId: string,
  { report, range, by, endpointId = null }: Asked & { readonly report: ReportName },
): Promise<Report | "too long" | "no endpoint"> {
  const { database } = deps;
  const moment = { report, by: null, from: null, till: null, completeSince: null, columns: COLUMNS[report] };
  if (report === "review") return { ...moment, rows: await reviewNow(database, applicationId) };
  if (report === "webhooks") return { ...moment, rows: await webhooksNow(database, applicationId) };
  return readDaily(deps, applicationId, { report, range, by, endpointId });
}

async function readDaily(
  { database, groupOf, shops, now }: ReadDeps,
  applicationId: string,
  { report, range, by, endpointId = null }: Asked & { readonly report: DailyReport },
): Promise<Report | "too long" | "no endpoint"> {
  // One snapshot: what is added up between two statements is counted once.
  return database.snapshot(async (tx) => {
    if (endpointId !== null && !(await hasEndpoint(tx, applicationId, endpointId))) return "no endpoint";
    const { createdAt, ...gaps } = await aboutFigures(tx, applicationId);
    const span = spanOf(range, by, { now: now(), first: createdAt });
    if (!span) return "too long";
    const { starts, till } = span;
    const from = starts[0]!;
    const beginnings = endpointId === null ? FIGURES[report] : [deliveriesOf(endpointId)];
    const figures = await sumsByPeriod(tx, applicationId, { beginnings, from, till, by });
    if (figures.length > SUMS_MAX) return "too long";
    const before = report === "points" ? await outstandingBefore(tx, applicationId, from) : 0;
    const campaigns = report === "campaigns" ? await campaignsNow(tx, applicationId, now()) : NO_CAMPAIGNS;
    const rows = rowsOf(report, { span, figures, outstandingBefore: before, groupOf, shops, campaigns });
    if (rows.length > ROWS_MAX) return "too long";
    const gapUntil = report === "deliveries" ? gaps.deliveriesGapUntil : gaps.gapUntil;
    const completeSince = gapUntil && dayOf(new Date(gapUntil.getTime() + DAY_MS));
    return { report, by, from, till, completeSince, columns: COLUMNS[report], rows };
  });
}
