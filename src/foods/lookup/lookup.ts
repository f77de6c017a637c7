import { merchantKey, nameKey } from "../aliases/alias.ts";
import type { Alias } from "../aliases/alias.ts";
import { readGtin } from "../products/gtin.ts";
import { wordsIn } from "../aliases/custom-words.ts";
import type { CustomWord } from "../aliases/custom-words.ts";
import { createRecent } from "../../recent.ts";
import { productKey } from "../products/product.ts";
import type { Product } from "../products/product.ts";

/** One item to look up, with every key it can be found by. */
export interface LookupItem {
  readonly applicationId: string;
  /** As sent; null or "" where none was. */
  readonly foodId: string | null;
  readonly name: string;
  /** The names of the merchant, the most certain first. */
  readonly merchants: readonly string[];
}

/** A product with its source. */
export interface FoundProduct extends Product {
  /** Name of the source. */
  readonly source: string;
  readonly isOwn: boolean;
  /** The import that last changed it. */
  readonly revision: number;
}

/** An alias with its product; null where it means a food, or a product that no longer exists. */
export interface FoundAlias extends Alias {
  readonly product: FoundProduct | null;
}

/** The rows found for a batch of items, by `lookupKey`. */
export interface LookupResult {
  readonly ownProducts: ReadonlyMap<string, FoundProduct>;
  readonly gtins: ReadonlyMap<string, FoundProduct>;
  readonly aliases: ReadonlyMap<string, FoundAlias>;
  /** Products of that name, in a fixed order. */
  readonly named: ReadonlyMap<string, readonly FoundProduct[]>;
  readonly words: ReadonlyMap<string, CustomWord>;
}

/** True where nothing was found for any item. */
export function isEmpty(found: LookupResult): boolean {
  return Object.values(found).every((rows: ReadonlyMap<string, unknown>) => rows.size === 0);
}

/** Returns the key of a row in a lookup result. */
export function lookupKey(applicationId: string, ...parts: readonly string[]): string {
  return [applicationId, ...parts].join("\n");
}

/** The keys of an item; absent ones are null. */
export interface ItemKeys {
  readonly ownCode: string | null;
  /** The GTIN in the foodId, else in the name. */
  readonly gtin: string | null;
  readonly nameKey: string;
  /** The key of each merchant, then "" for any merchant: the order in which aliases count. */
  readonly merchantKeys: readonly string[];
  readonly productKey: string | null;
}

/** The keys of an item that is not looked up. */
export const NO_KEYS: ItemKeys = { ownCode: null, gtin: null, nameKey: "", merchantKeys: [], productKey: null };

/** The keys of a name, with the words that may be custom words. */
type NameKeys = Pick<ItemKeys, "gtin" | "nameKey" | "productKey"> & { readonly words: readonly string[] };

/** As many names as the matcher remembers, and of at most this length: some 2 MB. */
const NAMES_MAX = 4_000;
const NAME_LENGTH_MAX = 100;
const recentNames = createRecent<NameKeys>(NAMES_MAX);

/** Reads the keys of a name: folding and splitting it takes a tenth of the time of scoring a food. */
function keysOfName(name: string): NameKeys {
  const read = (): NameKeys => ({
    gtin: readGtin(name),
    nameKey: nameKey(name),
    productKey: productKey(name),
    words: wordsIn(name),
  });
  return name.length > NAME_LENGTH_MAX ? read() : recentNames(name, read);
}

/** Returns the keys that an item is looked up by, and the words of its name that may be custom words. */
export function keysOf({ foodId, name, merchants }: Omit<LookupItem, "applicationId">): ItemKeys & {
  readonly words: readonly string[];
} {
  const ownCode = foodId || null;
  const keys = keysOfName(name);
  return {
    ...keys,
    ownCode,
    gtin: (ownCode === null ? null : readGtin(ownCode)) ?? keys.gtin,
    merchantKeys: [...new Set([...merchants.map(merchantKey), ""])],
  };
}
