import type { Tx } from "../postgres/postgres.ts";
import { int4, statement } from "../postgres/statement.ts";
import { withoutEndpoint } from "./figures/deltas.store.ts";
import { DELIVERIES, NO_ENDPOINT } from "./figures/deliveries.ts";

/** Differences that one statement adds up: some megabytes, and a fraction of a second. */
export const FOLDED_MAX = 2_000;

const into = (table: string, isKept: boolean): string =>
  `INSERT INTO ${table} (application_id, figure, day, amount)
           SELECT application_id, figure, day, amount FROM sums WHERE is_kept = ${isKept} AND amount <> 0
           ORDER BY application_id, figure, day
           ON CONFLICT (application_id, figure, day) DO UPDATE SET amount = ${table}.amount + excluded.amount`;
const FOLD = statement(
  "reports.fold",
  { folded: int4 },
  // One statement: a difference is in one of the tables at any time, for every reader. $1: names of known shops, as in
  // figures/shops.ts. What an endpoint had that is removed is added to that of all removed ones.
  `WITH taken AS (
           DELETE FROM report_deltas WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM report_deltas LIMIT ${FOLDED_MAX} FOR UPDATE SKIP LOCKED))
           RETURNING application_id, day, figures, is_kept
         ), sums AS (
           SELECT taken.application_id, day, is_kept,
                  CASE WHEN name ^@ 'shop.' AND known.shop IS NULL THEN left(name, 5 + strpos(substr(name, 6), '.'))
                       WHEN name ^@ '${DELIVERIES}' AND endpoints.id IS NULL THEN ${withoutEndpoint("name")}
                       ELSE name END AS figure, sum(amount::numeric) AS amount
           FROM taken CROSS JOIN LATERAL json_each_text(figures::json) AS each (name, amount)
           LEFT JOIN unnest($1::text[]) AS known (shop)
             ON name ^@ 'shop.' AND known.shop = substr(name, 6 + strpos(substr(name, 6), '.'))
           LEFT JOIN endpoints ON endpoints.id = CASE WHEN name ^@ '${DELIVERIES}'
             THEN substr(name, ${DELIVERIES.length + 1}, ${NO_ENDPOINT.length})::uuid END
           GROUP BY 1, 2, 3, 4
         ), days AS (
           ${into("report_days", false)}
         ), kept AS (
           ${into("report_kept", true)}
         )
         SELECT count(*)::int AS folded FROM taken`,
);

/** Adds up the next differences. Returns their number, at most FOLDED_MAX. Several processes may do so at once. */
export async function foldFigures(tx: Tx, shops: ReadonlySet<string>): Promise<number> {
  return (await tx.query(FOLD, [[...shops]]))[0]!.folded;
}
