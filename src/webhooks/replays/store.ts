import { isOpen } from "../../applications/closed.ts";
import { lockNameKey } from "../../postgres/cell.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { bool, int4, orNull, statement, timestamptz, uuid } from "../../postgres/statement.ts";
import type { Replay } from "./replay.ts";

const REPLAY = {
  id: uuid,
  applicationId: uuid,
  endpointId: uuid,
  onlyFailed: bool,
  fromId: uuid,
  replayed: int4,
  createdAt: timestamptz,
  advancedAt: orNull(timestamptz),
  finishedAt: orNull(timestamptz),
};
const COLUMNS = `id, application_id AS "applicationId", endpoint_id AS "endpointId", only_failed AS "onlyFailed",
  from_id AS "fromId", replayed, created_at AS "createdAt", advanced_at AS "advancedAt", finished_at AS "finishedAt"`;
const LOCK_CLASS = 7_267;

const TRY_LOCK = statement(
  "replays.try-lock",
  { locked: bool },
  `SELECT pg_try_advisory_xact_lock($1, ${lockNameKey("$2")}) AS locked`,
);
const COUNT = statement(
  "replays.count-unfinished",
  { count: int4 },
  "SELECT count(*)::int AS count FROM webhook_replays WHERE application_id = $1 AND finished_at IS NULL",
);
const INSERT = statement(
  "replays.insert",
  {},
  `INSERT INTO webhook_replays (id, application_id, endpoint_id, only_failed, from_id, replayed, created_at, advanced_at,
                                finished_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
const CLAIM = statement(
  "replays.claim",
  REPLAY,
  // The oldest unfinished one of each application, in turn: the one whose last chunk was longest ago. Another process
  // that works on one holds its row.
  `SELECT ${COLUMNS} FROM webhook_replays AS replay
         WHERE finished_at IS NULL AND ${isOpen("replay.application_id")} AND NOT EXISTS (
           SELECT 1 FROM webhook_replays AS earlier
           WHERE earlier.application_id = replay.application_id AND earlier.finished_at IS NULL AND earlier.id < replay.id)
         ORDER BY coalesce(advanced_at, created_at) LIMIT 1
         FOR UPDATE SKIP LOCKED`,
);
const ADVANCE = statement(
  "replays.advance",
  {},
  `UPDATE webhook_replays SET from_id = $2, replayed = $3, advanced_at = $4, finished_at = $5 WHERE id = $1`,
);
const POSTPONE = statement("replays.postpone", {}, "UPDATE webhook_replays SET advanced_at = $2 WHERE id = $1");
const ANY = statement(
  "replays.any-unfinished",
  { any: bool },
  `SELECT EXISTS (SELECT 1 FROM webhook_replays WHERE finished_at IS NULL) AS "any"`,
);
const FIND = statement(
  "replays.find",
  REPLAY,
  `SELECT ${COLUMNS} FROM webhook_replays WHERE id = $2 AND application_id = $1`,
);
const DROP_OLD = statement("replays.drop-old", {}, "DELETE FROM webhook_replays WHERE finished_at < $1");

/** Whether this tx alone may begin a replay of the application. Unlocked at its end. */
export async function tryLockReplays(tx: Tx, applicationId: string): Promise<boolean> {
  return (await tx.query(TRY_LOCK, [LOCK_CLASS, applicationId]))[0]!.locked;
}

/** Counts the replays of an application that are not finished. */
export async function countUnfinished(tx: Tx, applicationId: string): Promise<number> {
  return (await tx.query(COUNT, [applicationId]))[0]!.count;
}

/** Stores a replay. */
export async function insertReplay(tx: Tx, replay: Replay): Promise<void> {
  const { id, applicationId, endpointId, onlyFailed, fromId, replayed, createdAt, advancedAt, finishedAt } = replay;
  const times = [createdAt, advancedAt, finishedAt];
  await tx.query(INSERT, [id, applicationId, endpointId, onlyFailed, fromId, replayed, ...times]);
}

/** Locks the replay whose turn it is; null: there is none. */
export async function claimReplay(tx: Tx): Promise<Replay | null> {
  return (await tx.query(CLAIM))[0] ?? null;
}

/** Stores how far a replay has come. */
export async function storeProgress(tx: Tx, replay: Replay): Promise<void> {
  const { id, fromId, replayed, advancedAt, finishedAt } = replay;
  await tx.query(ADVANCE, [id, fromId, replayed, advancedAt, finishedAt]);
}

/** Lets the replays of other applications go first. */
export async function postponeReplay(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.query(POSTPONE, [id, at]);
}

/** Whether any replay is not finished. */
export async function areReplaysUnfinished(tx: Tx): Promise<boolean> {
  return (await tx.query(ANY))[0]!.any;
}

/** Finds a replay of this application. */
export async function findReplay(tx: Tx, applicationId: string, id: string): Promise<Replay | null> {
  return (await tx.query(FIND, [applicationId, id]))[0] ?? null;
}

/** Deletes the replays that finished before `until`. */
export async function dropReplaysBefore(tx: Tx, until: Date): Promise<void> {
  await tx.query(DROP_OLD, [until]);
}
