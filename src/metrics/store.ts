import type { Tx } from "../postgres/postgres.ts";
import { float8, orNull, statement, timestamptz } from "../postgres/statement.ts";
import type { LedgerReport } from "../points/verification.store.ts";
import type { Gauge } from "./exposition.ts";

// Each value comes from an index of unfinished rows, which is short in normal operation.
const READ = statement(
  "metrics.read",
  {
    intakesWaiting: float8,
    intakesOldestSeconds: float8,
    receiptsWaiting: float8,
    receiptsOldestSeconds: float8,
    deliveriesPending: float8,
    deliveriesLateSeconds: float8,
    deliveriesFailed: float8,
    endpointsFailing: float8,
    ledgerDifferences: orNull(float8),
    ledgerVerifiedSeconds: orNull(float8),
  },
  `SELECT (SELECT count(*)::float8 FROM intakes WHERE finished_at IS NULL) AS "intakesWaiting",
          (SELECT greatest(0, coalesce(extract(epoch FROM $1 - min(accepted_at)), 0))::float8
           FROM intakes WHERE finished_at IS NULL) AS "intakesOldestSeconds",
          (SELECT count(*)::float8 FROM receipts
           WHERE error_code IS NULL AND stage <> 'Completed' AND held_at IS NULL) AS "receiptsWaiting",
          (SELECT greatest(0, coalesce(extract(epoch FROM $1 - min(accepted_at)), 0))::float8
           FROM receipts WHERE error_code IS NULL AND stage <> 'Completed' AND held_at IS NULL) AS "receiptsOldestSeconds",
          (SELECT count(*)::float8 FROM deliveries JOIN endpoints ON endpoints.id = deliveries.endpoint_id
           WHERE state = 'pending' AND disabled_at IS NULL) AS "deliveriesPending",
          (SELECT greatest(0, coalesce(extract(epoch FROM $1 - min(due_at)), 0))::float8
           FROM deliveries JOIN endpoints ON endpoints.id = deliveries.endpoint_id
           WHERE state = 'pending' AND disabled_at IS NULL) AS "deliveriesLateSeconds",
          (SELECT count(*)::float8 FROM deliveries WHERE state = 'failed') AS "deliveriesFailed",
          (SELECT count(*)::float8 FROM endpoints
           WHERE failing_since IS NOT NULL OR disabled_reason IN ('gone', 'failing')) AS "endpointsFailing",
          (SELECT differences::float8 FROM ledger_verifications) AS "ledgerDifferences",
          (SELECT extract(epoch FROM verified_at)::float8 FROM ledger_verifications) AS "ledgerVerifiedSeconds"`,
);
const STORE_VERIFICATION = statement(
  "metrics.keep-ledger-verification",
  {},
  `INSERT INTO ledger_verifications (verified_at, users, records, differences) VALUES ($1, $2, $3, $4)
   ON CONFLICT (only_row) DO UPDATE
     SET verified_at = excluded.verified_at, users = excluded.users, records = excluded.records,
         differences = excluded.differences`,
);

const VERIFIED_AT = statement(
  "metrics.verified-at",
  { verifiedAt: timestamptz },
  `SELECT verified_at AS "verifiedAt" FROM ledger_verifications`,
);

/** When the ledger was last verified; null: never. */
export async function verifiedAt(tx: Tx): Promise<Date | null> {
  return (await tx.query(VERIFIED_AT))[0]?.verifiedAt ?? null;
}

/** Reads the gauges of all processes together. */
export async function readGauges(tx: Tx, now: Date): Promise<Gauge[]> {
  const [row] = await tx.query(READ, [now]);
  if (!row) throw new Error("an aggregate without grouping has one row");
  return [
    {
      name: "rewards_intakes_waiting",
      help: "Meals and foods that are accepted but not yet scored.",
      value: row.intakesWaiting,
    },
    { name: "rewards_intakes_oldest_seconds", help: "Age of the oldest one.", value: row.intakesOldestSeconds },
    {
      name: "rewards_receipts_waiting",
      help: "Receipts that are accepted but neither completed nor failed.",
      value: row.receiptsWaiting,
    },
    { name: "rewards_receipts_oldest_seconds", help: "Age of the oldest one.", value: row.receiptsOldestSeconds },
    {
      name: "rewards_deliveries_pending",
      help: "Webhook deliveries that are pending, at enabled endpoints.",
      value: row.deliveriesPending,
    },
    {
      name: "rewards_deliveries_late_seconds",
      help: "Delay of the one that is overdue the longest.",
      value: row.deliveriesLateSeconds,
    },
    {
      name: "rewards_deliveries_failed",
      help: "Webhook deliveries that failed after all attempts.",
      value: row.deliveriesFailed,
    },
    {
      name: "rewards_endpoints_failing",
      help: "Endpoints that are failing, or were disabled because of failures.",
      value: row.endpointsFailing,
    },
    {
      name: "rewards_ledger_differences",
      help: "Balances that differed from their transactions at the last verification of the ledger. Absent before the first.",
      value: row.ledgerDifferences,
    },
    {
      name: "rewards_ledger_verified_timestamp_seconds",
      help: "Time of the last verification of the ledger, in Unix time.",
      value: row.ledgerVerifiedSeconds,
    },
  ];
}

/** Stores the result of a verification in place of the previous one. */
export async function storeVerification(tx: Tx, report: LedgerReport, now: Date): Promise<void> {
  await tx.query(STORE_VERIFICATION, [now, report.users, report.records, report.differences.length]);
}
