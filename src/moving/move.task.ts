// Moves an application from one cell to another. At every moment at most one of the two responds for it:
//
//   closed     the source refuses its calls; its work rests
//   quiet      nothing of it is in progress any more
//   frozen     the source's database refuses every change of its rows
//   copied     the target has all its rows, compared, and refuses its calls
//   pictured   the target has its images, compared
//   switched   the source refers its calls to the new address: from here on there is no way back
//   opened     the target responds
//   noted      the source knows that the target responds
//
// A step is one tx, or can be repeated. A command that ended anywhere is run again, and goes on; until the switch it
// can be undone in its place. After the switch the target alone has the application, even while it is not opened yet.

import { setTimeout as sleep } from "node:timers/promises";
import type { Application } from "../applications/application.ts";
import { findApplication } from "../applications/store.ts";
import type { Files } from "../files.ts";
import { isLockTimeout } from "../postgres/postgres.ts";
import type { Database } from "../postgres/postgres.ts";
import { MoveRefused, alone } from "./alone.task.ts";
import { copyApplication, copyLogs, removeAll, removeCopy } from "./copy.task.ts";
import { copyImages, isSamePlace, removeApplicationImages } from "./images.task.ts";
import type { CopiedImages } from "./images.task.ts";
import {
  beginMove,
  cellOf,
  findMove,
  findSame,
  openApplication,
  removeNote,
  setMoved,
  setRows,
  setState,
} from "./move.store.ts";
import type { Move } from "./move.store.ts";
import { isQuiet } from "./quiet.task.ts";
import type { Waits } from "./quiet.task.ts";
import { countRowsOf, findTables, setFrozen } from "./rows.store.ts";
import { inOrder, withoutRule } from "./rules.ts";
import type { RuledTable } from "./rules.ts";

export const STEPS = ["closed", "quiet", "frozen", "copied", "pictured", "switched", "opened", "noted"] as const;
export type Step = (typeof STEPS)[number];

export interface MoveDeps {
  readonly source: Database;
  readonly target: Database;
  readonly files: { readonly source: Files; readonly target: Files };
  readonly waits: Waits;
  readonly now: () => Date;
  readonly report: (line: string) => void;
  /** Called after each step. */
  readonly onStep?: (step: Step) => void;
}

/** What a move has copied. */
export interface Moved {
  readonly rows: number;
  readonly images: number;
  readonly imagesMissing: number;
}

const CHECK_MS = 250;
/** Locks of a table: each attempt gives way to others after 200 ms. */
const FREEZE_ATTEMPTS_MAX = 300;

/** Moves an application to the target, whose calls go to `address` from then on. Goes on where an earlier run ended. */
export async function moveApplication(deps: MoveDeps, application: Application, address: string): Promise<Moved> {
  return alone(deps.source, application.id, async () => {
    const move = await begin(deps, application, address);
    let images = { copied: 0, missing: 0 };
    if (move.state === "closed") {
      await settle(deps, move);
      images = await carry(deps, move);
      await switchOver(deps, move);
    }
    if (move.state !== "done") await openThere(deps, move);
    const rows = Object.values((await findMove(deps.source, application.id))?.rows ?? {});
    return { rows: rows.reduce((sum, n) => sum + n, 0), images: images.copied, imagesMissing: images.missing };
  });
}

/** Opens an application again in the source, and removes what was copied. Only before the switch. */
export async function undoMove(deps: MoveDeps, application: Application): Promise<void> {
  await alone(deps.source, application.id, async () => {
    const move = await findMove(deps.source, application.id);
    if (move?.direction !== "out" || move.state === "removed") throw new MoveRefused("the application is not moving");
    if (move.state !== "closed") throw new MoveRefused(`it has moved to ${move.address}: move it back from there`);
    if ((await cellOf(deps.target)).cellId !== move.otherCell) throw new MoveRefused("it is moving to another cell");
    await undo(deps, move);
  });
}

/** Throws MoveRefused if there are more rows than the move has copied. */
function checkCopied(tables: readonly RuledTable[], rows: Readonly<Record<string, number>>, move: Move): void {
  const added = tables.filter((table) => isCounted(table) && (rows[table.name] ?? 0) > (move.rows?.[table.name] ?? 0));
  if (added.length > 0) {
    throw new MoveRefused(`there are rows that were not copied: ${added.map(({ name }) => name).join(", ")}`);
  }
}

/** Whether a move knows how many rows of the table it has copied. */
function isCounted({ name, rule }: RuledTable): boolean {
  return rule.kind === "carried" && !rule.isLoose && !name.startsWith("unknown_name_");
}

/** Removes what is left of an application that has moved away, but for the note of it. Returns the number of rows. */
export async function cleanMove(
  {
    source,
    files,
    report,
  }: Pick<MoveDeps, "source" | "report"> & { readonly files: Pick<MoveDeps["files"], "source"> },
  application: Application,
  now: Date,
): Promise<{ rows: number; images: number }> {
  const { id } = application;
  return alone(source, id, async () => {
    const move = await findMove(source, id);
    if (move?.direction !== "out" || move.state === "removed") throw new MoveRefused("nothing of a move is left here");
    if (move.state !== "done") throw new MoveRefused("its move is not finished: run it again, without --clean");
    const tables = inOrder(await findTables(source));
    // Looked at twice: before anything is gone that no tx brings back, and in the tx, when nothing refuses changes.
    const found: Record<string, number> = {};
    for (const table of tables.filter(isCounted)) found[table.name] = await countRowsOf(source, table, id);
    checkCopied(tables, found, move);
    const images = await removeApplicationImages(source, files.source, id, report);
    await freeze(source, id, false);
    const rows = await source.tx(async (tx) => {
      const removed = await removeAll(tx, tables, id, ({ rule }) => !(rule.kind === "carried" && rule.isNote));
      checkCopied(tables, removed, move);
      await setState(tx, id, { from: "done", to: "removed", now });
      return Object.values(removed).reduce((sum, n) => sum + n, 0);
    });
    return { rows, images };
  });
}

/** Checks both cells and closes the application; or finds the move that an earlier run has begun. */
async function begin(deps: MoveDeps, application: Application, address: string): Promise<Move> {
  const { source, target, files, now, onStep } = deps;
  const { id } = application;
  const [from, to] = [await cellOf(source), await cellOf(target)];
  if (from.cellId === to.cellId) throw new MoveRefused("the target is this cell itself");
  const move = await findMove(source, id);
  if (move?.state === "arriving") throw new MoveRefused("it is arriving here: finish that move first");
  if (move?.direction === "out") {
    if (move.state === "removed") throw new MoveRefused(`it has moved to ${move.address}`);
    if (move.otherCell !== to.cellId || move.address !== address) {
      throw new MoveRefused(`it is moving to ${move.address}, in another cell or at another address`);
    }
    if (move.state === "closed") onStep?.("closed");
    return move;
  }
  if ((await findApplication(source, id))?.closedAt !== null) {
    throw new MoveRefused("the application is being removed, or it is gone");
  }
  if (!from.key.equals(to.key)) {
    throw new MoveRefused("the target has another installation key: its cell is not made by cell create");
  }
  const others = from.migrations.filter((name) => !to.migrations.includes(name));
  if (others.length > 0 || from.migrations.length !== to.migrations.length) {
    throw new MoveRefused("the two cells have different migrations: bring both to the same release first");
  }
  for (const cell of [source, target]) {
    const unknown = withoutRule(await findTables(cell));
    if (unknown.length > 0) throw new MoveRefused(`there is no rule for the tables ${unknown.join(", ")}`);
  }
  for (const { id: sameId } of await findSame(target, application)) {
    const left = await findMove(target, sameId);
    if (sameId === id && left?.state === "removed") continue;
    throw new MoveRefused(
      left?.direction === "out"
        ? "it was in the target before, and its rows are still there: run app move --clean there first"
        : "the target has an application with its id or client id",
    );
  }
  if (await isSamePlace(source, files, id)) {
    throw new MoveRefused("the target has its images already: are those of both cells in the same place?");
  }
  await source.tx((tx) => beginMove(tx, id, { otherCell: to.cellId, address, now: now() }));
  onStep?.("closed");
  return (await findMove(source, id))!;
}

/** Waits until nothing of the application is in progress, then lets the database refuse every change of its rows. */
async function settle(deps: MoveDeps, move: Move): Promise<void> {
  const { source, waits, now, report, onStep } = deps;
  const { applicationId: id } = move;
  const closedAt = (await findApplication(source, id))!.closedAt!;
  if (!(await isQuiet({ source, waits, now }, id, closedAt))) {
    await undo(deps, move);
    throw new MoveRefused(
      "deliveries of it are still in progress: is a process with background work running? The application is open again",
    );
  }
  onStep?.("quiet");
  report("closed; nothing of it is in progress");
  await freeze(source, id, true);
  onStep?.("frozen");
}

/** Copies rows and images. What differs undoes the move. */
async function carry(deps: MoveDeps, move: Move): Promise<CopiedImages> {
  const { source, target, files, report, onStep } = deps;
  const { applicationId: id } = move;
  const { cellId } = await cellOf(source);
  const onProgress = (table: string, rows: number): void => report(`${table}: ${rows} rows copied`);
  const copied = await copyApplication({ source, target, onProgress }, move, cellId);
  if ("differences" in copied) {
    await undo(deps, move);
    throw new MoveRefused(`the copy differs, and the application is open again: ${copied.differences.join("; ")}`);
  }
  await setRows(source, id, copied.rows);
  onStep?.("copied");
  const images = await copyImages(source, files, id, report);
  onStep?.("pictured");
  return images;
}

async function switchOver({ source, now, onStep }: MoveDeps, { applicationId: id, address }: Move): Promise<void> {
  await source.tx(async (tx) => {
    if (!(await setState(tx, id, { from: "closed", to: "moved", now: now() }))) {
      throw new MoveRefused("its move was undone meanwhile");
    }
    await setMoved(tx, id, address);
  });
  onStep?.("switched");
}

async function openThere({ source, target, now, onStep }: MoveDeps, move: Move): Promise<void> {
  const { applicationId: id, suspendedAt } = move;
  await target.tx(async (to) => {
    const missing = await source.snapshot((from) => copyLogs(from, to, id));
    if (missing.length > 0) throw new MoveRefused(`the audit log differs: ${missing.join("; ")}`);
    // An earlier run may have opened it.
    if (await setState(to, id, { from: "arriving", to: "arrived", now: now() })) {
      await openApplication(to, id, suspendedAt);
    }
  });
  onStep?.("opened");
  await setState(source, id, { from: "moved", to: "done", now: now() });
  onStep?.("noted");
}

/** First the target, so that two copies never respond. */
async function undo(
  { source, target, files, report }: MoveDeps,
  { applicationId: id, suspendedAt }: Move,
): Promise<void> {
  const tables = inOrder(await findTables(target));
  await removeApplicationImages(target, files.target, id, report);
  await target.tx((tx) => removeCopy(tx, tables, id));
  await freeze(source, id, false);
  await source.tx(async (tx) => {
    await openApplication(tx, id, suspendedAt);
    await removeNote(tx, id);
  });
}

/** Each table in a tx of its own: others wait for its lock for a moment at most. */
async function freeze(source: Database, id: string, isFrozen: boolean): Promise<void> {
  for (const table of inOrder(await findTables(source))) {
    for (let attempt = 1; ; attempt++) {
      try {
        await source.tx((tx) => setFrozen(tx, table, id, isFrozen));
        break;
      } catch (error) {
        if (!isLockTimeout(error) || attempt >= FREEZE_ATTEMPTS_MAX) throw error;
        await sleep(CHECK_MS);
      }
    }
  }
}
