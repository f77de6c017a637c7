import type { Log } from "../log.ts";
import type { Database } from "../postgres/postgres.ts";
import { DAY_MS } from "../time.ts";
import { verifyLedger } from "../points/verification.store.ts";
import { storeVerification, verifiedAt } from "./store.ts";

/**
 * Verifies the ledger unless it was verified since midnight (UTC), by any process: for jobs that come more often. They
 * run one at a time.
 */
export async function verifyLedgerOnceADay(
  deps: { database: Database; log: Log; now: () => Date },
  signal: AbortSignal,
): Promise<void> {
  const last = await verifiedAt(deps.database);
  if (last !== null && dayOf(last) === dayOf(deps.now())) return;
  await verifyLedgerAndReport(deps, signal);
}

function dayOf(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS);
}

/** Verifies the ledger, stores the result for the metrics, and logs an error for differences. Throws if aborted. */
export async function verifyLedgerAndReport(
  deps: { database: Database; log: Log; now: () => Date },
  signal?: AbortSignal,
): Promise<void> {
  const { database, log, now } = deps;
  const at = now();
  // Each day another seventh of the users is read in full, and all of them within a week.
  const seventh = dayOf(at) % 7;
  const report = await verifyLedger(database, { seventh, rests: true, ...(signal && { signal }) });
  // It shows the ledger of when it began. A run over midnight leaves the next day its own.
  await storeVerification(database, report, at);
  const { users, records, differences } = report;
  if (differences.length === 0) log.info({ users, records }, "ledger verified");
  else log.error({ users, records, differences: differences.slice(0, 10) }, "ledger differs from its records");
}
