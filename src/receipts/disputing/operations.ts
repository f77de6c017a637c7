import { Type } from "typebox";
import { operation } from "../../http/operation.ts";
import { pathId } from "../../http/schema-members.ts";
import examples from "../../openapi-examples/receipt-actions.json" with { type: "json" };
import { DisputeEntry } from "./schema.ts";

/** POST /track/disputes/{id}/reject */
export const rejectDispute = operation({
  id: "rejectDispute",
  method: "POST",
  path: "/track/disputes/:id/reject",
  tag: "Receipts",
  scope: "ledger.write",
  isAudited: true,
  summary: "Reject a dispute",
  description:
    "Decides that what a user reported as wrong on a receipt is right: nothing changes. The hosted page shows the reason to " +
    "the user, for as long as it is open. To accept a dispute, correct the receipt and name it in `disputeIds`; in the " +
    "receipt's status each open dispute has the body for that, if it says what is right.",
  params: pathId("The dispute's id, as the event and the receipt's status have it."),
  body: Type.Object(
    {
      reason: Type.String({
        pattern: "\\S",
        maxLength: 255,
        description: "Why, for the user to read.",
      }),
    },
    { title: "DisputeRejection", description: "Why a dispute is rejected." },
  ),
  examples: [{ summary: "The photo shows otherwise", value: { reason: "The receipt says 22.68" } }],
  responses: {
    200: {
      description: "The dispute is rejected.",
      schema: DisputeEntry,
      examples: [{ summary: "Rejected", value: examples.rejectDispute }],
    },
  },
  problems: ["disputeNotOpen"],
});
