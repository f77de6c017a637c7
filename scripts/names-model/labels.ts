// What a name is labelled with, and when the matcher's own label is believed.
import type { Catalogue, Food, Language } from "../../src/foods/catalogue/catalogue.ts";
import type { Matcher } from "../../src/foods/matching/match.ts";
import { contentWords } from "../../src/foods/matching/words.ts";

/** A name and its food; null for a name of nothing that is sold as food. */
export interface Sample {
  readonly name: string;
  readonly food: Food | null;
  /** Null: not known. */
  readonly language: Language | null;
}

export interface Samples {
  /** Names of catalogues and taxonomies, labelled by codes. */
  readonly named: readonly Sample[];
  /** Names of products, labelled by the matcher where the product's own nutrients agree. */
  readonly products: readonly Sample[];
  /** Lines of tills and ingredients, labelled by hand, as they are. */
  readonly lines: readonly Sample[];
}

/**
 * What samples are read with. `matcher` knows the catalogue's words alone, `teacher` what ships: words and letters.
 * `evaluated`: names that must not be trained on.
 */
export interface Options {
  readonly catalogue: Catalogue;
  readonly matcher: Matcher;
  readonly teacher: Matcher;
  readonly evaluated: ReadonlySet<string>;
}

/** The least confidence of a product's name that is believed to mean the food, where its nutrients agree. */
export const BELIEVED = 0.7;
/** A product may differ from its food by these grams of fat, carbohydrates and protein in 100 g, in all. */
export const DIFFERENCE_MAX_G = 22;

/** The key of a name: names with the same words are one. */
export function keyOf(name: string): string {
  return contentWords(name).join(" ");
}

/** True where the nutrients of a row differ from a food's by these grams of 100 at most. */
export function isNear(
  row: Readonly<Record<string, string | number | undefined>>,
  { nutrition }: Food,
  differenceMaxG: number,
): boolean {
  if (!nutrition) return false;
  const own = [row["fat_g"], row["carbs_g"], row["protein_g"]].map(Number);
  const its = [nutrition.fatG, nutrition.carbsG, nutrition.proteinG];
  return own.reduce((sum, each, at) => sum + Math.abs(each - its[at]!), 0) <= differenceMaxG;
}
