// Claiming receipts by turn. The readers are shared by start-time fair queueing (Goyal, Vin, Cheng 1996): each
// application has a clock of the reading time that it has used, and the one whose clock is least is next. An
// application that comes after a pause starts at the common clock, so that unused time is not saved up.

import { isOpen } from "../applications/closed.ts";
import { lockKey } from "../postgres/cell.ts";
import type { Database, Tx } from "../postgres/postgres.ts";
import { bool, float8, int2, int4, nothing, statement } from "../postgres/statement.ts";
import type { Receipt } from "./receipt.ts";
import { HAS_USER, IS_UNFINISHED, RECEIPT, RECEIPT_COLUMNS } from "./store.ts";

/** Reading time that is assumed for the first receipt of an application. */
const FIRST_COST_MS = 1_500;
/** Weight of the last reading in the average of an application. */
const COST_WEIGHT = 0.3;
const LOCK_KEY = 7_266;

const LOCK_TURNS = statement(
  "receipts.lock-turns",
  { locked: nothing },
  `SELECT pg_advisory_xact_lock(${lockKey("$1")}) AS locked`,
);

const IS_ANY_UNFINISHED = statement(
  "receipts.is-any-unfinished",
  { unfinished: bool },
  // Ordered, so that it is read by the index of unfinished receipts: EXISTS may read ten million finished ones instead.
  `SELECT (SELECT application_id FROM receipts WHERE ${IS_UNFINISHED} ORDER BY application_id LIMIT 1) IS NOT NULL AS unfinished`,
);

const CLAIM_NEXT = statement(
  "receipts.claim-next",
  { ...RECEIPT, costMs: float8 },
  // A loose index scan: one step for each application with unfinished receipts, for any number of these. Receipts that
  // others hold (an erasure, a process of an earlier release) are skipped.
  `WITH RECURSIVE waiting (application_id) AS (
           (SELECT application_id FROM receipts WHERE ${IS_UNFINISHED} ORDER BY application_id LIMIT 1)
           UNION ALL
           SELECT (SELECT receipts.application_id FROM receipts
                   WHERE ${IS_UNFINISHED} AND receipts.application_id > waiting.application_id
                   ORDER BY receipts.application_id LIMIT 1)
           FROM waiting WHERE waiting.application_id IS NOT NULL
         ), next AS MATERIALIZED (
           SELECT first.user_id AS next_user, first.id AS next_id, waiting.application_id AS next_application, coalesce(turn.cost_ms, $4::float8) AS next_cost_ms,
                  greatest(turn.ended_ms, (SELECT max(started_ms) FROM reading_turns), 0) AS next_started_ms
           FROM waiting LEFT JOIN reading_turns AS turn USING (application_id)
           CROSS JOIN LATERAL (
             SELECT user_id, id FROM receipts
             WHERE receipts.application_id = waiting.application_id AND ${IS_UNFINISHED} AND ${HAS_USER}
               AND (leased_until IS NULL OR leased_until <= $1) AND id <> ALL ($3::uuid[])
             ORDER BY receipts.turn, id LIMIT 1
             FOR UPDATE SKIP LOCKED
           ) AS first
           WHERE waiting.application_id IS NOT NULL AND ${isOpen("waiting.application_id")}
           ORDER BY next_started_ms, coalesce(turn.ended_ms, 0), first.id LIMIT 1
         ), counted AS (
           INSERT INTO reading_turns AS turn (application_id, started_ms, ended_ms, cost_ms)
           SELECT next_application, next_started_ms, next_started_ms + next_cost_ms, next_cost_ms FROM next
           ON CONFLICT (application_id) DO UPDATE
             SET started_ms = excluded.started_ms, ended_ms = excluded.ended_ms
         )
         UPDATE receipts SET attempts = attempts + 1, leased_until = $2
         FROM next WHERE user_id = next_user AND id = next_id
         RETURNING ${RECEIPT_COLUMNS}, next_cost_ms AS "costMs"`,
);
const CLAIM_ONE = statement(
  "receipts.claim-one",
  RECEIPT,
  `UPDATE receipts SET attempts = attempts + 1, leased_until = $2 WHERE id = $1 AND ${IS_UNFINISHED} AND ${HAS_USER}
         RETURNING ${RECEIPT_COLUMNS}`,
);
const SETTLE = statement(
  "receipts.settle-turn",
  {},
  `UPDATE reading_turns SET ended_ms = ended_ms + $2 - $3, cost_ms = cost_ms + ($2 - cost_ms) * ${COST_WEIGHT}
         WHERE application_id = $1`,
);
const LEASE = statement(
  "receipts.lease",
  {},
  `UPDATE receipts SET leased_until = $3 WHERE user_id = $1 AND id = $2 AND ${IS_UNFINISHED}`,
);
const UNCOUNT_ATTEMPT = statement(
  "receipts.uncount-attempt",
  {},
  `UPDATE receipts SET attempts = attempts - 1, leased_until = NULL
         WHERE id = $1 AND stage = $2 AND attempts > 0 AND ${IS_UNFINISHED}`,
);
const COUNT_TIMEOUT = statement(
  "receipts.count-timeout",
  { timeouts: int2 },
  `UPDATE receipts SET timeouts = timeouts + 1 WHERE user_id = $1 AND id = $2 RETURNING timeouts`,
);
const COUNT_WAITING = statement(
  "receipts.count-waiting",
  { all: int4, ofApplication: int4, ofUser: int4 },
  `SELECT (SELECT count(*)::int FROM (SELECT 1 FROM receipts WHERE ${IS_UNFINISHED} LIMIT $3) AS counted) AS "all",
                (SELECT count(*)::int FROM (SELECT 1 FROM receipts WHERE application_id = $1 AND ${IS_UNFINISHED}
                 LIMIT $4) AS counted) AS "ofApplication",
                (SELECT count(*)::int FROM (SELECT 1 FROM receipts WHERE user_id = $2 AND ${IS_UNFINISHED}
                 LIMIT $5) AS counted) AS "ofUser"`,
);

/** A claimed receipt, with the reading time that its application was charged in advance. */
export interface Turn {
  readonly receipt: Receipt;
  readonly costMs: number;
}

/**
 * Claims the next receipt by turn until `leasedUntil`, counts the attempt, and charges its application the usual cost.
 * Null: none is waiting. `running`: receipts of this process, whose lease may have ended while it was suspended.
 */
export async function claimNext(
  database: Database,
  now: Date,
  leasedUntil: Date,
  running: readonly string[],
): Promise<Turn | null> {
  // An idle service asks every two seconds. Without this it would plan CLAIM_NEXT, and take its lock, for nothing.
  const [any] = await database.query(IS_ANY_UNFINISHED, []);
  if (!any!.unfinished) return null;
  return database.tx(async (tx) => {
    // One claim at a time, for some ms each: two at once would see the same clocks and serve one application twice.
    await tx.query(LOCK_TURNS, [LOCK_KEY]);
    const [row] = await tx.query(CLAIM_NEXT, [now, leasedUntil, running, FIRST_COST_MS]);
    if (!row) return null;
    const { costMs, ...receipt } = row;
    return { receipt, costMs };
  });
}

/** Claims this receipt out of turn, and counts the attempt. Null: it is finished, or there is none. */
export async function claimOne(tx: Tx, id: string, leasedUntil: Date): Promise<Receipt | null> {
  return (await tx.query(CLAIM_ONE, [id, leasedUntil]))[0] ?? null;
}

/** Corrects what the application was charged in advance by the reading time that the receipt took. */
export async function settleTurn(tx: Tx, { receipt, costMs }: Turn, tookMs: number): Promise<void> {
  await tx.query(SETTLE, [receipt.applicationId, tookMs, costMs]);
}

/** Keeps an unfinished receipt from being claimed until then. */
export async function leaseUntil(tx: Tx, { userId, id }: Receipt, until: Date): Promise<void> {
  await tx.query(LEASE, [userId, id, until]);
}

/** Uncounts an attempt that was interrupted for no reason of the receipt, and releases it. */
export async function uncountAttempt(tx: Tx, { id, stage }: Receipt): Promise<void> {
  await tx.query(UNCOUNT_ATTEMPT, [id, stage]);
}

/** Counts a reading that exceeded its time limit. Returns the number of those so far. */
export async function countTimeout(tx: Tx, { userId, id }: Receipt): Promise<number> {
  return (await tx.query(COUNT_TIMEOUT, [userId, id]))[0]?.timeouts ?? 0;
}

/** Numbers of accepted receipts that are not finished. */
export interface Waiting {
  readonly all: number;
  readonly ofApplication: number;
  readonly ofUser: number;
}

/** Counts the unfinished receipts of all, of an application and of a user, each up to its limit. */
export async function countWaiting(
  tx: Tx,
  { applicationId, userId }: { applicationId: string; userId: string },
  limits: Waiting,
): Promise<Waiting> {
  const values = [applicationId, userId, limits.all, limits.ofApplication, limits.ofUser];
  return (await tx.query(COUNT_WAITING, values))[0]!;
}
