import type { Tx } from "../../postgres/postgres.ts";
import { bytea, int8, orNull, statement, textArray, timestamptz, uuid } from "../../postgres/statement.ts";

/** A passkey of a person. */
export interface Passkey {
  readonly credentialId: Buffer;
  readonly userId: string;
  /** In COSE. */
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAt: Date;
  readonly usedAt: Date | null;
}

const PASSKEY = {
  credentialId: bytea,
  userId: uuid,
  publicKey: bytea,
  counter: int8,
  transports: textArray,
  createdAt: timestamptz,
  usedAt: orNull(timestamptz),
};
const COLUMNS = `credential_id AS "credentialId", console_user_id AS "userId", public_key AS "publicKey", counter,
  transports, created_at AS "createdAt", used_at AS "usedAt"`;

const ADD = statement(
  "console.add-passkey",
  { credentialId: bytea },
  `INSERT INTO console_passkeys (credential_id, console_user_id, public_key, counter, transports, created_at)
         SELECT $1, $2, $3, $4, $5, $6
         WHERE (SELECT count(*) FROM console_passkeys WHERE console_user_id = $2) < $7
         ON CONFLICT DO NOTHING RETURNING credential_id AS "credentialId"`,
);
const FIND = statement(
  "console.find-passkey",
  PASSKEY,
  `SELECT ${COLUMNS} FROM console_passkeys WHERE credential_id = $1`,
);
const LIST = statement(
  "console.list-passkeys",
  PASSKEY,
  `SELECT ${COLUMNS} FROM console_passkeys WHERE console_user_id = $1 ORDER BY created_at`,
);
const USED = statement(
  "console.passkey-used",
  {},
  `UPDATE console_passkeys SET counter = $2, used_at = $3 WHERE credential_id = $1`,
);
const REMOVE = statement(
  "console.remove-passkey",
  { credentialId: bytea },
  `DELETE FROM console_passkeys WHERE console_user_id = $1 AND credential_id = $2
         RETURNING credential_id AS "credentialId"`,
);
const USE_CHALLENGE = statement(
  "console.use-challenge",
  { challenge: bytea },
  `INSERT INTO console_used_challenges (challenge, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING challenge`,
);
const SWEEP = statement("console.sweep-challenges", {}, `DELETE FROM console_used_challenges WHERE expires_at <= $1`);

/** Passkeys that a person may have. */
export const PASSKEYS_MAX = 20;

/** Stores a passkey. False: it is stored already, or the person has as many as allowed. */
export async function addPasskey(tx: Tx, passkey: Omit<Passkey, "usedAt">): Promise<boolean> {
  const { credentialId, userId, publicKey, counter, transports, createdAt } = passkey;
  const values = [credentialId, userId, publicKey, counter, transports, createdAt, PASSKEYS_MAX];
  return (await tx.query(ADD, values)).length > 0;
}

/** Finds a passkey by its id; null for an unknown one. */
export async function findPasskey(tx: Tx, credentialId: Buffer): Promise<Passkey | null> {
  const [row] = await tx.query(FIND, [credentialId]);
  return row ? { ...row, counter: Number(row.counter) } : null;
}

/** Lists the passkeys of a person, the oldest first. */
export async function listPasskeys(tx: Tx, userId: string): Promise<Passkey[]> {
  return (await tx.query(LIST, [userId])).map((row) => ({ ...row, counter: Number(row.counter) }));
}

/** Notes the use of a passkey, and the counter of its authenticator. */
export async function passkeyUsed(tx: Tx, credentialId: Buffer, counter: number, now: Date): Promise<void> {
  await tx.query(USED, [credentialId, counter, now]);
}

/** Removes a passkey of a person. False: there is none. */
export async function removePasskey(tx: Tx, userId: string, credentialId: Buffer): Promise<boolean> {
  return (await tx.query(REMOVE, [userId, credentialId])).length > 0;
}

/** Uses a challenge, and forgets those that have ended. False: somebody has signed in with it before. */
export async function useChallenge(tx: Tx, challenge: Uint8Array, end: Date, now: Date): Promise<boolean> {
  await tx.query(SWEEP, [now]);
  return (await tx.query(USE_CHALLENGE, [Buffer.from(challenge), end])).length > 0;
}
