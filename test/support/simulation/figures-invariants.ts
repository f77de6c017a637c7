import assert from "node:assert/strict";
import { rebuildFigures } from "../../../src/reports/rebuild.task.ts";
import type { Database } from "../../../src/postgres/postgres.ts";

/** A row of figures that PostgreSQL counts by itself, with what the reports have. */
interface Counted {
  readonly figure: string;
  readonly day: string;
  readonly counted: string;
  readonly reported: string;
}

const NO_SHOPS: ReadonlySet<string> = new Set();

/**
 * Checks the daily figures of an application: they are what its records and the figures of erased content give, and
 * what PostgreSQL counts by other means.
 */
export async function checkFigures(database: Database, applicationId: string, shops = NO_SHOPS): Promise<void> {
  const rebuilt = await rebuildFigures(database, { applications: [applicationId], shops, isStored: false });
  assert.deepEqual(rebuilt.kind === "rebuilt" ? rebuilt.differences : rebuilt.kind, []);
  const { rows } = await database.pool.query<Counted>(COUNTED_APART, [applicationId]);
  assert.deepEqual(
    rows.filter(({ counted, reported }) => counted !== reported),
    [],
  );
  const { rows: sums } = await database.pool.query<{ outstanding: string; owed: string }>(OUTSTANDING, [applicationId]);
  assert.equal(sums[0]!.outstanding, sums[0]!.owed, "what is outstanding is what users can spend");
}

const REPORTED = `
  SELECT figure, day, sum(amount) AS reported FROM (
    SELECT figure, day, amount FROM report_days WHERE application_id = $1
    UNION ALL
    SELECT name, day, value::numeric FROM report_deltas CROSS JOIN LATERAL json_each_text(figures::json) AS each (name, value)
    WHERE application_id = $1 AND NOT is_kept
  ) AS figures GROUP BY figure, day HAVING sum(amount) <> 0`;
const OWN = `SELECT *, (created_at AT TIME ZONE 'UTC')::date AS day FROM records WHERE application_id = $1`;
/** Distinct users with an award in a period, on the day of their first one. */
const active = (period: string): string => `
  SELECT 'active.${period}', day, count(*)::numeric FROM (
    SELECT user_id, min(day) AS day FROM (${OWN}) AS own WHERE operation = 1 AND source <> 'manual'
    GROUP BY user_id, date_trunc('${period}', day::timestamp)) AS users GROUP BY day`;
/** Of columns that an erasure leaves, without the code of the service. */
const COUNTED_APART = `
  WITH own AS (${OWN}), counted AS (
    SELECT 'award.' || source AS figure, day, count(*)::numeric AS counted
    FROM own WHERE operation = 1 AND source <> 'manual' GROUP BY source, day
    UNION ALL SELECT 'points.health.' || source, day, sum(health_points)
    FROM own WHERE operation = 1 AND source <> 'manual' GROUP BY source, day
    UNION ALL SELECT 'points.redeemed', day, sum(total_points) FROM own WHERE operation = 2 GROUP BY day
    UNION ALL SELECT 'points.refunded', day, sum(total_points) FROM own WHERE operation = 4 GROUP BY day
    UNION ALL SELECT 'points.expired', day, sum(total_points) FROM own WHERE operation = 5 GROUP BY day
    UNION ALL SELECT 'points.reversed', day, sum(total_points) FROM own WHERE operation = 6 GROUP BY day
    UNION ALL SELECT 'points.corrected', day, sum(total_points) FROM own
    WHERE operation = 3 AND related_id IS NOT NULL GROUP BY day
    UNION ALL SELECT 'impact.co2e', day, sum(co2e_mg) FROM own GROUP BY day
    UNION ALL SELECT 'impact.green', day, sum(green_products) FROM own GROUP BY day
    UNION ALL SELECT 'users.erased', (erased_at AT TIME ZONE 'UTC')::date, count(*) FROM users
    WHERE application_id = $1 AND erased_at IS NOT NULL GROUP BY 2
    UNION ALL ${active("day")} UNION ALL ${active("week")} UNION ALL ${active("month")}
  ), reported AS (${REPORTED})
  SELECT figure, day::text, coalesce(counted, 0)::text AS counted, coalesce(reported, 0)::text AS reported
  FROM (SELECT * FROM counted WHERE counted <> 0) AS counted
    FULL JOIN (SELECT * FROM reported WHERE figure IN (SELECT figure FROM counted)) AS reported USING (figure, day)`;
const OUTSTANDING = `
  SELECT coalesce((SELECT sum(reported) FROM (${REPORTED}) AS reported WHERE figure ^@ 'points.'), 0)::text AS outstanding,
         coalesce((SELECT sum(available_points) FROM balances JOIN users ON users.id = user_id
                   WHERE application_id = $1 AND (erased_at IS NULL OR erasure_key IS NOT NULL)), 0)::text AS owed`;
