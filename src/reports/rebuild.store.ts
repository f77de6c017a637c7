// What figures are computed from again: users, failed submissions, and the figures of now. (Records are read by
// points/figures.)
import { isOpen } from "../applications/closed.ts";
import { lockKey } from "../postgres/cell.ts";
import type { Tx } from "../postgres/postgres.ts";
import { DELIVERIES } from "./figures/deliveries.ts";
import { bool, float8, orNull, statement, text, timestamptz, uuid } from "../postgres/statement.ts";

const TRY_LOCK = statement(
  "report-rebuild.try-lock",
  { isLocked: bool },
  `SELECT pg_try_advisory_xact_lock(${lockKey("hashtext('report-rebuild')")}) AS "isLocked"`,
);
const USERS = statement(
  "report-rebuild.users",
  {
    id: uuid,
    applicationId: uuid,
    createdAt: timestamptz,
    erasedAt: orNull(timestamptz),
    isForfeited: bool,
    availablePoints: float8,
    records: float8,
  },
  `SELECT users.id, application_id AS "applicationId", users.created_at AS "createdAt", erased_at AS "erasedAt",
                erased_at IS NOT NULL AND erasure_key IS NULL AS "isForfeited",
                available_points::float8 AS "availablePoints", records::float8 AS records
         FROM users JOIN balances ON balances.user_id = users.id
         WHERE users.id > $1 AND ($2::uuid[] IS NULL OR application_id = ANY ($2)) ORDER BY users.id LIMIT $3`,
);
const FAILURE = { applicationId: uuid, source: text, errorCode: text, day: timestamptz, failures: float8 };
const failures = (table: string, source: string, code: string, endedAt: string, isFailed: string): string =>
  `SELECT application_id AS "applicationId", ${source} AS source, ${code} AS "errorCode",
          date_trunc('day', ${endedAt}, 'UTC') AS day, count(*)::float8 AS failures
   FROM ${table} WHERE user_id = ANY ($1) AND ${isFailed} GROUP BY 1, 2, 3, 4`;
const FAILED_RECEIPTS = statement(
  "report-rebuild.failed-receipts",
  FAILURE,
  failures("receipts", "'receipt'::text", "coalesce(error_code, '')", "updated_at", "error_code IS NOT NULL"),
);
const FAILED_INTAKES = statement(
  "report-rebuild.failed-intakes",
  FAILURE,
  failures("intakes", "source", "coalesce(error_type, '')", "coalesce(finished_at, 'epoch')", "state = 'failed'"),
);
const FIGURE = { applicationId: uuid, figure: text, day: timestamptz, amount: float8 };
/** Without those of deliveries: what they count is stored for 30 days only. */
const figuresOf = (table: string, isKept: boolean): string =>
  `SELECT application_id AS "applicationId", figure, day::timestamp AT TIME ZONE 'UTC' AS day, amount::float8 AS amount
   FROM (
     SELECT application_id, figure, day, amount FROM ${table}
     UNION ALL
     SELECT application_id, name, day, value::numeric
     FROM report_deltas CROSS JOIN LATERAL json_each_text(figures::json) AS each (name, value)
     WHERE is_kept = ${isKept}
   ) AS figures WHERE ($1::uuid[] IS NULL OR application_id = ANY ($1)) AND NOT figure ^@ '${DELIVERIES}'`;
const CURRENT = statement("report-rebuild.current", FIGURE, figuresOf("report_days", false));
const KEPT = statement("report-rebuild.kept", FIGURE, figuresOf("report_kept", true));
const DUE = statement(
  "report-rebuild.due",
  { applicationId: uuid },
  `SELECT application_id AS "applicationId" FROM report_gaps
         WHERE until < $1 AND ${isOpen("report_gaps.application_id")} ORDER BY application_id`,
);
const CLOSE_GAPS = statement(
  "report-rebuild.close-gaps",
  {},
  "DELETE FROM report_gaps WHERE $1::uuid[] IS NULL OR application_id = ANY ($1)",
);
const AWAKE = statement("report-rebuild.awake", { isAwake: bool }, `SELECT true AS "isAwake"`);

/** Which applications; null: all. */
export type Applications = readonly string[] | null;

/** Takes the lock of a rebuild until the tx ends. False: another one is running. */
export async function lockRebuild(tx: Tx): Promise<boolean> {
  return (await tx.query(TRY_LOCK))[0]!.isLocked;
}

/** Does nothing, so that the server does not end the tx as idle. */
export async function stayAwake(tx: Tx): Promise<void> {
  await tx.query(AWAKE);
}

/** The next users by id, erased ones too. */
export async function nextUsers(tx: Tx, after: string, applications: Applications, limit: number) {
  return tx.query(USERS, [after, applications, limit]);
}

/** The failed submissions of users, by day. */
export async function failuresOf(tx: Tx, userIds: readonly string[]) {
  return [...(await tx.query(FAILED_RECEIPTS, [userIds])), ...(await tx.query(FAILED_INTAKES, [userIds]))];
}

/** The figures as they are now. A figure may come more than once. */
export async function currentFigures(tx: Tx, applications: Applications) {
  return tx.query(CURRENT, [applications]);
}

/** Those of what erasures have removed. */
export async function keptFigures(tx: Tx, applications: Applications) {
  return tx.query(KEPT, [applications]);
}

/** Applications with figures from before `before` that were never computed. */
export async function applicationsWithGaps(tx: Tx, before: Date): Promise<string[]> {
  return (await tx.query(DUE, [before])).map(({ applicationId }) => applicationId);
}

/** Notes that the figures are complete. */
export async function closeGaps(tx: Tx, applications: Applications): Promise<void> {
  await tx.query(CLOSE_GAPS, [applications]);
}
