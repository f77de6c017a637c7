import { Type } from "typebox";
import type { Static } from "typebox";
import { points } from "../../http/schema-members.ts";
import { TransactionRecord } from "../schema.ts";

/** The most points that one request may move: a record's points are 32-bit, and nobody moves more at once. */
export const POINTS_MOVED_MAX = 1_000_000_000;

/** The body of an adjustment. */
export const AdjustmentBody = Type.Object(
  {
    points: Type.Integer({
      minimum: -POINTS_MOVED_MAX,
      maximum: POINTS_MOVED_MAX,
      description: "Points to add; negative to take. Not 0.",
    }),
    reason: Type.String({ pattern: "\\S", maxLength: 255, description: "Why, for people to read later." }),
    reference: Type.String({
      pattern: "\\S",
      maxLength: 255,
      description: "Your own reference. It can be used once among the adjustments of your application.",
    }),
    countsAsEarned: Type.Optional(
      Type.Boolean({ default: false, description: "Whether the points also count in lifetimePoints." }),
    ),
  },
  { title: "Adjustment", description: "Points to give or to take, with the reason." },
);
export type AdjustmentBody = Static<typeof AdjustmentBody>;

/** The response of a request that moved points: the record, and the balance just after it. */
export const MovedResponse = Type.Object(
  {
    transaction: TransactionRecord,
    balance: Type.Object(
      {
        availablePoints: points("Points that can be spent, just after this record."),
        lifetimePoints: points("All points earned and not reversed, just after this record."),
      },
      { description: "The balance just after this record." },
    ),
  },
  { title: "MovedResponse", description: "The new record, and the balance just after it." },
);
export type MovedResponse = Static<typeof MovedResponse>;
