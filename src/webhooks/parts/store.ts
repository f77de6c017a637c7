// The parts of events and deliveries (PostgreSQL: partitions). The names of their tables are in the SQL, so it is made
// here and not declared; all other files name only the two tables themselves, and events_other.
import { firstIdAt, timeOfId } from "../../ids.ts";
import type { Database, Tx } from "../../postgres/postgres.ts";
import { int4, statement, text, uuid } from "../../postgres/statement.ts";
import { endingOf, parseBounds, subjectsOf } from "./part.ts";
import type { NewPart, Part, StoredPart } from "./part.ts";

/**
 * The longest that all who read or write events wait for the lock of a part that is made or dropped, each time; less
 * than PostgreSQL waits until it looks for a deadlock.
 */
const LOCK_WAIT_MS = 200;
/** Events that are moved out of a part while it is dropped: about 0.2 s. */
const MOVED_MAX = 5_000;
/** Events that one statement deletes. */
const CHUNK = 5_000;

const READ = statement(
  "webhook-parts.read",
  { name: text, bounds: text },
  `SELECT relname::text AS name, pg_get_expr(relpartbound, pg_class.oid) AS bounds
         FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
         WHERE inhparent = 'events'::regclass AND relname <> 'events_other' ORDER BY relname`,
);
const LAST_OTHER = statement(
  "webhook-parts.last-other",
  { subject: uuid },
  // No index has the subject first. There are few rows, and they are read only when a part is missing.
  `SELECT subject FROM events_other WHERE subject >= $1 AND subject < $2 ORDER BY subject DESC LIMIT 1`,
);
const LIMIT_WAIT = statement("webhook-parts.limit-wait", {}, `SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
const LOCK = statement("webhook-parts.lock", {}, `LOCK TABLE ONLY events, ONLY deliveries IN ACCESS EXCLUSIVE MODE`);
const COUNT_LATE = statement(
  "webhook-parts.count-late",
  { n: int4 },
  `SELECT count(*)::int AS n FROM (
           SELECT 1 FROM applications a
           CROSS JOIN LATERAL (
             SELECT 1 FROM events WHERE application_id = a.id AND id >= $1 AND subject >= $2 AND subject < $3
             LIMIT ${MOVED_MAX + 1}
           ) e LIMIT ${MOVED_MAX + 1}
         ) late`,
);
/** $1: the events before this id. By application, since that is what the index has. */
const deleteOf = (table: string, subjects: string): string =>
  `WITH old AS (
           SELECT e.user_id, e.subject, e.position
           FROM applications a
           CROSS JOIN LATERAL (
             SELECT user_id, subject, position FROM ${table}
             WHERE application_id = a.id AND id < $1${subjects} ORDER BY id LIMIT ${CHUNK}
           ) e
           LIMIT ${CHUNK}
         )
         DELETE FROM events USING old
         WHERE events.user_id = old.user_id AND events.subject = old.subject AND events.position = old.position
         RETURNING 1 AS one`;
const DELETE_OLD = statement(
  "webhook-parts.delete-old",
  { one: int4 },
  deleteOf("events", " AND subject >= $2 AND subject < $3"),
);
const DELETE_OLD_OTHER = statement("webhook-parts.delete-old-other", { one: int4 }, deleteOf("events_other", ""));

/** The parts that are there. */
export async function readParts(tx: Tx): Promise<StoredPart[]> {
  const rows = await tx.query(READ);
  return rows.map(({ name, bounds }) => ({ ending: name.slice("events_".length), ...parseBounds(bounds) }));
}

/** Time of the last row that no part has, of subjects of these times; null: there is none. */
export async function lastWithoutPart(tx: Tx, times: Part): Promise<number | null> {
  const [last] = await tx.query(LAST_OTHER, subjectsOf(times));
  return last ? timeOfId(last.subject) : null;
}

/** Makes a part. Throws when there are rows of it that have no part, or when others hold the tables for too long. */
export async function makePart(database: Database, part: NewPart): Promise<void> {
  const [from, to] = subjectsOf(part);
  const ending = endingOf(part.from);
  const bounds = `FOR VALUES FROM ('${from}') TO ('${to}')`;
  await locked(database, async (tx) => {
    await run(tx, `CREATE TABLE events_${ending} PARTITION OF events ${bounds}`);
    // Rows that had to wait change two or three times within seconds and then never again: vacuum dead rows soon.
    await run(
      tx,
      `CREATE TABLE deliveries_${ending} PARTITION OF deliveries ${bounds}
       WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`,
    );
  });
}

/**
 * Drops a part with its events and deliveries. Those of events from `until` on stay, without a part. False: there are
 * too many of these. Throws when others hold the tables for too long.
 */
export async function dropPart(database: Database, part: StoredPart, until: Date): Promise<boolean> {
  const first = firstIdAt(until.getTime());
  const [late] = await database.query(COUNT_LATE, [first, ...subjectsOf(part)]);
  if (late!.n > MOVED_MAX) return false;
  const { ending } = part;
  const lateEvents = `applications a
    CROSS JOIN LATERAL (SELECT * FROM events_${ending} WHERE application_id = a.id AND id >= '${first}') e`;
  await locked(database, async (tx) => {
    await run(tx, `ALTER TABLE events DETACH PARTITION events_${ending}`);
    await run(tx, `ALTER TABLE deliveries DETACH PARTITION deliveries_${ending}`);
    // Without the bounds of the part the same rows belong to events_other and deliveries_other.
    await run(tx, `INSERT INTO events SELECT e.* FROM ${lateEvents}`);
    await run(
      tx,
      `INSERT INTO deliveries SELECT d.* FROM ${lateEvents}
       JOIN deliveries_${ending} d ON d.user_id = e.user_id AND d.subject = e.subject AND d.position = e.position`,
    );
    await run(tx, `DROP TABLE events_${ending}, deliveries_${ending}`);
  });
  return true;
}

/** Deletes events from before `until` row by row, with their deliveries: of a part, or (null) those without one. */
export async function deleteOld(
  database: Database,
  { part, until, signal }: { part: Part | null; until: Date; signal: AbortSignal },
): Promise<void> {
  const first = firstIdAt(until.getTime());
  while (!signal.aborted) {
    const rows =
      part === null
        ? await database.query(DELETE_OLD_OTHER, [first])
        : await database.query(DELETE_OLD, [first, ...subjectsOf(part)]);
    if (rows.length < CHUNK) return;
  }
}

/** Runs `work` in a tx that has both tables to itself, if it gets them in time. */
async function locked(database: Database, work: (tx: Tx) => Promise<void>): Promise<void> {
  await database.tx(async (tx) => {
    await tx.query(LIMIT_WAIT);
    await tx.query(LOCK);
    await work(tx);
  });
}

/** Runs a statement of its own text. Its name is never used twice for another text. */
async function run(tx: Tx, text: string): Promise<void> {
  await tx.query({ name: "", text });
}
