// Removes an application with everything of it:
//
//   closed     its calls, keys and sessions are refused; its work rests
//   quiet      nothing of it is in progress any more
//   noted      the audit log has what there is: users, records, points
//   pictured   its images are gone
//   emptied    its rows are gone, counted, but for those in which the rows of other tables are looked up
//   uprooted   these are gone as well: users, events, keys
//   gone       the application itself is; counted once more
//
// A step can be repeated. A command that ended anywhere is run again, and goes on. There is no way back.

import { randomBytes } from "node:crypto";
import { findApplication } from "../applications/store.ts";
import type { Files } from "../files.ts";
import { uuidv7 } from "../ids.ts";
import { isRowError } from "../postgres/postgres.ts";
import type { Database } from "../postgres/postgres.ts";
import { MoveRefused, alone } from "./alone.task.ts";
import { removeApplicationImages } from "./images.task.ts";
import { findMove } from "./move.store.ts";
import { isQuiet } from "./quiet.task.ts";
import type { Waits } from "./quiet.task.ts";
import { removeRowsOf, rowsLeft } from "./remove-rows.task.ts";
import type { Rows } from "./remove-rows.task.ts";
import { beginRemoval, noteRemoved, noteSums } from "./remove.store.ts";
import { findTables, removeRows } from "./rows.store.ts";
import { inOrder, isRemoved, lookedUpIn, withoutRule } from "./rules.ts";
import type { RuledTable } from "./rules.ts";

export const REMOVAL_STEPS = ["closed", "quiet", "noted", "pictured", "emptied", "uprooted", "gone"] as const;
export type RemovalStep = (typeof REMOVAL_STEPS)[number];

export interface RemovalDeps {
  readonly database: Database;
  readonly files: Pick<Files, "remove">;
  readonly waits: Waits;
  readonly now: () => Date;
  readonly report: (line: string) => void;
  /** Called after each step. */
  readonly onStep?: (step: RemovalStep) => void;
}

/** What was removed, by this run alone, and what is left. */
export interface Removal {
  /** What there was before the first run removed anything. */
  readonly sums: string;
  readonly images: number;
  readonly removed: Rows;
  readonly left: Rows;
}

/** Removes an application with everything of it. Goes on where an earlier run ended. */
export async function removeApplication(deps: RemovalDeps, id: string): Promise<Removal> {
  const { database, files, now, report, onStep } = deps;
  return alone(database, id, async () => {
    const tables = await tablesOf(deps, id);
    await database.tx((tx) => beginRemoval(tx, id, now()));
    // First of all, so that a page that is open says at once that its session is not valid.
    const sessions = await removeRowsOf(deps, named(tables, "sessions"), id);
    onStep?.("closed");
    await settle(deps, id);
    onStep?.("quiet");
    const entry = await database.tx((tx) =>
      noteSums(tx, id, { id: uuidv7(now().getTime(), randomBytes(10)), now: now() }),
    );
    report(`closed; nothing of it is in progress; ${entry.sums}`);
    onStep?.("noted");
    const images = await removeApplicationImages(database, files, id, report);
    onStep?.("pictured");
    const rows = await removeInOrder(deps, tables, id, entry.id);
    return { sums: entry.sums, images, removed: added(sessions.removed, rows.removed), left: rows.left };
  });
}

/** Checks that it can be removed. Returns the tables that have rows of applications, in the order of adding. */
async function tablesOf({ database }: RemovalDeps, id: string): Promise<RuledTable[]> {
  const found = await findTables(database);
  const unknown = withoutRule(found);
  if (unknown.length > 0) throw new MoveRefused(`there is no rule for the tables ${unknown.join(", ")}`);
  if ((await findApplication(database, id)) === null) throw new MoveRefused("another command has removed it");
  const move = await findMove(database, id);
  if (move?.state === "done") {
    throw new MoveRefused(`it has moved to ${move.address}: remove what is left here by app move --clean first`);
  }
  if (move && move.state !== "removed" && move.state !== "arrived") {
    throw new MoveRefused("it is moving: finish the move first, or undo it");
  }
  return inOrder(found).filter(isRemoved);
}

async function settle({ database: source, waits, now }: RemovalDeps, id: string): Promise<void> {
  const { closedAt } = (await findApplication(source, id))!;
  if (await isQuiet({ source, waits, now }, id, closedAt!)) return;
  throw new MoveRefused(
    "it is closed, but deliveries of it are still in progress: start a process with background work, and run this again",
  );
}

/**
 * A count by the users of an application proves something only as long as it has users: so the tables in which others
 * are looked up come last. Rows that come after these are refused by foreign keys.
 */
async function removeInOrder(
  deps: RemovalDeps,
  tables: readonly RuledTable[],
  id: string,
  entryId: string,
): Promise<{ removed: Rows; left: Rows }> {
  const { database, onStep } = deps;
  const lookedUp = lookedUpIn(tables);
  const others = tables.filter(({ name }) => name !== "applications");
  const first = await removeRowsOf(
    deps,
    others.filter(({ name }) => !lookedUp.has(name)),
    id,
  );
  if (isAny(first.left)) return first;
  onStep?.("emptied");
  const second = await removeRowsOf(
    deps,
    others.filter(({ name }) => lookedUp.has(name)),
    id,
  );
  const soFar = added(first.removed, second.removed);
  if (isAny(second.left)) return { removed: soFar, left: second.left };
  onStep?.("uprooted");
  await removeItself(deps, tables, id, entryId);
  onStep?.("gone");
  // A process that had not ended may have written into a table without a foreign key.
  const late = await removeRowsOf(deps, others, id);
  const removed = added(soFar, late.removed, { applications: 1 });
  return { removed, left: await rowsLeft(database, tables, id) };
}

async function removeItself(
  { database }: RemovalDeps,
  tables: readonly RuledTable[],
  id: string,
  entryId: string,
): Promise<void> {
  try {
    await database.tx(async (tx) => {
      for (const table of named(tables, "applications")) await removeRows(tx, table, id);
      await noteRemoved(tx, entryId);
    });
  } catch (error) {
    if (isRowError(error)) throw new MoveRefused("a process has added something of it meanwhile: run this again");
    throw error;
  }
}

function named(tables: readonly RuledTable[], name: string): RuledTable[] {
  return tables.filter((table) => table.name === name);
}

function added(...each: readonly Rows[]): Rows {
  const sums: Record<string, number> = {};
  for (const [name, rows] of each.flatMap(Object.entries<number>)) sums[name] = (sums[name] ?? 0) + rows;
  return sums;
}

function isAny(rows: Rows): boolean {
  return Object.keys(rows).length > 0;
}
