import { toMinor } from "../points/money.ts";
import { isUnknown } from "../unknown-names/sightings.ts";
import type { Sighted } from "../unknown-names/sightings.ts";
import { ingredientsOf, merchantsOf } from "./score.ts";
import type { FailedScoring, Scored } from "./score.ts";
import type { Intake } from "./store.ts";

/** The items of a finished submission that nothing was matched with. An amount that was not sent is none. */
export function unknownOf(
  { applicationId, userId, id, source, submission }: Intake,
  scoring: Scored | FailedScoring,
): Sighted {
  const excluded = scoring.kind === "scored" ? scoring.record.body.excludedItems : scoring.excluded;
  const names = new Set(excluded.filter((item) => isUnknown(item.exclusionReason)).map(({ name }) => name));
  const unknown = names.size === 0 ? [] : ingredientsOf(submission).filter(({ name }) => names.has(name));
  const items = unknown.map((ingredient) => {
    const { name, amount, currency } = ingredient;
    const paid = amount === null || currency === null ? null : { currency, amountMinor: toMinor(amount, currency) };
    return { name, merchantName: merchantsOf(ingredient, submission)[0] ?? null, paid };
  });
  return { applicationId, userId, submissionId: id, source, items };
}
