import { Type } from "typebox";
import { operation } from "../http/operation.ts";
import { oneOf } from "../http/schema-members.ts";
import responses from "../openapi-examples/reports.json" with { type: "json" };
import { PERIODS } from "./periods.ts";
import { FORMATS, TIMEFRAME_DEFAULT } from "./query.ts";
import { REPORTS } from "./report.ts";
import { Report } from "./schema.ts";

/** GET /reports/{name} */
export const getReport = operation({
  id: "getReport",
  method: "GET",
  path: "/reports/:name",
  tag: "Reports",
  scope: "reports.read",
  summary: "Read a report",
  description:
    "Figures of your application by day, week or month, up to date as of the request: `users`, `submissions` (by outcome and " +
    "error code), `matching`, `items` (by food group and grades), `points` (by cause, and what is outstanding), `impact` " +
    "(CO2e), `shops` (the greenest first), `campaigns` (with their budgets), `deliveries` (of webhooks: by their first attempt, after retries, " +
    "failed for good, and the time they took); and of the moment: `review` (what waits for a person) and `webhooks` (the state " +
    "of each endpoint). Days are those of UTC; a timeframe is extended to whole periods. A report has at most 731 periods, " +
    "3,660 days and 20,000 rows. With `format=csv` the rows are CSV.",
  params: Type.Object({ name: Type.String({ description: `One of ${REPORTS.join(", ")}.` }) }),
  query: Type.Object({
    timeframe: Type.Optional(
      Type.String({
        default: TIMEFRAME_DEFAULT,
        description:
          "As of a list: `today`, `yesterday`, `week`, `month`, `year`, `all`, `90d`, `12m`, an ISO 8601 duration or interval.",
        examples: ["month", "90d", "2026-01-01/2026-03-31"],
      }),
    ),
    by: Type.Optional(oneOf(PERIODS, "The periods of the rows; `day` if absent. Weeks start on Monday.")),
    endpointId: Type.Optional(
      Type.String({
        description: "Of the report `deliveries`: one of your endpoints. All together, removed ones too, if absent.",
      }),
    ),
    format: Type.Optional(oneOf(FORMATS, "`csv` for a table of the rows alone; `json` if absent.")),
  }),
  responses: {
    200: {
      description: "The report.",
      schema: Report,
      examples: [
        { summary: "Points by month", value: responses.getReport },
        { summary: "Items by food group and grades", value: responses.getItems },
        { summary: "Deliveries of webhooks", value: responses.getDeliveries },
      ],
      alsoText: "text/csv",
    },
  },
  problems: ["notFound"],
});
