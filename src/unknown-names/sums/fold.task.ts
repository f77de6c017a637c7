import type { Database } from "../../postgres/postgres.ts";
import { FOLDED_MAX, countRemoved, foldCounts } from "./store.ts";

/** Adds up all differences there are. It may run at any time, and in several processes at once. */
export async function foldAllCounts(database: Pick<Database, "tx">, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await database.tx(foldCounts)) >= FOLDED_MAX);
}

/** Counts all names again that have lost rows, before it returns: what only an erased user has named is gone then. */
export async function countAllRemoved(database: Pick<Database, "tx">): Promise<void> {
  while ((await database.tx(countRemoved)) > 0);
}
