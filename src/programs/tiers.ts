// The tiers of a programme as they are written down.
import { Type } from "typebox";
import type { Static } from "typebox";
import { scaled } from "../decimal.ts";
import { oneOf } from "../http/schema-members.ts";
import { TIER } from "../points/codes.ts";
import { TIERS_BY, TIER_NAMES } from "../points/tiers/tier.ts";
import type { TierRules } from "../points/tiers/tier.ts";
import type { Errors } from "../problems.ts";

/** Above what anybody earns in a life: 1,000 points a day for 270 years. */
const FROM_MAX = 100_000_000;
const MULTIPLIER_MAX = 100;

const closed = { additionalProperties: false } as const;

const TierLevel = Type.Object(
  {
    tier: oneOf(TIER_NAMES, "The tier, by the name of its code in rewards. A later one must be higher."),
    name: Type.String({ pattern: "\\S", maxLength: 50, description: "Your name for it, for people." }),
    from: Type.Integer({ minimum: 0, maximum: FROM_MAX, description: "The least points of its users." }),
    multiplier: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: MULTIPLIER_MAX,
        description: "Multiplies what its users earn; at most two decimals. The extra points are `bonusPoints`.",
      }),
    ),
  },
  { title: "ProgramTier", description: "One tier.", ...closed },
);

/** The member `tiers` of a programme. */
export const TiersDefinition = Type.Object(
  {
    by: oneOf(
      TIERS_BY,
      "The points that count. lifetime: all that were ever earned. rolling_12_months: those of the last twelve months, " +
        "by days of the programme's time zone.",
    ),
    levels: Type.Array(TierLevel, {
      minItems: 1,
      maxItems: TIER_NAMES.length,
      description: "The tiers, ascending. Below the first one a user has none.",
    }),
  },
  { title: "ProgramTiers", description: "The tiers that users rise to by their points.", ...closed },
);
type TiersDefinition = Static<typeof TiersDefinition>;

/** What a schema cannot say about tiers, by the path of the member. */
export function tierErrors(tiers: TiersDefinition | undefined): Errors {
  const errors: Errors = {};
  const refuse = (i: number, member: string, error: string) => {
    errors[`tiers.levels[${i}].${member}`] = [error];
  };
  const levels = tiers?.levels ?? [];
  for (const [i, { tier, from, multiplier = 1 }] of levels.entries()) {
    if (levels.findIndex((each) => each.tier === tier) < i) refuse(i, "tier", `is there twice: ${tier}`);
    else if (levels.slice(0, i).some((each) => TIER[each.tier] > TIER[tier])) {
      refuse(i, "tier", `must be higher than the tiers before it: ${TIER_NAMES.join(", ")}`);
    }
    if (i > 0 && from <= levels[i - 1]!.from) refuse(i, "from", "must be above that of the tier before it");
    if (scaled(multiplier, 2, "floor") !== scaled(multiplier, 2, "ceil")) {
      refuse(i, "multiplier", "must not have more than two decimals");
    }
  }
  return errors;
}

/** The rules of a definition without errors; null: no tiers. */
export function tierRulesOf(tiers: TiersDefinition | undefined, timeZone: string): TierRules | null {
  if (!tiers) return null;
  const levels = tiers.levels.map(({ tier, name, from, multiplier = 1 }) => ({
    tier: TIER[tier],
    name: name.trim(),
    from,
    hundredths: Number(scaled(multiplier, 2, "floor")),
  }));
  return { by: tiers.by, timeZone, levels };
}
