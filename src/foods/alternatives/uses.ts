import { parseCsv } from "../../csv/csv.ts";
import { isEligible } from "../catalogue/catalogue.ts";
import type { Catalogue, Food } from "../catalogue/catalogue.ts";

/**
 * What a food contains, as far as people refuse it: nothing from animals, milk or eggs, fish, meat, pork. A food
 * is never replaced by a later one of this list.
 */
const CONTAINS = ["plant", "", "fish", "meat", "pork"] as const;
type Contains = (typeof CONTAINS)[number];

/** Foods that are used for the same, in one form of it: a line of `reference/uses.csv`. */
export interface UseForm {
  /** What the foods are eaten or cooked as (`minced meat`, `fizzy drinks`), in words that are shown. */
  readonly use: string;
  /** The foods of one form are nearer to each other than to those of other forms (`lentils`, `water`). */
  readonly form: string;
  /** The place in `CONTAINS`. */
  readonly contains: number;
  readonly foods: readonly Food[];
}

/** The use of foods that have no alternative; its forms are the reasons. */
export const NO_USE = "none";

/**
 * Reads the uses of foods. A cooked food without a line has those of the raw one. Throws one error that lists all
 * errors: the file ships with the program.
 */
export function parseUses(csv: string, catalogue: Catalogue): UseForm[] {
  const errors: string[] = [];
  const rows = parseCsv(csv).map(({ use = "", form = "", contains = "", foods = "" }) => {
    const rank = CONTAINS.indexOf(contains as Contains);
    if (use === "" || form === "" || rank < 0) errors.push(`${use}, ${form}, ${contains}: not a use`);
    return { use, form, contains: rank, ids: foods.split(";").map((id) => id.trim()) };
  });
  const named = new Set(rows.flatMap(({ ids }) => ids));
  const forms = rows.map(({ ids, ...row }): UseForm => {
    const foods = ids.flatMap((id) => {
      const food = catalogue.byId.get(id);
      if (!food || !isEligible(food)) errors.push(`${row.use}, ${row.form}: no such food that is rated: ${id}`);
      const cooked = catalogue.cookedOf.get(id);
      return [food, cooked && !named.has(cooked.id) ? cooked : undefined].filter((each) => each !== undefined);
    });
    return { ...row, foods };
  });
  if (errors.length > 0) throw new Error(`The uses of foods are broken:\n${errors.join("\n")}`);
  return forms;
}
