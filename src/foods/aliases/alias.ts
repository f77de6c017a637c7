import type { Errors } from "../../problems.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { readGtin } from "../products/gtin.ts";
import { readPrintedSize } from "../measures/quantity.ts";
import type { Alias as PresentedAlias } from "../schema.ts";
import { contentWords, fold, wordsOf } from "../matching/words.ts";

/** The meaning of an alias: a food of our catalogue, an own product by its foodId, or a product by its GTIN. */
export interface AliasTarget {
  readonly kind: "food" | "product" | "gtin";
  readonly id: string;
}

/** A name with a meaning that an application has added. */
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
 * Returns the key of a name: lower case, no accents, no sizes, no product codes, so that an alias of `ORG SKM MLK 2PT`
 * holds for `Org Skm Mlk 4pt`. A name of nothing but numbers and signs is its own key.
 */
export function nameKey(name: string): string {
  const words = contentWords(readPrintedSize(name).rest);
  return words.length > 0 ? words.join(" ") : fold(name).trim();
}

/** Returns the key of a merchant; "" is the key of any merchant. */
export function merchantKey(merchantName: string | null): string {
  return merchantName === null ? "" : wordsOf(merchantName).join(" ") || fold(merchantName).trim();
}

/** Returns an alias as the API and the CLI show it. */
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

/** A new alias as it was sent. */
export interface NewAlias {
  readonly name: string;
  readonly merchantName: string | null;
  /** A food of our catalogue, or an own product; either this or the GTIN. */
  readonly foodId: string | null;
  readonly gtin: string | null;
}

/** Reads a new alias, or returns its errors. Does not check that its product exists: saving does. */
export function aliasOf(
  sent: NewAlias,
  catalogue: Pick<Catalogue, "byId">,
  entry: Pick<Alias, "id" | "author" | "createdAt">,
): { alias: Alias } | { errors: Errors } {
  const { name, merchantName, foodId, gtin } = sent;
  if ((foodId === null) === (gtin === null)) return { errors: { foodId: ["is required, or a gtin, and not both"] } };
  const target = foodId === null ? gtinTarget(gtin ?? "") : foodTarget(foodId, catalogue);
  if (!target) return { errors: { gtin: ["must be a GTIN of 8, 12, 13 or 14 digits"] } };
  return { alias: { ...entry, name, merchantName, target } };
}

/** Returns the errors of an alias whose product does not exist. */
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
