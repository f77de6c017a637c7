// Schemas of the events, member for member. Every member is always present; money is in major units, CO2e in kg.
// This file has the events that belong to neither an intake nor a receipt alone.
import { Type } from "typebox";
import type { Static } from "typebox";
import { instant, points, rating, text } from "../http/schema-members.ts";

/** Sent once for each credited record with points above 0, after its intake.completed or receipt_completed. */
export const RewardsAwarded = Type.Object(
  {
    eventType: Type.Literal("rewards.awarded"),
    data: Type.Object(
      {
        user: Type.Object(
          {
            id: text("The user's id."),
            availablePoints: points("Points that can be spent, just after this award."),
            lifetimePoints: points("All points ever earned, just after this award."),
          },
          { description: "The rewarded user, with the new balance." },
        ),
        transaction: Type.Object(
          {
            transactionID: text("The record's id, to read its details with."),
            totalPoints: points("Points that were credited."),
            items: Type.Array(
              Type.Object({
                name: text("As sent or printed."),
                carbonImpactRating: rating("Carbon rating."),
                healthImpactRating: rating("Health rating."),
                totalServicePoints: points("All points of the item."),
              }),
              { description: "Items that earned points." },
            ),
          },
          { description: "The record that earned the points." },
        ),
      },
      { description: "The rewarded user, and the record." },
    ),
  },
  { title: "RewardsAwarded", description: "A user's balance has grown." },
);
export type RewardsAwarded = Static<typeof RewardsAwarded>;

/** Lets an integrator check that deliveries arrive and verify. */
export const TestEvent = Type.Object(
  {
    event: Type.Literal("webhook.test"),
    endpointId: text("The endpoint that was tested."),
    createdAt: instant("When the test was requested."),
  },
  { title: "TestEvent", description: "A test of an endpoint. It concerns no user." },
);
export type TestEvent = Static<typeof TestEvent>;
