import type { Database, Tx } from "../../postgres/postgres.ts";
import { int2, int4, json, oneOf, orNull, statement, text, timestamptz, uuid } from "../../postgres/statement.ts";
import { firstIdAt, timeOfId } from "../../ids.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { TEST_EVENT } from "../event.ts";
import type { ReplayedChunk } from "../replays/replay.ts";
import { DELIVERY_STATES } from "./entry.ts";
import type { Entry, EntryKey, LogQuery, LoggedAttempt } from "./entry.ts";

const ENTRY = {
  eventId: uuid,
  endpointId: uuid,
  event: text,
  subjectId: uuid,
  sequence: int2,
  state: oneOf(DELIVERY_STATES),
  createdAt: timestamptz,
  dueAt: timestamptz,
  earlierAttempts: json<LoggedAttempt[]>(),
  last: orNull(json<LoggedAttempt>()),
};

const LAST_ATTEMPT = `CASE WHEN d.attempts = 0 THEN NULL ELSE jsonb_build_object('at', d.last_attempt_at,
    'durationMs', d.last_duration_ms, 'status', d.last_status, 'answer', d.last_answer, 'error', d.last_error) END`;
const COLUMNS = `e.id AS "eventId", d.endpoint_id AS "endpointId", e.type AS event, e.subject AS "subjectId",
  e.position AS sequence, d.state,
  e.created_at AS "createdAt", d.due_at AS "dueAt", d.earlier_attempts AS "earlierAttempts", ${LAST_ATTEMPT} AS last`;

/**
 * Deliveries of application $1 below the pair of event and endpoint ($2, $3), of events from id $6 on. Filters:
 * endpoint $4, type $7, user $8, subject $9, a part of the body $10 or one of the subjects $12, state $11.
 */
const SCOPE = `e.application_id = $1 AND p.application_id = $1 AND e.id <= $2 AND (e.id, d.endpoint_id) < ($2, $3)
  AND e.id >= $6 AND ($4::uuid IS NULL OR d.endpoint_id = $4) AND ($7::text IS NULL OR e.type = $7)
  AND ($8::uuid IS NULL OR e.user_id = $8) AND ($9::uuid IS NULL OR e.subject = $9)
  AND ($10::text IS NULL OR e.subject = ANY ($12::uuid[]) OR strpos(e.body, $10) > 0) AND ($11::text IS NULL OR d.state = $11)`;

/** Events that one page reads: a filter that few of them pass must not read those of 30 days. */
const SCANNED_MAX = 2_000;

const LIST = statement(
  "webhook-log.list",
  ENTRY,
  `SELECT ${COLUMNS}
         FROM (SELECT * FROM events WHERE application_id = $1 AND id <= $2 AND id >= $6
               ORDER BY id DESC LIMIT ${SCANNED_MAX}) e
         JOIN deliveries d USING (user_id, subject, position) JOIN endpoints p ON p.id = d.endpoint_id
         WHERE ${SCOPE}
         ORDER BY e.id DESC, d.endpoint_id DESC LIMIT $5`,
);
const SCAN_END = statement(
  "webhook-log.scan-end",
  { id: uuid },
  `SELECT id FROM events WHERE application_id = $1 AND id <= $2 AND id >= $3
         ORDER BY id DESC OFFSET ${SCANNED_MAX - 1} LIMIT 1`,
);

/** The events of one user are found by key. */
const LIST_OF_USER = statement(
  "webhook-log.list-of-user",
  ENTRY,
  `SELECT ${COLUMNS}
         FROM events e JOIN deliveries d USING (user_id, subject, position) JOIN endpoints p ON p.id = d.endpoint_id
         WHERE e.user_id = $8 AND ${SCOPE}
         ORDER BY e.id DESC, d.endpoint_id DESC LIMIT $5`,
);
const OWNER = statement(
  "webhook-log.owner",
  { userId: uuid },
  `SELECT user_id AS "userId" FROM intakes WHERE id = $1
         UNION ALL SELECT user_id FROM receipts WHERE id = $1`,
);

/** The submissions that hold a reference: `rewards.awarded` has their id as its subject, and not their reference. */
const OF_REFERENCE = statement(
  "webhook-log.of-reference",
  { id: uuid },
  `SELECT submission_id AS id FROM submission_references
         WHERE application_id = $1 AND kind IN ('meal', 'food', 'receipt') AND reference = $2`,
);

/** Failed and pending deliveries have an index of their own: among the delivered ones they may be far apart. */
const listOf = (state: "pending" | "failed"): string =>
  `SELECT ${COLUMNS}
   FROM endpoints p
   JOIN deliveries d ON d.endpoint_id = p.id AND d.state = '${state}'
   JOIN events e USING (user_id, subject, position)
   WHERE ${SCOPE}
   ORDER BY e.id DESC, d.endpoint_id DESC LIMIT $5`;
const LIST_PENDING = statement("webhook-log.list-pending", ENTRY, listOf("pending"));
const LIST_FAILED = statement("webhook-log.list-failed", ENTRY, listOf("failed"));

const BODY = statement(
  "webhook-log.body",
  { body: text },
  `SELECT body FROM events WHERE application_id = $1 AND id = $2`,
);

const FIND = statement(
  "webhook-log.find",
  ENTRY,
  `SELECT ${COLUMNS}
         FROM events e JOIN deliveries d USING (user_id, subject, position) JOIN endpoints p ON p.id = d.endpoint_id
         WHERE e.application_id = $1 AND p.application_id = $1 AND e.id = $2 AND d.endpoint_id = $3`,
);

/** Makes a delivery pending again, at the start of the schedule. It is sent in the order of due_at, then position. */
const RESTARTED = `state = 'pending', finished_at = NULL, attempts_before = d.attempts`;

const RETRY = statement(
  "webhook-log.retry",
  {},
  `UPDATE deliveries d SET ${RESTARTED}, due_at = $4
         FROM events e
         WHERE e.application_id = $1 AND e.id = $2 AND d.endpoint_id = $3
           AND d.user_id = e.user_id AND d.subject = e.subject AND d.position = e.position`,
);

/**
 * Events that are being deleted (an erasure, the end of 30 days) are left out, and the others stay until the end of the
 * tx: otherwise a replay waited for the deletion, and then failed by its foreign key, or as a deadlock.
 */
const HELD = "FOR KEY SHARE SKIP LOCKED";
const HELD_OF_EVENTS = "FOR KEY SHARE OF e SKIP LOCKED";

const REPLAY_SINCE = statement(
  "webhook-log.replay-since",
  { replayed: int4, lastId: orNull(uuid), events: int4 },
  // Of pending deliveries, only those due after the end of any lease are moved: an earlier one may be leased, and so in
  // progress.
  `WITH chunk AS (
           SELECT user_id, subject, position, id FROM events
           WHERE application_id = $1 AND id > $3 AND id < $4 AND type <> '${TEST_EVENT}'
             AND ($5::text[] IS NULL OR type = ANY ($5))
           ORDER BY id LIMIT $8 ${HELD}
         ), queued AS (
           INSERT INTO deliveries AS d (user_id, subject, position, endpoint_id, state, due_at)
           SELECT user_id, subject, position, $2::uuid, 'pending', $6::timestamptz FROM chunk
           ON CONFLICT (user_id, subject, position, endpoint_id) DO UPDATE SET ${RESTARTED}, due_at = excluded.due_at
           WHERE d.state <> 'pending' OR (d.attempts > d.attempts_before AND d.due_at > $7)
           RETURNING 1
         )
         SELECT (SELECT count(*)::int FROM queued) AS replayed,
                (SELECT id FROM chunk ORDER BY id DESC LIMIT 1) AS "lastId",
                (SELECT count(*)::int FROM chunk) AS events`,
);

const REPLAY_FAILED = statement(
  "webhook-log.replay-failed",
  { one: int4 },
  // "last_attempt_at <= $3": a delivery that fails again during the replay is not taken by its next chunk.
  `WITH failed AS (
           SELECT d.user_id, d.subject, d.position FROM deliveries d JOIN events e USING (user_id, subject, position)
           WHERE d.endpoint_id = $1 AND d.state = 'failed' AND d.last_attempt_at <= $3 AND e.id >= $2
           LIMIT $5 ${HELD_OF_EVENTS}
         ), retried AS (
           SELECT d.user_id, d.subject, d.position FROM deliveries d JOIN events e USING (user_id, subject, position)
           WHERE d.endpoint_id = $1 AND d.state = 'pending' AND d.due_at > $4 AND d.attempts > d.attempts_before
             AND d.last_attempt_at <= $3 AND e.id >= $2
           LIMIT $5 ${HELD_OF_EVENTS}
         ), chunk AS (
           SELECT * FROM failed UNION ALL SELECT * FROM retried LIMIT $5
         )
         UPDATE deliveries d SET ${RESTARTED}, due_at = $3
         FROM chunk
         WHERE d.user_id = chunk.user_id AND d.subject = chunk.subject AND d.position = chunk.position
           AND d.endpoint_id = $1
         RETURNING 1 AS one`,
);

const DROP_OLD = statement(
  "webhook-log.drop-old",
  { one: int4 },
  `WITH old AS (
           SELECT e.user_id, e.subject, e.position
           FROM applications a
           CROSS JOIN LATERAL (
             SELECT user_id, subject, position FROM events
             WHERE application_id = a.id AND id < $1 ORDER BY id LIMIT $2
           ) e
           LIMIT $2
         )
         DELETE FROM events USING old
         WHERE events.user_id = old.user_id AND events.subject = old.subject AND events.position = old.position
         RETURNING 1 AS one`,
);

const CHUNK = 5_000;
const REPLAY_EVENTS_MAX = 100_000;
/** Above and below all ids. */
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
const NO_ID = "00000000-0000-0000-0000-000000000000";

/** A page of a log; with `next`, there may be more below it. */
export interface LogPage {
  readonly entries: readonly Entry[];
  readonly next: EntryKey | null;
}

/** A page of an application's log: the newest event first, those of one millisecond by position, then by endpoint. */
export async function listEntries(tx: Tx, applicationId: string, query: LogQuery): Promise<LogPage> {
  const { endpointId, state, event, subjectId, transactionId, since, until, pageSize } = query;
  const top = until === null ? LAST_ID : firstIdOf(until);
  const before =
    query.before !== null && query.before.eventId < top ? query.before : { eventId: top, endpointId: NO_ID };
  const bottom = since === null ? NO_ID : firstIdOf(since);
  // A session's owner is not looked up: its row is deleted before its event.
  const owner = query.userId === null && subjectId !== null ? (await tx.query(OWNER, [subjectId]))[0] : undefined;
  const userId = query.userId ?? owner?.userId ?? null;
  // As it is in the body, which is JSON; the reference of no other member.
  const part = transactionId === null ? null : `"transactionId":${JSON.stringify(transactionId)}`;
  const subjects = transactionId === null ? [] : await tx.query(OF_REFERENCE, [applicationId, transactionId]);
  const filter = [bottom, event, userId, subjectId, part, state, subjects.map(({ id }) => id)];
  // One entry more than requested shows whether there is another page.
  const values = [applicationId, before.eventId, before.endpointId, endpointId, pageSize + 1, ...filter];
  const isScan = userId === null && (state === null || state === "delivered");
  const read = (): Promise<Entry[]> => {
    if (userId !== null) return tx.query(LIST_OF_USER, values);
    if (state === "pending") return tx.query(LIST_PENDING, values);
    if (state === "failed") return tx.query(LIST_FAILED, values);
    return tx.query(LIST, values);
  };
  const found = await read();
  const entries = found.slice(0, pageSize);
  if (found.length > pageSize) return { entries, next: entries.at(-1)! };
  if (!isScan) return { entries, next: null };
  const [end] = await tx.query(SCAN_END, [applicationId, before.eventId, bottom]);
  return { entries, next: end ? { eventId: end.id, endpointId: NO_ID } : null };
}

/** One delivery of an application. */
export async function findEntry(tx: Tx, applicationId: string, key: EntryKey): Promise<Entry | null> {
  return (await tx.query(FIND, [applicationId, key.eventId, key.endpointId]))[0] ?? null;
}

/** The body of an event of an application. */
export async function findBody(tx: Tx, applicationId: string, eventId: string): Promise<string | null> {
  return (await tx.query(BODY, [applicationId, eventId]))[0]?.body ?? null;
}

/** Makes a delivery due now, with all attempts of the schedule to come. */
export async function retryEntry(tx: Tx, applicationId: string, key: EntryKey, now: Date): Promise<void> {
  await tx.query(RETRY, [applicationId, key.eventId, key.endpointId, now]);
}

/** The parameters of a replay. Deliveries due within `leaseMs` are skipped: they may be leased, and so in progress. */
export interface Replay {
  readonly since: Date;
  readonly now: Date;
  readonly leaseMs: number;
}

/** The result of a replay. `nextSince`: there are more events, from then on. */
export interface Replayed {
  readonly replayed: number;
  readonly nextSince: Date | null;
}

/** A part of a replay. Of pending deliveries those due before `soon` are skipped; the deliveries become due at `at`. */
export interface ReplayStep {
  readonly onlyFailed: boolean;
  /** Events with a higher id are replayed, as far as they happened by `at`. */
  readonly fromId: string;
  readonly at: Date;
  readonly soon: Date;
  /** Events at most. */
  readonly events: number;
}

/** Makes the next deliveries of a replay due. */
export async function replayChunk(tx: Tx, endpoint: Endpoint, step: ReplayStep): Promise<ReplayedChunk> {
  const { fromId, at, soon, events } = step;
  const { applicationId, id, eventTypes } = endpoint;
  if (step.onlyFailed) {
    const rows = await tx.query(REPLAY_FAILED, [id, fromId, at, soon, events]);
    // The deliveries taken are not failed any more, so the same step continues with the others.
    return { replayed: rows.length, nextId: rows.length < events ? null : fromId };
  }
  const until = firstIdOf(new Date(at.getTime() + 1));
  const [chunk] = await tx.query(REPLAY_SINCE, [applicationId, id, fromId, until, eventTypes, at, soon, events]);
  return { replayed: chunk!.replayed, nextId: chunk!.events < events ? null : chunk!.lastId };
}

/** Makes all events due since `since` that the endpoint subscribes to, whether or not it received them before. */
export async function replaySince(tx: Tx, endpoint: Endpoint, replay: Replay): Promise<Replayed> {
  return replayAll(tx, endpoint, replay, false);
}

/** Makes the deliveries due that were attempted without success: the failed, and those waiting for a retry. */
export async function replayFailed(tx: Tx, endpoint: Endpoint, replay: Replay): Promise<Replayed> {
  return replayAll(tx, endpoint, replay, true);
}

async function replayAll(tx: Tx, endpoint: Endpoint, replay: Replay, onlyFailed: boolean): Promise<Replayed> {
  const { since, now, leaseMs } = replay;
  const soon = new Date(now.getTime() + leaseMs);
  let fromId = firstIdOf(since);
  let replayed = 0;
  for (let events = 0; events < REPLAY_EVENTS_MAX; events += CHUNK) {
    const chunk = await replayChunk(tx, endpoint, { onlyFailed, fromId, at: now, soon, events: CHUNK });
    replayed += chunk.replayed;
    if (chunk.nextId === null) return { replayed, nextSince: null };
    fromId = chunk.nextId;
  }
  return { replayed, nextSince: onlyFailed ? since : new Date(timeOfId(fromId)) };
}

/** Deletes events from before `until`, with their deliveries and attempts. Returns their number. */
export async function dropEventsBefore(database: Database, until: Date, signal: AbortSignal): Promise<number> {
  let dropped = 0;
  while (!signal.aborted) {
    const rows = await database.query(DROP_OLD, [firstIdOf(until), CHUNK]);
    dropped += rows.length;
    if (rows.length < CHUNK) break;
  }
  return dropped;
}

/** An id below those of all events from then on. For a time before 1970 it is below all ids. */
export function firstIdOf(time: Date): string {
  return firstIdAt(Math.max(0, time.getTime()));
}
