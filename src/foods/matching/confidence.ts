import { FLAVOURS, INGREDIENTS } from "./food-groups.ts";
import { HEADS } from "./name-index.ts";
import type { Comparison, NameMatch } from "./name-index.ts";
import * as tuning from "./tuning.ts";
import { GROUP_LEAD_MAX, HEADS_DIFFER, LEAD_MAX, REGRESSION, UNKNOWN_HEAD_DOUBT } from "./tuning.ts";
import { isHeadFirst } from "./words.ts";

/** The factor of the heads of a name and of the query, by the bits of `HEADS`. */
const HEADS_FACTOR = Float64Array.from({ length: 16 }, (_, heads) => {
  const { nameHeadFound, nameHeadMissing, queryHeadFound, queryHeadMissing } = HEADS_DIFFER;
  if ((heads & HEADS.headsAgree) !== 0) return 1;
  return (
    ((heads & HEADS.nameHeadFound) !== 0 ? nameHeadFound : nameHeadMissing) *
    ((heads & HEADS.queryHeadFound) !== 0 ? queryHeadFound : queryHeadMissing)
  );
});

/**
 * Returns how well a name fits, 0 to 1: its share of the query, the query's share of it, and whether both name the
 * same thing.
 */
export function scoreAt({ queryShares, nameShares, heads }: Comparison, place: number): number {
  return (
    queryShares[place]! ** tuning.QUERY_SHARE_EXPONENT * Math.sqrt(nameShares[place]!) * HEADS_FACTOR[heads[place]!]!
  );
}

/**
 * Returns a bound that `scoreAt` does not exceed, without the power that takes most of its time: the tangent at 1 lies
 * above a power below 1. A millionth more is for what rounding may add.
 */
export function scoreBoundAt({ queryShares, nameShares, heads }: Comparison, place: number): number {
  const power = 1 - tuning.QUERY_SHARE_EXPONENT + tuning.QUERY_SHARE_EXPONENT * queryShares[place]!;
  return 1.000001 * power * Math.sqrt(nameShares[place]!) * HEADS_FACTOR[heads[place]!]!;
}

/** A match compared with the other candidates. */
export interface Fit {
  score: number;
  /** The score minus that of the best other food. */
  lead: number;
  /** The score minus that of the best food of another group. */
  groupLead: number;
  /** The name was typed by a person, not printed by a till. */
  isTyped: boolean;
}

/** Returns the chance that a match is right. */
export function confidenceOf(match: NameMatch, fit: Fit): number {
  const logit =
    REGRESSION.constant +
    REGRESSION.score * fit.score +
    REGRESSION.lead * Math.max(-LEAD_MAX, Math.min(LEAD_MAX, fit.lead)) +
    REGRESSION.groupLead * Math.max(-GROUP_LEAD_MAX / 2, Math.min(GROUP_LEAD_MAX, fit.groupLead)) +
    REGRESSION.similarity * match.similarity +
    REGRESSION.nameShare * match.nameShare +
    REGRESSION.queryShare * match.queryShare -
    unknownHeadDoubt(match, fit.isTyped) -
    (match.similarity < tuning.SURE_SPELLING && fit.groupLead < tuning.TIE ? tuning.TIE_DOUBT : 0);
  return 1 / (1 + Math.exp(-logit));
}

function unknownHeadDoubt(match: NameMatch, isTyped: boolean): number {
  if (!match.isHeadUnknown) return 0;
  const { headFirst, headLast } = UNKNOWN_HEAD_DOUBT;
  const { group } = match.name.food;
  if (isHeadFirst(match.name.language)) return FLAVOURS.has(group) ? headFirst.flavour : headFirst.other;
  if (FLAVOURS.has(group)) return headLast.flavour;
  return isTyped && INGREDIENTS.has(group) ? tuning.UNKNOWN_DISH_DOUBT : headLast.other;
}
