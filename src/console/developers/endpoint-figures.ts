// The last days of one endpoint, from the reports of the API. Pure.
import type { Row } from "../../reports/report.ts";
import { day } from "../format.ts";
import type { ConsoleLanguage } from "../language.ts";
import { deliveriesChart } from "../overview/deliveries-chart.ts";
import { sum } from "../overview/figures.ts";
import type { Planned } from "../overview/plan.ts";
import { frameOf } from "../overview/timeframe.ts";
import type { Frame } from "../overview/timeframe.ts";
import type { EndpointNow } from "./endpoint-page.ts";

/** The last 30 days. */
export function lastDays(now: Date): Frame {
  return frameOf(new URLSearchParams({ last: "30d" }), now).frame;
}

/** The chart of an endpoint. */
export function endpointChart(
  language: ConsoleLanguage,
  frame: Frame,
  { rows, completeSince }: { readonly rows: readonly Row[]; readonly completeSince: string | null },
): Planned {
  const isIncomplete = completeSince !== null && completeSince > frame.before[0]!;
  const countedSince = isIncomplete ? day(language, completeSince) : null;
  const { chart } = deliveriesChart(language, frame, { rows, countedSince });
  return { ...chart, title: language.phrases.developers.endpoint.history };
}

/** What waits at an endpoint now. */
export function endpointNow(rows: readonly Row[], id: string): EndpointNow {
  const row = rows.find(({ endpointId }) => endpointId === id) ?? {};
  const due = row["oldestDue"];
  return {
    pending: sum([row], "pending"),
    oldestDue: typeof due === "string" ? due : null,
    failed: sum([row], "failed"),
  };
}
