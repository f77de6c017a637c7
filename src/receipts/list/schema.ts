import { Type } from "typebox";
import type { Static } from "typebox";
import { count, instant, money, nullable, oneOf, points, text } from "../../http/schema-members.ts";
import { receiptErrorCode } from "../../webhooks/receipt-event-schema.ts";
import { RECEIPT_STATES } from "./query.ts";

export const ReceiptEntry = Type.Object(
  {
    receiptID: text("The receipt's id, for its status."),
    userId: text("The user's id."),
    transactionId: text("Your own reference; the receipt's id if you gave none."),
    status: oneOf(RECEIPT_STATES, "The last stage that finished, or Failed."),
    errorCode: nullable(receiptErrorCode),
    errorMessage: nullable(text("Why the receipt failed, for people; null if it has not.")),
    merchantName: nullable(text("The merchant's usual name; null if it is not known.")),
    totalAmount: nullable(money("Amount paid; null if it was not read.")),
    currency: nullable(text("Currency of `totalAmount`, as an ISO 4217 code; null if it is not known.")),
    totalPoints: nullable(points("Points that the receipt has earned; null unless it is completed.")),
    acceptedAt: instant("When the upload was accepted."),
    lastUpdated: instant("When the status last changed."),
    receiptSource: oneOf(["api", "hosted_page"], "How the receipt was submitted."),
    isSample: Type.Boolean({ description: "The image is a sample in place of the uploaded one." }),
    held: Type.Boolean({ description: "Whether it is held for review." }),
    openDisputes: count("Number of things that the user reported as wrong and that are not decided."),
    corrections: count("Number of corrections; merchant, total and points are those after the last one."),
  },
  { title: "ReceiptEntry", description: "A receipt in the list. Its status has all that was found." },
);
export type ReceiptEntry = Static<typeof ReceiptEntry>;

export const ReceiptList = Type.Object(
  {
    receipts: Type.Array(ReceiptEntry, { description: "In the order of the query." }),
    next: nullable(text("`before` of the next page; null on the last one. A page may be short and have a next one.")),
  },
  { title: "ReceiptList", description: "A page of receipts." },
);
