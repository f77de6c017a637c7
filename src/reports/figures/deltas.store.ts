// Differences of figures, written in the tx that changes what they count.
import { arrayColumns } from "../../postgres/array-columns.ts";
import type { ArrayColumns } from "../../postgres/array-columns.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { statement } from "../../postgres/statement.ts";
import type { DayFigures } from "./collected.ts";
import { DELIVERIES, NO_ENDPOINT } from "./deliveries.ts";

/** The parameters of differences in a statement, from number `first` on. */
export function deltaColumns(first: number): ArrayColumns<DayFigures> {
  return arrayColumns<DayFigures>(
    {
      application_id: ["uuid", ({ applicationId }) => applicationId],
      day: ["text", ({ day }) => day],
      figures: ["text", ({ figures }) => JSON.stringify(figures)],
    },
    first,
  );
}

/** A part of a statement that adds differences with these parameters. */
export function insertDeltas({ unnest, names }: ArrayColumns<DayFigures>, isKept = false): string {
  return `INSERT INTO report_deltas (application_id, day, figures, is_kept)
          SELECT application_id, day::date, figures, ${isKept} FROM ${unnest} AS changed (${names})`;
}

/**
 * A part of a statement that counts failed submissions; with `count` -1 takes them back. `rows` has their
 * application_id, source, error_code and ended_at.
 */
export function insertFailures(rows: string, { count = 1, isKept = false } = {}): string {
  return `INSERT INTO report_deltas (application_id, day, figures, is_kept)
          SELECT application_id, day, json_object_agg(figure, failures)::text, ${isKept} FROM (
            SELECT application_id, (ended_at AT TIME ZONE 'UTC')::date AS day,
                   'failed.' || source || '.' || error_code AS figure, ${count} * count(*) AS failures
            FROM ${rows} GROUP BY 1, 2, 3
          ) AS counted GROUP BY 1, 2`;
}

/**
 * A part of a statement that counts deliveries that ended. `rows` has their endpoint_id, the time `at` of the last
 * attempt, and the end of the figure's name (deliveries.ts); null: it is not counted.
 */
export function insertDeliveryEnds(rows: string): string {
  return `INSERT INTO report_deltas (application_id, day, figures)
          SELECT application_id, day, json_object_agg('${DELIVERIES}' || endpoint_id || '.' || figure, deliveries)::text
          FROM (
            SELECT endpoint_id, (at AT TIME ZONE 'UTC')::date AS day, figure, count(*) AS deliveries
            FROM ${rows} WHERE figure IS NOT NULL GROUP BY 1, 2, 3
          ) AS ended JOIN endpoints ON endpoints.id = endpoint_id GROUP BY 1, 2`;
}

/** A part of a statement that moves the figures of one endpoint to those of all removed ones. */
export function moveToNoEndpoint(endpointId: string): string {
  // "/" comes right after "." in the order of bytes.
  const name = (end: string): string => `('${DELIVERIES}' || ${endpointId}::uuid || '${end}') COLLATE "C"`;
  return `counted AS (
           DELETE FROM report_days
           WHERE application_id = (SELECT application_id FROM endpoints WHERE id = ${endpointId})
             AND figure >= ${name(".")} AND figure < ${name("/")}
           RETURNING application_id, day, figure, amount
         ), moved AS (
           INSERT INTO report_deltas (application_id, day, figures)
           SELECT application_id, day, json_object_agg(${withoutEndpoint("figure")}, amount)::text
           FROM counted GROUP BY 1, 2
         )`;
}

/** The name of the same figure of removed endpoints. */
export function withoutEndpoint(figure: string): string {
  return `'${DELIVERIES}${NO_ENDPOINT}' || substr(${figure}, ${DELIVERIES.length + NO_ENDPOINT.length + 1})`;
}

const COLUMNS = deltaColumns(1);
const ADD = statement("reports.add", {}, insertDeltas(COLUMNS));
const KEEP = statement("reports.keep", {}, insertDeltas(COLUMNS, true));

/** Adds differences of figures. */
export async function addFigures(tx: Tx, days: readonly DayFigures[]): Promise<void> {
  if (days.length > 0) await tx.query(ADD, COLUMNS.values(days));
}

/** Keeps figures of what is removed from the records in this tx. */
export async function keepFigures(tx: Tx, days: readonly DayFigures[]): Promise<void> {
  if (days.length > 0) await tx.query(KEEP, COLUMNS.values(days));
}
