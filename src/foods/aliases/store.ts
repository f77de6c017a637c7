import type { Tx } from "../../postgres/postgres.ts";
import { int4, json, oneOf, orNull, statement, text, timestamptz, uuid } from "../../postgres/statement.ts";
import type { TimeRange } from "../../lists/timeframe.ts";
import { merchantKey, nameKey } from "./alias.ts";
import type { Alias, AliasTarget } from "./alias.ts";
import type { CustomWord } from "./custom-words.ts";

/**
 * An application and the time in which its aliases or words were added: `from` included, `before` not; null: no bound.
 */
export interface AddedWithin extends TimeRange {
  readonly applicationId: string;
}

const WITHIN = `application_id = $1 AND ($2::timestamptz IS NULL OR created_at >= $2)
           AND ($3::timestamptz IS NULL OR created_at < $3)`;

const ALIAS_COLUMNS = `id, name, merchant_name AS "merchantName", author, created_at AS "createdAt",
  jsonb_build_object('kind', target_kind, 'id', target) AS target`;
const SAVE_ALIAS = statement(
  "foods.save-alias",
  {},
  `INSERT INTO aliases (id, application_id, name, name_key, merchant_name, merchant_key, target_kind, target, author,
                              created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (application_id, name_key, merchant_key) DO UPDATE SET id = excluded.id, name = excluded.name,
           merchant_name = excluded.merchant_name, target_kind = excluded.target_kind, target = excluded.target,
           author = excluded.author, created_at = excluded.created_at`,
);

/**
 * Saves an alias. Replaces an earlier one of the same name at the same merchant. Returns false where its product does
 * not exist.
 */
export async function saveAlias(tx: Tx, applicationId: string, alias: Alias): Promise<boolean> {
  const { id, name, merchantName, target, author, createdAt } = alias;
  if (target.kind !== "food" && !(await targetExists(tx, applicationId, target))) return false;
  const keys = { name: nameKey(name), merchant: merchantKey(merchantName) };
  const { kind, id: targetId } = target;
  const values = [id, applicationId, name, keys.name, merchantName, keys.merchant, kind, targetId, author, createdAt];
  await tx.query(SAVE_ALIAS, values);
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
  `SELECT ${ALIAS_COLUMNS} FROM aliases WHERE ${WITHIN} ORDER BY created_at DESC, id DESC OFFSET $4 LIMIT $5`,
);
const COUNT_ALIASES = statement(
  "foods.count-aliases",
  { count: int4 },
  `SELECT count(*)::int AS count FROM aliases WHERE ${WITHIN}`,
);

/** Counts the aliases of an application. */
export async function countAliases(tx: Tx, { applicationId, from, before }: AddedWithin): Promise<number> {
  return (await tx.query(COUNT_ALIASES, [applicationId, from, before]))[0]?.count ?? 0;
}

/** Lists some aliases of an application, the newest first. */
export async function listAliases(tx: Tx, filter: AddedWithin, offset: number, limit: number): Promise<Alias[]> {
  return tx.query(ALIASES, [filter.applicationId, filter.from, filter.before, offset, limit]);
}

const DELETE_ALIAS = statement(
  "foods.delete-alias",
  { id: uuid },
  "DELETE FROM aliases WHERE application_id = $1 AND id = $2 RETURNING id",
);

/** Deletes an alias of this application; false where it has none of that id. */
export async function deleteAlias(tx: Tx, applicationId: string, id: string): Promise<boolean> {
  return (await tx.query(DELETE_ALIAS, [applicationId, id])).length > 0;
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

async function targetExists(tx: Tx, applicationId: string, { kind, id }: AliasTarget): Promise<boolean> {
  return (await tx.query(TARGET, [applicationId, kind, id])).length > 0;
}

const SAVE_WORD = statement(
  "foods.save-word",
  {},
  `INSERT INTO words (id, application_id, word, means, author, created_at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (application_id, word) DO UPDATE SET id = excluded.id, means = excluded.means,
           author = excluded.author, created_at = excluded.created_at`,
);

/** Saves a custom word. Replaces an earlier one. */
export async function saveWord(tx: Tx, applicationId: string, word: CustomWord): Promise<void> {
  await tx.query(SAVE_WORD, [word.id, applicationId, word.word, word.means, word.author, word.createdAt]);
}

const WORDS = statement(
  "foods.words",
  { id: uuid, word: text, means: text, author: oneOf(["api", "operator"]), createdAt: timestamptz },
  `SELECT id, word, means, author, created_at AS "createdAt" FROM words WHERE ${WITHIN}
         ORDER BY created_at DESC, id DESC OFFSET $4 LIMIT $5`,
);
const COUNT_WORDS = statement(
  "foods.count-words",
  { count: int4 },
  `SELECT count(*)::int AS count FROM words WHERE ${WITHIN}`,
);

/** Counts the custom words of an application. */
export async function countWords(tx: Tx, { applicationId, from, before }: AddedWithin): Promise<number> {
  return (await tx.query(COUNT_WORDS, [applicationId, from, before]))[0]?.count ?? 0;
}

/** Lists some custom words of an application, the newest first. */
export async function listWords(tx: Tx, filter: AddedWithin, offset: number, limit: number): Promise<CustomWord[]> {
  return tx.query(WORDS, [filter.applicationId, filter.from, filter.before, offset, limit]);
}

const DELETE_WORD = statement(
  "foods.delete-word",
  { id: uuid },
  "DELETE FROM words WHERE application_id = $1 AND id = $2 RETURNING id",
);

/** Deletes a word of this application; false where it has none of that id. */
export async function deleteWord(tx: Tx, applicationId: string, id: string): Promise<boolean> {
  return (await tx.query(DELETE_WORD, [applicationId, id])).length > 0;
}
