import { operation } from "../../http/operation.ts";
import { pathId } from "../../http/schema-members.ts";
import examples from "../../openapi-examples/receipt-actions.json" with { type: "json" };
import { ReceiptPlaces } from "./schema.ts";

/** GET /track/receipts/{id}/reading */
export const getReceiptReading = operation({
  id: "getReceiptReading",
  method: "GET",
  path: "/track/receipts/:id/reading",
  tag: "Receipts",
  scope: "track.read",
  summary: "Get the reading of a receipt",
  description:
    "What was read on a receipt and where on its picture, with the lines as they are after all corrections: for people who " +
    "compare both. The picture is `blobUrl` of the status, turned by `rotation`. Show `similarReceiptID` to nobody but those " +
    "who decide about receipts: it may be another user's.",
  params: pathId("The receipt's id, as the upload returned it."),
  responses: {
    200: {
      description: "The reading; without fields and lines before the receipt is read.",
      schema: ReceiptPlaces,
      examples: [{ summary: "A credited receipt", value: examples.getReceiptReading }],
    },
  },
});
