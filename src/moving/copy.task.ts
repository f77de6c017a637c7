// The rows of an application, from one cell to the other: in one tx of the target, so that it has all of them or none.

import type { Database, Tx } from "../postgres/postgres.ts";
import { rollback } from "../postgres/rollback.ts";
import { verifyLedger } from "../points/verification.store.ts";
import { differenceText } from "../points/verification/check.ts";
import { findMove, noteArriving, ownUsers, removeNote } from "./move.store.ts";
import type { Move } from "./move.store.ts";
import {
  addRows,
  advanceSequence,
  countRowsOf,
  digestOf,
  findTables,
  numberedColumns,
  pagesOf,
  removeRows,
  writeAlike,
} from "./rows.store.ts";
import { inOrder } from "./rules.ts";
import type { RuledTable } from "./rules.ts";

export interface CopyDeps {
  readonly source: Database;
  readonly target: Database;
  /** Called with the rows of a table that are copied so far. */
  readonly onProgress: (table: string, rows: number) => void;
}

/** What was copied; or what differs, and nothing was. */
export type Copied = { readonly rows: Readonly<Record<string, number>> } | { readonly differences: readonly string[] };

/** Written by a trigger as rows of another table are added or removed. */
const WRITTEN_BY_TRIGGER = "unknown_name_changes";

/**
 * Copies the rows that `move` is about, which nothing changes meanwhile, and compares them on both sides. What an
 * earlier run had copied is replaced. The ledger of the copy is verified as well.
 */
export async function copyApplication(deps: CopyDeps, move: Move, cellId: string): Promise<Copied> {
  const { source, target, onProgress } = deps;
  const { applicationId: id } = move;
  const tables = inOrder(await findTables(source));
  const arriving = { ...move, otherCell: cellId };
  return source.snapshot(async (from) => {
    await writeAlike(from);
    return target.tx(async (to): Promise<Copied | ReturnType<typeof rollback<Copied>>> => {
      await writeAlike(to);
      await removeCopy(to, tables, id);
      const rows: Record<string, number> = {};
      for (const table of tables) {
        if (table.rule.kind !== "carried" && table.rule.kind !== "shared") continue;
        if (table.name === WRITTEN_BY_TRIGGER) await removeRows(to, table, id);
        rows[table.name] = await copyTable({ from, to, onProgress }, table, id);
      }
      for (const numbered of await numberedColumns(to)) {
        if ((rows[numbered.table] ?? 0) > 0) await advanceSequence(to, numbered);
      }
      await noteArriving(to, { ...arriving, rows });
      const differences = [...(await differencesOf({ from, to }, tables, id)), ...(await differencesOfLedger(to, id))];
      return differences.length > 0 ? rollback<Copied>({ differences }) : { rows };
    });
  });
}

async function copyTable(
  { from, to, onProgress }: { from: Tx; to: Tx; onProgress: CopyDeps["onProgress"] },
  table: RuledTable,
  id: string,
): Promise<number> {
  let rows = 0;
  for await (const page of pagesOf(from, table, id)) {
    await addRows(to, table, page, { mayExist: table.rule.kind !== "carried" });
    rows += page.length;
    onProgress(table.name, rows);
  }
  return rows;
}

async function differencesOf(
  { from, to }: { from: Tx; to: Tx },
  tables: readonly RuledTable[],
  id: string,
): Promise<string[]> {
  const differences: string[] = [];
  for (const table of tables) {
    if (table.rule.kind === "shared") {
      const [wanted, found] = [await countRowsOf(from, table, id), await countRowsOf(to, table, id)];
      if (wanted !== found) differences.push(`${table.name}: ${wanted} rows, ${found} at the target`);
    }
    if (table.rule.kind !== "carried" || table.rule.isLoose) continue;
    const [wanted, found] = [await digestOf(from, table, id), await digestOf(to, table, id)];
    if (wanted.rows !== found.rows) differences.push(`${table.name}: ${wanted.rows} rows, ${found.rows} at the target`);
    else if (wanted.sum !== found.sum) differences.push(`${table.name}: ${wanted.rows} rows, with other values`);
  }
  return differences;
}

async function differencesOfLedger(to: Tx, id: string): Promise<string[]> {
  const { differences } = await verifyLedger(to);
  const users = differences.flatMap(({ userId }) => userId ?? []);
  const own = new Set(await ownUsers(to, id, users));
  return differences.filter(({ userId }) => userId !== null && own.has(userId)).map(differenceText);
}

/** Removes what the target has of an application that does not live there: a copy of before, or the note of a move. */
export async function removeCopy(to: Tx, tables: readonly RuledTable[], id: string): Promise<void> {
  const move = await findMove(to, id);
  if (move?.state !== "arriving" && move?.state !== "removed") return;
  await removeAll(to, tables, id, () => true);
  await removeNote(to, id);
}

/** Removes the rows of an application from the tables that are chosen. Returns their number by table. */
export async function removeAll(
  tx: Tx,
  tables: readonly RuledTable[],
  id: string,
  isChosen: (table: RuledTable) => boolean,
): Promise<Record<string, number>> {
  const chosen = tables.filter(({ rule }) => rule.kind === "carried" || rule.kind === "stays").filter(isChosen);
  const removed: Record<string, number> = {};
  for (const table of chosen.toReversed()) removed[table.name] = await removeRows(tx, table, id);
  for (const table of chosen) if (table.name === WRITTEN_BY_TRIGGER) await removeRows(tx, table, id);
  return removed;
}

/** Adds what only grows, as the last step: an undone move must leave nothing of it. Returns what is missing. */
export async function copyLogs(from: Tx, to: Tx, id: string): Promise<string[]> {
  const missing: string[] = [];
  for (const table of inOrder(await findTables(from)).filter(({ rule }) => rule.kind === "log")) {
    for await (const page of pagesOf(from, table, id)) await addRows(to, table, page, { mayExist: true });
    const [wanted, found] = [await countRowsOf(from, table, id), await countRowsOf(to, table, id)];
    if (found < wanted) missing.push(`${table.name}: ${wanted} rows, ${found} at the target`);
  }
  return missing;
}
