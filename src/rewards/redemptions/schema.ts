import { Type } from "typebox";
import type { Static } from "typebox";
import { code, instant, text } from "../../http/schema-members.ts";
import { POINTS_MOVED_MAX } from "../../points/adjustments/schema.ts";
import { MovedResponse } from "../../points/adjustments/schema.ts";
import { TIER } from "../../points/codes.ts";
import { OwnReward } from "../schema.ts";

/** Long enough for a queue at a till, and short enough that a forgotten reservation soon is somebody else's. */
export const HOLD_SECONDS_DEFAULT = 300;
const HOLD_SECONDS_MAX = 3_600;

export const RedemptionBody = Type.Object(
  {
    rewardId: Type.Optional(Type.String({ maxLength: 64, description: "The reward of your catalogue. Or `reward`." })),
    points: Type.Optional(
      Type.Integer({ minimum: 0, maximum: POINTS_MOVED_MAX, description: "Its price, for an own `reward` only." }),
    ),
    reward: Type.Optional(OwnReward),
    reference: Type.String({
      pattern: "\\S",
      maxLength: 255,
      description: "Your own reference. It can be used once among the redemptions of your application.",
    }),
    tier: Type.Optional(
      code(TIER, "The tier that the user has with you, unless your programme has tiers. Default: 0."),
    ),
    reserve: Type.Optional(
      Type.Boolean({ default: false, description: "Reserves only, until it is confirmed or released." }),
    ),
    holdSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: HOLD_SECONDS_MAX,
        default: HOLD_SECONDS_DEFAULT,
        description: "Seconds after which a reservation ends by itself.",
      }),
    ),
  },
  { title: "Redemption", description: "A reward to redeem: `rewardId`, or `reward` with its price in `points`." },
);
export type RedemptionBody = Static<typeof RedemptionBody>;

export const RefundBody = Type.Object(
  { reason: Type.String({ pattern: "\\S", maxLength: 255, description: "Why, for people to read later." }) },
  { title: "Refund", description: "The reason of a refund." },
);

export const RedemptionResponse = Type.Object(
  {
    ...MovedResponse.properties,
    reservedUntil: Type.Optional(instant("When the reservation ends by itself; absent without one.")),
  },
  { title: "RedemptionResponse", description: "The record of the redemption, and the balance just after it." },
);

/** The path of a redemption. */
export const redemptionPath = Type.Object({
  id: text("The user's id."),
  transactionId: text("The record of the redemption."),
});
