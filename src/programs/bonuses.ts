// The bonuses of a programme: their JSON, what can be wrong with it, and the rules that it means.
import { Type } from "typebox";
import type { Static } from "typebox";
import { oneOf } from "../http/schema-members.ts";
import type { Source } from "../points/award.ts";
import { STREAK_UNITS, WELCOME_ON } from "../points/bonuses/rules.ts";
import type { BonusRules } from "../points/bonuses/rules.ts";
import type { Errors } from "../problems.ts";

const SOURCES = ["receipt", "meal", "food"] as const satisfies readonly Source[];
const POINTS_MAX = 100_000;
/** Each adds some statements to a batch of submissions. */
const STREAKS_MAX = 10;
const STREAK_LENGTH_MAX = 366;
/** All of them are counted whenever one more is referred. */
const PER_USER_MAX = 10_000;
const ID = /^[a-z0-9][a-z0-9-]{0,49}$/;

const closed = { additionalProperties: false } as const;
const points = (minimum: number, description: string) => Type.Integer({ minimum, maximum: POINTS_MAX, description });

const Streak = Type.Object(
  {
    id: Type.String({ maxLength: 50, description: "Its id: small letters, digits and hyphens." }),
    every: oneOf(STREAK_UNITS, "What must be in a row. Weeks begin on Monday."),
    length: Type.Integer({ minimum: 2, maximum: STREAK_LENGTH_MAX, description: "How many in a row give the bonus." }),
    points: points(1, "Points of each full streak."),
    sources: Type.Optional(
      Type.Array(oneOf(SOURCES, "A kind of submission."), {
        minItems: 1,
        maxItems: SOURCES.length,
        description: "The kinds of submissions that count; all if absent.",
      }),
    ),
  },
  {
    title: "ProgramStreak",
    description: "A bonus for days or weeks in a row, each with a green or healthy product.",
    ...closed,
  },
);

/** The member `bonuses` of a programme. */
export const ProgramBonuses = Type.Object(
  {
    welcome: Type.Optional(
      Type.Object(
        {
          points: points(1, "Points of the welcome."),
          on: oneOf(WELCOME_ON, "Given with the enrolment, or with the first points from a submission."),
        },
        { description: "A bonus for new users, once for each.", ...closed },
      ),
    ),
    streaks: Type.Optional(
      Type.Array(Streak, { maxItems: STREAKS_MAX, description: "Bonuses for days or weeks in a row." }),
    ),
    referral: Type.Optional(
      Type.Object(
        {
          points: points(0, "Points of the user whose code was used."),
          newUserPoints: points(0, "Points of the new user."),
          perUserMax: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: PER_USER_MAX,
              description: "Referrals that one user gets points for, ever. Any number if absent.",
            }),
          ),
        },
        { description: "Bonuses for both, once the new user has first earned points from a submission.", ...closed },
      ),
    ),
  },
  { title: "ProgramBonuses", description: "Bonuses, each a record of its own.", ...closed },
);
export type ProgramBonuses = Static<typeof ProgramBonuses>;

/** What the schema cannot say of bonuses, by path. */
export function bonusErrors({ streaks = [], referral }: ProgramBonuses): Errors {
  const errors: Errors = {};
  for (const [i, { id }] of streaks.entries()) {
    const path = `bonuses.streaks[${i}].id`;
    if (!ID.test(id)) errors[path] = ["must be small letters, digits and hyphens"];
    else if (streaks.findIndex((each) => each.id === id) < i) errors[path] = ["is the id of another streak"];
  }
  for (const [i, { sources = [] }] of streaks.entries()) {
    if (new Set(sources).size < sources.length) errors[`bonuses.streaks[${i}].sources`] = ["must not repeat a source"];
  }
  if (referral && referral.points + referral.newUserPoints === 0) {
    errors["bonuses.referral"] = ["must give points to one of the two"];
  }
  return errors;
}

/** The rules of bonuses without errors; null: there are none. */
export function bonusRulesOf(bonuses: ProgramBonuses | undefined, timeZone: string): BonusRules | null {
  const { welcome = null, streaks = [], referral } = bonuses ?? {};
  if (welcome === null && streaks.length === 0 && !referral) return null;
  return {
    timeZone,
    welcome,
    streaks: streaks.map(({ sources = SOURCES, ...streak }) => ({ ...streak, sources })),
    referral: referral ? { ...referral, perUserMax: referral.perUserMax ?? null } : null,
  };
}
