import { Type } from "@fastify/type-provider-typebox";
import { operation } from "../../http/operation.ts";
import { instant, oneOf, text } from "../../http/schema-members.ts";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../../lists/page.ts";
import { RECEIPT_ERROR_CODES } from "../../webhooks/event.ts";
import { CHECK_NAMES } from "../checks/check.ts";
import { RECEIPT_STATES } from "./query.ts";
import { ReceiptList } from "./schema.ts";

/** GET /track/receipts */
export const listReceipts = operation({
  id: "listReceipts",
  method: "GET",
  path: "/track/receipts",
  tag: "Receipts",
  summary: "List receipts",
  description:
    "The receipts of your application, the last accepted first, with filters that can be combined. For the next page, " +
    "send the value of `next` as `before`; the header Link has the whole address. A request reads at most 500 receipts: " +
    "with a filter a page may be short, or even empty, and have a `next`. An unknown parameter is a 400.",
  query: Type.Object({
    status: Type.Optional(oneOf(RECEIPT_STATES, "Only receipts with this status.")),
    errorCode: Type.Optional(oneOf(RECEIPT_ERROR_CODES, "Only receipts that failed with this code.")),
    held: Type.Optional(Type.Boolean({ description: "Only receipts that are held for review, or only others." })),
    check: Type.Optional(oneOf(CHECK_NAMES, "Only receipts with this check failed or doubtful.")),
    merchant: Type.Optional(text("Only receipts whose merchant's name contains this text, in any letter case.")),
    userId: Type.Optional(text("Only receipts of this user.")),
    transactionId: Type.Optional(text("Only receipts with this reference, also those that failed.")),
    since: Type.Optional(instant("Only receipts accepted from then on.")),
    until: Type.Optional(instant("Only receipts accepted before then.")),
    timeframe: Type.Optional(
      text(
        "Only receipts accepted in this time, as for transactions (`today`, `30d`, an interval), in place of since and until.",
      ),
    ),
    before: Type.Optional(text("Only receipts after this one in the list.")),
    pageSize: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: `Receipts of a page; ${PAGE_SIZE_DEFAULT} without it or with 0, ${PAGE_SIZE_MAX} at most.`,
      }),
    ),
  }),
  responses: {
    200: {
      description: "A page of receipts.",
      schema: ReceiptList,
      headers: { link: 'Address of the next page: `<…>; rel="next"`; absent on the last.' },
      examples: [
        {
          summary: "One receipt",
          value: {
            receipts: [
              {
                receiptID: "019c1d5d-fec0-73b1-ba25-1199a99174fa",
                userId: "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d70",
                transactionId: "receipt-311",
                status: "Completed",
                errorCode: null,
                errorMessage: null,
                merchantName: "Larkmeadow Market",
                totalAmount: 22.68,
                currency: "GBP",
                totalPoints: 47,
                acceptedAt: "2026-02-02T10:45:00.000Z",
                lastUpdated: "2026-02-02T10:45:04.000Z",
                receiptSource: "api",
                isSample: false,
                corrections: 0,
                held: false,
              },
            ],
            next: null,
          },
        },
      ],
    },
  },
});
