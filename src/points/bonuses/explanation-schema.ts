import { Type } from "typebox";
import { oneOf, text } from "../../http/schema-members.ts";
import { STREAK_UNITS } from "./rules.ts";

/** Why a programme gave a bonus. */
export const BonusExplanation = Type.Object(
  {
    kind: oneOf(
      ["welcome", "streak", "referred", "referring"],
      "welcome: for a new user. streak: for days or weeks in a row. referred: for the new user of a referral. referring: " +
        "for the user whose code was used.",
    ),
    submissionId: Type.Optional(
      text(
        "The `receiptID` or `trackId` of the submission that brought it; absent if it was no submission of this user.",
      ),
    ),
    streak: Type.Optional(
      Type.Object(
        {
          id: text("Id of the streak in the programme."),
          every: oneOf(STREAK_UNITS, "What is in a row."),
          length: Type.Integer({ minimum: 2, description: "How many in a row give the bonus." }),
          from: text("The first day in a row, as in `2026-10-25`."),
          till: text("The last day in a row that was known then."),
          timeZone: text("The time zone of the days."),
          number: Type.Integer({ minimum: 1, description: "Which bonus of these days in a row it is." }),
        },
        { title: "StreakExplanation", description: "Days or weeks in a row; only of a streak." },
      ),
    ),
  },
  { title: "BonusExplanation", description: "Why the programme gave a bonus." },
);
