import { readFileSync } from "node:fs";
import type { Tx } from "../adapters/postgres.ts";
import { int4, json, oneOf, orNull, statement, text, timestamptz, uuid } from "../adapters/statement.ts";
import { merchantKey, nameKey } from "./alias.ts";
import type { Alias, AliasTarget } from "./alias.ts";
import { parseCatalogue } from "./catalogue.ts";
import type { Catalogue } from "./catalogue.ts";
import { keysOf, knownKey } from "./known.ts";
import type { Asked, Known, KnownAlias, KnownProduct } from "./known.ts";
import { wordsIn } from "./own-words.ts";
import type { OwnWord } from "./own-words.ts";
import type { Product } from "./product.ts";

const DATA = new URL("../../data/", import.meta.url);

/** Reads the reference catalogue that ships with the service; once, at start. Throws where the files are broken. */
export function readCatalogue(): Catalogue {
  return parseCatalogue({
    foods: readData("foods.csv"),
    words: readData("receipt-words.csv"),
    brands: readData("brands.csv"),
  });
}

function readData(name: string): string {
  return readFileSync(new URL(name, DATA), "utf8");
}

/** Where products are from, and under which terms. */
export interface ProductSource {
  readonly id: string;
  /** Whose own products these are; null: everybody's. */
  readonly applicationId: string | null;
  readonly name: string;
  readonly licence: string;
  readonly attribution: string;
}

const PRODUCT_JSON = `jsonb_build_object('code', p.code, 'gtin', p.gtin, 'name', p.name, 'brand', p.brand,
  'category', p.category, 'reference', p.reference, 'nameKey', p.name_key, 'packG', p.pack_g, 'nutrition', p.nutrition,
  'co2eGPerKg', p.co2e_g_per_kg, 'co2eUncertainty', p.co2e_uncertainty, 'source', s.name,
  'isOwn', s.application_id IS NOT NULL, 'revision', p.revision)`;

/** Products of one name that are asked whether they agree on the food. */
const NAMED_MAX = 8;

const LOOK_UP = statement(
  "foods.look-up",
  { by: oneOf(["code", "gtin", "name", "alias", "word"]), applicationId: uuid, key: text, found: json<unknown>() },
  // All that a batch may be known by, in one statement: each part is found by an index, once for each different key.
  `WITH asked AS (
           SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])
             AS asked (application_id, own_code, gtin, name_key, product_key)
         ), taught AS (
           SELECT aliases.* FROM (SELECT DISTINCT application_id, name_key FROM asked) AS named
           JOIN aliases USING (application_id, name_key)
         ), codes AS (
           SELECT application_id, own_code AS code FROM asked WHERE own_code IS NOT NULL
           UNION SELECT application_id, target FROM taught WHERE target_kind = 'product'
         ), gtins AS (
           SELECT application_id, gtin FROM asked WHERE gtin IS NOT NULL
           UNION SELECT application_id, target FROM taught WHERE target_kind = 'gtin'
         ), names AS (
           SELECT DISTINCT application_id, product_key FROM asked WHERE product_key IS NOT NULL
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
           FROM taught
           UNION ALL
           SELECT 'word', application_id, word,
                  jsonb_build_object('id', id, 'word', word, 'means', means, 'author', author, 'createdAt', created_at)
           FROM words WHERE application_id = ANY($1) AND word = ANY($6)
         ) AS everything
         ORDER BY by, found ->> 'isOwn' DESC, found ->> 'source', found ->> 'code'`,
);

/** All that is known of a batch of items beside the reference catalogue: one statement, however many items. */
export async function lookUp(tx: Tx, asked: readonly Asked[]): Promise<Known> {
  const keys = asked.map(keysOf);
  const rows = await tx.query(LOOK_UP, [
    asked.map((item) => item.applicationId),
    keys.map((item) => item.ownCode),
    keys.map((item) => item.gtin),
    keys.map((item) => item.nameKey),
    keys.map((item) => item.productKey),
    [...new Set(asked.flatMap(({ name }) => wordsIn(name)))],
  ]);
  const ownProducts = new Map<string, KnownProduct>();
  const gtins = new Map<string, KnownProduct>();
  const named = new Map<string, KnownProduct[]>();
  const aliases = new Map<string, KnownAlias>();
  const words = new Map<string, OwnWord>();
  for (const { by, applicationId, key: text, found } of rows) {
    const key = knownKey(applicationId, text);
    if (by === "alias") {
      const alias = found as Alias & { createdAt: string };
      aliases.set(key, { ...alias, createdAt: new Date(alias.createdAt), product: null });
    } else if (by === "word") {
      const word = found as OwnWord & { createdAt: string };
      words.set(key, { ...word, createdAt: new Date(word.createdAt) });
    } else if (by === "name") {
      named.set(key, [...(named.get(key) ?? []), found as KnownProduct]);
    } else {
      // The first counts: an own product before everybody's, then by the name of the source.
      const products = by === "code" ? ownProducts : gtins;
      if (!products.has(key)) products.set(key, found as KnownProduct);
    }
  }
  for (const [key, alias] of aliases) {
    const products = alias.target.kind === "gtin" ? gtins : ownProducts;
    const [applicationId = ""] = key.split("\n", 1);
    const product = alias.target.kind === "food" ? undefined : products.get(knownKey(applicationId, alias.target.id));
    if (product) aliases.set(key, { ...alias, product });
  }
  return { ownProducts, gtins, aliases, named, words };
}

const BEGIN_IMPORT = statement(
  "foods.begin-import",
  { id: uuid, revision: int4 },
  `INSERT INTO product_sources (id, application_id, name, licence, attribution, revision, created_at, imported_at)
         VALUES ($1, $2, $3, $4, $5, 1, $6, $6)
         ON CONFLICT (application_id, name) DO UPDATE SET licence = excluded.licence, attribution = excluded.attribution,
           revision = product_sources.revision + 1, imported_at = excluded.imported_at
         RETURNING id, revision`,
);

/** Opens a source for an import and counts it; the id is that of the source as it stands. */
export async function beginImport(
  tx: Tx,
  source: ProductSource,
  now: Date,
): Promise<{ sourceId: string; revision: number }> {
  const { id, applicationId, name, licence, attribution } = source;
  const values = [id, applicationId, name, licence, attribution, now];
  const [row] = await tx.query(BEGIN_IMPORT, values);
  if (!row) throw new Error("an upsert gives its row");
  return { sourceId: row.id, revision: row.revision };
}

const CONTENT =
  "gtin, name, brand, category, reference, name_key, pack_g, nutrition, co2e_g_per_kg, co2e_uncertainty".split(", ");
const columnsOf = (table: string) => CONTENT.map((column) => `${table}.${column}`).join(", ");

const IMPORT = statement(
  "foods.import",
  { added: int4, changed: int4 },
  `WITH written AS (
           INSERT INTO products (source_id, revision, code, ${CONTENT.join(", ")})
           SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
                                        $10::float8[], $11::jsonb[], $12::int[], $13::float8[])
           ON CONFLICT (source_id, code) DO UPDATE
             SET (revision, ${CONTENT.join(", ")}) = (excluded.revision, ${columnsOf("excluded")})
             WHERE (${columnsOf("products")}) IS DISTINCT FROM (${columnsOf("excluded")})
           RETURNING xmax = 0 AS is_new
         )
         SELECT count(*) FILTER (WHERE is_new)::int AS added, count(*) FILTER (WHERE NOT is_new)::int AS changed FROM written`,
);

/** Writes products of a source, each code at most once; what stands there already as it is stays untouched. */
export async function importProducts(
  tx: Tx,
  { sourceId, revision }: { sourceId: string; revision: number },
  products: readonly Product[],
): Promise<{ added: number; changed: number }> {
  const [counts] = await tx.query(IMPORT, [
    sourceId,
    revision,
    products.map((product) => product.code),
    products.map((product) => product.gtin),
    products.map((product) => product.name),
    products.map((product) => product.brand),
    products.map((product) => product.category),
    products.map((product) => product.reference),
    products.map((product) => product.nameKey),
    products.map((product) => product.packG),
    products.map((product) => product.nutrition && JSON.stringify(product.nutrition)),
    products.map((product) => product.co2eGPerKg),
    products.map((product) => product.co2eUncertainty),
  ]);
  return counts ?? { added: 0, changed: 0 };
}

const ANALYZE = statement("foods.analyze", {}, "ANALYZE products");

/** Tells PostgreSQL how many products there are now; without it look-ups would go on by the plan for none. */
export async function endImport(tx: Tx): Promise<void> {
  await tx.query(ANALYZE);
}

const SOURCES = statement(
  "foods.sources",
  {
    id: uuid,
    applicationId: orNull(uuid),
    name: text,
    licence: text,
    attribution: text,
    revision: int4,
    importedAt: timestamptz,
    products: int4,
  },
  `SELECT id, application_id AS "applicationId", name, licence, attribution, revision, imported_at AS "importedAt",
                (SELECT count(*)::int FROM products WHERE source_id = product_sources.id) AS products
         FROM product_sources ORDER BY application_id NULLS FIRST, name`,
);

/** All sources with the number of their products. */
export async function listSources(
  tx: Tx,
): Promise<(ProductSource & { revision: number; importedAt: Date; products: number })[]> {
  return tx.query(SOURCES);
}

const REMOVE_PRODUCTS = statement(
  "foods.remove-products",
  { count: int4 },
  `WITH gone AS (
           DELETE FROM products USING product_sources AS s
           WHERE s.id = products.source_id AND s.name = $1 AND s.application_id IS NOT DISTINCT FROM $2 RETURNING 1
         ) SELECT count(*)::int AS count FROM gone`,
);
const REMOVE_SOURCE = statement(
  "foods.remove-source",
  { id: uuid },
  `DELETE FROM product_sources WHERE name = $1 AND application_id IS NOT DISTINCT FROM $2 RETURNING id`,
);

/** Removes a source and its products; gives how many those were, null where there is no such source. */
export async function removeSource(tx: Tx, name: string, applicationId: string | null): Promise<number | null> {
  const [gone] = await tx.query(REMOVE_PRODUCTS, [name, applicationId]);
  const removed = await tx.query(REMOVE_SOURCE, [name, applicationId]);
  return removed.length > 0 ? (gone?.count ?? 0) : null;
}

const SEARCH = statement(
  "foods.search",
  { found: json<KnownProduct>() },
  `SELECT ${PRODUCT_JSON} AS found FROM products p JOIN product_sources s ON s.id = p.source_id
         WHERE to_tsvector('simple', p.name) @@ plainto_tsquery('simple', $1)
           AND (s.application_id IS NULL OR s.application_id = $2)
         ORDER BY s.application_id IS NULL, length(p.name), s.name, p.code LIMIT $3`,
);

/** Products whose names hold all of the words, the shortest names first; an application's own before everybody's. */
export async function searchProducts(
  tx: Tx,
  words: string,
  applicationId: string | null,
  limit: number,
): Promise<KnownProduct[]> {
  return (await tx.query(SEARCH, [words, applicationId, limit])).map(({ found }) => found);
}

const ALIAS_COLUMNS = `id, name, merchant_name AS "merchantName", author, created_at AS "createdAt",
  jsonb_build_object('kind', target_kind, 'id', target) AS target`;
const TEACH = statement(
  "foods.teach",
  {},
  `INSERT INTO aliases (id, application_id, name, name_key, merchant_name, merchant_key, target_kind, target, author,
                              created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (application_id, name_key, merchant_key) DO UPDATE SET id = excluded.id, name = excluded.name,
           merchant_name = excluded.merchant_name, target_kind = excluded.target_kind, target = excluded.target,
           author = excluded.author, created_at = excluded.created_at`,
);

/**
 * Teaches what a name means; what was taught of the same name at the same merchant before is replaced. False where the
 * product that it means is not there.
 */
export async function teachAlias(tx: Tx, applicationId: string, alias: Alias): Promise<boolean> {
  const { id, name, merchantName, target, author, createdAt } = alias;
  if (target.kind !== "food" && !(await isProduct(tx, applicationId, target))) return false;
  const keys = { name: nameKey(name), merchant: merchantKey(merchantName) };
  const { kind, id: targetId } = target;
  const values = [id, applicationId, name, keys.name, merchantName, keys.merchant, kind, targetId, author, createdAt];
  await tx.query(TEACH, values);
  return true;
}

const ALIASES = statement(
  "foods.aliases",
  {
    id: uuid,
    name: text,
    merchantName: orNull(text),
    author: oneOf(["api", "operator"]),
    createdAt: timestamptz,
    target: json<AliasTarget>(),
  },
  `SELECT ${ALIAS_COLUMNS} FROM aliases WHERE application_id = $1 ORDER BY created_at DESC, id DESC OFFSET $2 LIMIT $3`,
);
const COUNT_ALIASES = statement(
  "foods.count-aliases",
  { count: int4 },
  `SELECT count(*)::int AS count FROM aliases WHERE application_id = $1`,
);

/** How many names an application has taught. */
export async function countAliases(tx: Tx, applicationId: string): Promise<number> {
  return (await tx.query(COUNT_ALIASES, [applicationId]))[0]?.count ?? 0;
}

/** A slice of what an application has taught, the newest first. */
export async function listAliases(tx: Tx, applicationId: string, offset: number, limit: number): Promise<Alias[]> {
  return tx.query(ALIASES, [applicationId, offset, limit]);
}

const FORGET = statement(
  "foods.forget",
  { id: uuid },
  "DELETE FROM aliases WHERE application_id = $1 AND id = $2 RETURNING id",
);

/** Removes an alias of this application; false where it has none of that id. */
export async function forgetAlias(tx: Tx, applicationId: string, id: string): Promise<boolean> {
  return (await tx.query(FORGET, [applicationId, id])).length > 0;
}

const TARGET = statement(
  "foods.alias-target",
  { one: int4 },
  `SELECT 1 AS one FROM product_sources s JOIN products p ON p.source_id = s.id AND p.code = $3
         WHERE $2 = 'product' AND s.application_id = $1
         UNION ALL
         SELECT 1 FROM products p JOIN product_sources s ON s.id = p.source_id
         WHERE $2 = 'gtin' AND p.gtin = $3 AND (s.application_id IS NULL OR s.application_id = $1)
         LIMIT 1`,
);

async function isProduct(tx: Tx, applicationId: string, { kind, id }: AliasTarget): Promise<boolean> {
  return (await tx.query(TARGET, [applicationId, kind, id])).length > 0;
}

const TEACH_WORD = statement(
  "foods.teach-word",
  {},
  `INSERT INTO words (id, application_id, word, means, author, created_at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (application_id, word) DO UPDATE SET id = excluded.id, means = excluded.means,
           author = excluded.author, created_at = excluded.created_at`,
);

/** Teaches what a word stands for; what was taught of it before is replaced. */
export async function teachWord(tx: Tx, applicationId: string, word: OwnWord): Promise<void> {
  await tx.query(TEACH_WORD, [word.id, applicationId, word.word, word.means, word.author, word.createdAt]);
}

const WORDS = statement(
  "foods.words",
  { id: uuid, word: text, means: text, author: oneOf(["api", "operator"]), createdAt: timestamptz },
  `SELECT id, word, means, author, created_at AS "createdAt" FROM words WHERE application_id = $1
         ORDER BY created_at DESC, id DESC OFFSET $2 LIMIT $3`,
);
const COUNT_WORDS = statement(
  "foods.count-words",
  { count: int4 },
  `SELECT count(*)::int AS count FROM words WHERE application_id = $1`,
);

/** How many words an application has taught. */
export async function countWords(tx: Tx, applicationId: string): Promise<number> {
  return (await tx.query(COUNT_WORDS, [applicationId]))[0]?.count ?? 0;
}

/** A slice of the words an application has taught, the newest first. */
export async function listWords(tx: Tx, applicationId: string, offset: number, limit: number): Promise<OwnWord[]> {
  return tx.query(WORDS, [applicationId, offset, limit]);
}

const FORGET_WORD = statement(
  "foods.forget-word",
  { id: uuid },
  "DELETE FROM words WHERE application_id = $1 AND id = $2 RETURNING id",
);

/** Removes a word of this application; false where it has none of that id. */
export async function forgetWord(tx: Tx, applicationId: string, id: string): Promise<boolean> {
  return (await tx.query(FORGET_WORD, [applicationId, id])).length > 0;
}
