import { Type } from "typebox";
import { pathId } from "../http/schema-members.ts";
import { operation } from "../http/operation.ts";
import responses from "../openapi-examples/receipts.json" with { type: "json" };
import { ReceiptStatus, UploadForm, UploadResponse } from "./schema.ts";

/** POST /track/receipts */
export const uploadReceipt = operation({
  id: "uploadReceipt",
  method: "POST",
  path: "/track/receipts",
  tag: "Receipts",
  scope: "track.write",
  summary: "Submit a receipt",
  description:
    "Submits a photo of a till receipt. The response is sent when the image is safely stored. The receipt is then read, its " +
    "lines are matched to foods, it is checked and credited, mostly within seconds. Each step is sent by webhook " +
    "(`receipt_uploaded`, `receipt_extracted`, `receipt_validated`, then `receipt_completed` or `receipt_failed`, and " +
    "`rewards.awarded`; `receipt_held` if you hold it for review, `receipt_corrected` after a correction, `receipt_disputed` " +
    "if the user reports something as wrong) and is shown in its " +
    "status.\n\nA reference or picture that was submitted before is accepted and then " +
    "fails as ALREADY_EXISTS or NOT_AUTHENTIC. The image is rotated upright and stripped of its metadata before it is stored.\n\nA " +
    "receipt that is too long for one photo may have up to five, in `receiptImage2` to `receiptImage5`: in any order, each " +
    "with some lines of another one. They are joined by these lines.",
  query: Type.Object({
    testBlobUri: Type.Optional(
      Type.String({
        description:
          "Sandbox applications only: uses this image in place of the uploaded one. `sample:<outcome>` draws one with this " +
          "outcome (`sample:completed`, `sample:completed_de` in German, `sample:not_authentic`, `sample:already_exists`, `sample:no_valid_food_items`, " +
          "`sample:merchant_name_not_found`, `sample:internal_error`, `sample:held` for a decision on it); an https address is fetched if the operator " +
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
  scope: "track.read",
  summary: "Get the status of a receipt",
  description:
    "The last finished stage of a receipt and the findings of each finished stage, also after a failure. Webhooks send the " +
    "same without polling.",
  params: pathId("The receipt's id, as the upload returned it."),
  responses: {
    200: {
      description: "The receipt with its finished stages.",
      schema: ReceiptStatus,
      examples: [
        { summary: "Completed", value: responses.getReceiptStatus },
        { summary: "Failed", value: responses.failedReceiptStatus },
      ],
    },
  },
});
