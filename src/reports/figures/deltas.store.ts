// Differences of figures, written in the tx that changes what they count.
import { arrayColumns } from "../../postgres/array-columns.ts";
import type { ArrayColumns } from "../../postgres/array-columns.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { statement } from "../../postgres/statement.ts";
import type { DayFigures } from "./collected.ts";

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
