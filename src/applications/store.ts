import type { Tx } from "../postgres/postgres.ts";
import { bool, bytea, int4, orNull, statement, text, textArray, timestamptz, uuid } from "../postgres/statement.ts";
import type { DayLimits } from "../points/limits/limits.ts";
import type { Application } from "./application.ts";

/** The columns of an application. */
export const APPLICATION = {
  id: uuid,
  clientId: text,
  secretHash: bytea,
  previousSecretHash: orNull(bytea),
  previousSecretUntil: orNull(timestamptz),
  name: text,
  isSandbox: bool,
  logoUrl: orNull(text),
  redirectUri: orNull(text),
  redirectAllowList: textArray,
  accentColour: orNull(text),
  suspendedAt: orNull(timestamptz),
  closedAt: orNull(timestamptz),
  movedTo: orNull(text),
  rateLimitPerMinute: orNull(int4),
  pointsADay: orNull(int4),
  mealsADay: orNull(int4),
  foodPointsADay: orNull(int4),
};
export const COLUMNS = `id, client_id AS "clientId", secret_hash AS "secretHash",
  previous_secret_hash AS "previousSecretHash", previous_secret_until AS "previousSecretUntil", name, is_sandbox AS "isSandbox",
  logo_url AS "logoUrl", redirect_uri AS "redirectUri", redirect_allow_list AS "redirectAllowList",
  accent_colour AS "accentColour", suspended_at AS "suspendedAt", closed_at AS "closedAt", moved_to AS "movedTo",
  rate_limit_per_minute AS "rateLimitPerMinute", points_a_day AS "pointsADay", meals_a_day AS "mealsADay",
  food_points_a_day AS "foodPointsADay"`;

const INSERT = statement(
  "applications.insert",
  {},
  `INSERT INTO applications
           (id, client_id, secret_hash, name, is_sandbox, logo_url, redirect_uri, redirect_allow_list, created_at, updated_at,
            accent_colour)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)`,
);
const FIND_BY_CLIENT = statement(
  "applications.find-by-client",
  APPLICATION,
  `SELECT ${COLUMNS} FROM applications WHERE client_id = $1`,
);
const FIND = statement("applications.find", APPLICATION, `SELECT ${COLUMNS} FROM applications WHERE id = $1`);
const LIST = statement("applications.list", APPLICATION, `SELECT ${COLUMNS} FROM applications ORDER BY id`);
const SET_SECRET = statement(
  "applications.set-secret",
  APPLICATION,
  `UPDATE applications
         SET secret_hash = $2, previous_secret_hash = CASE WHEN $4::timestamptz IS NULL THEN NULL ELSE secret_hash END,
             previous_secret_until = $4, secret_revoked_at = NULL, updated_at = $3
         WHERE client_id = $1 RETURNING ${COLUMNS}`,
);
const END_PREVIOUS_SECRET = statement(
  "applications.end-previous-secret",
  APPLICATION,
  `UPDATE applications SET previous_secret_hash = NULL, previous_secret_until = NULL, updated_at = $2
         WHERE client_id = $1 RETURNING ${COLUMNS}`,
);
const LIST_CLIENT_IDS = statement(
  "applications.list-client-ids",
  { clientId: text },
  `SELECT client_id AS "clientId" FROM applications`,
);
const SET_SUSPENDED = statement(
  "applications.set-suspended",
  APPLICATION,
  `UPDATE applications SET suspended_at = $2, updated_at = $3 WHERE client_id = $1 RETURNING ${COLUMNS}`,
);
const SET_LOOKS = statement(
  "applications.set-looks",
  APPLICATION,
  `UPDATE applications SET name = coalesce($2, name), logo_url = coalesce($3, logo_url), redirect_uri = coalesce($4, redirect_uri),
          accent_colour = coalesce($5, accent_colour), updated_at = $6
         WHERE client_id = $1 RETURNING ${COLUMNS}`,
);
const NEWEST_SANDBOX = statement(
  "applications.newest-sandbox",
  APPLICATION,
  `SELECT ${COLUMNS} FROM applications WHERE is_sandbox AND suspended_at IS NULL ORDER BY id DESC LIMIT 1`,
);
const SET_RATE_LIMIT = statement(
  "applications.set-rate-limit",
  APPLICATION,
  `UPDATE applications SET rate_limit_per_minute = $2, updated_at = $3 WHERE client_id = $1 RETURNING ${COLUMNS}`,
);
const SET_DAY_LIMITS = statement(
  "applications.set-day-limits",
  APPLICATION,
  `UPDATE applications SET points_a_day = $2, meals_a_day = $3, food_points_a_day = $4, updated_at = $5
         WHERE client_id = $1 RETURNING ${COLUMNS}`,
);
const SET_REDIRECT_ALLOW_LIST = statement(
  "applications.set-redirect-allow-list",
  APPLICATION,
  `UPDATE applications SET redirect_allow_list = $2, updated_at = $3 WHERE client_id = $1 RETURNING ${COLUMNS}`,
);

/** The members that are set when an application is created. */
export type NewApplication = Omit<
  Application,
  | "suspendedAt"
  | "closedAt"
  | "movedTo"
  | "rateLimitPerMinute"
  | "previousSecretHash"
  | "previousSecretUntil"
  | keyof DayLimits
>;

/** Inserts a new application. */
export async function insertApplication(tx: Tx, application: NewApplication, now: Date): Promise<void> {
  const { id, clientId, secretHash, name, isSandbox, logoUrl, redirectUri, redirectAllowList, accentColour } =
    application;
  const looks = [logoUrl, redirectUri, redirectAllowList, now, accentColour];
  await tx.query(INSERT, [id, clientId, secretHash, name, isSandbox, ...looks]);
}

/** Finds the application with a client id; null for an unknown one. */
export async function findApplicationByClientId(tx: Tx, clientId: string): Promise<Application | null> {
  return (await tx.query(FIND_BY_CLIENT, [clientId]))[0] ?? null;
}

/** Finds the application with an internal id; null for an unknown one. */
export async function findApplication(tx: Tx, id: string): Promise<Application | null> {
  return (await tx.query(FIND, [id]))[0] ?? null;
}

/** Returns the client ids of all applications. */
export async function listClientIds(tx: Tx): Promise<string[]> {
  return (await tx.query(LIST_CLIENT_IDS)).map(({ clientId }) => clientId);
}

/** Lists all applications, the oldest first. */
export async function listApplications(tx: Tx): Promise<Application[]> {
  return tx.query(LIST);
}

/**
 * Replaces the secret. The old one expires with the caches of the service, or at `previousUntil`. A secret that was
 * already replaced before expires at once. Null: no such client.
 */
export async function setSecretHash(
  tx: Tx,
  clientId: string,
  secret: { hash: Buffer; previousUntil: Date | null },
  now: Date,
): Promise<Application | null> {
  return (await tx.query(SET_SECRET, [clientId, secret.hash, now, secret.previousUntil]))[0] ?? null;
}

/** Expires the previous secret. Null: no such client. */
export async function endPreviousSecret(tx: Tx, clientId: string, now: Date): Promise<Application | null> {
  return (await tx.query(END_PREVIOUS_SECRET, [clientId, now]))[0] ?? null;
}

/** Suspends an application, or ends its suspension (`suspendedAt` null). Null: no such client. */
export async function setSuspended(
  tx: Tx,
  clientId: string,
  suspendedAt: Date | null,
  now: Date,
): Promise<Application | null> {
  return (await tx.query(SET_SUSPENDED, [clientId, suspendedAt, now]))[0] ?? null;
}

/** Changes name, logo, redirect and colour; null members stay unchanged. Null: no such client. */
export async function setLooks(
  tx: Tx,
  clientId: string,
  looks: Pick<Application, "logoUrl" | "redirectUri" | "accentColour"> & { name: string | null },
  now: Date,
): Promise<Application | null> {
  const { name, logoUrl, redirectUri, accentColour } = looks;
  return (await tx.query(SET_LOOKS, [clientId, name, logoUrl, redirectUri, accentColour, now]))[0] ?? null;
}

/** Finds the newest sandbox application; null if there is none. */
export async function findNewestSandbox(tx: Tx): Promise<Application | null> {
  return (await tx.query(NEWEST_SANDBOX))[0] ?? null;
}

/** Sets the calls per minute of an application; `perMinute` null: the limit of the service. Null: no such client. */
export async function setRateLimit(
  tx: Tx,
  clientId: string,
  perMinute: number | null,
  now: Date,
): Promise<Application | null> {
  return (await tx.query(SET_RATE_LIMIT, [clientId, perMinute, now]))[0] ?? null;
}

/** Sets the limits of what each user of an application may earn per day. Null: no such client. */
export async function setDayLimits(
  tx: Tx,
  clientId: string,
  { pointsADay, mealsADay, foodPointsADay }: DayLimits,
  now: Date,
): Promise<Application | null> {
  return (await tx.query(SET_DAY_LIMITS, [clientId, pointsADay, mealsADay, foodPointsADay, now]))[0] ?? null;
}

/** Sets the addresses that sessions may redirect to; empty: any safe address. Null: no such client. */
export async function setRedirectAllowList(
  tx: Tx,
  clientId: string,
  addresses: readonly string[],
  now: Date,
): Promise<Application | null> {
  return (await tx.query(SET_REDIRECT_ALLOW_LIST, [clientId, addresses, now]))[0] ?? null;
}
