import { DEFAULT_SCHEMA, jobsSchema } from "../postgres/cell.ts";
import type { Database, Tx } from "../postgres/postgres.ts";
import { float8, orNull, statement, text, timestamptz } from "../postgres/statement.ts";
import type { LedgerReport } from "../points/verification.store.ts";
import { gauge, gaugeBy } from "./gauge.ts";
import type { GaugeReading } from "./gauge.ts";

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
const queuesIn = (jobs: string): string =>
  `SELECT queue.name, count(job.id)::float8 AS waiting,
          greatest(0, coalesce(extract(epoch FROM $1::timestamptz - min(job.start_after)), 0))::float8 AS "oldestSeconds"
   FROM ${jobs}.queue LEFT JOIN ${jobs}.job
     ON job.name = queue.name AND job.state < 'active' AND job.start_after <= $1
   GROUP BY queue.name ORDER BY queue.name`;
const QUEUES = statement(
  "metrics.queues",
  { name: text, waiting: float8, oldestSeconds: float8 },
  queuesIn(jobsSchema(DEFAULT_SCHEMA)),
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
export async function readGauges(tx: Tx, now: Date): Promise<GaugeReading[]> {
  const [row] = await tx.query(READ, [now]);
  if (!row) throw new Error("an aggregate without grouping has one row");
  return [
    gauge("rewards_intakes_waiting", "Meals and foods that are accepted but not yet scored.", row.intakesWaiting),
    gauge("rewards_intakes_oldest_seconds", "Age of the oldest one.", row.intakesOldestSeconds),
    gauge(
      "rewards_receipts_waiting",
      "Receipts that are accepted but neither completed nor failed.",
      row.receiptsWaiting,
    ),
    gauge("rewards_receipts_oldest_seconds", "Age of the oldest one.", row.receiptsOldestSeconds),
    gauge(
      "rewards_deliveries_pending",
      "Webhook deliveries that are pending, at enabled endpoints.",
      row.deliveriesPending,
    ),
    gauge(
      "rewards_deliveries_late_seconds",
      "Delay of the one that is overdue the longest.",
      row.deliveriesLateSeconds,
    ),
    gauge("rewards_deliveries_failed", "Webhook deliveries that failed after all attempts.", row.deliveriesFailed),
    gauge(
      "rewards_endpoints_failing",
      "Endpoints that are failing, or were disabled because of failures.",
      row.endpointsFailing,
    ),
    gauge(
      "rewards_ledger_differences",
      "Balances that differed from their transactions at the last verification of the ledger. Absent before the first.",
      row.ledgerDifferences,
    ),
    gauge(
      "rewards_ledger_verified_timestamp_seconds",
      "Time of the last verification of the ledger, in Unix time.",
      row.ledgerVerifiedSeconds,
    ),
  ];
}

/** Reads the gauges of the queues. */
export async function readQueueGauges(database: Database, now: Date): Promise<GaugeReading[]> {
  const queues = await database.query({ ...QUEUES, text: queuesIn(jobsSchema(database.schema)) }, [now]);
  return [
    gaugeBy(
      "rewards_queue_waiting",
      "Jobs that are due and wait for a process, by queue.",
      "queue",
      queues.map(({ name, waiting }) => [name, waiting]),
    ),
    gaugeBy(
      "rewards_queue_oldest_seconds",
      "Time that the oldest one has been due.",
      "queue",
      queues.map(({ name, oldestSeconds }) => [name, oldestSeconds]),
    ),
  ];
}

/** Stores the result of a verification in place of the previous one. */
export async function storeVerification(tx: Tx, report: LedgerReport, now: Date): Promise<void> {
  await tx.query(STORE_VERIFICATION, [now, report.users, report.records, report.differences.length]);
}
