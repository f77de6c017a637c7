import { Type } from "typebox";
import { operation } from "../../http/operation.ts";
import { instant, oneOf, text } from "../../http/schema-members.ts";
import examples from "../../openapi-examples/receipt-actions.json" with { type: "json" };
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../../lists/page.ts";
import { RECEIPT_ERROR_CODES } from "../../webhooks/event.ts";
import { CHECK_NAMES } from "../checks/check.ts";
import { RECEIPT_ORDERS, RECEIPT_STATES } from "./query.ts";
import { ReceiptList } from "./schema.ts";

/** GET /track/receipts */
export const listReceipts = operation({
  id: "listReceipts",
  method: "GET",
  path: "/track/receipts",
  tag: "Receipts",
  scope: "track.read",
  summary: "List receipts",
  description:
    "The receipts of your application, the last accepted first, with filters that can be combined. For the next page, " +
    "send the value of `next` as `before`; the header Link has the whole address. A request reads at most 500 receipts: " +
    "with a filter a page may be short, or even empty, and have a `next`. An unknown parameter is a 400.",
  query: Type.Object({
    status: Type.Optional(oneOf(RECEIPT_STATES, "Only receipts with this status.")),
    errorCode: Type.Optional(oneOf(RECEIPT_ERROR_CODES, "Only receipts that failed with this code.")),
    held: Type.Optional(Type.Boolean({ description: "Only receipts that are held for review, or only others." })),
    disputed: Type.Optional(
      Type.Boolean({ description: "Only receipts on which the user disputes something still, or only others." }),
    ),
    check: Type.Optional(oneOf(CHECK_NAMES, "Only receipts with this check failed or doubtful.")),
    merchant: Type.Optional(
      text("Only receipts whose merchant's name contains this text, as read or corrected, in any letter case."),
    ),
    userId: Type.Optional(text("Only receipts of this user.")),
    transactionId: Type.Optional(text("Only receipts with this reference, also those that failed.")),
    since: Type.Optional(instant("Only receipts accepted from then on.")),
    until: Type.Optional(instant("Only receipts accepted before then.")),
    timeframe: Type.Optional(
      text(
        "Only receipts accepted in this time, as for transactions (`today`, `30d`, an interval), in place of since and until.",
      ),
    ),
    order: Type.Optional(
      oneOf(RECEIPT_ORDERS, "The last accepted first, as without it; or the first accepted, as a queue is worked off."),
    ),
    before: Type.Optional(text("Only receipts after this one in the list, in either order.")),
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
      examples: [{ summary: "One receipt", value: examples.listReceipts }],
    },
  },
});
