import { operation } from "../../http/operation.ts";
import { pathId } from "../../http/schema-members.ts";
import examples from "../../openapi-examples/receipt-actions.json" with { type: "json" };
import { CorrectionBody, CorrectionResponse, PreviewBody, PreviewResponse } from "./schema.ts";

/** POST /track/receipts/{id}/corrections */
export const correctReceipt = operation({
  id: "correctReceipt",
  method: "POST",
  path: "/track/receipts/:id/corrections",
  tag: "Receipts",
  scope: "ledger.write",
  isAudited: true,
  summary: "Correct a receipt",
  description:
    "Corrects what was misread: merchant, time, total, or lines. Lines that change are matched again, by today's foods; the " +
    "others keep their ratings. The points of all lines are counted again under the rule and within the maximum of the first " +
    "record and the day's limits. The difference is one record (`operation` 3, `relatedTransactionID`: the award): each " +
    "changed line is taken back, and added again under a new id. If points are taken that are spent already, the same " +
    "setting as for a reversal applies. A receipt that failed as MERCHANT_NAME_NOT_FOUND, NO_VALID_FOOD_ITEMS or " +
    "NOT_AUTHENTIC is checked and credited with what was corrected, like a new one. One that is held for review stays held, " +
    "and what it earns is decided with it; with `decision` it is accepted at once, or not corrected either.",
  params: pathId("The receipt's id, as the upload returned it."),
  body: CorrectionBody,
  examples: [
    {
      summary: "One line is another food, and one is missing",
      value: {
        reason: "Misread",
        items: [
          { id: "019c1d5d-fec0-73b1-ba25-1199a99174fa-1", name: "Oat milk" },
          { name: "Bananas", quantity: 0.6, unit: "kg", totalPrice: 0.63 },
        ],
      },
    },
    { summary: "The shop was not recognised", value: { reason: "Logo only", merchantName: "Larkmeadow Market" } },
    {
      summary: "A held receipt, accepted as corrected",
      value: { reason: "The till prints no total", totalAmount: 12.4, decision: "accept" },
    },
  ],
  responses: {
    200: {
      description: "The correction is booked.",
      schema: CorrectionResponse,
      examples: [
        { summary: "A credited receipt", value: examples.correctReceipt },
        { summary: "A receipt that had failed", value: examples.correctFailedReceipt },
      ],
    },
  },
  problems: ["notCorrectable", "receiptTaken", "notHeld"],
});

/** POST /track/receipts/{id}/corrections/preview */
export const previewCorrection = operation({
  id: "previewCorrection",
  method: "POST",
  path: "/track/receipts/:id/corrections/preview",
  tag: "Receipts",
  scope: "track.read",
  summary: "Preview a correction",
  description:
    "What a correction would change, without correcting: the points that it would book, with the limits, tier and campaigns " +
    "of this moment, and all lines. For a receipt that is held: what it earns if you accept it now; without a body's " +
    "members, as it was read. Nothing is stored, no event is sent, and an Idempotency-Key has no effect.",
  params: pathId("The receipt's id, as the upload returned it."),
  body: PreviewBody,
  examples: [
    {
      summary: "One line is another food",
      value: { items: [{ id: "019c1d5d-fec0-73b1-ba25-1199a99174fa-1", name: "Oat milk" }] },
    },
  ],
  responses: {
    200: {
      description: "What would change.",
      schema: PreviewResponse,
      examples: [{ summary: "A credited receipt", value: examples.previewCorrection }],
    },
  },
  problems: ["notCorrectable", "receiptTaken"],
});
