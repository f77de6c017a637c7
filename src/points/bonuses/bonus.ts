// A bonus: points that a user earns for something else than a purchase or a meal.
import type { BONUS_TYPE } from "../codes.ts";
import { OPERATION, RECORD_STATUS } from "../codes.ts";
import { NO_AMOUNTS, NO_RULE, bodyWithoutItems } from "../entry.ts";
import type { Entry } from "../entry.ts";

export type BonusType = Exclude<(typeof BONUS_TYPE)[keyof typeof BONUS_TYPE], typeof BONUS_TYPE.none>;

export interface NewBonus {
  /** Above 0. */
  readonly points: number;
  readonly type: BonusType;
  readonly reason: string;
  /** The integrator's own, unique among the bonuses of the application. */
  readonly reference: string;
  /** The user whom it is related to. */
  readonly profileId: string | null;
}

/** The entry of a bonus. `id` (UUIDv7) is its own. */
export function granting(
  { applicationId, userId }: { readonly applicationId: string; readonly userId: string },
  { points, type, reason, reference, profileId }: NewBonus,
  id: string,
  at: Date,
): Entry {
  return {
    applicationId,
    userId,
    operation: OPERATION.earn,
    status: RECORD_STATUS.completed,
    source: "manual",
    submissionId: id,
    relatedId: null,
    isLifetime: true,
    amounts: { ...NO_AMOUNTS, bonusPoints: points },
    body: { ...bodyWithoutItems(reference, at), bonus: { type, profileId: profileId ?? "", points }, reason },
    ruleUse: NO_RULE,
    mayOverdraw: false,
  };
}
