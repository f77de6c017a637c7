import type { Food } from "../catalogue/catalogue.ts";
import { fold } from "./words.ts";

/** Labels of drinks without alcohol, in the languages of receipts: `alc free`, `0,0`, `alkfr.`, `AF`, `ss alcool`. */
const WITHOUT_ALCOHOL =
  /\balc(?:ohol)?[. -]*free\b|\bnon?[ -]alco|\bzero alc|\baf\b|\balk(?:ohol)?\.? ?fr|\b(?:sans|senza|ss|s\/) ?alco|\bsin (?:alc|contenido)|\bs\/alc|\banalcolic|(?<![\d.,])0(?:[.,][05])? ?%|(?<![\d.,])0[.,]0(?![\d.,])/;

const BEERS = new Set(["beer", "shandy"]);
const WINES = new Set(["red-wine", "white-wine", "rose-wine", "sparkling-wine", "sangria"]);

/** True where a name says that its drink has no alcohol. */
export function saysAlcoholFree(name: string): boolean {
  return WITHOUT_ALCOHOL.test(fold(name));
}

/** Returns the id of the alcohol-free form of a drink; null where the catalogue has none. */
export function alcoholFreeIdOf(food: Food): string | null {
  if (BEERS.has(food.id)) return "alcohol-free-beer";
  return WINES.has(food.id) ? "alcohol-free-wine" : null;
}
