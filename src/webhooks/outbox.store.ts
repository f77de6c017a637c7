import { arrayColumns } from "../postgres/array-columns.ts";
import type { ArrayColumn, ArrayColumns } from "../postgres/array-columns.ts";
import type { Tx } from "../postgres/postgres.ts";
import { int2, int4, orNull, statement, text, timestamptz, uuid } from "../postgres/statement.ts";
import type { NewEvent } from "./event.ts";

/** The lease under which a process sends events right after their commit; see delivery/lease.task.ts. */
export interface Lease {
  /** Id of the row in delivery_leases. */
  readonly id: string;
  /** Endpoints that have enough waiting: their deliveries are stored, and claimed when there is room. */
  readonly fullEndpointIds: readonly string[];
  /** Earlier events of other processes than this are not in progress any more. */
  readonly inProgressSince: Date;
}

/** How events are stored. Without a lease all deliveries get a row. */
export interface OutboxParameters {
  /** Seconds before a first attempt. */
  readonly firstWaitSeconds: number;
  readonly lease: Lease | null;
}

/** A delivery without a row that the caller sends after the commit: its event, and what an attempt needs. */
export interface LeasedDelivery {
  readonly subject: string;
  readonly position: number;
  readonly endpointId: string;
  readonly url: string;
  readonly generation: number;
  readonly previousSecretUntil: Date | null;
}

/** Whether an endpoint `p` gets an event. */
export function subscribes(event: string): string {
  return `(p.event_types IS NULL OR ${event}.type = ANY (p.event_types))`;
}

/**
 * Whether an event `e` without a row at an endpoint may be in progress there: it was stored under a lease after
 * `since`, or under a lease that ended before `now` and that nobody has taken over yet.
 */
export function mayBeInProgress({ now, since }: { now: string; since: string }): string {
  return `EXISTS (SELECT 1 FROM delivery_leases l WHERE l.id = e.lease_id AND e.created_at >= l.since
                        AND (e.created_at > ${since} OR l.leased_until < ${now}))`;
}

/**
 * Whether an earlier event of the subject of `new` has a first attempt at endpoint `p` to come, or in progress: with a
 * row, or without one under the lease of another process. The caller has the order of its own in memory.
 */
function waitsForEarlier(since: string): string {
  return `EXISTS (
                        SELECT 1 FROM events e LEFT JOIN deliveries d
                          ON d.user_id = e.user_id AND d.subject = e.subject AND d.position = e.position
                            AND d.endpoint_id = p.id
                        WHERE e.user_id = new.user_id AND e.subject = new.subject AND e.position < new.position
                          AND CASE WHEN d.endpoint_id IS NOT NULL
                                   THEN d.finished_at IS NULL AND d.attempts = d.attempts_before
                                   ELSE e.lease_id <> new.lease_id AND ${subscribes("e")}
                                     AND ${mayBeInProgress({ now: "new.created_at", since })} END)`;
}

const EVENT_COLUMNS: Readonly<Record<string, ArrayColumn<NewEvent>>> = {
  user_id: ["uuid", ({ userId }) => userId],
  subject: ["uuid", ({ subject }) => subject],
  position: ["smallint", ({ position }) => position],
  id: ["uuid", ({ id }) => id],
  application_id: ["uuid", ({ applicationId }) => applicationId],
  type: ["text", ({ type }) => type],
  body: ["text", ({ body, packed }) => (packed === null ? body : null)],
  packed: ["bytea", ({ packed }) => packed],
  created_at: ["timestamptz", ({ createdAt }) => createdAt],
};
const NEW_EVENTS = arrayColumns(EVENT_COLUMNS);
const TRACED_EVENTS = arrayColumns<NewEvent>({
  ...EVENT_COLUMNS,
  traceparent: ["text", ({ traceparent }) => traceparent ?? null],
});

/**
 * Stores events, with a delivery to each endpoint of their application that subscribes to their type (a disabled
 * endpoint gets its deliveries when it is enabled).
 *
 * Under a lease only those deliveries get a row that cannot be sent at once. The lock on the lease keeps it: another
 * process that takes it over waits for this commit, so that it sees these events.
 */
const appendText = ({ unnest, names, next }: ArrayColumns<NewEvent>): string => {
  const [FIRST_WAIT, LEASE, FULL, SINCE] = [0, 1, 2, 3].map((i) => `$${next + i}`);
  return `WITH lease AS (
           SELECT id FROM delivery_leases WHERE id = ${LEASE}::bigint FOR KEY SHARE SKIP LOCKED
         ), new_events AS MATERIALIZED (
           SELECT ${names}, (SELECT id FROM lease) AS lease_id FROM ${unnest} AS sent (${names})
         ), stored_events AS (
           INSERT INTO events (${names}, lease_id) SELECT ${names}, lease_id FROM new_events
         ), targets AS MATERIALIZED (
           SELECT new.user_id, new.subject, new.position, new.created_at, p.id AS endpoint_id, p.url, p.generation,
                  p.previous_secret_until,
                  new.lease_id IS NOT NULL AND p.failing_since IS NULL AND p.disabled_at IS NULL
                    AND p.id <> ALL (${FULL}::uuid[])
                    AND (SELECT coalesce(suspended_at, closed_at) FROM applications WHERE id = new.application_id) IS NULL
                    AND (new.position = 1
                      OR NOT ${waitsForEarlier(`${SINCE}::timestamptz`)}) AS is_leased
           FROM new_events AS new JOIN endpoints p ON p.application_id = new.application_id
           WHERE ${subscribes("new")}
         ), queued AS (
           INSERT INTO deliveries (user_id, subject, position, endpoint_id, state, due_at)
           SELECT user_id, subject, position, endpoint_id, 'pending',
                  created_at + make_interval(secs => ${FIRST_WAIT}::float8)
           FROM targets WHERE NOT is_leased
           RETURNING endpoint_id
         )
         SELECT * FROM (SELECT count(*)::int AS queued FROM queued) AS stored
           LEFT JOIN (SELECT subject, position, endpoint_id AS "endpointId", url, generation,
                             previous_secret_until AS "previousSecretUntil"
                      FROM targets WHERE is_leased) AS leased ON true`;
};
const APPENDED = {
  queued: int4,
  // All null when no delivery is leased.
  subject: orNull(uuid),
  position: orNull(int2),
  endpointId: orNull(uuid),
  url: orNull(text),
  generation: orNull(int4),
  previousSecretUntil: orNull(timestamptz),
};
const APPEND_EVENTS = statement("webhooks.append-events", APPENDED, appendText(NEW_EVENTS));
/** A statement of its own, so that events that are not traced cost nothing. */
const APPEND_TRACED_EVENTS = statement("webhooks.append-traced-events", APPENDED, appendText(TRACED_EVENTS));

/** What became of the deliveries of new events. */
export interface Appended {
  /** Number of those that have a row. */
  readonly queued: number;
  readonly leased: readonly LeasedDelivery[];
}

/**
 * Stores events with their deliveries. A second event with the same subject and position violates the primary key: that
 * is a bug.
 */
export async function appendEvents(
  tx: Tx,
  events: readonly NewEvent[],
  parameters: OutboxParameters,
): Promise<Appended> {
  if (events.length === 0) return { queued: 0, leased: [] };
  const { firstWaitSeconds, lease } = parameters;
  const { id = null, fullEndpointIds = [], inProgressSince = null } = lease ?? {};
  const rest = [firstWaitSeconds, id, fullEndpointIds, inProgressSince];
  const rows = events.some(({ traceparent }) => traceparent !== undefined)
    ? await tx.query(APPEND_TRACED_EVENTS, [...TRACED_EVENTS.values(events), ...rest])
    : await tx.query(APPEND_EVENTS, [...NEW_EVENTS.values(events), ...rest]);
  const leased = rows.filter((row) => row.subject !== null) as (LeasedDelivery & { queued: number })[];
  return { queued: rows[0]!.queued, leased };
}
