import type { Catalogue, Food } from "../catalogue/catalogue.ts";
import type { PrintedSize } from "../measures/quantity.ts";
import type { Candidate } from "./candidate.ts";

/** Drinks are sold by the litre, tins of fruit by the millilitre (`ANANAS 850ML`). */
const LITRES = new Set(["l", "lt", "ltr", "litre", "litres", "liter", "cl"]);
const DRUNK = ["juice", "nectar"] as const;
/** Fruits with several names of one juice. */
const JUICES: Readonly<Record<string, string>> = {
  "red-grapes": "grape-juice",
  "white-grapes": "grape-juice",
  grapes: "grape-juice",
  "cherry-tomato": "tomato-juice",
};

/** The drink that is made of a fruit or vegetable; none where the catalogue has no such drink. */
function drinkOf({ id, group }: Food, { byId }: Pick<Catalogue, "byId">): Food | undefined {
  if (group !== "fruit" && group !== "vegetable") return undefined;
  const own = JUICES[id] ?? DRUNK.map((kind) => `${id}-${kind}`).find((each) => byId.has(each));
  return own === undefined ? undefined : byId.get(own);
}

/** Puts the juice of a fruit first where a till sells it by the litre: `ORANGE 1L` and `HD ANANAS 1L` are drinks. */
export function preferDrink(
  candidates: readonly Candidate[],
  size: PrintedSize | null,
  catalogue: Pick<Catalogue, "byId">,
): readonly Candidate[] {
  const [first] = candidates;
  const drink = first && size && LITRES.has(size.unit) ? drinkOf(first.food, catalogue) : undefined;
  if (!first || !drink) return candidates;
  return [{ ...first, food: drink }, ...candidates.slice(1).filter(({ food }) => food !== drink)];
}
