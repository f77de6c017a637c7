import type { Tx } from "../postgres/postgres.ts";
import { int4, json, neverNull, orNull, statement, text, textArray, timestamptz, uuid } from "../postgres/statement.ts";
import { CREDENTIALS_MAX, ENDED_LISTED_MAX, NO_SECRET_HASH } from "./credential.ts";
import type { CallingApplication, Credential, ListedCredential } from "./credential.ts";
import { APPLICATION, COLUMNS } from "./store.ts";

/** How the database writes a credential into the row of its application. */
interface CredentialInRow {
  readonly id: string;
  readonly hash: string;
  readonly expiresAt: string | null;
  readonly scopes: readonly string[] | null;
}

const FIND_CALLING = statement(
  "applications.find-calling",
  { ...APPLICATION, credentials: neverNull(json<CredentialInRow[]>()) },
  `SELECT ${COLUMNS}, coalesce((
           SELECT jsonb_agg(jsonb_build_object('id', each.id, 'hash', encode(each.secret_hash, 'hex'),
                                               'expiresAt', each.expires_at, 'scopes', to_jsonb(each.scopes)) ORDER BY each.id)
           FROM credentials AS each
           WHERE each.application_id = applications.id AND each.revoked_at IS NULL
             AND (each.expires_at IS NULL OR each.expires_at > $2)), '[]') AS credentials
         FROM applications WHERE client_id = $1`,
);
const HOLD_APPLICATION = statement(
  "credentials.hold-application",
  { id: uuid },
  `SELECT id FROM applications WHERE id = $1 FOR NO KEY UPDATE`,
);
const COUNT_ACTIVE = statement(
  "credentials.count-active",
  { count: neverNull(int4) },
  `SELECT count(*)::int AS count FROM credentials
         WHERE application_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`,
);
const INSERT = statement(
  "credentials.insert",
  {},
  `INSERT INTO credentials (id, application_id, name, secret_hash, created_at, expires_at, scopes)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);
const REMOVE_OLD = statement(
  "credentials.remove-old",
  {},
  `WITH gone AS (
           DELETE FROM credentials WHERE id IN (
             SELECT id FROM credentials
             WHERE application_id = $1 AND (revoked_at IS NOT NULL OR expires_at <= $2)
             ORDER BY coalesce(revoked_at, expires_at) DESC, id DESC OFFSET $3)
           RETURNING id)
         DELETE FROM credential_uses USING gone WHERE credential_id = gone.id`,
);
const REVOKE = statement(
  "credentials.revoke",
  { id: uuid },
  `UPDATE credentials SET revoked_at = $3
         WHERE application_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING id`,
);
const REVOKE_FIRST = statement(
  "credentials.revoke-first",
  { id: uuid },
  `UPDATE applications
         SET secret_hash = $2, previous_secret_hash = NULL, previous_secret_until = NULL, secret_revoked_at = $3,
             updated_at = $3
         WHERE id = $1 AND secret_hash <> $2 RETURNING id`,
);
const LISTED = {
  id: uuid,
  name: orNull(text),
  scopes: orNull(textArray),
  createdAt: timestamptz,
  expiresAt: orNull(timestamptz),
  revokedAt: orNull(timestamptz),
  lastUsedAt: orNull(timestamptz),
};
const LIST = statement(
  "credentials.list",
  LISTED,
  `SELECT id, name, scopes, created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt",
          last_used_at AS "lastUsedAt"
         FROM credentials LEFT JOIN credential_uses ON credential_id = id
         WHERE application_id = $1 ORDER BY id`,
);
const FIRST = statement(
  "credentials.first",
  LISTED,
  `SELECT id, NULL::text AS name, NULL::text[] AS scopes, created_at AS "createdAt", NULL::timestamptz AS "expiresAt",
          CASE WHEN secret_hash = $2 THEN secret_revoked_at END AS "revokedAt", last_used_at AS "lastUsedAt"
         FROM applications LEFT JOIN credential_uses ON credential_id = id WHERE id = $1`,
);
const SAVE_USES = statement(
  "credentials.save-uses",
  {},
  // Ordered, so that two processes that save at once lock the rows in one order. None of what is removed meanwhile.
  `INSERT INTO credential_uses (credential_id, last_used_at)
         SELECT credential_id, last_used_at FROM unnest($1::uuid[], $2::timestamptz[]) AS used (credential_id, last_used_at)
         WHERE EXISTS (SELECT 1 FROM applications WHERE id = credential_id)
            OR EXISTS (SELECT 1 FROM credentials WHERE id = credential_id)
         ORDER BY credential_id
         ON CONFLICT (credential_id) DO UPDATE SET last_used_at = excluded.last_used_at
         WHERE credential_uses.last_used_at < excluded.last_used_at`,
);

/** Finds the application with a client id, and the credentials that it may call with at `now`. Null: unknown. */
export async function findCallingApplication(tx: Tx, clientId: string, now: Date): Promise<CallingApplication | null> {
  const [found] = await tx.query(FIND_CALLING, [clientId, now]);
  return found ? { ...found, credentials: found.credentials.map(credentialIn) } : null;
}

function credentialIn({ id, hash, expiresAt, scopes }: CredentialInRow): Credential {
  const secretHash = Buffer.from(hash, "hex");
  return { id, secretHash, expiresAt: expiresAt === null ? null : new Date(expiresAt), scopes };
}

/** A credential to add. */
export interface NewCredential extends Credential {
  readonly applicationId: string;
  readonly name: string;
  readonly createdAt: Date;
}

/**
 * Adds a credential. False: the application has as many as it may have, or there is no such application. Of those that
 * ended, the oldest are removed, so that nobody can fill the table by adding and revoking.
 */
export async function addCredential(tx: Tx, credential: NewCredential): Promise<boolean> {
  const { id, applicationId, name, secretHash, createdAt, expiresAt, scopes } = credential;
  if ((await tx.query(HOLD_APPLICATION, [applicationId])).length === 0) return false;
  const [active] = await tx.query(COUNT_ACTIVE, [applicationId, createdAt]);
  if (active!.count >= CREDENTIALS_MAX) return false;
  await tx.query(REMOVE_OLD, [applicationId, createdAt, ENDED_LISTED_MAX]);
  await tx.query(INSERT, [id, applicationId, name, secretHash, createdAt, expiresAt, scopes]);
  return true;
}

/** Revokes a credential; the first secret has the application's id. False: there is none, or it is revoked already. */
export async function revokeCredential(tx: Tx, applicationId: string, id: string, now: Date): Promise<boolean> {
  const revoked =
    id === applicationId
      ? await tx.query(REVOKE_FIRST, [applicationId, NO_SECRET_HASH, now])
      : await tx.query(REVOKE, [applicationId, id, now]);
  return revoked.length > 0;
}

/** Lists the credentials of an application: its first secret, then those that were added, the oldest first. */
export async function listCredentials(tx: Tx, applicationId: string): Promise<ListedCredential[]> {
  const first = await tx.query(FIRST, [applicationId, NO_SECRET_HASH]);
  return [...first, ...(await tx.query(LIST, [applicationId]))];
}

/** Stores when credentials were used last; a later time that is stored already stays. */
export async function saveUses(tx: Tx, uses: ReadonlyMap<string, Date>): Promise<void> {
  await tx.query(SAVE_USES, [[...uses.keys()], [...uses.values()]]);
}
