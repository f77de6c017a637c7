// The moves of applications, in the database of each of the two cells.

import { lockKey } from "../postgres/cell.ts";
import { APPLICATION, COLUMNS } from "../applications/store.ts";
import type { Application } from "../applications/application.ts";
import type { Tx } from "../postgres/postgres.ts";
import {
  bool,
  bytea,
  int4,
  json,
  neverNull,
  oneOf,
  orNull,
  statement,
  text,
  timestamptz,
  uuid,
} from "../postgres/statement.ts";

const LOCK_KEY = 7_268;

const CELL = statement(
  "moving.cell",
  { cellId: uuid, key: bytea },
  `SELECT cell.id AS "cellId", key FROM cell CROSS JOIN installation`,
);
const MIGRATIONS = statement("moving.migrations", { name: text }, "SELECT name FROM migrations ORDER BY name");
const LOCK = statement(
  "moving.lock",
  { isLocked: neverNull(bool) },
  `SELECT pg_try_advisory_xact_lock(${lockKey(`${LOCK_KEY} + hashtext($1)`)}) AS "isLocked"`,
);
const MOVE = {
  applicationId: uuid,
  direction: oneOf(["out", "in"]),
  state: oneOf(["closed", "moved", "done", "removed", "arriving", "arrived"]),
  otherCell: uuid,
  address: text,
  suspendedAt: orNull(timestamptz),
  rows: orNull(json<Record<string, number>>()),
  startedAt: timestamptz,
};
const FIND = statement(
  "moving.find",
  MOVE,
  `SELECT application_id AS "applicationId", direction, state, other_cell AS "otherCell", address,
          suspended_at AS "suspendedAt", rows, started_at AS "startedAt"
   FROM application_moves WHERE application_id = $1`,
);
const BEGIN = statement(
  "moving.begin",
  {},
  // Of an application that has come here by a move, the note of that is replaced.
  `WITH note AS (
     INSERT INTO application_moves (application_id, direction, state, other_cell, address, suspended_at, started_at)
     SELECT id, 'out', 'closed', $2, $3, suspended_at, $4 FROM applications WHERE id = $1
     ON CONFLICT (application_id) DO UPDATE
       SET direction = 'out', state = 'closed', other_cell = excluded.other_cell, address = excluded.address,
           suspended_at = excluded.suspended_at, started_at = excluded.started_at, rows = NULL, ended_at = NULL
     RETURNING application_id
   )
   UPDATE applications SET closed_at = $4, suspended_at = coalesce(suspended_at, $4) FROM note
   WHERE id = note.application_id AND closed_at IS NULL`,
);
const ARRIVING = statement(
  "moving.arriving",
  {},
  `INSERT INTO application_moves (application_id, direction, state, other_cell, address, suspended_at, rows, started_at)
   VALUES ($1, 'in', 'arriving', $2, $3, $4, $5, $6)`,
);
const SET_STATE = statement(
  "moving.set-state",
  { one: int4 },
  `UPDATE application_moves SET state = $3, ended_at = $4 WHERE application_id = $1 AND state = $2 RETURNING 1 AS one`,
);
const SET_ROWS = statement("moving.set-rows", {}, "UPDATE application_moves SET rows = $2 WHERE application_id = $1");
const SET_MOVED = statement("moving.set-moved", {}, "UPDATE applications SET moved_to = $2 WHERE id = $1");
const OPEN = statement(
  "moving.open",
  {},
  "UPDATE applications SET closed_at = NULL, moved_to = NULL, suspended_at = $2 WHERE id = $1",
);
const REMOVE_NOTE = statement("moving.remove-note", {}, "DELETE FROM application_moves WHERE application_id = $1");
const FIND_APPLICATION = statement(
  "moving.find-application",
  APPLICATION,
  `SELECT ${COLUMNS} FROM applications WHERE id = $1 OR client_id = $2`,
);
const RUNNING = statement(
  "moving.running",
  { scoring: neverNull(int4), reading: neverNull(int4), sending: neverNull(int4) },
  `SELECT (SELECT count(*)::int FROM intakes WHERE application_id = $1 AND finished_at IS NULL
             AND NOT EXISTS (SELECT 1 FROM users WHERE users.id = intakes.user_id AND erased_at IS NOT NULL)) AS scoring,
          (SELECT count(*)::int FROM receipts WHERE application_id = $1 AND error_code IS NULL AND stage <> 'Completed'
             AND held_at IS NULL AND leased_until > $2) AS reading,
          -- A claimed delivery is due at the end of its lease. One that a process sends from memory has no row yet.
          (SELECT count(*)::int FROM endpoints JOIN deliveries ON deliveries.endpoint_id = endpoints.id
           WHERE endpoints.application_id = $1 AND deliveries.state = 'pending' AND deliveries.due_at > $2
             AND deliveries.due_at < $4)
          + (SELECT count(*)::int FROM delivery_leases
             JOIN events ON events.lease_id = delivery_leases.id AND events.created_at >= delivery_leases.since
             JOIN endpoints ON endpoints.application_id = events.application_id
               AND endpoints.created_at <= events.created_at
               AND (endpoints.event_types IS NULL OR events.type = ANY (endpoints.event_types))
             WHERE events.application_id = $1 AND events.id >= $3 AND NOT EXISTS (
               SELECT 1 FROM deliveries WHERE deliveries.user_id = events.user_id AND deliveries.subject = events.subject
                 AND deliveries.position = events.position AND deliveries.endpoint_id = endpoints.id)) AS sending`,
);
const IMAGES = statement(
  "moving.images",
  { id: uuid, imageKey: text, photos: neverNull(int4) },
  `SELECT id, image_key AS "imageKey", 1 + cardinality(more_images) AS photos FROM receipts
   WHERE application_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
);

const OWN_USERS = statement(
  "moving.own-users",
  { id: uuid },
  "SELECT id FROM users WHERE application_id = $1 AND id = ANY ($2::uuid[])",
);

export type Move = NonNullable<Awaited<ReturnType<typeof findMove>>>;

/** What a cell is: its own name, its installation's key, and its tables. */
export async function cellOf(tx: Tx): Promise<{ cellId: string; key: Buffer; migrations: string[] }> {
  const [cell] = await tx.query(CELL);
  return { ...cell!, migrations: (await tx.query(MIGRATIONS)).map(({ name }) => name) };
}

/** Lets one command at a time move an application, until the end of the tx. False: another one does. */
export async function lockMove(tx: Tx, applicationId: string): Promise<boolean> {
  return (await tx.query(LOCK, [applicationId]))[0]!.isLocked;
}

/** The last move of an application in this cell; null: it never moved. */
export async function findMove(tx: Tx, applicationId: string) {
  return (await tx.query(FIND, [applicationId]))[0] ?? null;
}

/** Closes an application that is about to leave. */
export async function beginMove(
  tx: Tx,
  applicationId: string,
  { otherCell, address, now }: { otherCell: string; address: string; now: Date },
): Promise<void> {
  await tx.query(BEGIN, [applicationId, otherCell, address, now]);
}

/** Notes that the rows of an application are here, and that it is not open yet. */
export async function noteArriving(
  tx: Tx,
  move: Pick<Move, "applicationId" | "otherCell" | "address" | "suspendedAt" | "startedAt"> & {
    rows: Readonly<Record<string, number>>;
  },
): Promise<void> {
  const { applicationId, otherCell, address, suspendedAt, rows, startedAt } = move;
  await tx.query(ARRIVING, [applicationId, otherCell, address, suspendedAt, JSON.stringify(rows), startedAt]);
}

/** Stores the next state of a move. False: it had another state than `from`. */
export async function setState(
  tx: Tx,
  applicationId: string,
  { from, to, now }: { from: Move["state"]; to: Move["state"]; now: Date },
): Promise<boolean> {
  return (await tx.query(SET_STATE, [applicationId, from, to, now])).length > 0;
}

/** Stores the number of rows that were copied. */
export async function setRows(tx: Tx, applicationId: string, rows: Readonly<Record<string, number>>): Promise<void> {
  await tx.query(SET_ROWS, [applicationId, JSON.stringify(rows)]);
}

/** From the commit on, all calls of the application are referred to its new address. */
export async function setMoved(tx: Tx, applicationId: string, address: string): Promise<void> {
  await tx.query(SET_MOVED, [applicationId, address]);
}

/** Opens an application: it arrived, or does not leave after all. */
export async function openApplication(tx: Tx, applicationId: string, suspendedAt: Date | null): Promise<void> {
  await tx.query(OPEN, [applicationId, suspendedAt]);
}

/** Forgets a move. */
export async function removeNote(tx: Tx, applicationId: string): Promise<void> {
  await tx.query(REMOVE_NOTE, [applicationId]);
}

/** The applications with this id or client id. */
export async function findSame(tx: Tx, { id, clientId }: Pick<Application, "id" | "clientId">): Promise<Application[]> {
  return tx.query(FIND_APPLICATION, [id, clientId]);
}

/** Work that a process may be doing for a closed application. Some of it waits in rows and goes on at the target. */
export interface Running {
  readonly scoring: number;
  readonly reading: number;
  readonly sending: number;
}

/**
 * Counts the work in progress. Deliveries that are due until `claimedUntil` may be claimed; events from `firstEventId`
 * on may be sent from memory.
 */
export async function countRunning(
  tx: Tx,
  applicationId: string,
  { now, firstEventId, claimedUntil }: { now: Date; firstEventId: string; claimedUntil: Date },
): Promise<Running> {
  return (await tx.query(RUNNING, [applicationId, now, firstEventId, claimedUntil]))[0]!;
}

/** The next receipts of an application by id, with the key of their first photo and the number of photos. */
export async function receiptsAfter(
  tx: Tx,
  applicationId: string,
  { after, limit }: { after: string; limit: number },
): Promise<{ id: string; imageKey: string; photos: number }[]> {
  return tx.query(IMAGES, [applicationId, after, limit]);
}

/** Those of some users that are of an application. */
export async function ownUsers(tx: Tx, applicationId: string, ids: readonly string[]): Promise<string[]> {
  return (await tx.query(OWN_USERS, [applicationId, ids])).map(({ id }) => id);
}
