import type { Tx } from "../postgres/postgres.ts";
import { float8, int4, oneOf, orNull, statement, text, timestamptz, uuid } from "../postgres/statement.ts";
import { DELIVERIES, NO_ENDPOINT } from "./figures/deliveries.ts";
import type { Period } from "./periods.ts";
import type { Row } from "./report.ts";
import type { CampaignNow, PeriodFigure } from "./tables.ts";

/** Sums that one report reads at most: by day and food two years of a busy application would be more. */
export const SUMS_MAX = 150_000;

/**
 * Figures of application $1, those added up and those that are not yet, by names that begin with one of $2, between
 * days $3 and $4. Above the last letter there is none: that ends a range of names.
 */
const FIGURES = `(
  SELECT days.figure, day, amount FROM unnest($2::text[]) AS beginnings (beginning) JOIN report_days AS days
    ON application_id = $1 AND figure >= beginning COLLATE "C" AND figure < (beginning || U&'\\+10FFFF') COLLATE "C"
   AND day BETWEEN $3::text::date AND $4::text::date
  UNION ALL
  SELECT name, day, value::numeric FROM report_deltas
    CROSS JOIN LATERAL json_each_text(figures::json) AS each (name, value)
    WHERE application_id = $1 AND NOT is_kept AND day BETWEEN $3::text::date AND $4::text::date
      AND EXISTS (SELECT 1 FROM unnest($2::text[]) AS beginnings (beginning) WHERE name ^@ beginning)
)`;
/** The deliveries of all endpoints together: by endpoint the sums of two years would be too many. */
const NAME = `CASE WHEN figure ^@ '${DELIVERIES}'
  THEN '${DELIVERIES}' || substr(figure, ${DELIVERIES.length + NO_ENDPOINT.length + 2}) ELSE figure END`;
const SUMS = statement(
  "reports.sums",
  { start: text, figure: text, amount: float8 },
  `SELECT date_trunc($5, day::timestamp)::date::text AS start, ${NAME} AS figure, sum(amount)::float8 AS amount
         FROM ${FIGURES} AS figures GROUP BY 1, 2 HAVING sum(amount) <> 0 LIMIT ${SUMS_MAX + 1}`,
);
const OUTSTANDING = statement(
  "reports.outstanding",
  { points: float8 },
  `SELECT coalesce(sum(amount), 0)::float8 AS points FROM ${FIGURES} AS figures`,
);
const ABOUT = statement(
  "reports.about",
  { createdAt: timestamptz, gapUntil: orNull(timestamptz), deliveriesGapUntil: orNull(timestamptz) },
  `SELECT created_at AS "createdAt", report_gaps.until AS "gapUntil",
                delivery_figure_gaps.until AS "deliveriesGapUntil"
         FROM applications LEFT JOIN report_gaps ON report_gaps.application_id = id
           LEFT JOIN delivery_figure_gaps ON delivery_figure_gaps.application_id = id WHERE id = $1`,
);
const HAS_ENDPOINT = statement(
  "reports.has-endpoint",
  { one: int4 },
  `SELECT 1 AS one FROM endpoints WHERE application_id = $1 AND id = $2`,
);
/** Rows that are counted: beyond, the number of all is of no use. */
const COUNTED_MAX = 10_000;
const REVIEW = statement(
  "reports.review",
  { held: int4, heldSince: orNull(timestamptz), disputed: int4 },
  `SELECT (SELECT count(*)::int FROM (SELECT 1 FROM receipts WHERE application_id = $1 AND held_at IS NOT NULL
                 LIMIT ${COUNTED_MAX}) AS held) AS held,
                (SELECT min(held_at) FROM (SELECT held_at FROM receipts WHERE application_id = $1 AND held_at IS NOT NULL
                 ORDER BY id LIMIT ${COUNTED_MAX}) AS held) AS "heldSince",
                (SELECT count(*)::int FROM (SELECT 1 FROM receipts WHERE application_id = $1 AND open_disputes > 0
                 LIMIT ${COUNTED_MAX}) AS disputed) AS disputed`,
);
const WEBHOOKS = statement(
  "reports.webhooks",
  {
    endpointId: uuid,
    url: text,
    state: oneOf(["enabled", "failing", "disabled"]),
    failingSince: orNull(timestamptz),
    pending: int4,
    oldestDue: orNull(timestamptz),
    failed: int4,
  },
  `SELECT id AS "endpointId", url,
                CASE WHEN disabled_at IS NOT NULL THEN 'disabled' WHEN failing_since IS NOT NULL THEN 'failing'
                     ELSE 'enabled' END AS state, failing_since AS "failingSince",
                (SELECT count(*)::int FROM (SELECT 1 FROM deliveries
                 WHERE endpoint_id = endpoints.id AND state = 'pending' LIMIT ${COUNTED_MAX}) AS waiting) AS pending,
                (SELECT min(due_at) FROM deliveries WHERE endpoint_id = endpoints.id AND state = 'pending') AS "oldestDue",
                (SELECT count(*)::int FROM (SELECT 1 FROM deliveries
                 WHERE endpoint_id = endpoints.id AND state = 'failed' LIMIT ${COUNTED_MAX}) AS lost) AS failed
         FROM endpoints WHERE application_id = $1 ORDER BY id`,
);

const CAMPAIGNS = statement(
  "reports.campaigns",
  {
    campaign: text,
    pointsInAll: float8,
    users: float8,
    budget: orNull(float8),
    firstUsers: orNull(float8),
  },
  // The version in force, as in programs/versions.ts.
  `WITH in_force AS (
           SELECT definition FROM programs WHERE application_id = $1 AND starts_at <= $2 AND withdrawn_at IS NULL
           ORDER BY starts_at DESC, version DESC LIMIT 1
         ), campaigns AS (
           SELECT campaign ->> 'id' AS id, (campaign ->> 'budget')::float8 AS budget,
                  (campaign ->> 'firstUsers')::float8 AS first_users
           FROM in_force CROSS JOIN LATERAL jsonb_array_elements(coalesce(definition -> 'campaigns', '[]')) AS each (campaign)
         )
         SELECT campaign_id AS campaign, points::float8 AS "pointsInAll", users::float8 AS users, budget,
                first_users AS "firstUsers"
         FROM campaign_usage LEFT JOIN campaigns ON campaigns.id = campaign_id
         WHERE application_id = $1 LIMIT ${COUNTED_MAX}`,
);

const EARLIEST = "1970-01-01";

/** When an application was created, and until when figures are not complete; null: they are. */
export async function aboutFigures(
  tx: Tx,
  applicationId: string,
): Promise<{ createdAt: Date; gapUntil: Date | null; deliveriesGapUntil: Date | null }> {
  return (await tx.query(ABOUT, [applicationId]))[0]!;
}

/** Whether an endpoint is one of the application. */
export async function hasEndpoint(tx: Tx, applicationId: string, endpointId: string): Promise<boolean> {
  return (await tx.query(HAS_ENDPOINT, [applicationId, endpointId])).length > 0;
}

/** The sums of figures by period: one more than SUMS_MAX, if there are more. */
export async function sumsByPeriod(
  tx: Tx,
  applicationId: string,
  { beginnings, from, till, by }: { beginnings: readonly string[]; from: string; till: string; by: Period },
): Promise<PeriodFigure[]> {
  return tx.query(SUMS, [applicationId, beginnings, from, till, by]);
}

/** What users could spend at the beginning of a day. */
export async function outstandingBefore(tx: Tx, applicationId: string, day: string): Promise<number> {
  const dayBefore = new Date(Date.parse(day) - 1).toISOString().slice(0, 10);
  return (await tx.query(OUTSTANDING, [applicationId, ["points."], EARLIEST, dayBefore]))[0]!.points;
}

/** What each campaign has given in all, and its bounds in the programme that is in force. */
export async function campaignsNow(tx: Tx, applicationId: string, now: Date): Promise<Map<string, CampaignNow>> {
  const rows = await tx.query(CAMPAIGNS, [applicationId, now]);
  return new Map(rows.map(({ campaign, ...about }) => [campaign, about]));
}

/** What waits for a person. */
export async function reviewNow(tx: Tx, applicationId: string): Promise<Row[]> {
  return (await tx.query(REVIEW, [applicationId])).map((row) => ({
    ...row,
    heldSince: row.heldSince?.toISOString() ?? null,
  }));
}

/** The state of each endpoint. */
export async function webhooksNow(tx: Tx, applicationId: string): Promise<Row[]> {
  return (await tx.query(WEBHOOKS, [applicationId])).map((row) => ({
    ...row,
    failingSince: row.failingSince?.toISOString() ?? null,
    oldestDue: row.oldestDue?.toISOString() ?? null,
  }));
}
