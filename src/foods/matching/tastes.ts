import type { Food } from "../catalogue/catalogue.ts";
import { capped, unaccepted } from "./candidate.ts";
import type { Candidate } from "./candidate.ts";
import { FLAVOURS } from "./food-groups.ts";
import { NAMED_CONFIDENCE } from "./learned/tuning.ts";
import { ROUGH_CONFIDENCE, SMALL_PIECE_G } from "./tuning.ts";
import { contentWords, wordsOf } from "./words.ts";

/** Words between a thing and what is in it or on it. */
const LINKING = new Set("con al allo alla alle agli ai aux au avec mit with".split(" "));
/** The number of letters at their start that forms of one word share. */
const ALIKE = 4;

/** A till's name. */
interface Printed {
  printed: string;
  /** The food whose name it is as a whole. */
  exact: Food | undefined;
  /** True for a word that a name or a brand has, or that is short for one. */
  isKnown: (word: string) => boolean;
}

/** Returns the candidates for a till's name, less sure of them where they may be no more than a taste. */
export function lessSureOfTastes(
  found: readonly Candidate[],
  { printed, exact, isKnown }: Printed,
): readonly Candidate[] {
  if (exact) return isBareTaste(exact, printed) ? capped(found, ROUGH_CONFIDENCE) : found;
  const [first] = found;
  if (!first || first.confidence >= NAMED_CONFIDENCE) return found;
  return isOfUnknownThing(printed, first.matchedName, isKnown) ? unaccepted(found) : found;
}

/**
 * True for one piece of a fruit or nut that is sold by many (`FRAISE`, `ALMOND`): on a receipt it is often a flavour.
 */
function isBareTaste(food: Food, printed: string): boolean {
  const isSmall = food.group === "nut" || (food.pieceG !== null && food.pieceG <= SMALL_PIECE_G);
  return (
    isSmall && FLAVOURS.has(food.group) && /^\p{L}+$/u.test(printed.trim()) && !/(?:[^s]s|[xn])$/i.test(printed.trim())
  );
}

/**
 * True where `matched` is only what an unknown thing is made with: `POLESANI CON OLIO D'OLIVA` are no olive oil. Of
 * 879 names of products that it doubts half were wrong by more than 45 g of nutrients in 100 g, a sixth were right.
 */
function isOfUnknownThing(name: string, matched: string, isKnown: (word: string) => boolean): boolean {
  const words = wordsOf(name);
  const end = words.findIndex((word, at) => at > 0 && LINKING.has(word));
  if (end < 0) return false;
  const thing = contentWords(words.slice(0, end).join(" "));
  if (thing.length === 0 || thing.some(isKnown)) return false;
  const more = words.slice(end + 1);
  return contentWords(matched).every((word) => more.some((each) => each.slice(0, ALIKE) === word.slice(0, ALIKE)));
}
