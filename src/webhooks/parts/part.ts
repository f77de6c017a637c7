import { firstIdAt, timeOfId } from "../../ids.ts";
import { DAY_MS } from "../../time.ts";

/**
 * A part of the tables events and deliveries: those of the subjects of a time. A subject is never later than its
 * events, so once a part's time is over by the retention, its events are, except late ones of old subjects.
 */
export interface Part {
  /** Milliseconds of 1970, the first of the part; null: it has everything from before its end. */
  readonly from: number | null;
  /** The first that is not in it. */
  readonly to: number;
}

/** A part to be made. */
export interface NewPart extends Part {
  readonly from: number;
}

/** A part that is in the database: its two tables have this ending. */
export interface StoredPart extends Part {
  readonly ending: string;
}

/**
 * Length of the parts for a retention: a quarter of it, in whole days. Events stay this much longer at most. Shorter
 * parts would be more of them, and a statement that cannot know the subject's time reads them all.
 */
export function partLengthMs(retentionMs: number): number {
  return Math.max(1, Math.floor(retentionMs / 4 / DAY_MS)) * DAY_MS;
}

/** The ending of the names of a part's tables: the day of its beginning, as it is in UTC. */
export function endingOf(from: number): string {
  return new Date(from).toISOString().slice(0, 10).replaceAll("-", "");
}

/** Reads the bounds of a part as PostgreSQL writes them. */
export function parseBounds(bounds: string): Part {
  const [, from, to] = /FROM \((MINVALUE|'[0-9a-f-]{36}')\) TO \('([0-9a-f-]{36})'\)/.exec(bounds)!;
  return { from: from === "MINVALUE" ? null : timeOfId(from!.slice(1, -1)), to: timeOfId(to!) };
}

/** The subjects of a part: from the first on, below the second. */
export function subjectsOf({ from, to }: Part): [string, string] {
  return [firstIdAt(from ?? 0), firstIdAt(to)];
}

/**
 * The parts to be made, so that there is one for everything up to a part's length from now. `takenUntil`: time of the
 * last row without a part. A part can only begin after it.
 */
export function missingParts(
  parts: readonly Part[],
  { now, lengthMs, takenUntil = null }: { now: number; lengthMs: number; takenUntil?: number | null },
): NewPart[] {
  const missing: NewPart[] = [];
  let from = startOfDay(now);
  if (takenUntil !== null) from = Math.max(from, startOfDay(takenUntil) + DAY_MS);
  while (from <= now + lengthMs) {
    const covering = parts.find((part) => (part.from ?? 0) <= from && from < part.to);
    if (covering) {
      from = covering.to;
    } else {
      const next = Math.min(...parts.flatMap((part) => (part.from !== null && part.from > from ? [part.from] : [])));
      const to = Math.min(from + lengthMs, next);
      missing.push({ from, to });
      from = to;
    }
  }
  return missing;
}

/** Whether all subjects of a part are from before `until`. */
export function isOver({ to }: Part, until: number): boolean {
  return to <= until;
}

/**
 * Whether the old events of a part are to be deleted row by row before the part is over: it is longer than parts are
 * now. Otherwise they would stay for longer than a part's length.
 */
export function isLong({ from, to }: Part, lengthMs: number): boolean {
  return from === null || to - from > lengthMs;
}

function startOfDay(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}
