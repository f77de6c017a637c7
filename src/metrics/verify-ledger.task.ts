import type { Log } from "../log.ts";
import type { Database } from "../postgres/postgres.ts";
import { verifyLedger } from "../points/verification.store.ts";
import { keepVerification } from "./store.ts";

/** Verifies the ledger, keeps what it found for the metrics, and raises the alarm in the log. Throws once aborted. */
export async function verifyAndTell(
  deps: { database: Database; log: Log; now: () => Date },
  signal?: AbortSignal,
): Promise<void> {
  const { database, log, now } = deps;
  const report = await verifyLedger(database, signal);
  await keepVerification(database, report, now());
  const { users, records, differences } = report;
  if (differences.length === 0) log.info({ users, records }, "the ledger was verified");
  else log.error({ users, records, differences: differences.slice(0, 10) }, "the ledger differs from its records");
}
