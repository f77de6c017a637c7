// Makes the deliveries of a replay due again, step by step.
import { timeOfId } from "../../ids.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { int4, orNull, statement, uuid } from "../../postgres/statement.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { TEST_EVENT } from "../event.ts";
import { RESTARTED, firstIdOf } from "../log/store.ts";
import type { ReplayedChunk } from "./replay.ts";

/**
 * Events that are being deleted (an erasure, the end of 30 days) are left out, and the others stay until the end of the
 * tx: otherwise a replay waited for the deletion, and then left deliveries without an event, or failed as a deadlock.
 */
const HELD = "FOR KEY SHARE SKIP LOCKED";
const HELD_OF_EVENTS = "FOR KEY SHARE OF e SKIP LOCKED";

const REPLAY_SINCE = statement(
  "webhook-log.replay-since",
  { replayed: int4, lastId: orNull(uuid), events: int4 },
  // Of pending deliveries, only those due after the end of any lease are moved: an earlier one may be leased, and so in
  // progress.
  `WITH chunk AS MATERIALIZED (
           SELECT user_id, subject, position, id FROM events
           WHERE application_id = $1 AND id > $3 AND id < $4 AND type <> '${TEST_EVENT}'
             AND ($5::text[] IS NULL OR type = ANY ($5))
           ORDER BY id LIMIT $8 ${HELD}
         ), queued AS (
           INSERT INTO deliveries AS d (user_id, subject, position, endpoint_id, state, due_at, is_replayed)
           SELECT user_id, subject, position, $2::uuid, 'pending', $6::timestamptz, true FROM chunk
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

/** Events of one step of a replay by the command line. */
const CHUNK = 5_000;
const REPLAY_EVENTS_MAX = 100_000;

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
