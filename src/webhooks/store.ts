import { arrayColumns } from "../postgres/array-columns.ts";
import type { Tx } from "../postgres/postgres.ts";
import { insertDeliveryEnds } from "../reports/figures/deltas.store.ts";
import { bool, int2, int4, oneOf, orNull, statement, text, timestamptz, uuid } from "../postgres/statement.ts";
import { figureOf } from "./delivery/delivery.ts";
import type { ClaimedDelivery, Outcome } from "./delivery/delivery.ts";
import { EVENT_TYPES, TEST_EVENT } from "./event.ts";
import { STORED_BODY, withBody } from "./stored-body.ts";
import { inProgressMs } from "./retry.ts";
import { mayBeInProgress, subscribes } from "./outbox.store.ts";

/** Attempts that a delivery's log has at most. A delivery that is replayed again and again exceeds the schedule. */
const ATTEMPTS_LOGGED_MAX = 50;

/** How many deliveries of one endpoint may be claimed at once. */
export interface Share {
  readonly endpointId: string;
  readonly room: number;
}

const NEXT_DUE = statement(
  "webhooks.next-due",
  { endpointId: uuid, isFailing: bool, dueAt: timestamptz },
  // A loose index scan: one step for each endpoint with pending deliveries, for any number of these
  // (PostgreSQL before 18 has no skip scan of its own).
  `WITH RECURSIVE waiting (endpoint_id) AS (
           (SELECT endpoint_id FROM deliveries WHERE state = 'pending' ORDER BY endpoint_id LIMIT 1)
           UNION ALL
           SELECT (SELECT d.endpoint_id FROM deliveries d
                   WHERE d.state = 'pending' AND d.endpoint_id > waiting.endpoint_id
                   ORDER BY d.endpoint_id LIMIT 1)
           FROM waiting WHERE waiting.endpoint_id IS NOT NULL
         )
         SELECT e.id AS "endpointId", e.failing_since IS NOT NULL AS "isFailing",
                (SELECT d.due_at FROM deliveries d WHERE d.state = 'pending' AND d.endpoint_id = e.id
                 ORDER BY d.due_at LIMIT 1) AS "dueAt"
         FROM waiting JOIN endpoints e ON e.id = waiting.endpoint_id
           JOIN applications ON applications.id = e.application_id
         WHERE e.disabled_at IS NULL AND coalesce(applications.suspended_at, applications.closed_at) IS NULL`,
);

/** An enabled endpoint with pending deliveries, of an application that is neither suspended nor moving. */
export interface Waiting {
  readonly endpointId: string;
  /** Its last attempt failed. */
  readonly isFailing: boolean;
  readonly dueAt: Date;
}

/**
 * When each enabled endpoint with pending deliveries is next due. A leased delivery is due after its lease. Those of a
 * suspended application wait for the end of its suspension.
 */
export async function findNextDue(tx: Tx): Promise<Waiting[]> {
  return tx.query(NEXT_DUE);
}

const SHARES = arrayColumns<Share>({
  endpoint_id: ["uuid", ({ endpointId }) => endpointId],
  room: ["int", ({ room }) => room],
});
const CLAIM = statement(
  "webhooks.claim",
  {
    userId: uuid,
    subject: uuid,
    position: int2,
    endpointId: uuid,
    hasRow: bool,
    isReplayed: bool,
    attempts: int2,
    leasedUntil: timestamptz,
    eventId: uuid,
    type: oneOf<ClaimedDelivery["type"]>([...EVENT_TYPES, TEST_EVENT]),
    ...STORED_BODY,
    createdAt: timestamptz,
    traceparent: orNull(text),
    url: text,
    generation: int4,
    previousSecretUntil: orNull(timestamptz),
  },
  // The earlier deliveries of a subject are found by the primary key. There, "finished_at IS NULL" is used in place of
  // "state = 'pending'", which means the same: with the latter PostgreSQL, before its first ANALYZE, scans the index of
  // all due deliveries for each row. A claim with 9,000 waiting then took 35 ms instead of 3.
  `WITH due AS MATERIALIZED (
           SELECT d.*
           FROM ${SHARES.unnest} AS share (${SHARES.names})
           CROSS JOIN LATERAL (
             SELECT d.user_id, d.subject, d.position, d.endpoint_id, d.attempts > d.attempts_before AS is_retry
             FROM deliveries d
             WHERE d.endpoint_id = share.endpoint_id AND d.state = 'pending' AND d.due_at <= $3
               -- Without those that this claim cannot take, since they wait for an earlier event of their subject that
               -- comes later here (leased, released or taken over since): they would use up the room at every claim.
               AND (d.attempts > d.attempts_before OR NOT EXISTS (
                 SELECT 1 FROM deliveries earlier
                 WHERE earlier.user_id = d.user_id AND earlier.subject = d.subject
                   AND earlier.position < d.position AND earlier.endpoint_id = d.endpoint_id
                   AND earlier.finished_at IS NULL AND earlier.attempts = earlier.attempts_before
                   AND earlier.due_at > d.due_at)
                 -- Or for one without a row, which is being sent by the process that stored it.
                 AND NOT EXISTS (
                   SELECT 1 FROM events e JOIN endpoints p ON p.id = d.endpoint_id
                   WHERE e.user_id = d.user_id AND e.subject = d.subject AND e.position < d.position
                     AND ${subscribes("e")} AND ${mayBeInProgress({ now: "$3", since: "$5" })}
                     AND NOT EXISTS (SELECT 1 FROM deliveries stored
                                     WHERE stored.user_id = e.user_id AND stored.subject = e.subject
                                       AND stored.position = e.position AND stored.endpoint_id = p.id)))
             ORDER BY d.due_at, d.position
             LIMIT share.room
             FOR UPDATE SKIP LOCKED
           ) d
         ),
         -- A first attempt waits for the first attempts of the subject's earlier events, unless they are claimed
         -- with it: then they are sent before it. A delivery that another process holds is not in "due": it blocks.
         free AS (
           SELECT due.* FROM due
           WHERE due.is_retry OR NOT EXISTS (
             SELECT 1 FROM deliveries earlier
             WHERE earlier.user_id = due.user_id AND earlier.subject = due.subject
               AND earlier.position < due.position AND earlier.endpoint_id = due.endpoint_id
               AND earlier.finished_at IS NULL AND earlier.attempts = earlier.attempts_before
               AND NOT EXISTS (SELECT 1 FROM due along
                               WHERE along.subject = earlier.subject AND along.position = earlier.position
                                 AND along.endpoint_id = earlier.endpoint_id))
         ),
         claimed AS (
           UPDATE deliveries d SET due_at = $4
           FROM free
           WHERE d.user_id = free.user_id AND d.subject = free.subject AND d.position = free.position
             AND d.endpoint_id = free.endpoint_id
           RETURNING d.*
         )
         SELECT claimed.user_id AS "userId", claimed.subject, claimed.position, claimed.endpoint_id AS "endpointId",
                true AS "hasRow", claimed.is_replayed OR claimed.attempts_before > 0 AS "isReplayed", claimed.attempts - claimed.attempts_before AS attempts, claimed.due_at AS "leasedUntil",
                events.id AS "eventId", events.type, events.body, events.packed,
                events.created_at AS "createdAt", events.traceparent, endpoints.url, endpoints.generation,
                endpoints.previous_secret_until AS "previousSecretUntil"
         FROM claimed
         JOIN events USING (user_id, subject, position)
         JOIN endpoints ON endpoints.id = claimed.endpoint_id
         ORDER BY events.id, claimed.position`,
);

/**
 * Claims due deliveries, at most each endpoint's share, and leases them to the caller for `leaseSeconds`. No two
 * callers get the same delivery. First attempts of one subject come in the order of its events, and only when no
 * other process has an earlier one in progress. The caller leaves out disabled endpoints and those of suspended
 * applications (findNextDue).
 */
export async function claimDue(
  tx: Tx,
  shares: readonly Share[],
  now: Date,
  leaseSeconds: number,
): Promise<ClaimedDelivery[]> {
  const leasedUntil = new Date(now.getTime() + leaseSeconds * 1_000);
  const inProgressSince = new Date(now.getTime() - inProgressMs(leaseSeconds * 1_000));
  const rows = await tx.query(CLAIM, [...SHARES.values(shares), now, leasedUntil, inProgressSince]);
  return rows.map(withBody);
}

const OUTCOMES = arrayColumns<Outcome>({
  user_id: ["uuid", ({ delivery }) => delivery.userId],
  subject: ["uuid", ({ delivery }) => delivery.subject],
  position: ["smallint", ({ delivery }) => delivery.position],
  endpoint_id: ["uuid", ({ delivery }) => delivery.endpointId],
  leased_until: ["timestamptz", ({ delivery }) => delivery.leasedUntil],
  state: ["text", ({ state }) => state],
  due_at: ["timestamptz", ({ dueAt }) => dueAt],
  at: ["timestamptz", ({ attempt }) => attempt?.at ?? null],
  duration_ms: ["int", ({ attempt }) => attempt?.durationMs ?? null],
  status: ["smallint", ({ attempt }) => attempt?.status ?? null],
  response_text: ["text", ({ attempt }) => attempt?.responseText ?? null],
  error: ["text", ({ attempt }) => attempt?.error ?? null],
  figure: ["text", figureOf],
});
const IS_LONG_ILL = "e.failing_since <= health.ill_since";
/**
 * The end of a WITH whose part `written` has the outcomes that were written: updates the health of their endpoints. A
 * healthy endpoint's row is not written: that would be one write a batch, all of them on the same few rows.
 */
const HEALTH = `health AS (
           SELECT endpoint_id, bool_or(state = 'delivered') AS is_well, max(at) AS at,
                  max(at) - $${OUTCOMES.next}::interval AS ill_since
           FROM written WHERE at IS NOT NULL GROUP BY endpoint_id
         )
         UPDATE endpoints e
         SET failing_since = CASE WHEN health.is_well THEN NULL ELSE coalesce(e.failing_since, health.at) END,
             disabled_at = CASE WHEN health.is_well THEN e.disabled_at
                                WHEN ${IS_LONG_ILL} THEN coalesce(e.disabled_at, health.at)
                                ELSE e.disabled_at END,
             disabled_reason = CASE WHEN health.is_well THEN e.disabled_reason
                                    WHEN ${IS_LONG_ILL} THEN coalesce(e.disabled_reason, 'failing')
                                    ELSE e.disabled_reason END
         FROM health
         WHERE e.id = health.endpoint_id
           AND CASE WHEN health.is_well THEN e.failing_since IS NOT NULL
                    ELSE e.failing_since IS NULL OR (e.disabled_at IS NULL AND ${IS_LONG_ILL}) END
         RETURNING e.id AS "endpointId",
                   (e.disabled_reason = 'failing' AND e.disabled_at = health.at) IS TRUE AS "isDisabled"`;

const RECORD = statement(
  "webhooks.record",
  { endpointId: uuid, isDisabled: bool },
  // As long as due_at is the end of our lease, no one else has claimed the row. Otherwise its new holder decides, also
  // on the endpoint's health: a suspended process would report a failure long after the successes of others.
  // "finished_at IS NULL" for the reason given at CLAIM: "state = 'pending'" read all 6,800 due rows for 64 outcomes.
  // The entry of the log is built before the update, for Citus: see docs/operations.md.
  `WITH outcomes AS MATERIALIZED (
           SELECT o.*, d.attempts, jsonb_build_array(jsonb_build_object('at', d.last_attempt_at,
                    'durationMs', d.last_duration_ms, 'status', d.last_status, 'answer', d.last_answer,
                    'error', d.last_error)) AS last_entry
           FROM ${OUTCOMES.unnest} AS o (${OUTCOMES.names}) JOIN deliveries d
             ON d.user_id = o.user_id AND d.subject = o.subject AND d.position = o.position
               AND d.endpoint_id = o.endpoint_id AND d.finished_at IS NULL AND d.due_at = o.leased_until
         ), written AS (
           UPDATE deliveries d
           SET state = o.state, due_at = o.due_at,
               attempts = d.attempts + CASE WHEN o.at IS NULL THEN 0 ELSE 1 END,
               earlier_attempts = CASE WHEN o.at IS NULL OR d.attempts = 0 THEN d.earlier_attempts
                 -- "- 0" removes the first of the list.
                 ELSE (CASE WHEN d.attempts >= ${ATTEMPTS_LOGGED_MAX} THEN d.earlier_attempts - 0
                            ELSE d.earlier_attempts END) || o.last_entry END,
               last_attempt_at = coalesce(o.at, d.last_attempt_at),
               last_duration_ms = CASE WHEN o.at IS NULL THEN d.last_duration_ms ELSE o.duration_ms END,
               last_status = CASE WHEN o.at IS NULL THEN d.last_status ELSE o.status END,
               last_answer = CASE WHEN o.at IS NULL THEN d.last_answer ELSE o.response_text END,
               last_error = CASE WHEN o.at IS NULL THEN d.last_error ELSE o.error END,
               finished_at = CASE WHEN o.state = 'pending' THEN NULL ELSE o.at END
           FROM outcomes o
           WHERE d.user_id = o.user_id AND d.subject = o.subject AND d.position = o.position
             AND d.endpoint_id = o.endpoint_id AND d.finished_at IS NULL AND d.due_at = o.leased_until
             AND d.attempts = o.attempts
           RETURNING o.endpoint_id, o.state, o.at, o.figure
         ), counted AS (
           ${insertDeliveryEnds("written")}
         ), ${HEALTH}`,
);
const RECORD_UNSTORED = statement(
  "webhooks.record-unstored",
  { endpointId: uuid, isDisabled: bool },
  // A row that is there was stored by a process that took over our lease, or by a replay: its holder decides. Without
  // the event its user was erased, and without the endpoint it was removed: a pending row of it would stay. An event
  // that is being deleted is left out too: the outcomes of all others would wait, and this one would stay behind.
  `WITH outcomes AS MATERIALIZED (
           SELECT * FROM ${OUTCOMES.unnest} AS o (${OUTCOMES.names})
         ), written AS (
           INSERT INTO deliveries (user_id, subject, position, endpoint_id, state, attempts, due_at, last_attempt_at,
                                   last_duration_ms, last_status, last_answer, last_error, finished_at)
           SELECT o.user_id, o.subject, o.position, o.endpoint_id, o.state, CASE WHEN o.at IS NULL THEN 0 ELSE 1 END,
                  o.due_at, o.at, o.duration_ms, o.status, o.response_text, o.error,
                  CASE WHEN o.state = 'pending' THEN NULL ELSE o.at END
           FROM outcomes o JOIN events USING (user_id, subject, position)
             JOIN endpoints ON endpoints.id = o.endpoint_id
           FOR KEY SHARE OF events SKIP LOCKED
           ON CONFLICT DO NOTHING
           RETURNING user_id, subject, position, endpoint_id, state, last_attempt_at AS at
         ), ended AS MATERIALIZED (
           -- Nearly always all are written. The join is for the others: an INSERT returns only what it stores.
           SELECT endpoint_id, at, figure FROM outcomes
           WHERE (SELECT count(*) FROM written) = (SELECT count(*) FROM outcomes)
           UNION ALL
           SELECT endpoint_id, written.at, figure FROM written JOIN outcomes USING (user_id, subject, position, endpoint_id)
           WHERE (SELECT count(*) FROM written) < (SELECT count(*) FROM outcomes)
         ), counted AS (
           ${insertDeliveryEnds("ended")}
         ), ${HEALTH}`,
);

/**
 * Writes the outcomes of leased deliveries: one statement for those with a row, one for the others. Skips deliveries
 * that someone else has claimed since. What it writes is counted for the reports by the same statement: so each end
 * counts once, also when the process is killed, and no two processes wait for each other. Disables endpoints without a
 * successful attempt for `disableAfterSeconds` (Infinity: never), and returns their ids.
 */
export async function recordOutcomes(
  tx: Tx,
  outcomes: readonly Outcome[],
  disableAfterSeconds: number,
): Promise<string[]> {
  const disableAfter = Number.isFinite(disableAfterSeconds) ? `${disableAfterSeconds} seconds` : null;
  const values = (some: readonly Outcome[]): unknown[] => [...OUTCOMES.values(some), disableAfter];
  const stored = outcomes.filter(({ delivery }) => delivery.hasRow);
  const unstored = outcomes.filter(({ delivery }) => !delivery.hasRow);
  const health = [
    ...(unstored.length === 0 ? [] : await tx.query(RECORD_UNSTORED, values(unstored))),
    ...(stored.length === 0 ? [] : await tx.query(RECORD, values(stored))),
  ];
  return health.filter(({ isDisabled }) => isDisabled).map(({ endpointId }) => endpointId);
}
