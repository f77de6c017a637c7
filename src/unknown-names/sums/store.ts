// The kept counts of names. Triggers of unknown_names add differences for each statement that adds or deletes rows
// (migration 0093); here they are added up.
import { lockNameKey } from "../../postgres/cell.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { bool, int4, nothing, statement } from "../../postgres/statement.ts";

/** Differences that one statement adds up, and others of the same names. */
export const FOLDED_MAX = 5_000;

const COUNTS = "times, amount_minor, first_seen, last_seen";
const SUMS = { key: "application_id, name_id, currency", columns: "application_id, name_id, currency" };
const KINDS = {
  key: "application_id, name_id, kind",
  columns: "application_id, name_id, kind, name, name_key, source, merchant_name, merchant_key, currency",
};

const TRY_LOCK = statement(
  "unknown-name-sums.try-lock",
  { isLocked: bool },
  `SELECT pg_try_advisory_xact_lock(${lockNameKey("'unknown-name-sums'")}) AS "isLocked"`,
);
const LOCK = statement(
  "unknown-name-sums.lock",
  { locked: nothing },
  `SELECT pg_advisory_xact_lock(${lockNameKey("'unknown-name-sums'")}) AS locked`,
);
const columnsOf = (table: string, columns: string): string => columns.replaceAll(/\w+/g, `${table}.$&`);
/** A part of a statement that adds the counts of some rows. */
const addTo = (table: string, { key, columns }: typeof SUMS, from: string): string =>
  `INSERT INTO ${table} AS sums (${columns}, ${COUNTS})
           SELECT ${columns}, sum(times), sum(amount_minor), min(first_seen), max(last_seen) FROM ${from} GROUP BY ${columns}
           ON CONFLICT (${key}) DO UPDATE SET times = sums.times + excluded.times,
             amount_minor = sums.amount_minor + excluded.amount_minor,
             first_seen = least(sums.first_seen, excluded.first_seen),
             last_seen = greatest(sums.last_seen, excluded.last_seen)`;
const ADD = statement(
  "unknown-name-sums.add",
  { folded: int4 },
  // One statement: for every reader a difference is in one of the tables, never in both. With each row it takes all
  // of its name: a row has no key.
  `WITH names AS MATERIALIZED (
           SELECT DISTINCT application_id, name_id
           FROM (SELECT application_id, name_id FROM unknown_name_changes WHERE times > 0 LIMIT ${FOLDED_MAX}) AS added
         ), taken AS (
           DELETE FROM unknown_name_changes AS changes USING names
           WHERE changes.application_id = names.application_id AND changes.name_id = names.name_id AND times > 0
           RETURNING ${columnsOf("changes", KINDS.columns)}, ${COUNTS}
         ), sums AS (
           ${addTo("unknown_name_sums", SUMS, "taken")}
         ), kinds AS (
           ${addTo("unknown_name_kinds", KINDS, "taken")}
         )
         SELECT count(*)::int AS folded FROM taken`,
);
/** A part of a statement that replaces the counts of names by those of their rows. */
const replaceIn = (table: string, { key, columns }: typeof SUMS): string =>
  `INSERT INTO ${table} (${columns}, ${COUNTS})
           SELECT ${columns}, sum(times), sum(amount_minor), min(first_seen), max(last_seen) FROM counted GROUP BY ${columns}
           ON CONFLICT (${key}) DO UPDATE SET times = excluded.times, amount_minor = excluded.amount_minor,
             first_seen = excluded.first_seen, last_seen = excluded.last_seen`;
/** A part of a statement that deletes the counts of names that have no such rows. */
const deleteFrom = (table: string, isSame: string): string =>
  `DELETE FROM ${table} AS sums USING names
           WHERE sums.application_id = names.application_id AND sums.name_id = names.name_id
             AND NOT EXISTS (SELECT 1 FROM counted WHERE counted.application_id = sums.application_id
                             AND counted.name_id = sums.name_id AND ${isSame})`;
const COUNT_AGAIN = statement(
  "unknown-name-sums.count-again",
  { folded: int4 },
  // Names that have lost rows, with all their differences: their rows of the same snapshot are what these say.
  `WITH names AS MATERIALIZED (
           SELECT DISTINCT application_id, name_id
           FROM (SELECT application_id, name_id FROM unknown_name_changes WHERE times < 0 LIMIT ${FOLDED_MAX}) AS removed
         ), taken AS (
           DELETE FROM unknown_name_changes AS changes USING names
           WHERE changes.application_id = names.application_id AND changes.name_id = names.name_id RETURNING 1 AS one
         ), counted AS MATERIALIZED (
           SELECT application_id, name_id, unknown_name_kind(name, source, merchant_name, merchant_key, currency) AS kind,
                  name, name_key, source, merchant_name, merchant_key, coalesce(currency, '') AS currency,
                  count(*) AS times, sum(amount_minor) AS amount_minor, min(seen_at) AS first_seen, max(seen_at) AS last_seen
           FROM names JOIN unknown_names USING (application_id, name_id) GROUP BY 1, 2, 4, 5, 6, 7, 8, currency
         ), no_sums AS (
           ${deleteFrom("unknown_name_sums", "counted.currency = sums.currency")}
         ), no_kinds AS (
           ${deleteFrom("unknown_name_kinds", "counted.kind = sums.kind")}
         ), sums AS (
           ${replaceIn("unknown_name_sums", SUMS)}
         ), kinds AS (
           ${replaceIn("unknown_name_kinds", KINDS)}
         )
         SELECT count(*)::int AS folded FROM taken`,
);

/** Adds up the next differences. Returns their number. Does nothing while another process does so. */
export async function foldCounts(tx: Tx): Promise<number> {
  // Of two at once one would store what it has read before the other one has stored.
  if (!(await tx.query(TRY_LOCK))[0]!.isLocked) return 0;
  const again = (await tx.query(COUNT_AGAIN))[0]!.folded;
  return again + (await tx.query(ADD))[0]!.folded;
}

/** Counts names again that have lost rows; of those without any nothing is left. Returns how much was found. */
export async function countRemoved(tx: Tx): Promise<number> {
  await tx.query(LOCK);
  return (await tx.query(COUNT_AGAIN))[0]!.folded;
}
