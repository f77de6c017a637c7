// Whether a rated item may earn under a programme.
import { merchantKey } from "../foods/aliases/alias.ts";
import { codeKey } from "../foods/products/gtin.ts";
import type { RecordHead } from "../points/record.ts";
import type { ScoredLine } from "../points/scored-line.ts";
import { countryKey } from "./program.ts";
import type { Choice, Eligibility } from "./program.ts";

/** Returns the catalogue's group of a food; null for a food that it does not have. */
export type GroupOf = (foodId: string) => string | null;

/**
 * Whether the programme lets a line earn. `country` is the user's. What is unknown, such as the group of a product
 * without a reference food, is in no list: `only` leaves it out, `except` does not.
 */
export function isEligible(
  line: ScoredLine,
  head: Pick<RecordHead, "brand">,
  about: { readonly eligible: Eligibility; readonly groupOf: GroupOf; readonly country: string | null },
): boolean {
  const { eligible, groupOf, country } = about;
  const { match = null } = line.basis ?? {};
  const foodId = match?.reference?.id ?? match?.food?.id;
  const group = foodId === undefined ? null : groupOf(foodId);
  const codes = [line.externalId, match?.product?.code ?? ""].filter((code) => code !== "").map(codeKey);
  return (
    isChosen(eligible.foodGroups, group === null ? [] : [group]) &&
    isChosen(eligible.products, codes) &&
    isChosen(eligible.merchants, head.brand === "" ? [] : [merchantKey(head.brand)]) &&
    isChosen(eligible.countries, country === null ? [] : [countryKey(country)])
  );
}

function isChosen(choice: Choice | null, names: readonly string[]): boolean {
  return choice === null || names.some((name) => choice.names.has(name)) === choice.isOnly;
}
