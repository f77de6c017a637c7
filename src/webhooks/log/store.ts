import type { Tx } from "../../postgres/postgres.ts";
import { int2, json, oneOf, orNull, statement, text, timestamptz, uuid } from "../../postgres/statement.ts";
import { firstIdAt } from "../../ids.ts";
import { packedReference } from "../packed-event.ts";
import { STORED_BODY, withBody } from "../stored-body.ts";
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
 * endpoint $4, type $7, user $8, subject $9, one of the parts of the body $10, or of the subjects $12, or the
 * bytes after the first of what is packed $13, state $11.
 */
const SCOPE = `e.application_id = $1 AND p.application_id = $1 AND e.id <= $2 AND (e.id, d.endpoint_id) < ($2, $3)
  AND e.id >= $6 AND ($4::uuid IS NULL OR d.endpoint_id = $4) AND ($7::text IS NULL OR e.type = $7)
  AND ($8::uuid IS NULL OR e.user_id = $8) AND ($9::uuid IS NULL OR e.subject = $9)
  AND ($10::text[] IS NULL OR e.subject = ANY ($12::uuid[])
       OR substring(e.packed FROM 2 FOR length($13::bytea)) = $13
       OR EXISTS (SELECT 1 FROM unnest($10) AS part WHERE strpos(e.body, part) > 0))
       AND ($11::text IS NULL OR d.state = $11)`;

/** The members of events with the integrator's own reference: of submissions, and of records that move points. */
const REFERENCES = ["transactionId", "externalTransactionID"];

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

/**
 * Failed and pending deliveries have an index of their own: among the delivered ones they may be far apart. OFFSET 0:
 * they are read by it. The planner could else walk the events of 30 days for those of one page.
 */
const listOf = (state: "pending" | "failed"): string =>
  `SELECT ${COLUMNS}
   FROM endpoints p
   CROSS JOIN LATERAL (SELECT * FROM deliveries WHERE endpoint_id = p.id AND deliveries.state = '${state}' OFFSET 0) d
   CROSS JOIN LATERAL (
     SELECT * FROM events WHERE user_id = d.user_id AND subject = d.subject AND position = d.position OFFSET 0
   ) e
   WHERE ${SCOPE}
   ORDER BY e.id DESC, d.endpoint_id DESC LIMIT $5`;
const LIST_PENDING = statement("webhook-log.list-pending", ENTRY, listOf("pending"));
const LIST_FAILED = statement("webhook-log.list-failed", ENTRY, listOf("failed"));

const BODY = statement(
  "webhook-log.body",
  { userId: uuid, subject: uuid, ...STORED_BODY, createdAt: timestamptz },
  `SELECT user_id AS "userId", subject, body, packed, created_at AS "createdAt" FROM events WHERE application_id = $1 AND id = $2`,
);

const FIND = statement(
  "webhook-log.find",
  ENTRY,
  `SELECT ${COLUMNS}
         FROM events e JOIN deliveries d USING (user_id, subject, position) JOIN endpoints p ON p.id = d.endpoint_id
         WHERE e.application_id = $1 AND p.application_id = $1 AND e.id = $2 AND d.endpoint_id = $3`,
);

/** Makes a delivery pending again, at the start of the schedule. It is sent in the order of due_at, then position. */
export const RESTARTED = `state = 'pending', finished_at = NULL, attempts_before = d.attempts, is_replayed = true`;

const RETRY = statement(
  "webhook-log.retry",
  {},
  `UPDATE deliveries d SET ${RESTARTED}, due_at = $4
         FROM events e
         WHERE e.application_id = $1 AND e.id = $2 AND d.endpoint_id = $3
           AND d.user_id = e.user_id AND d.subject = e.subject AND d.position = e.position`,
);

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
  const parts = transactionId && REFERENCES.map((member) => `"${member}":${JSON.stringify(transactionId)}`);
  const packed = transactionId === null ? null : packedReference(transactionId);
  const subjects = transactionId === null ? [] : await tx.query(OF_REFERENCE, [applicationId, transactionId]);
  const filter = [bottom, event, userId, subjectId, parts, state, subjects.map(({ id }) => id), packed];
  // One entry more than requested shows whether there is another page.
  const values = [applicationId, before.eventId, before.endpointId, endpointId, pageSize + 1, ...filter];
  const isScan = userId === null && (state === null || state === "delivered");
  const read = async (): Promise<Entry[]> => {
    if (userId !== null) return tx.query(LIST_OF_USER, values);
    // Where there are many, the newest events have a page of them.
    const newest = await tx.query(LIST, values);
    if (isScan || newest.length > pageSize) return newest;
    return state === "pending" ? tx.query(LIST_PENDING, values) : tx.query(LIST_FAILED, values);
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
  const [row] = await tx.query(BODY, [applicationId, eventId]);
  return row ? withBody(row).body : null;
}

/** Makes a delivery due now, with all attempts of the schedule to come. */
export async function retryEntry(tx: Tx, applicationId: string, key: EntryKey, now: Date): Promise<void> {
  await tx.query(RETRY, [applicationId, key.eventId, key.endpointId, now]);
}

/** An id below those of all events from then on. */
export function firstIdOf(time: Date): string {
  return firstIdAt(time.getTime());
}
