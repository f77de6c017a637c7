// The parameters of a report, of the API and of the command line. Pure.
import { isUuid } from "../ids.ts";
import { timeRange } from "../lists/timeframe.ts";
import type { TimeRange } from "../lists/timeframe.ts";
import type { Errors } from "../problems.ts";
import { DAYS_MAX, PERIODS, PERIODS_MAX } from "./periods.ts";
import type { Period } from "./periods.ts";
import type { ReportName } from "./report.ts";

/** What a report shows without a timeframe. */
export const TIMEFRAME_DEFAULT = "30d";
export const FORMATS = ["json", "csv"] as const;
export type ReportFormat = (typeof FORMATS)[number];

export interface ReportQuery {
  readonly range: TimeRange;
  readonly by: Period;
  readonly format: ReportFormat;
  /** Null: all endpoints together. */
  readonly endpointId: string | null;
}

/** The message for a report that would be too long. */
export const TOO_LONG =
  `is too long: a report has at most ${PERIODS_MAX} periods, ${DAYS_MAX} days and 20000 rows; ` +
  "choose a shorter one, or weeks or months";

/** The message for an id that is none of the application's endpoints. */
export const NO_SUCH_ENDPOINT = "is no endpoint of this application";

/** Parses the parameters of a report. */
export function readReportQuery(
  report: ReportName,
  sent: ReadonlyMap<string, string>,
  now: Date,
): ReportQuery | { errors: Errors } {
  const { timeframe = TIMEFRAME_DEFAULT, by = "day", format = "json", endpointId = null } = Object.fromEntries(sent);
  const endpointError =
    endpointId === null
      ? null
      : report !== "deliveries"
        ? "is a parameter of the report deliveries alone"
        : isUuid(endpointId)
          ? null
          : NO_SUCH_ENDPOINT;
  const range = timeRange(timeframe, now);
  const period = PERIODS.find((each) => each === by);
  const written = FORMATS.find((each) => each === format);
  if (range && period && written && endpointError === null) return { range, by: period, format: written, endpointId };
  return {
    errors: {
      ...(!range && { timeframe: ["must be a timeframe, like month, 30d, P1Y or 2026-01-01/2026-01-31"] }),
      ...(!period && { by: [`must be ${PERIODS.join(", ")}`] }),
      ...(!written && { format: [`must be ${FORMATS.join(" or ")}`] }),
      ...(endpointError !== null && { endpointId: [endpointError] }),
    },
  };
}
