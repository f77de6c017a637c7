import { Type } from "typebox";
import { pathId } from "../../http/schema-members.ts";
import { operation } from "../../http/operation.ts";
import { pageQuery } from "../../lists/page-query.ts";
import responses from "../../openapi-examples/statistics.json" with { type: "json" };
import { StatisticsResponse } from "./schema.ts";

/** GET /users/{id}/statistics */
export const getUserStatistics = operation({
  id: "getUserStatistics",
  method: "GET",
  path: "/users/:id/statistics",
  tag: "Users",
  scope: "users.read",
  summary: "Read a user's statistics",
  description:
    "What a user's records of a time add up to, as whole and by month, each beside what it was in the period before: CO2e, " +
    "green and healthy products, and points by source. Corrections, reversals, redemptions and expiries count when they " +
    "were booked, so the months since the enrolment add up to the summary. A running month is compared with the same days " +
    "of the month before.",
  params: pathId("The user's id."),
  query: Type.Object({
    timeframe: Type.Optional(
      Type.String({
        ...pageQuery.properties.timeframe,
        description:
          "The time, as in lists: `all`, `today`, `yesterday`, `week`, `month`, `year`, `30d`, `P30D`, " +
          "`2026-01-01/2026-02-01` (UTC, in any letter case). At most two years: an open start is the enrolment, or two " +
          "years before the end if that is later.",
      }),
    ),
  }),
  responses: {
    200: {
      description: "The statistics.",
      schema: StatisticsResponse,
      examples: [{ summary: "This month, with a breakfast", value: responses.getUserStatistics }],
    },
  },
});
