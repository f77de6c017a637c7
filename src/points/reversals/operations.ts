import { Type } from "typebox";
import { operation } from "../../http/operation.ts";
import { count } from "../../http/schema-members.ts";
import responses from "../../openapi-examples/ledger.json" with { type: "json" };
import { MovedResponse } from "../adjustments/schema.ts";
import { recordPath } from "../schema.ts";

/** Lines of a receipt are fewer; this bounds the request. */
const ITEMS_MAX = 1_000;

export const ReversalBody = Type.Object(
  {
    reason: Type.String({ pattern: "\\S", maxLength: 255, description: "Why, for people to read later." }),
    items: Type.Optional(
      Type.Array(Type.String({ maxLength: 255 }), {
        minItems: 1,
        maxItems: ITEMS_MAX,
        description: "Ids of the items to take back. Without it: all that is not taken back yet.",
      }),
    ),
    dryRun: Type.Optional(
      Type.Boolean({ default: false, description: "Books nothing: the response is what it would be." }),
    ),
  },
  { title: "Reversal", description: "What to take back of a record, and why." },
);

/** POST /users/{id}/transactions/{transactionId}/reversal */
export const reverseTransaction = operation({
  id: "reverseTransaction",
  method: "POST",
  path: "/users/:id/transactions/:transactionId/reversal",
  tag: "Points",
  scope: "ledger.write",
  isAudited: true,
  summary: "Reverse a transaction",
  description:
    "Takes back the points, CO2e and counts of a receipt, meal, food, adjustment or bonus: of the whole record, or of " +
    "single items. It is a record of its own (`operation` 6); the first record gets `status` 4 when nothing of it is left. If the points " +
    "are spent already, the balance becomes negative; or, if the application's setting says so, only the points that are " +
    "there are taken, and `waivedPoints` has the rest. A redemption is not reversed but refunded. With " +
    "`dryRun` nothing is booked and no event is sent, and an Idempotency-Key has no effect: show it before you ask for the decision.",
  params: recordPath,
  body: ReversalBody,
  examples: [
    { summary: "A whole receipt", value: { reason: "The purchase was returned" } },
    {
      summary: "One item",
      value: { reason: "Not a food", items: ["019c1d5d-fec0-73b1-ba25-1199a99174fa"] },
    },
  ],
  responses: {
    200: {
      description: "The record of the reversal.",
      schema: Type.Object(
        {
          ...MovedResponse.properties,
          waivedPoints: count("Points that were spent already and were not taken; 0 unless a setting says so."),
        },
        { title: "ReversalResponse", description: "The new record, and the balance just after it." },
      ),
      examples: [{ summary: "A whole meal", value: responses.reverseTransaction }],
    },
  },
  problems: ["alreadyReversed", "notReversible"],
});
