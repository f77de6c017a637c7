// The bonuses of a programme as they are written down: schema, errors, and rules.
//
// Seam: the definition is filled in here.
import { Type } from "typebox";
import type { Static } from "typebox";
import { oneOf } from "../http/schema-members.ts";
import type { BonusRules } from "../points/bonuses/rules.ts";
import type { Errors } from "../problems.ts";

const closed = { additionalProperties: false } as const;
const bonusPoints = (what: string) => Type.Integer({ minimum: 1, maximum: 1_000_000, description: what });

export const BonusesDefinition = Type.Object(
  {
    welcome: Type.Optional(
      Type.Object(
        { points: bonusPoints("Points to give."), on: oneOf(["enrolment", "first_award"], "What they are given for.") },
        { description: "Points for a new user.", ...closed },
      ),
    ),
    streaks: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: Type.String({ pattern: "\\S", maxLength: 50, description: "Its id, unique in the programme." }),
            every: oneOf(["day", "week"], "Its step."),
            length: Type.Integer({ minimum: 2, maximum: 366, description: "Number of steps in a row." }),
            points: bonusPoints("Points to give for each."),
          },
          { title: "ProgramStreak", description: "Points for steps in a row.", ...closed },
        ),
        { maxItems: 10, description: "Points for days or weeks in a row." },
      ),
    ),
    referral: Type.Optional(
      Type.Object(
        {
          points: bonusPoints("Points of the user who invited."),
          newUserPoints: Type.Integer({ minimum: 0, maximum: 1_000_000, description: "Points of the invited user." }),
        },
        { description: "Points for inviting somebody.", ...closed },
      ),
    ),
  },
  { title: "ProgramBonuses", description: "Points for something else than a purchase or a meal.", ...closed },
);
type BonusesDefinition = Static<typeof BonusesDefinition>;

/** What the schema does not say, by path. */
export function bonusErrors(_bonuses: BonusesDefinition | undefined): Errors {
  return {};
}

/** The rules of a definition without errors; null: no bonuses. */
export function bonusRulesOf(bonuses: BonusesDefinition | undefined, timeZone: string): BonusRules | null {
  if (!bonuses) return null;
  const { welcome = null, streaks = [], referral = null } = bonuses;
  return { timeZone, welcome, streaks, referral };
}
