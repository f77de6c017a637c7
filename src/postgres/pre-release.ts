import type { DumpedTable } from "./dump.ts";

// Before the first release there were twenty migrations instead of ten. Their schema was that of today's files, and a
// column `deliveries.id` that nothing read. Their databases are not upgraded in place; their backups can be restored.

/** SHA-256 of `0001_applications.sql` as every database before the first release has it. */
export const PRE_RELEASE_CHECKSUM = "2a3419083dc29af7552cbf555d375f2f3d05f6ea57f2dcbfc1b926034e2be3a0";

/** The last migration before the first release: a backup with it holds the whole schema. */
const PRE_RELEASE_LAST = "0042_day_limits.sql";

/** The migrations of the first release. */
export const FIRST_RELEASE: readonly string[] = [
  "0001_applications.sql",
  "0002_users.sql",
  "0003_intakes.sql",
  "0004_points.sql",
  "0005_receipts.sql",
  "0006_webhooks.sql",
  "0007_sessions.sql",
  "0008_products.sql",
  "0009_aliases.sql",
  "0010_idempotency.sql",
];

/** The parts of a backup's manifest that depend on the schema. */
export interface DumpedSchema {
  readonly migrations: readonly string[];
  readonly tables: readonly DumpedTable[];
}

/**
 * Describes a backup of a version before the first release as one of the first release; returns any other unchanged.
 */
export function asFirstRelease<Schema extends DumpedSchema>(dumped: Schema): Schema {
  if (!dumped.migrations.includes(PRE_RELEASE_LAST)) return dumped;
  const tables = dumped.tables.map((table) =>
    table.name === "deliveries" ? { ...table, columns: table.columns.filter((column) => column !== "id") } : table,
  );
  return { ...dumped, migrations: FIRST_RELEASE, tables };
}
