import type { Tx } from "../adapters/postgres.ts";
import type { Application } from "./application.ts";

const COLUMNS = `id, client_id AS "clientId", secret_hash AS "secretHash", name, is_sandbox AS "isSandbox",
  logo_url AS "logoUrl", redirect_uri AS "redirectUri", redirect_allow_list AS "redirectAllowList",
  suspended_at AS "suspendedAt"`;

const INSERT = {
  name: "applications.insert",
  text: `INSERT INTO applications
           (id, client_id, secret_hash, name, is_sandbox, logo_url, redirect_uri, redirect_allow_list, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
};
const FIND_BY_CLIENT = {
  name: "applications.find-by-client",
  text: `SELECT ${COLUMNS} FROM applications WHERE client_id = $1`,
};
const FIND = { name: "applications.find", text: `SELECT ${COLUMNS} FROM applications WHERE id = $1` };
const LIST = { name: "applications.list", text: `SELECT ${COLUMNS} FROM applications ORDER BY id` };
const SET_SECRET = {
  name: "applications.set-secret",
  text: `UPDATE applications SET secret_hash = $2, updated_at = $3 WHERE client_id = $1 RETURNING ${COLUMNS}`,
};
const SET_SUSPENDED = {
  name: "applications.set-suspended",
  text: `UPDATE applications SET suspended_at = $2, updated_at = $3 WHERE client_id = $1 RETURNING ${COLUMNS}`,
};
const INSTALLATION_KEY = { name: "installation.key", text: "SELECT key FROM installation" };

export async function insertApplication(
  tx: Tx,
  application: Omit<Application, "suspendedAt">,
  now: Date,
): Promise<void> {
  const { id, clientId, secretHash, name, isSandbox, logoUrl, redirectUri, redirectAllowList } = application;
  await tx.query(INSERT, [id, clientId, secretHash, name, isSandbox, logoUrl, redirectUri, redirectAllowList, now]);
}

export async function findApplicationByClientId(tx: Tx, clientId: string): Promise<Application | null> {
  return (await tx.query<Application>(FIND_BY_CLIENT, [clientId]))[0] ?? null;
}

export async function findApplication(tx: Tx, id: string): Promise<Application | null> {
  return (await tx.query<Application>(FIND, [id]))[0] ?? null;
}

export async function listApplications(tx: Tx): Promise<Application[]> {
  return tx.query<Application>(LIST);
}

/** Replaces the secret; the old one ends as soon as the services' caches have run out. Null: no such client. */
export async function setSecretHash(tx: Tx, clientId: string, hash: Buffer, now: Date): Promise<Application | null> {
  return (await tx.query<Application>(SET_SECRET, [clientId, hash, now]))[0] ?? null;
}

export async function setSuspended(
  tx: Tx,
  clientId: string,
  suspendedAt: Date | null,
  now: Date,
): Promise<Application | null> {
  return (await tx.query<Application>(SET_SUSPENDED, [clientId, suspendedAt, now]))[0] ?? null;
}

/** The 32 random bytes from which this installation derives its signing keys. */
export async function installationKey(tx: Tx): Promise<Buffer> {
  const [row] = await tx.query<{ key: Buffer }>(INSTALLATION_KEY);
  if (!row) throw new Error("the installation has no key: its migrations did not run");
  return row.key;
}
