// A bonus: points that a user earns for something else than a purchase or a meal.
import type { BONUS_TYPE } from "../codes.ts";
import { OPERATION, RECORD_STATUS } from "../codes.ts";
import { NO_AMOUNTS, NO_RULE, bodyWithoutItems } from "../entry.ts";
import type { Entry, RuleUse } from "../entry.ts";
import type { BonusCause, DueBonus } from "./granting.ts";
import { bonusReason } from "./text.ts";

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
  owner: { readonly applicationId: string; readonly userId: string },
  bonus: NewBonus,
  id: string,
  at: Date,
  ruleUse: RuleUse = NO_RULE,
): Entry {
  const { applicationId, userId } = owner;
  const { points, type, reason, reference, profileId } = bonus;
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
    ruleUse,
    mayOverdraw: false,
  };
}

/** What explains a bonus that a programme gave. */
interface BonusInputs {
  readonly bonus: BonusCause;
}

/** The entry of a bonus that is due by a programme. */
export function grantingDue(applicationId: string, due: DueBonus, id: string, at: Date): Entry {
  const { userId, cause, rule, points, type, profileId } = due;
  const reference = referenceOf(due);
  const inputs: BonusInputs = { bonus: cause };
  const ruleUse = { rule, inputs: JSON.stringify(inputs), catalogueVersion: "" };
  const bonus = { points, type, reason: bonusReason(cause), reference, profileId };
  return granting({ applicationId, userId }, bonus, id, at, ruleUse);
}

/** What the record shows as its reference: no application has sent one. */
function referenceOf({ cause, userId, key }: DueBonus): string {
  if (cause.kind === "welcome") return "welcome";
  if (cause.kind === "streak") return `streak ${cause.id} ${cause.till}`;
  return `referral ${cause.kind === "referred" ? userId : key}`;
}
