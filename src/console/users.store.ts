import type { Tx } from "../postgres/postgres.ts";
import { int4, json, orNull, statement, text, timestamptz, uuid } from "../postgres/statement.ts";
import type { Grant, Role } from "./roles.ts";

/** A person who may sign in to the console. */
export interface ConsoleUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** The language that the person chose; null: that of the browser. */
  readonly locale: string | null;
  readonly grants: readonly Grant[];
}

/** The password of a person and its failures; `hash` null: none. */
export interface PasswordState {
  readonly userId: string;
  readonly hash: string | null;
  readonly failures: number;
  readonly lockedUntil: Date | null;
}

const USER = { id: uuid, email: text, name: text, locale: orNull(text), grants: json<Grant[]>() };
const GRANTS = `(SELECT coalesce(jsonb_agg(jsonb_build_object('applicationId', application_id, 'role', role)
            ORDER BY application_id NULLS FIRST, role), '[]')
          FROM console_grants WHERE console_user_id = console_users.id) AS grants`;

const INSERT = statement(
  "console.insert-user",
  { id: uuid },
  `INSERT INTO console_users (id, email, name, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING id`,
);
const DELETE = statement(
  "console.delete-user",
  { id: uuid },
  `DELETE FROM console_users WHERE lower(email) = lower($1) RETURNING id`,
);
const LIST = statement(
  "console.list-users",
  USER,
  `SELECT id, email, name, locale, ${GRANTS} FROM console_users ORDER BY lower(email)`,
);
const FIND = statement(
  "console.find-user",
  USER,
  `SELECT id, email, name, locale, ${GRANTS} FROM console_users WHERE lower(email) = lower($1)`,
);
const GRANT = statement(
  "console.grant",
  {},
  `INSERT INTO console_grants (console_user_id, application_id, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
);
const REVOKE_ALL = statement("console.revoke-all", {}, `DELETE FROM console_grants WHERE console_user_id = $1`);
const SET_LOCALE = statement("console.set-locale", {}, `UPDATE console_users SET locale = $2 WHERE id = $1`);
const PASSWORD = statement(
  "console.password",
  { userId: uuid, hash: orNull(text), failures: int4, lockedUntil: orNull(timestamptz) },
  `SELECT id AS "userId", password_hash AS hash, failures, locked_until AS "lockedUntil"
         FROM console_users WHERE lower(email) = lower($1)`,
);
const SET_PASSWORD = statement(
  "console.set-password",
  {},
  `UPDATE console_users SET password_hash = $2, failures = 0, locked_until = NULL WHERE id = $1`,
);
const COUNT_FAILURE = statement(
  "console.count-failure",
  { failures: int4 },
  `UPDATE console_users SET failures = failures + 1 WHERE id = $1 RETURNING failures`,
);
const LOCK = statement("console.lock", {}, `UPDATE console_users SET locked_until = $2 WHERE id = $1`);
const FORGET_FAILURES = statement(
  "console.forget-failures",
  {},
  `UPDATE console_users SET failures = 0, locked_until = NULL WHERE id = $1`,
);

/** Adds a person. Returns false if the e-mail address is taken. */
export async function insertConsoleUser(
  tx: Tx,
  user: { id: string; email: string; name: string },
  now: Date,
): Promise<boolean> {
  return (await tx.query(INSERT, [user.id, user.email, user.name, now])).length > 0;
}

/** Removes a person with everything but the audit log. Returns the id; null: no such person. */
export async function deleteConsoleUser(tx: Tx, email: string): Promise<string | null> {
  return (await tx.query(DELETE, [email]))[0]?.id ?? null;
}

/** Lists all people with their roles, by e-mail address. */
export async function listConsoleUsers(tx: Tx): Promise<ConsoleUser[]> {
  return tx.query(LIST);
}

/** Finds a person by e-mail address; null for an unknown one. */
export async function findConsoleUser(tx: Tx, email: string): Promise<ConsoleUser | null> {
  return (await tx.query(FIND, [email]))[0] ?? null;
}

/** Grants a role, for one application or for all (null). A role that the person has already changes nothing. */
export async function grantRole(tx: Tx, userId: string, applicationId: string | null, role: Role): Promise<void> {
  await tx.query(GRANT, [userId, applicationId, role]);
}

/** Takes all roles from a person. */
export async function revokeAllRoles(tx: Tx, userId: string): Promise<void> {
  await tx.query(REVOKE_ALL, [userId]);
}

/** Stores the language that a person chose. */
export async function setLocale(tx: Tx, userId: string, locale: string): Promise<void> {
  await tx.query(SET_LOCALE, [userId, locale]);
}

/** Returns the password of the person with an e-mail address; null for an unknown one. */
export async function findPassword(tx: Tx, email: string): Promise<PasswordState | null> {
  return (await tx.query(PASSWORD, [email]))[0] ?? null;
}

/** Sets the hash of a password, and forgets the failures of the earlier one. */
export async function setPassword(tx: Tx, userId: string, hash: string): Promise<void> {
  await tx.query(SET_PASSWORD, [userId, hash]);
}

/** Counts a wrong password, and locks the password until the time that follows from the count. */
export async function countPasswordFailure(
  tx: Tx,
  userId: string,
  lockedUntil: (failures: number) => Date | null,
): Promise<void> {
  const [row] = await tx.query(COUNT_FAILURE, [userId]);
  const until = row ? lockedUntil(row.failures) : null;
  if (until !== null) await tx.query(LOCK, [userId, until]);
}

/** Forgets the failures after a right password. */
export async function forgetPasswordFailures(tx: Tx, userId: string): Promise<void> {
  await tx.query(FORGET_FAILURES, [userId]);
}
