import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../../log.ts";
import { isLockTimeout } from "../../postgres/postgres.ts";
import type { Database } from "../../postgres/postgres.ts";
import { isLong, isOver, missingParts, partLengthMs } from "./part.ts";
import { deleteOld, dropPart, lastWithoutPart, makePart, readParts } from "./store.ts";

/** After these attempts it is left to the next run, an hour later. */
const LOCK_ATTEMPTS_MAX = 5;
const LOCK_PAUSE_MS = 500;

export interface PartsDeps {
  readonly database: Database;
  readonly log: Log;
  /** Time that events and their deliveries are kept. */
  readonly retentionMs: number;
}

/** Makes the parts of the next days that are missing. One process at a time may do it. Returns their number. */
export async function makeParts({ database, log, retentionMs }: PartsDeps, now: Date): Promise<number> {
  const parts = await readParts(database);
  const at = { now: now.getTime(), lengthMs: partLengthMs(retentionMs) };
  const [first, ...more] = missingParts(parts, at);
  if (!first) return 0;
  // What came before there was a part for it stays without one: it is deleted row by row.
  const takenUntil = await lastWithoutPart(database, { from: first.from, to: (more.at(-1) ?? first).to });
  const missing = missingParts(parts, { ...at, takenUntil });
  for (const { from, to } of missing) {
    await withoutHolding(() => makePart(database, { from, to }));
    log.debug({ from: new Date(from), to: new Date(to) }, "part of events made");
  }
  return missing.length;
}

/**
 * Removes the events whose time is over, with their deliveries: whole parts, and row by row what has no part, or one
 * that is not to be waited for.
 */
export async function removeOldEvents(
  { database, log, retentionMs }: PartsDeps,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  const until = new Date(now.getTime() - retentionMs);
  for (const part of await readParts(database)) {
    if (signal.aborted) return;
    const drop = () => dropPart(database, part, until);
    const isDropped = isOver(part, until.getTime()) && (await withoutHolding(drop));
    if (isDropped) log.info({ until: new Date(part.to) }, "events and deliveries dropped: their time is over");
    else if (isOver(part, until.getTime()) || isLong(part, partLengthMs(retentionMs))) {
      await deleteOld(database, { part, until, signal });
    }
  }
  await deleteOld(database, { part: null, until, signal });
}

/**
 * Runs work that needs the tables to itself, and gives up each time that others hold them: everybody waits behind it.
 */
async function withoutHolding<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error) || attempt >= LOCK_ATTEMPTS_MAX) throw error;
    }
    await pause(LOCK_PAUSE_MS);
  }
}
