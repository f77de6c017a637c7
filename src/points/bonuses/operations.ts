import { pathId } from "../../http/schema-members.ts";
import { operation } from "../../http/operation.ts";
import responses from "../../openapi-examples/bonuses.json" with { type: "json" };
import { MovedResponse } from "../adjustments/schema.ts";
import { BONUS_TYPE } from "../codes.ts";
import { BonusBody } from "./schema.ts";

/** POST /users/{id}/bonuses */
export const awardBonus = operation({
  id: "awardBonus",
  method: "POST",
  path: "/users/:id/bonuses",
  tag: "Points",
  scope: "ledger.write",
  isAudited: true,
  summary: "Award a bonus",
  description:
    "Gives a user points for something else than a purchase or a meal: a welcome, an invited friend, a campaign. It is a " +
    "record that earns (`operation` 1), with its points in `totalBonusPoints` and its reason in `bonus`. It counts in " +
    "`lifetimePoints`, not in `numOfTransactions`. Day limits do not apply.",
  params: pathId("The user's id."),
  body: BonusBody,
  examples: [
    {
      summary: "A welcome",
      value: { points: 100, type: BONUS_TYPE.welcome, reason: "Welcome", reference: "welcome-88213" },
    },
    {
      summary: "A friend who was invited",
      value: {
        points: 250,
        type: BONUS_TYPE.referral,
        reason: "A friend has joined",
        reference: "referral-1042",
        profile: { profileId: "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d71" },
      },
    },
  ],
  responses: {
    200: {
      description: "The record of the bonus.",
      schema: MovedResponse,
      examples: [{ summary: "A welcome", value: responses.awardBonus }],
    },
  },
  problems: ["referenceUsed"],
});
