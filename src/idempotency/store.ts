import type { Tx } from "../postgres/postgres.ts";
import { bool, bytea, int2, statement, uuid } from "../postgres/statement.ts";
import type { KeyedRequest } from "./key.ts";

/** The stored response of a request: JSON, encrypted if `isSealed`. */
export interface StoredResponse {
  readonly keyHash: Buffer;
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly response: Buffer;
  readonly isSealed: boolean;
}

/** A response to store. `userId`: the user whose data it has, or null. */
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
const INSERT = statement(
  "idempotency.insert",
  { id: uuid },
  // Of two at once, the second waits for the tx of the first, and then finds the key in use.
  `INSERT INTO idempotency_keys (application_id, key_hash, id, fingerprint, status, response, is_sealed, user_id,
                                 created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING id`,
);
/** Rows of a step; with those of the same moment as its last one. */
const SWEEP_ROWS_MAX = 5_000;
const SWEEP = statement(
  "idempotency.sweep",
  { id: uuid },
  // By the index of the times alone. LEAST leaves out a null: then fewer rows than a step has are left.
  `DELETE FROM idempotency_keys WHERE created_at < $1 AND created_at <= least($1::timestamptz, (
     SELECT created_at FROM idempotency_keys WHERE created_at < $1 ORDER BY created_at
     OFFSET ${SWEEP_ROWS_MAX - 1} LIMIT 1)) RETURNING id`,
);

/** Finds the stored response of a key; null while the key is unused. */
export async function find(tx: Tx, { applicationId, keyHash }: KeyedRequest): Promise<StoredResponse | null> {
  return (await tx.query(FIND, [applicationId, keyHash]))[0] ?? null;
}

/** Stores a response, in the tx of the request. False: the key is in use already, and the tx must be undone. */
export async function keep(tx: Tx, stored: NewStoredResponse): Promise<boolean> {
  const { applicationId, keyHash, id, fingerprint, status, response, isSealed, userId, createdAt } = stored;
  const values = [applicationId, keyHash, id, fingerprint, status, response, isSealed, userId, createdAt];
  return (await tx.query(INSERT, values)).length > 0;
}

/** Deletes responses from before `before`, which frees their keys. Returns their number. */
export async function sweep(tx: Tx, before: Date, signal: AbortSignal): Promise<number> {
  for (let swept = 0; ;) {
    const step = (await tx.query(SWEEP, [before])).length;
    swept += step;
    if (step < SWEEP_ROWS_MAX || signal.aborted) return swept;
  }
}
