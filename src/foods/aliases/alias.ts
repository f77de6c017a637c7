import type { Errors } from "../../problems.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { readGtin } from "../products/gtin.ts";
import { readPrintedSize } from "../rating/quantity.ts";
import type { Alias as PresentedAlias } from "../schema.ts";
import { contentWords, fold, wordsOf } from "../matching/words.ts";

/** What a taught name means: a food of our catalogue, an own product by its foodId, or a product by its GTIN. */
export interface AliasTarget {
  readonly kind: "food" | "product" | "gtin";
  readonly id: string;
}

/** A name that an application has taught the meaning of. */
export interface Alias {
  readonly id: string;
  readonly name: string;
  /** Null: at any merchant. */
  readonly merchantName: string | null;
  readonly target: AliasTarget;
  /** The application itself, or the operator for it. */
  readonly author: "api" | "operator";
  readonly createdAt: Date;
}

/**
 * Names that mean the same have the same key: lower case, no accents, no sizes, no product codes, so that what is taught
 * of `ORG SKM MLK 2PT` holds for `Org Skm Mlk 4pt`. A name of nothing but numbers and signs is its own key.
 */
export function nameKey(name: string): string {
  const words = contentWords(readPrintedSize(name).rest);
  return words.length > 0 ? words.join(" ") : fold(name).trim();
}

/** Merchants that are the same have the same key; "" is any merchant's. */
export function merchantKey(merchantName: string | null): string {
  return merchantName === null ? "" : wordsOf(merchantName).join(" ") || fold(merchantName).trim();
}

/** An alias as the API and the CLI show it. */
export function presentAlias({ id, name, merchantName, target, author, createdAt }: Alias): PresentedAlias {
  return {
    id,
    name,
    merchantName: merchantName ?? "",
    foodId: target.kind === "gtin" ? "" : target.id,
    gtin: target.kind === "gtin" ? target.id : "",
    author,
    createdAt: createdAt.toISOString(),
  };
}

/** What is to be taught, as it was sent. */
export interface NewAlias {
  readonly name: string;
  readonly merchantName: string | null;
  /** Of our catalogue, or the application's own; either this or the GTIN. */
  readonly foodId: string | null;
  readonly gtin: string | null;
}

/** The alias that a lesson stands for, or its errors. Whether a product that it names is there is the store's to say. */
export function aliasOf(
  lesson: NewAlias,
  catalogue: Pick<Catalogue, "byId">,
  made: Pick<Alias, "id" | "author" | "createdAt">,
): { alias: Alias } | { errors: Errors } {
  const { name, merchantName, foodId, gtin } = lesson;
  if ((foodId === null) === (gtin === null)) return { errors: { foodId: ["is wanted, or a gtin, and not both"] } };
  const target = foodId === null ? gtinTarget(gtin ?? "") : foodTarget(foodId, catalogue);
  if (!target) return { errors: { gtin: ["must be a GTIN of 8, 12, 13 or 14 digits"] } };
  return { alias: { ...made, name, merchantName, target } };
}

/** What is wrong with an alias whose product isn't there. */
export function missingTarget({ target }: Alias): Errors {
  return target.kind === "gtin"
    ? { gtin: ["names no product"] }
    : { foodId: ["names no food of the catalogue and no product of the application"] };
}

function foodTarget(foodId: string, { byId }: Pick<Catalogue, "byId">): AliasTarget {
  return { kind: byId.has(foodId) ? "food" : "product", id: foodId };
}

function gtinTarget(text: string): AliasTarget | null {
  const gtin = readGtin(text);
  return gtin === null ? null : { kind: "gtin", id: gtin };
}
