import type { Catalogue, Food } from "../catalogue/catalogue.ts";
import type { PrintedSize } from "../measures/quantity.ts";
import { unaccepted } from "./candidate.ts";
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

/** Units of volume as tills print them. */
const VOLUMES = new Set([...LITRES, "ml", "dl", "floz"]);
/** What has more than this many litres is no size: `EIER 10 L` are large. */
const LITRES_MAX = 5;
/** Groups of raw or dry foods that nobody sells by volume. */
const SOLIDS = new Set(
  "fruit vegetable potato meat-beef meat-lamb meat-pork meat-poultry meat-processed fish cheese bread grain cake biscuit nut".split(
    " ",
  ),
);
/**
 * Tins and jars in millilitres: those of Europe, and of Canada, whose tills name all tins by volume (`TOMATOES 796ML`,
 * `CORN 341ML`). No drink is sold in these sizes.
 */
const TINS = new Set([
  106, 142, 156, 170, 184, 199, 210, 212, 213, 225, 227, 228, 284, 314, 315, 341, 346, 370, 390, 398, 400, 425, 446,
  530, 540, 560, 580, 660, 670, 680, 720, 796, 810, 850, 1062, 1700, 2650, 2840, 4250,
]);

/** True for the size of a tin or a jar (`ANANAS 850ML`). */
export function isTin(size: PrintedSize | null): boolean {
  return size?.unit === "ml" && TINS.has(size.amount);
}

/**
 * Accepts none of the candidates where a solid is sold by volume: it is what a drink, a syrup or a shower gel tastes or
 * smells of (`MOGU PINEAPPLE 320ML`), or another word (`CHARD 75CL`, a wine). Of 37 such products that were taken for
 * raw fruit or another solid 31 had other nutrients, and the other six are in tins.
 */
export function doubtSolids(candidates: readonly Candidate[], size: PrintedSize | null): readonly Candidate[] {
  const [first] = candidates;
  if (!first || !size || !SOLIDS.has(first.food.group) || !VOLUMES.has(size.unit) || isTin(size)) return candidates;
  const isLitres = size.unit.startsWith("l");
  return isLitres && size.amount > LITRES_MAX ? candidates : unaccepted(candidates);
}
