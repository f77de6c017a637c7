import { merchantKey, nameKey } from "../aliases/alias.ts";
import type { Alias } from "../aliases/alias.ts";
import { readGtin } from "../products/gtin.ts";
import type { CustomWord } from "../aliases/custom-words.ts";
import { productKey } from "../products/product.ts";
import type { Product } from "../products/product.ts";

/** One item of a batch that is to be rated: all by which it may be known. */
export interface LookupItem {
  readonly applicationId: string;
  /** As sent; null or "" where none was. */
  readonly foodId: string | null;
  readonly name: string;
  /** What the merchant is called, the surest name first. */
  readonly merchants: readonly string[];
}

/** A product with where it is from. */
export interface FoundProduct extends Product {
  /** Name of the source. */
  readonly source: string;
  readonly isOwn: boolean;
  /** The import that last changed it. */
  readonly revision: number;
}

/** An alias with the product it means; null where it means a food, or a product that is there no more. */
export interface FoundAlias extends Alias {
  readonly product: FoundProduct | null;
}

/** What the database knows of a batch, by `knownKey`. */
export interface LookupResult {
  readonly ownProducts: ReadonlyMap<string, FoundProduct>;
  readonly gtins: ReadonlyMap<string, FoundProduct>;
  readonly aliases: ReadonlyMap<string, FoundAlias>;
  /** Products of that name, in a fixed order. */
  readonly named: ReadonlyMap<string, readonly FoundProduct[]>;
  readonly words: ReadonlyMap<string, CustomWord>;
}

/** The key under which an application finds something. */
export function lookupKey(applicationId: string, ...parts: readonly string[]): string {
  return [applicationId, ...parts].join("\n");
}

/** The keys by which an item is looked up; absent ones are null. */
export interface ItemKeys {
  readonly ownCode: string | null;
  /** Of the foodId, else of the name. */
  readonly gtin: string | null;
  readonly nameKey: string;
  /** Of each merchant, then "" for anywhere: the order in which aliases count. */
  readonly merchantKeys: readonly string[];
  readonly productKey: string | null;
}

/** Of an item that nothing is to be looked up for. */
export const NO_KEYS: ItemKeys = { ownCode: null, gtin: null, nameKey: "", merchantKeys: [], productKey: null };

/** How an item is looked up. */
export function keysOf({ foodId, name, merchants }: Omit<LookupItem, "applicationId">): ItemKeys {
  const ownCode = foodId || null;
  return {
    ownCode,
    gtin: (ownCode === null ? null : readGtin(ownCode)) ?? readGtin(name),
    nameKey: nameKey(name),
    merchantKeys: [...new Set([...merchants.map(merchantKey), ""])],
    productKey: productKey(name),
  };
}
