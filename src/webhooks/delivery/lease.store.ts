import { firstIdAt } from "../../ids.ts";
import type { Database, Tx } from "../../postgres/postgres.ts";
import { rollback } from "../../postgres/rollback.ts";
import { int4, int8, statement, timestamptz } from "../../postgres/statement.ts";
import { subscribes } from "../outbox.store.ts";

const OPEN = statement(
  "webhooks.open-lease",
  { id: int8 },
  `INSERT INTO delivery_leases (id, leased_until, since)
         VALUES ((extract(epoch FROM clock_timestamp()) * 1e6)::bigint, $1, $2) RETURNING id`,
);
const EXTEND = statement(
  "webhooks.extend-lease",
  { one: int4 },
  `UPDATE delivery_leases SET leased_until = $2, since = $3 WHERE id = $1 RETURNING 1 AS one`,
);
const CLOSE = statement(
  "webhooks.close-lease",
  {},
  // Not while a tx that has stored events under it is not committed: then another process takes it over.
  `DELETE FROM delivery_leases
         WHERE id = (SELECT id FROM delivery_leases WHERE id = $1 FOR UPDATE SKIP LOCKED)`,
);
const LOCK_ENDED = statement(
  "webhooks.lock-ended-lease",
  { id: int8, since: timestamptz },
  `SELECT id, since FROM delivery_leases WHERE leased_until < $1 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
);
const QUEUE_UNSENT = statement(
  "webhooks.queue-unsent",
  { queued: int4 },
  `WITH queued AS (
           INSERT INTO deliveries (user_id, subject, position, endpoint_id, state, due_at)
           -- Due since then: so a claim takes the later events of a subject, which have rows already, along with them.
           SELECT e.user_id, e.subject, e.position, p.id, 'pending', least(e.created_at, $3)
           FROM applications a
           CROSS JOIN LATERAL (
             -- Held, so that an erasure deletes the deliveries too. One that is being deleted gets none.
             SELECT * FROM events WHERE application_id = a.id AND id >= $2 AND lease_id = $1
             FOR KEY SHARE SKIP LOCKED
           ) e
           JOIN endpoints p ON p.application_id = e.application_id AND p.created_at <= e.created_at
           WHERE ${subscribes("e")}
           ON CONFLICT DO NOTHING
           RETURNING 1
         )
         SELECT count(*)::int AS queued FROM queued`,
);

/** Stores the lease of a process. Returns its id. All its events will be from `since` on. */
export async function openLease(tx: Tx, until: Date, since: Date): Promise<string> {
  return (await tx.query(OPEN, [until, since]))[0]!.id;
}

/** Extends a lease. False: it ended, and another process has taken over what it had to send. */
export async function extendLease(tx: Tx, id: string, until: Date, since: Date): Promise<boolean> {
  return (await tx.query(EXTEND, [id, until, since])).length > 0;
}

/** Deletes a lease that has nothing left to send, unless a tx holds it. */
export async function closeLease(tx: Tx, id: string): Promise<void> {
  await tx.query(CLOSE, [id]);
}

/**
 * Ends one lease whose process has not extended it, and stores what it may not have sent as deliveries due now. Returns
 * their number; null when there is no such lease. The events are read by a statement after the lock: it waits for every
 * tx that still stores some under this lease (`appendEvents`), so it sees them all.
 */
export async function takeOverLease(database: Database, now: Date): Promise<number | null> {
  return database.tx(async (tx) => {
    const [ended] = await tx.query(LOCK_ENDED, [now]);
    if (!ended) return rollback(null);
    const [row] = await tx.query(QUEUE_UNSENT, [ended.id, firstIdAt(ended.since.getTime()), now]);
    await closeLease(tx, ended.id);
    return row!.queued;
  });
}
