import { operation } from "../../http/operation.ts";
import { pathId } from "../../http/schema-members.ts";
import responses from "../../openapi-examples/expiry.json" with { type: "json" };
import { TestClockBody, TestClockResponse } from "./schema.ts";

/** POST /users/{id}/test-clock */
export const moveTestClock = operation({
  id: "moveTestClock",
  method: "POST",
  path: "/users/:id/test-clock",
  tag: "Points",
  scope: "ledger.write",
  isAudited: true,
  summary: "Move a user's time",
  description:
    "Sandbox applications only: moves the time of one user forward, and does what the nightly job would do for them at " +
    "that time: expired points are taken (`points.expired`), those that expire soon are announced (`points.expiring`). " +
    "The records have the moved time. The user stays ahead of the clock; records that follow are never earlier than the " +
    "ones before. At most ten years ahead. To see an announcement, move to a time shortly before the expiry first.",
  params: pathId("The user's id."),
  body: TestClockBody,
  examples: [
    { summary: "A year later", value: { advanceDays: 366 } },
    { summary: "A point in time", value: { now: "2027-03-01T00:00:00Z" } },
  ],
  responses: {
    200: {
      description: "The user's time, and what became of the points.",
      schema: TestClockResponse,
      examples: [{ summary: "A year later", value: responses.moveTestClock }],
    },
  },
  problems: ["sandboxOnly"],
});
