import { lockNameKey } from "../postgres/cell.ts";
import type { Tx } from "../postgres/postgres.ts";
import { bool, int4, json, statement } from "../postgres/statement.ts";
import { COUNTED_FIGURES } from "./figures/counted.ts";
import type { CountedFigure } from "./figures/counted.ts";
import { withoutEndpoint } from "./figures/deltas.store.ts";
import { DELIVERIES, NO_ENDPOINT } from "./figures/deliveries.ts";

/** Differences that one statement reads: some megabytes, and a fraction of a second. */
export const FOLDED_MAX = 10_000;

const TRY_LOCK = statement(
  "reports.try-fold-lock",
  { isLocked: bool },
  `SELECT pg_try_advisory_xact_lock(${lockNameKey("'report-figures'")}) AS "isLocked"`,
);
const into = (table: string, isKept: boolean): string =>
  `INSERT INTO ${table} (application_id, figure, day, amount)
           SELECT application_id, figure, day, amount FROM sums WHERE is_kept = ${isKept} AND amount <> 0
           ORDER BY application_id, figure, day
           ON CONFLICT (application_id, figure, day) DO UPDATE SET amount = ${table}.amount + excluded.amount`;
const FOLD = statement(
  "reports.fold",
  { folded: int4, counted: json<readonly CountedFigure[]>() },
  // One statement: a difference is in one of the tables at any time, for every reader. $1: names of known shops, as in
  // figures/shops.ts. What an endpoint had that is removed is added to that of all removed ones. What is counted for
  // the metrics is of $2 and later: figures of the past that are computed again are nothing that happens now. Null:
  // nothing is counted.
  // A row has no key, so with each one all that are equal to it are taken, and read once.
  `WITH chosen AS MATERIALIZED (
           SELECT DISTINCT application_id, day, figures, is_kept
           FROM (SELECT application_id, day, figures, is_kept FROM report_deltas LIMIT ${FOLDED_MAX}) AS first
         ), removed AS (
           DELETE FROM report_deltas AS deltas USING chosen
           WHERE deltas.application_id = chosen.application_id AND deltas.day = chosen.day
             AND deltas.figures = chosen.figures AND deltas.is_kept = chosen.is_kept
           RETURNING deltas.application_id, deltas.day, deltas.figures, deltas.is_kept
         ), taken AS MATERIALIZED (
           SELECT application_id, day, figures, is_kept, count(*) AS times FROM removed
           GROUP BY application_id, day, figures, is_kept
         ), sums AS MATERIALIZED (
           SELECT taken.application_id, day, is_kept,
                  CASE WHEN name ^@ 'shop.' AND known.shop IS NULL THEN left(name, 5 + strpos(substr(name, 6), '.'))
                       WHEN name ^@ '${DELIVERIES}' AND endpoints.id IS NULL THEN ${withoutEndpoint("name")}
                       ELSE name END AS figure, sum(times * amount::numeric) AS amount,
                  sum(times * greatest(amount::numeric, 0)) AS added,
                  -sum(times * least(amount::numeric, 0)) AS taken
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
         SELECT (SELECT count(*)::int FROM removed) AS folded,
                coalesce((SELECT jsonb_agg(counted) FROM (
                  SELECT figure, sum(added)::float8 AS added, sum(taken)::float8 AS taken FROM sums
                  WHERE NOT is_kept AND day >= $2::date AND figure ^@ ANY (ARRAY[${COUNTED_FIGURES.map((name) => `'${name}'`).join(", ")}])
                  GROUP BY figure
                ) AS counted), '[]') AS counted`,
);

/** What one step has added up. */
export interface Folded {
  /** Number of differences: below FOLDED_MAX when none are left. */
  readonly folded: number;
  /** Figures for the metrics. */
  readonly counted: readonly CountedFigure[];
}

/**
 * Adds up the next differences. Counts figures of the day `since` and later. Does nothing while another process does
 * so: two at once would wait for each other's equal rows.
 */
export async function foldFigures(tx: Tx, shops: ReadonlySet<string>, since: string | null): Promise<Folded> {
  if (!(await tx.query(TRY_LOCK))[0]!.isLocked) return { folded: 0, counted: [] };
  return (await tx.query(FOLD, [[...shops], since]))[0]!;
}
