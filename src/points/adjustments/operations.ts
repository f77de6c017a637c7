import { pathId } from "../../http/schema-members.ts";
import { operation } from "../../http/operation.ts";
import responses from "../../openapi-examples/ledger.json" with { type: "json" };
import { AdjustmentBody, MovedResponse } from "./schema.ts";

/** POST /users/{id}/adjustments */
export const adjustPoints = operation({
  id: "adjustPoints",
  method: "POST",
  path: "/users/:id/adjustments",
  tag: "Points",
  scope: "ledger.write",
  isAudited: true,
  summary: "Adjust a balance",
  description:
    "Gives a user points, or takes some, outside of what was bought or eaten: a goodwill gift, a correction, the balance " +
    "of an earlier programme. It is a record of its own (`operation` 3) with your reason and reference. Points are never " +
    "taken below zero: the problem `PointsShort` then has the balance.",
  params: pathId("The user's id."),
  body: AdjustmentBody,
  examples: [
    {
      summary: "A goodwill gift",
      value: { points: 50, reason: "Late delivery of a reward", reference: "case-1042" },
    },
    {
      summary: "A balance of an earlier programme",
      value: { points: 2300, reason: "Opening balance", reference: "opening-88213", countsAsEarned: true },
    },
  ],
  responses: {
    200: {
      description: "The record of the adjustment.",
      schema: MovedResponse,
      examples: [{ summary: "A goodwill gift", value: responses.adjustPoints }],
    },
  },
  problems: ["pointsShort", "referenceUsed"],
});
