import type { Catalogue } from "./catalogue.ts";

/** The foods of the catalogue as programmes refer to them, and their groups, such as `fruit` and `meat-beef`. */
export interface FoodGroups {
  readonly names: ReadonlySet<string>;
  /** The ids and names of all foods, in lower case. */
  readonly foods: ReadonlySet<string>;
  /** The group of a food by its id; null for one that the catalogue does not have. */
  readonly groupOf: (foodId: string) => string | null;
}

/** The groups of a catalogue's foods. */
export function foodGroupsOf({ foods, byId }: Pick<Catalogue, "foods" | "byId">): FoodGroups {
  // Not the foods themselves: a command then keeps some 2,000 short texts of the catalogue, not all of it.
  const groups = new Map([...byId].map(([id, { group }]) => [id, group]));
  return {
    names: new Set(foods.map(({ group }) => group)),
    foods: new Set(foods.flatMap(({ id, name }) => [id, name.toLowerCase()])),
    groupOf: (foodId) => groups.get(foodId) ?? null,
  };
}
