import type { Database, Tx } from "../../src/postgres/postgres.ts";

const ROWS_READ =
  "SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables WHERE relid = 'records'::regclass";

/** Runs `work` in a tx, and returns the number of rows of the ledger that it read. */
export async function recordsReadBy(database: Database, work: (tx: Tx) => Promise<unknown>): Promise<number> {
  return database.tx(async (tx) => {
    // What earlier txs of the connection read may be counted as well.
    const counted = async () =>
      (await tx.query<{ read: number }>({ name: "test.rows-read", text: ROWS_READ }))[0]!.read;
    const earlier = await counted();
    await work(tx);
    return (await counted()) - earlier;
  });
}
