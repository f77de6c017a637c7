import { operation } from "../../http/operation.ts";
import responses from "../../openapi-examples/rewards.json" with { type: "json" };
import { VoucherResponse, VoucherUseBody, voucherPath } from "./schema.ts";

/** GET /vouchers/{code} */
export const getVoucher = operation({
  id: "getVoucher",
  method: "GET",
  path: "/vouchers/:code",
  tag: "Rewards",
  scope: "ledger.read",
  summary: "Read a voucher",
  description:
    "What a till sees of a code: whether it can be used, its reward, and where it was used. A code that nobody has, and one " +
    "of another application, is unknown. More than 60 unknown codes a minute get 429.",
  params: voucherPath,
  responses: {
    200: {
      description: "The voucher.",
      schema: VoucherResponse,
      examples: [{ summary: "Usable", value: responses.getVoucher }],
    },
  },
});

/** POST /vouchers/{code}/use */
export const useVoucher = operation({
  id: "useVoucher",
  method: "POST",
  path: "/vouchers/:code/use",
  tag: "Rewards",
  scope: "ledger.write",
  summary: "Use a voucher",
  description:
    "Marks a voucher as used, once: of several calls at once one succeeds. Send an Idempotency-Key, so that a till that " +
    "lost the response can send the request again.",
  params: voucherPath,
  body: VoucherUseBody,
  examples: [{ summary: "At a till", value: { till: "Shop 12, till 7", reference: "sale-55021" } }],
  responses: {
    200: {
      description: "The used voucher.",
      schema: VoucherResponse,
      examples: [{ summary: "Used", value: responses.useVoucher }],
    },
  },
  problems: ["voucherUsed", "voucherExpired", "voucherVoid", "redemptionState"],
});
