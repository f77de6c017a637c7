import { setImmediate as nextTurn } from "node:timers/promises";
import { binaryArray } from "../../postgres/binary-array.ts";
import type { ElementType } from "../../postgres/binary-array.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { json, oneOf, statement, text, uuid } from "../../postgres/statement.ts";
import type { Alias } from "../aliases/alias.ts";
import type { CustomWord } from "../aliases/custom-words.ts";
import { PRODUCT_JSON } from "../products/store.ts";
import { keysOf, lookupKey } from "./lookup.ts";
import type { FoundAlias, FoundProduct, ItemKeys, LookupItem, LookupResult } from "./lookup.ts";

/** The most products of one name that are compared for the food they mean. */
const NAMED_MAX = 8;

const LOOK_UP = statement(
  "foods.lookup",
  { by: oneOf(["code", "gtin", "name", "alias", "word"]), applicationId: uuid, key: text, found: json<unknown>() },
  // Finds a batch by all of its keys in one statement: each part uses an index, once for each different key.
  `WITH items AS (
           SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[])
             AS items (application_id, own_code, gtin, product_key)
         ), found_aliases AS (
           SELECT aliases.* FROM (
             SELECT DISTINCT * FROM unnest($6::uuid[], $7::text[], $8::text[])
               AS named (application_id, name_key, merchant_key)
           ) AS named
           JOIN aliases USING (application_id, name_key, merchant_key)
         ), codes AS (
           SELECT application_id, own_code AS code FROM items WHERE own_code IS NOT NULL
           UNION SELECT application_id, target FROM found_aliases WHERE target_kind = 'product'
         ), gtins AS (
           SELECT application_id, gtin FROM items WHERE gtin IS NOT NULL
           UNION SELECT application_id, target FROM found_aliases WHERE target_kind = 'gtin'
         ), names AS (
           SELECT DISTINCT application_id, product_key FROM items WHERE product_key IS NOT NULL
         )
         SELECT * FROM (
           SELECT 'code' AS by, codes.application_id AS "applicationId", codes.code AS key, ${PRODUCT_JSON} AS found
           FROM codes JOIN product_sources s ON s.application_id = codes.application_id
           JOIN products p ON p.source_id = s.id AND p.code = codes.code
           UNION ALL
           SELECT 'gtin', gtins.application_id, gtins.gtin, ${PRODUCT_JSON}
           FROM gtins JOIN products p ON p.gtin = gtins.gtin
           JOIN product_sources s ON s.id = p.source_id
                AND (s.application_id IS NULL OR s.application_id = gtins.application_id)
           UNION ALL
           SELECT 'name', names.application_id, names.product_key, product.found
           FROM names CROSS JOIN LATERAL (
             SELECT ${PRODUCT_JSON} AS found FROM products p JOIN product_sources s ON s.id = p.source_id
             WHERE p.name_key = names.product_key
               AND (s.application_id IS NULL OR s.application_id = names.application_id)
             ORDER BY s.application_id IS NULL, s.name, p.code LIMIT ${NAMED_MAX}
           ) AS product
           UNION ALL
           SELECT 'alias', application_id, name_key || E'\\n' || merchant_key,
                  jsonb_build_object('id', id, 'name', name, 'merchantName', merchant_name, 'author', author,
                    'target', jsonb_build_object('kind', target_kind, 'id', target), 'createdAt', created_at)
           FROM found_aliases
           UNION ALL
           SELECT 'word', application_id, word,
                  jsonb_build_object('id', id, 'word', word, 'means', means, 'author', author, 'createdAt', created_at)
           FROM words WHERE application_id = ANY($1) AND word = ANY($5)
         ) AS everything
         ORDER BY by, found ->> 'isOwn' DESC, found ->> 'source', found ->> 'code'`,
);

/** Yields to the event loop this often: the keys of 100 names made to be hard take 26 ms. */
const TURN_MS_MAX = 4;

/** Finds the products, aliases and words for a batch of items, in one statement. */
export async function lookUp(tx: Tx, items: readonly LookupItem[]): Promise<LookupResult> {
  const { keys, words: wordsOfItems } = await keysOfAll(items);
  const parameters: readonly (readonly [ElementType, readonly unknown[]])[] = [
    ["uuid", items.map((item) => item.applicationId)],
    ["text", keys.map((item) => item.ownCode)],
    ["text", keys.map((item) => item.gtin)],
    ["text", keys.map((item) => item.productKey)],
    ["text", [...wordsOfItems]],
    // Only at the merchants of the item: one name may have aliases at any number of others.
    ["uuid", items.flatMap((item, i) => keys[i]!.merchantKeys.map(() => item.applicationId))],
    ["text", keys.flatMap((item) => item.merchantKeys.map(() => item.nameKey))],
    ["text", keys.flatMap((item) => item.merchantKeys)],
  ];
  const rows = await tx.query(
    LOOK_UP,
    parameters.map(([type, values]) => binaryArray(type, values)),
  );
  const ownProducts = new Map<string, FoundProduct>();
  const gtins = new Map<string, FoundProduct>();
  const named = new Map<string, FoundProduct[]>();
  const aliases = new Map<string, FoundAlias>();
  const words = new Map<string, CustomWord>();
  for (const { by, applicationId, key: text, found } of rows) {
    const key = lookupKey(applicationId, text);
    if (by === "alias") {
      const alias = found as Alias & { createdAt: string };
      aliases.set(key, { ...alias, createdAt: new Date(alias.createdAt), product: null });
    } else if (by === "word") {
      const word = found as CustomWord & { createdAt: string };
      words.set(key, { ...word, createdAt: new Date(word.createdAt) });
    } else if (by === "name") {
      named.set(key, [...(named.get(key) ?? []), found as FoundProduct]);
    } else {
      // The first counts: an own product before a common one, then by the name of the source.
      const products = by === "code" ? ownProducts : gtins;
      if (!products.has(key)) products.set(key, found as FoundProduct);
    }
  }
  for (const [key, alias] of aliases) {
    const products = alias.target.kind === "gtin" ? gtins : ownProducts;
    const [applicationId = ""] = key.split("\n", 1);
    const product = alias.target.kind === "food" ? undefined : products.get(lookupKey(applicationId, alias.target.id));
    if (product) aliases.set(key, { ...alias, product });
  }
  return { ownProducts, gtins, aliases, named, words };
}

/** Returns the keys of each item, and all words that may be custom words. */
async function keysOfAll(items: readonly LookupItem[]): Promise<{ keys: ItemKeys[]; words: ReadonlySet<string> }> {
  const keys: ItemKeys[] = [];
  const words = new Set<string>();
  let turnStart = performance.now();
  for (const item of items) {
    const { words: wordsOfName, ...keysOfItem } = keysOf(item);
    keys.push(keysOfItem);
    for (const word of wordsOfName) words.add(word);
    if (performance.now() - turnStart > TURN_MS_MAX) {
      await nextTurn();
      turnStart = performance.now();
    }
  }
  return { keys, words };
}
