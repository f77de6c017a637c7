import { Type } from "typebox";
import { operation } from "../../http/operation.ts";
import { oneOf, pathId, text } from "../../http/schema-members.ts";
import examples from "../../openapi-examples/receipt-actions.json" with { type: "json" };
import { STAGES } from "../receipt.ts";
import { DECISIONS } from "../holding/review.ts";

const receiptInPath = pathId("The receipt's id, as the upload returned it.");

const RestartedResponse = Type.Object(
  {
    receiptID: text("The receipt's id."),
    status: oneOf([...STAGES, "Failed"], "The last stage that finished, or Failed."),
    message: text("For people."),
  },
  { title: "ReceiptRestarted", description: "The receipt goes on." },
);

/** POST /track/receipts/{id}/retry */
export const retryReceipt = operation({
  id: "retryReceipt",
  method: "POST",
  path: "/track/receipts/:id/retry",
  tag: "Receipts",
  scope: "track.write",
  summary: "Process a receipt again",
  description:
    "Processes a receipt that failed as INTERNAL_ERROR once more, with its stored image: nobody has to take another photo. " +
    "Its events go on after `receipt_failed`. At most 20 times. No body.",
  params: receiptInPath,
  responses: {
    200: {
      description: "The receipt will be processed.",
      schema: RestartedResponse,
      examples: [{ summary: "Before it is read", value: examples.retryReceipt }],
    },
  },
  problems: ["notRetryable", "receiptTaken"],
});

/** POST /track/receipts/{id}/decision */
export const decideReceipt = operation({
  id: "decideReceipt",
  method: "POST",
  path: "/track/receipts/:id/decision",
  tag: "Receipts",
  scope: "ledger.write",
  isAudited: true,
  summary: "Decide on a held receipt",
  description:
    "Accepts or rejects a receipt that is held for review. An accepted one is credited, whatever its checks say; a rejected " +
    "one fails as NOT_AUTHENTIC with your reason. What is held is a setting of your application; without it, nothing is.",
  params: receiptInPath,
  body: Type.Object(
    {
      decision: oneOf(DECISIONS, "accept: it is credited. reject: it fails."),
      reason: Type.String({
        pattern: "\\S",
        maxLength: 255,
        description: "Why, for people. Of a rejected receipt it is the `errorMessage`.",
      }),
    },
    { title: "ReceiptDecision", description: "The decision on a held receipt." },
  ),
  examples: [
    { summary: "Accept", value: { decision: "accept", reason: "The till prints no total" } },
    { summary: "Reject", value: { decision: "reject", reason: "The date was changed" } },
  ],
  responses: {
    200: {
      description: "The receipt goes on, or has failed.",
      schema: RestartedResponse,
      examples: [{ summary: "Accepted", value: examples.decideReceipt }],
    },
  },
  problems: ["notHeld"],
});
