// Schemas of the events of points that are not earned by a submission, member for member; see event-schema.ts.
import { Type } from "typebox";
import type { Static } from "typebox";
import { code, instant, oneOf, points, text } from "../http/schema-members.ts";
import { TIER } from "../points/codes.ts";
import { Reward, bonusType } from "../points/schema.ts";

/** The members of every event of a record that moved points, with the balance just after it. */
export const movedMembers = {
  userId: text("The user's id."),
  transactionID: text("The id of the new record, to read its details with."),
  externalTransactionID: text("Your own reference; empty when there is none."),
  totalPoints: points("Points that the record adds to availablePoints; negative for points taken."),
  availablePoints: points("Points that can be spent, just after this record."),
  lifetimePoints: points("All points earned and not reversed, just after this record."),
  createdAt: instant("When the record was booked."),
};

export const PointsAdjusted = Type.Object(
  { event: Type.Literal("points.adjusted"), ...movedMembers, reason: text("The reason as you sent it.") },
  { title: "PointsAdjusted", description: "Points were given or taken by an adjustment." },
);
export type PointsAdjusted = Static<typeof PointsAdjusted>;

export const BonusAwarded = Type.Object(
  {
    event: Type.Literal("bonus.awarded"),
    ...movedMembers,
    reason: text("The reason as you sent it."),
    type: bonusType,
    profileId: text("The id of the user whom it is related to; empty without one. Read the record for their names."),
  },
  { title: "BonusAwarded", description: "Points were earned by a bonus." },
);
export type BonusAwarded = Static<typeof BonusAwarded>;

export const PointsReversed = Type.Object(
  {
    event: Type.Literal("points.reversed"),
    ...movedMembers,
    relatedTransactionID: text("The record that was reversed."),
    reason: text("The reason as you sent it."),
  },
  { title: "PointsReversed", description: "The points of a record, or of some of its items, were taken back." },
);
export type PointsReversed = Static<typeof PointsReversed>;

export const PointsRedeemed = Type.Object(
  {
    event: Type.Literal("points.redeemed"),
    ...movedMembers,
    status: oneOf(
      ["pending", "completed"],
      "pending: reserved, until it is confirmed, released or times out. completed: redeemed at once.",
    ),
    reward: Reward,
  },
  { title: "PointsRedeemed", description: "Points were spent on a reward, or are reserved for it." },
);
export type PointsRedeemed = Static<typeof PointsRedeemed>;

export const PointsRefunded = Type.Object(
  {
    event: Type.Literal("points.refunded"),
    ...movedMembers,
    relatedTransactionID: text("The record of the redemption."),
    reason: text("The reason as you sent it; `Released` or `Not confirmed in time` where the service has one."),
    reward: Reward,
  },
  { title: "PointsRefunded", description: "The points of a redemption went back to the user." },
);
export type PointsRefunded = Static<typeof PointsRefunded>;

const redemptionMembers = {
  userId: text("The user's id."),
  transactionID: text("The record of the redemption."),
  externalTransactionID: text("Your own reference of the redemption."),
};

export const RedemptionConfirmed = Type.Object(
  {
    event: Type.Literal("redemption.confirmed"),
    ...redemptionMembers,
    reward: Reward,
    confirmedAt: instant("When it was confirmed."),
  },
  { title: "RedemptionConfirmed", description: "A reserved redemption was confirmed: its voucher can be used." },
);
export type RedemptionConfirmed = Static<typeof RedemptionConfirmed>;

export const VoucherUsed = Type.Object(
  {
    event: Type.Literal("voucher.used"),
    ...redemptionMembers,
    code: text("The code that was used."),
    usedAt: instant("When it was used."),
    till: text("Where it was used, as sent; empty when not sent."),
    reference: text("Your own reference of its use; empty when not sent."),
  },
  { title: "VoucherUsed", description: "A voucher was used." },
);
export type VoucherUsed = Static<typeof VoucherUsed>;

export const PointsExpired = Type.Object(
  { event: Type.Literal("points.expired"), ...movedMembers },
  { title: "PointsExpired", description: "Points of a user have expired." },
);
export type PointsExpired = Static<typeof PointsExpired>;

export const PointsExpiring = Type.Object(
  {
    event: Type.Literal("points.expiring"),
    userId: movedMembers.userId,
    points: points("Points that will expire then, unless they are spent before."),
    expiresAt: instant("When they will expire: the end of a day (UTC)."),
    availablePoints: points("Points that can be spent now, all together."),
  },
  { title: "PointsExpiring", description: "Points of a user will expire soon." },
);
export type PointsExpiring = Static<typeof PointsExpiring>;

export const TierChanged = Type.Object(
  {
    event: Type.Literal("tier.changed"),
    userId: movedMembers.userId,
    tier: code(TIER, "The tier that the user has now."),
    name: text("Its name in your programme; empty for none."),
    previousTier: code(TIER, "The tier before. It was a fall if it is the higher one."),
    points: points("Points that count for the tier."),
    since: instant("When it changed."),
  },
  { title: "TierChanged", description: "A user rose or fell to another tier of your programme." },
);
export type TierChanged = Static<typeof TierChanged>;
