import { Type } from "typebox";
import { POINTS_MOVED_MAX } from "../adjustments/schema.ts";
import { bonusType } from "../schema.ts";

/** The body of a bonus. */
export const BonusBody = Type.Object(
  {
    points: Type.Integer({ minimum: 1, maximum: POINTS_MOVED_MAX, description: "Points to give." }),
    type: bonusType,
    reason: Type.String({ pattern: "\\S", maxLength: 255, description: "Why, for people to read later." }),
    reference: Type.String({
      pattern: "\\S",
      maxLength: 255,
      description: "Your own reference. It can be used once among the bonuses of your application.",
    }),
    profile: Type.Optional(
      Type.Object(
        { profileId: Type.String({ maxLength: 255, description: "The id of a user of your application." }) },
        {
          title: "BonusProfile",
          description:
            "The user whom the bonus is related to, for example the friend who was invited. Their names are shown with " +
            "the record as they are then; they are not stored in it.",
        },
      ),
    ),
  },
  { title: "NewBonus", description: "A bonus to give to a user." },
);
