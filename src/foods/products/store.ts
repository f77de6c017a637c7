import type { Tx } from "../../postgres/postgres.ts";
import { int4, json, orNull, statement, text, timestamptz, uuid } from "../../postgres/statement.ts";
import type { FoundProduct } from "../lookup/lookup.ts";
import type { Product } from "./product.ts";

/** A source of products, with its terms. */
export interface ProductSource {
  readonly id: string;
  /** The application that these products belong to; null: common to all. */
  readonly applicationId: string | null;
  readonly name: string;
  readonly licence: string;
  readonly attribution: string;
}

/** A product `p` of a source `s` as a `FoundProduct`. */
export const PRODUCT_JSON = `jsonb_build_object('code', p.code, 'gtin', p.gtin, 'name', p.name, 'brand', p.brand,
  'category', p.category, 'reference', p.reference, 'nameKey', p.name_key, 'packG', p.pack_g, 'nutrition', p.nutrition,
  'co2eGPerKg', p.co2e_g_per_kg, 'co2eUncertainty', p.co2e_uncertainty, 'source', s.name,
  'isOwn', s.application_id IS NOT NULL, 'revision', p.revision)`;

const BEGIN_IMPORT = statement(
  "foods.begin-import",
  { id: uuid, revision: int4 },
  `INSERT INTO product_sources (id, application_id, name, licence, attribution, revision, created_at, imported_at)
         VALUES ($1, $2, $3, $4, $5, 1, $6, $6)
         ON CONFLICT (application_id, name) DO UPDATE SET licence = excluded.licence, attribution = excluded.attribution,
           revision = product_sources.revision + 1, imported_at = excluded.imported_at
         RETURNING id, revision`,
);

/** Opens a source for an import and counts the import. Returns the id of the source that exists already, if any. */
export async function beginImport(
  tx: Tx,
  source: ProductSource,
  now: Date,
): Promise<{ sourceId: string; revision: number }> {
  const { id, applicationId, name, licence, attribution } = source;
  const values = [id, applicationId, name, licence, attribution, now];
  const [row] = await tx.query(BEGIN_IMPORT, values);
  if (!row) throw new Error("an upsert returns its row");
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

/** Writes products of a source, each code at most once. Does not touch rows that stay the same. */
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

/** Lets PostgreSQL count the products: without it lookups keep the plan for an empty table. */
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

/** Lists all sources with the number of their products. */
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

/** Removes a source and its products. Returns the number of products; null where there is no such source. */
export async function removeSource(tx: Tx, name: string, applicationId: string | null): Promise<number | null> {
  const [gone] = await tx.query(REMOVE_PRODUCTS, [name, applicationId]);
  const removed = await tx.query(REMOVE_SOURCE, [name, applicationId]);
  return removed.length > 0 ? (gone?.count ?? 0) : null;
}

const SEARCH = statement(
  "foods.search",
  { found: json<FoundProduct>() },
  `SELECT ${PRODUCT_JSON} AS found FROM products p JOIN product_sources s ON s.id = p.source_id
         WHERE to_tsvector('simple', p.name) @@ plainto_tsquery('simple', $1)
           AND (s.application_id IS NULL OR s.application_id = $2)
         ORDER BY s.application_id IS NULL, length(p.name), s.name, p.code LIMIT $3`,
);

/**
 * Finds products whose names have all of the words, the shortest names first; an application's own come before common
 * ones.
 */
export async function searchProducts(
  tx: Tx,
  words: string,
  applicationId: string | null,
  limit: number,
): Promise<FoundProduct[]> {
  return (await tx.query(SEARCH, [words, applicationId, limit])).map(({ found }) => found);
}
