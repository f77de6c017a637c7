import type { Catalogue } from "./catalogue.ts";

/** The groups of the catalogue, such as `fruit` and `meat-beef`. */
export interface FoodGroups {
  readonly names: ReadonlySet<string>;
  /** The group of a food by its id; null for one that the catalogue does not have. */
  readonly groupOf: (foodId: string) => string | null;
}

/** The groups of a catalogue's foods. */
export function foodGroupsOf({ foods, byId }: Pick<Catalogue, "foods" | "byId">): FoodGroups {
  return {
    names: new Set(foods.map(({ group }) => group)),
    groupOf: (foodId) => byId.get(foodId)?.group ?? null,
  };
}
