import { operation } from "../../http/operation.ts";
import { pathId } from "../../http/schema-members.ts";
import responses from "../../openapi-examples/rewards.json" with { type: "json" };
import { MovedResponse } from "../../points/adjustments/schema.ts";
import { RedemptionBody, RedemptionResponse, RefundBody, redemptionPath } from "./schema.ts";

/** POST /users/{id}/redemptions */
export const redeemPoints = operation({
  id: "redeemPoints",
  method: "POST",
  path: "/users/:id/redemptions",
  tag: "Rewards",
  scope: "ledger.write",
  summary: "Redeem points",
  description:
    "Spends points of a user on a reward: one of your catalogue (`rewardId`), or an own one with its price (`reward` and " +
    "`points`). The record (`operation` 2) keeps the reward as it is now, with its code. Either all of it happens or " +
    "nothing: never more points than there are, never one code twice, never more than the stock.\n\n" +
    "For a till in two steps send `reserve`: points, stock and code are taken, and the record is pending (`status` 1) " +
    "until it is confirmed, released, or `holdSeconds` have passed. Then the points come back by themselves.",
  params: pathId("The user's id."),
  body: RedemptionBody,
  examples: [
    {
      summary: "A reward of the catalogue",
      value: { rewardId: "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d70", reference: "redeem-88213" },
    },
    {
      summary: "An own reward, reserved for a till",
      value: {
        points: 50,
        reward: { name: "5 pounds off", brand: "Larkmeadow Market", value: 5, currency: "GBP", codes: "made" },
        reference: "till-7-1093",
        reserve: true,
        holdSeconds: 120,
      },
    },
  ],
  responses: {
    200: {
      description: "The record of the redemption.",
      schema: RedemptionResponse,
      examples: [
        { summary: "A reward of the catalogue", value: responses.redeemPoints },
        { summary: "A reservation", value: responses.reservePoints },
      ],
    },
  },
  problems: ["pointsShort", "referenceUsed", "rewardNotYetValid", "rewardExpired", "rewardOutOfStock", "rewardTier"],
});

/** POST /users/{id}/redemptions/{transactionId}/confirm */
export const confirmRedemption = operation({
  id: "confirmRedemption",
  method: "POST",
  path: "/users/:id/redemptions/:transactionId/confirm",
  tag: "Rewards",
  scope: "ledger.write",
  summary: "Confirm a reservation",
  description:
    "The pending record becomes completed (`status` 2), and its voucher can be used. No points move. No body.",
  params: redemptionPath,
  responses: {
    200: {
      description: "The record, with the balance of now.",
      schema: MovedResponse,
      examples: [{ summary: "Confirmed", value: responses.confirmRedemption }],
    },
  },
  problems: ["redemptionState"],
});

/** POST /users/{id}/redemptions/{transactionId}/release */
export const releaseRedemption = operation({
  id: "releaseRedemption",
  method: "POST",
  path: "/users/:id/redemptions/:transactionId/release",
  tag: "Rewards",
  scope: "ledger.write",
  summary: "Release a reservation",
  description:
    "Returns the points of a pending redemption by a record of its own (`operation` 4), and its stock and code. The " +
    "first record gets `status` 3. No body.",
  params: redemptionPath,
  responses: {
    200: {
      description: "The record that returns the points.",
      schema: MovedResponse,
      examples: [{ summary: "Released", value: responses.releaseRedemption }],
    },
  },
  problems: ["redemptionState"],
});

/** POST /users/{id}/redemptions/{transactionId}/refund */
export const refundRedemption = operation({
  id: "refundRedemption",
  method: "POST",
  path: "/users/:id/redemptions/:transactionId/refund",
  tag: "Rewards",
  scope: "ledger.write",
  isAudited: true,
  summary: "Refund a redemption",
  description:
    "Returns the points of a completed redemption by a record of its own (`operation` 4), with its stock. A code of a " +
    "pool can be given again, after all others; a code that the service made is void. The first record gets `status` 4. " +
    "A redemption whose voucher is used cannot be refunded.",
  params: redemptionPath,
  body: RefundBody,
  examples: [{ summary: "A reason", value: { reason: "The shop was closed" } }],
  responses: {
    200: {
      description: "The record that returns the points.",
      schema: MovedResponse,
      examples: [{ summary: "Refunded", value: responses.refundRedemption }],
    },
  },
  problems: ["redemptionState", "voucherUsed", "alreadyReversed"],
});
