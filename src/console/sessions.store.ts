import { randomBytes } from "node:crypto";
import type { Tx } from "../postgres/postgres.ts";
import { json, orNull, statement, text, timestamptz, uuid } from "../postgres/statement.ts";
import type { Grant } from "./roles.ts";
import { LINK_MS_MAX, SESSION_IDLE_MS_MAX, SESSION_MS_MAX, TOKEN_BYTES, hashOf } from "./token.ts";
import type { ConsoleUser } from "./users.store.ts";

/** A person who is signed in. */
export interface SignedIn {
  readonly user: ConsoleUser;
  readonly seenAt: Date;
}

const OPEN = statement(
  "console.open-session",
  {},
  `INSERT INTO console_sessions (token_hash, console_user_id, created_at, seen_at, expires_at) VALUES ($1, $2, $3, $3, $4)`,
);
const FIND = statement(
  "console.find-session",
  { id: uuid, email: text, name: text, locale: orNull(text), seenAt: timestamptz, grants: json<Grant[]>() },
  `SELECT console_users.id, email, name, locale, seen_at AS "seenAt",
          (SELECT coalesce(jsonb_agg(jsonb_build_object('applicationId', application_id, 'role', role)), '[]')
           FROM console_grants WHERE console_user_id = console_users.id) AS grants
         FROM console_sessions JOIN console_users ON console_users.id = console_user_id
         WHERE token_hash = $1 AND expires_at > $2 AND seen_at > $3`,
);
const SEEN = statement(
  "console.session-seen",
  {},
  `UPDATE console_sessions SET seen_at = $2 WHERE token_hash = $1 AND seen_at < $2`,
);
const CLOSE = statement("console.close-session", {}, `DELETE FROM console_sessions WHERE token_hash = $1`);
const CLOSE_ALL = statement("console.close-sessions", {}, `DELETE FROM console_sessions WHERE console_user_id = $1`);
const SWEEP = statement(
  "console.sweep-sessions",
  {},
  `DELETE FROM console_sessions WHERE expires_at <= $1 OR seen_at <= $2`,
);
const SWEEP_LINKS = statement("console.sweep-links", {}, `DELETE FROM console_links WHERE expires_at <= $1`);
const ADD_LINK = statement(
  "console.add-link",
  {},
  `INSERT INTO console_links (token_hash, console_user_id, expires_at) VALUES ($1, $2, $3)`,
);
const LINKED = { userId: uuid, email: text, name: text };
const FIND_LINK = statement(
  "console.find-link",
  LINKED,
  `SELECT console_user_id AS "userId", email, name FROM console_links JOIN console_users ON console_users.id = console_user_id
         WHERE token_hash = $1 AND expires_at > $2`,
);
const USE_LINK = statement(
  "console.use-link",
  { userId: uuid },
  `DELETE FROM console_links WHERE token_hash = $1 AND expires_at > $2 RETURNING console_user_id AS "userId"`,
);
const DROP_LINKS = statement("console.drop-links", {}, `DELETE FROM console_links WHERE console_user_id = $1`);

/** Opens a session, and removes those that have ended. */
export async function openSession(tx: Tx, tokenHash: Buffer, userId: string, now: Date): Promise<void> {
  await sweepSessions(tx, now);
  await tx.query(OPEN, [tokenHash, userId, now, new Date(now.getTime() + SESSION_MS_MAX)]);
}

/** Returns who is signed in by a session; null: it is unknown, has ended or was not used for too long. */
export async function findSession(tx: Tx, tokenHash: Buffer, now: Date): Promise<SignedIn | null> {
  const [row] = await tx.query(FIND, [tokenHash, now, new Date(now.getTime() - SESSION_IDLE_MS_MAX)]);
  if (!row) return null;
  const { seenAt, ...user } = row;
  return { user, seenAt };
}

/** Notes that a session is in use. */
export async function sessionSeen(tx: Tx, tokenHash: Buffer, now: Date): Promise<void> {
  await tx.query(SEEN, [tokenHash, now]);
}

/** Ends a session. */
export async function closeSession(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.query(CLOSE, [tokenHash]);
}

/** Ends all sessions of a person. */
export async function closeSessionsOf(tx: Tx, userId: string): Promise<void> {
  await tx.query(CLOSE_ALL, [userId]);
}

/** Removes sessions and links that have ended. */
export async function sweepSessions(tx: Tx, now: Date): Promise<void> {
  await tx.query(SWEEP, [now, new Date(now.getTime() - SESSION_IDLE_MS_MAX)]);
  await tx.query(SWEEP_LINKS, [now]);
}

/** Makes a one-time link of a person, at the address of the service. Links that the person had before end. */
export async function makeLink(tx: Tx, publicUrl: string, userId: string, now: Date): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  await tx.query(DROP_LINKS, [userId]);
  await tx.query(ADD_LINK, [hashOf(token), userId, new Date(now.getTime() + LINK_MS_MAX)]);
  return `${publicUrl}/console/link?token=${token}`;
}

/** Returns the person of a one-time link; null: it is unknown, was used, or has ended. */
export async function findLink(
  tx: Tx,
  tokenHash: Buffer,
  now: Date,
): Promise<{ userId: string; email: string; name: string } | null> {
  return (await tx.query(FIND_LINK, [tokenHash, now]))[0] ?? null;
}

/** Uses a one-time link. Returns the person's id; null: somebody else was quicker, or it has ended. */
export async function takeLink(tx: Tx, tokenHash: Buffer, now: Date): Promise<string | null> {
  return (await tx.query(USE_LINK, [tokenHash, now]))[0]?.userId ?? null;
}
