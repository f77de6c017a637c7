import { isRowError } from "../postgres/postgres.ts";
import type { Database } from "../postgres/postgres.ts";
import { countRowsOf, keyOf, keysOf, removeKeys } from "./rows.store.ts";
import type { RuledTable } from "./rules.ts";

/** Number of rows by table; none of 0. */
export type Rows = Readonly<Record<string, number>>;

/** A trigger or a process that had not ended may add rows behind the first round. */
const ROUNDS_MAX = 5;

interface RemoveRowsDeps {
  readonly database: Database;
  readonly report: (line: string) => void;
}

/**
 * Removes the rows of an application from tables, which are sorted for adding, some thousand rows in each tx. Then
 * counts what is left, and removes that. Whenever it ends, it can be run again.
 */
export async function removeRowsOf(
  deps: RemoveRowsDeps,
  tables: readonly RuledTable[],
  id: string,
): Promise<{ removed: Rows; left: Rows }> {
  const removed: Record<string, number> = {};
  let left: Rows = {};
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const chosen = round === 1 ? tables : tables.filter(({ name }) => left[name] !== undefined);
    for (const table of chosen.toReversed()) {
      try {
        await removeOnce(deps, table, id, (rows) => (removed[table.name] = (removed[table.name] ?? 0) + rows));
      } catch (error) {
        // Rows that came behind the pass of another table still refer to these: the next round removes both.
        if (!isRowError(error)) throw error;
      }
    }
    left = await rowsLeft(deps.database, tables, id);
    if (Object.keys(left).length === 0) break;
  }
  return { removed, left };
}

/** Counts the rows of an application in each table. */
export async function rowsLeft(database: Database, tables: readonly RuledTable[], id: string): Promise<Rows> {
  const left: Record<string, number> = {};
  for (const table of tables) {
    const rows = await countRowsOf(database, table, id);
    if (rows > 0) left[table.name] = rows;
  }
  return left;
}

/** Reads a table once, so that the time grows with its rows, also where no index has the application. */
async function removeOnce(
  { database, report }: RemoveRowsDeps,
  table: RuledTable,
  id: string,
  onRemoved: (rows: number) => number,
): Promise<void> {
  await database.snapshot(async (snapshot) => {
    const key = await keyOf(snapshot, table);
    let sum = 0;
    for await (const page of keysOf(snapshot, table, key, id)) {
      const rows = await database.tx((tx) => removeKeys(tx, table, key, page, id));
      if (rows > 0) sum = onRemoved(rows);
      report(`${table.name}: ${sum} rows removed`);
    }
  });
}
