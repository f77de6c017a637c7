// The tiers of a programme as they are written down: schema, errors, and rules.
//
// Seam: the definition is filled in here.
import { Type } from "typebox";
import type { Static } from "typebox";
import { oneOf } from "../http/schema-members.ts";
import { TIER } from "../points/codes.ts";
import type { TierRules } from "../points/tiers/tier.ts";
import type { Errors } from "../problems.ts";

const closed = { additionalProperties: false } as const;

const Level = Type.Object(
  {
    tier: oneOf(["bronze", "silver", "gold", "platinum"], "Its code in the interface."),
    name: Type.String({ pattern: "\\S", maxLength: 50, description: "Its name, for people." }),
    from: Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: "Points that it takes." }),
    multiplier: Type.Optional(
      Type.Number({ minimum: 1, maximum: 10, description: "Multiplies base points; at most two decimals." }),
    ),
  },
  { title: "ProgramTier", description: "One tier.", ...closed },
);

export const TiersDefinition = Type.Object(
  {
    by: oneOf(["lifetime", "rolling_12_months"], "The points that decide."),
    levels: Type.Array(Level, { minItems: 1, maxItems: 4, description: "The tiers, ascending by `from`." }),
  },
  { title: "ProgramTiers", description: "Tiers of users by their points.", ...closed },
);
type TiersDefinition = Static<typeof TiersDefinition>;

/** What the schema does not say, by path. */
export function tierErrors(_tiers: TiersDefinition | undefined): Errors {
  return {};
}

/** The rules of a definition without errors; null: no tiers. */
export function tierRulesOf(tiers: TiersDefinition | undefined): TierRules | null {
  if (!tiers) return null;
  const levels = tiers.levels.map(({ tier, name, from, multiplier = 1 }) => ({
    tier: TIER[tier],
    name: name.trim(),
    from,
    hundredths: Math.round(multiplier * 100),
  }));
  return { by: tiers.by, levels };
}
