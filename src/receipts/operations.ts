import { Type } from "@fastify/type-provider-typebox";
import { pathId } from "../http/members.ts";
import { operation } from "../http/operation.ts";
import responses from "../openapi/examples/receipts.json" with { type: "json" };
import { ReceiptStatus, UploadForm, UploadResponse } from "./schema.ts";

/** POST /track/receipts */
export const uploadReceipt = operation({
  id: "uploadReceipt",
  method: "POST",
  path: "/track/receipts",
  tag: "Receipts",
  summary: "Hand in a receipt",
  description:
    "Hands in a photo of a till receipt. The answer comes when the image is safely stored; it is then read, its lines are " +
    "matched to foods, it is checked and credited, mostly within seconds. Each step is told by webhook " +
    "(`receipt_uploaded`, `receipt_extracted`, `receipt_validated`, then `receipt_completed` or `receipt_failed`, and " +
    "`rewards.awarded`) and stands in its status.\n\nA reference or picture that was handed in before is accepted and then " +
    "fails as ALREADY_EXISTS or NOT_AUTHENTIC. The image is turned upright and freed of its metadata before it is kept.",
  query: Type.Object({
    testBlobUri: Type.Optional(
      Type.String({
        description:
          "Sandbox applications only: take this image in place of the uploaded one. `sample:<outcome>` draws one that ends " +
          "so (`sample:completed`, `sample:completed_de` in German, `sample:not_authentic`, `sample:already_exists`, `sample:no_valid_food_items`, " +
          "`sample:merchant_name_not_found`, `sample:internal_error`); an https address is fetched where the operator " +
          "allows its host.",
      }),
    ),
  }),
  form: UploadForm,
  examples: [
    {
      summary: "A receipt of a supermarket",
      value: {
        userId: "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d70",
        transactionId: "receipt-311",
        amount: 22.68,
        merchantName: "Larkmeadow Market",
        transactionTimestamp: "2026-02-02T10:41:00Z",
        receiptImage: "(the bytes of receipt.jpg)",
      },
    },
  ],
  responses: {
    200: {
      description: "The image is stored and will be read.",
      schema: UploadResponse,
      examples: [{ summary: "Accepted", value: responses.uploadReceipt }],
    },
  },
  problems: ["storageFull"],
});

/** GET /track/receipts/{id}/status */
export const getReceiptStatus = operation({
  id: "getReceiptStatus",
  method: "GET",
  path: "/track/receipts/:id/status",
  tag: "Receipts",
  summary: "See how far a receipt is",
  description:
    "The stage that a receipt has reached and what each finished stage found, also after a failure. Webhooks tell the same " +
    "without asking.",
  params: pathId("The receipt's id, as the upload answered it."),
  responses: {
    200: {
      description: "The receipt, as far as it is.",
      schema: ReceiptStatus,
      examples: [
        { summary: "Completed", value: responses.getReceiptStatus },
        { summary: "Failed", value: responses.failedReceiptStatus },
      ],
    },
  },
});
