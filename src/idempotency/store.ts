import type { Tx } from "../postgres/postgres.ts";
import { bool, bytea, int2, statement, uuid } from "../postgres/statement.ts";
import type { KeyedRequest } from "./key.ts";

/** The answer of a request as it is kept: JSON, which is encrypted where `isSealed`. */
export interface StoredResponse {
  readonly keyHash: Buffer;
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly response: Buffer;
  readonly isSealed: boolean;
}

/** The same with whose it is; `userId` null: it tells of nobody. */
export interface NewStoredResponse extends StoredResponse {
  readonly id: string;
  readonly applicationId: string;
  readonly userId: string | null;
  readonly createdAt: Date;
}

const FIND = statement(
  "idempotency.find",
  { keyHash: bytea, fingerprint: bytea, status: int2, response: bytea, isSealed: bool },
  `SELECT key_hash AS "keyHash", fingerprint, status, response, is_sealed AS "isSealed" FROM idempotency_keys
   WHERE application_id = $1 AND key_hash = $2`,
);
const KEEP = statement(
  "idempotency.keep",
  { id: uuid },
  // Of two at once the second waits for the first one's tx, and then finds the key taken.
  `INSERT INTO idempotency_keys (application_id, key_hash, id, fingerprint, status, response, is_sealed, user_id, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING id`,
);
const SWEEP = statement(
  "idempotency.sweep",
  { id: uuid },
  `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM idempotency_keys WHERE created_at < $1 ORDER BY created_at LIMIT $2)) RETURNING id`,
);
const SWEEP_ROWS_MAX = 5_000;

/** What was answered to the request of this key; null while the key is free. */
export async function find(tx: Tx, { applicationId, keyHash }: KeyedRequest): Promise<StoredResponse | null> {
  return (await tx.query(FIND, [applicationId, keyHash]))[0] ?? null;
}

/** Takes the key and keeps its response, in the tx of what it tells; false: the key is taken, undo the rest. */
export async function keep(tx: Tx, kept: NewStoredResponse): Promise<boolean> {
  const { applicationId, keyHash, id, fingerprint, status, response, isSealed, userId, createdAt } = kept;
  const values = [applicationId, keyHash, id, fingerprint, status, response, isSealed, userId, createdAt];
  return (await tx.query(KEEP, values)).length > 0;
}

/** Frees the keys of answers older than `before`; gives how many. */
export async function sweep(tx: Tx, before: Date, signal: AbortSignal): Promise<number> {
  for (let swept = 0; ;) {
    const step = (await tx.query(SWEEP, [before, SWEEP_ROWS_MAX])).length;
    swept += step;
    if (step < SWEEP_ROWS_MAX || signal.aborted) return swept;
  }
}
