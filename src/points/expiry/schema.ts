import { Type } from "typebox";
import type { Static } from "typebox";
import { count, instant, points, text } from "../../http/schema-members.ts";
import { pointsExpiring } from "../../users/schema.ts";

/** How far the time of a user can be moved: ten years, which is the longest expiry. */
export const AHEAD_DAYS_MAX = 3_660;

export const TestClockBody = Type.Object(
  {
    advanceDays: Type.Optional(
      Type.Integer({ minimum: 0, maximum: AHEAD_DAYS_MAX, description: "Days to move the user's time forward." }),
    ),
    now: Type.Optional(
      Type.String({ format: "date-time", description: "The time it is to be for the user, RFC 3339." }),
    ),
  },
  { title: "TestClock", description: "One of the two members: how far to move the user's time, or to when." },
);
export type TestClockBody = Static<typeof TestClockBody>;

export const TestClockResponse = Type.Object(
  {
    userID: text("The user's id."),
    now: instant("What time it is for the user."),
    expiredPoints: count("Points that expired by this request."),
    availablePoints: points("Points that can be spent, afterwards."),
    pointsExpiring,
  },
  { title: "TestClockResponse", description: "The user's time, and what became of the points." },
);
