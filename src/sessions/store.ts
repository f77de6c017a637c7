import type { Tx } from "../postgres/postgres.ts";
import { isOpen } from "../applications/closed.ts";
import { bool, json, neverNull, oneOf, orNull, statement, text, timestamptz, uuid } from "../postgres/statement.ts";
import type { Enrollment } from "../users/schema.ts";
import { KEPT_AFTER_EXPIRY_MS, UPLOAD_ATTEMPTS_MAX } from "./session.ts";
import type { HostedPage, ReceiptRequest } from "./session.ts";
import type { StoredSession } from "./status.ts";

/** The request of a session, for each page. */
export interface Requests {
  enrolment: Enrollment;
  receipt: ReceiptRequest;
}

/** A session that can still be completed. */
export interface OpenSession<Request> {
  readonly applicationId: string;
  readonly request: Request;
  /** The validated address that the visit redirects to; null: none. */
  readonly redirectUri: string | null;
  readonly locale: string | null;
}

/** A session that ended with an uploaded receipt. */
export interface SentSession {
  readonly applicationId: string;
  readonly receiptId: string;
  readonly redirectUri: string | null;
  readonly locale: string | null;
}

/** The end of a session; `consentVersion` is the text that was accepted or declined. */
export type Completion =
  | { readonly outcome: "accepted" | "declined"; readonly consentVersion: string }
  | { readonly outcome: "sent"; readonly receiptId: string };

const INSERT = statement(
  "sessions.insert",
  {},
  // Every new session removes two old ones, so that they do not accumulate. One whose expiry is unreported stays.
  `WITH expired AS (
           SELECT token_hash FROM sessions
           WHERE expires_at < $9 AND (completed_at IS NOT NULL OR expired_at IS NOT NULL)
           ORDER BY expires_at LIMIT 2 FOR UPDATE SKIP LOCKED
         ), swept AS (
           DELETE FROM sessions USING expired WHERE sessions.token_hash = expired.token_hash
         )
         INSERT INTO sessions (token_hash, application_id, page, request, redirect_uri, locale, created_at, expires_at,
                               id, user_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $10, $11)`,
);

const STORED = {
  id: uuid,
  applicationId: uuid,
  page: oneOf(["enrolment", "receipt"]),
  userId: orNull(uuid),
  receiptId: orNull(uuid),
  outcome: orNull(oneOf(["accepted", "declined", "sent"])),
  createdAt: timestamptz,
  expiresAt: timestamptz,
  completedAt: orNull(timestamptz),
};
const STORED_COLUMNS = `s.id, s.application_id AS "applicationId", s.page, s.user_id AS "userId",
  s.receipt_id AS "receiptId", s.outcome, s.created_at AS "createdAt", s.expires_at AS "expiresAt",
  s.completed_at AS "completedAt"`;

/** The user that a receipt session is for; a process of the release before stored it in the request alone. */
const REQUESTED_USER = `coalesce(s.user_id, (s.request ->> 'userId')::uuid)`;

const FIND_OPEN = statement(
  "sessions.find-open",
  {
    applicationId: uuid,
    request: json<Enrollment & ReceiptRequest>(),
    redirectUri: orNull(text),
    locale: orNull(text),
    isOpen: bool,
  },
  `SELECT application_id AS "applicationId", request, redirect_uri AS "redirectUri", locale,
                completed_at IS NULL AND expired_at IS NULL AND expires_at > $3 AND upload_attempts < $4 AS "isOpen"
         FROM sessions WHERE token_hash = $1 AND page = $2`,
);
const COUNT_ATTEMPT = statement(
  "sessions.count-attempt",
  { page: oneOf(["enrolment", "receipt"]) },
  // One statement: of attempts at the same time, in any process, no more than the limit are counted.
  `UPDATE sessions SET upload_attempts = upload_attempts + 1
         WHERE token_hash = $1 AND completed_at IS NULL AND expired_at IS NULL AND expires_at > $2 AND upload_attempts < $3
         RETURNING page`,
);
const UNCOUNT_ATTEMPT = statement(
  "sessions.uncount-attempt",
  {},
  `UPDATE sessions SET upload_attempts = upload_attempts - 1 WHERE token_hash = $1 AND upload_attempts > 0`,
);
const FIND_SENT = statement(
  "sessions.find-sent",
  { applicationId: uuid, receiptId: neverNull(uuid), redirectUri: orNull(text), locale: orNull(text) },
  `SELECT application_id AS "applicationId", receipt_id AS "receiptId", redirect_uri AS "redirectUri", locale
         FROM sessions WHERE token_hash = $1 AND outcome = 'sent' AND expires_at > $2`,
);
const COMPLETE = statement(
  "sessions.complete",
  STORED,
  // Of concurrent completions the first locks the row; the others wait for its tx and then find the session completed.
  `UPDATE sessions s SET completed_at = $3, outcome = $4, consent_version = $5, receipt_id = $6,
                         user_id = ${REQUESTED_USER}, request = '{}'
         WHERE token_hash = $1 AND page = $2 AND completed_at IS NULL AND expired_at IS NULL AND expires_at > $3
         RETURNING ${STORED_COLUMNS}`,
);
const SET_USER = statement("sessions.set-user", {}, `UPDATE sessions SET user_id = $2 WHERE token_hash = $1`);
const CLAIM_EXPIRED = statement(
  "sessions.claim-expired",
  { ...STORED, isReported: bool },
  // The request is cleared: nobody needs the data of people who never came. A user who is being erased is skipped until
  // the erasure is done, which deletes the session; of an erased user nothing is reported.
  `WITH due AS (
           SELECT s.token_hash, ${REQUESTED_USER} AS user_id FROM sessions s
           WHERE s.completed_at IS NULL AND s.expired_at IS NULL AND s.expires_at <= $1
             AND ${isOpen("s.application_id")}
           ORDER BY s.expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
         ), present AS (
           SELECT id FROM users WHERE id IN (SELECT user_id FROM due) AND erased_at IS NULL FOR SHARE SKIP LOCKED
         ), free AS (
           SELECT due.token_hash, due.user_id, due.user_id IS NULL OR present.id IS NOT NULL AS is_reported
           FROM due LEFT JOIN present ON present.id = due.user_id
           WHERE due.user_id IS NULL OR present.id IS NOT NULL
              OR EXISTS (SELECT 1 FROM users WHERE users.id = due.user_id AND users.erased_at IS NOT NULL)
         )
         UPDATE sessions s SET expired_at = $1, user_id = free.user_id, request = '{}'
         FROM free WHERE s.token_hash = free.token_hash
         RETURNING ${STORED_COLUMNS}, free.is_reported AS "isReported"`,
);
const FIND = statement(
  "sessions.find",
  STORED,
  `SELECT ${STORED_COLUMNS} FROM sessions s WHERE s.id = $1 AND s.application_id = $2`,
);
const EXPIRE_NOW = statement(
  "sessions.expire-now",
  {},
  // A session lasts for at least a moment, by the table's CHECK.
  `UPDATE sessions SET expires_at = greatest($2, shortest.ends_at)
         FROM (SELECT created_at + interval '1 millisecond' AS ends_at FROM sessions WHERE id = $1) AS shortest
         WHERE id = $1 AND completed_at IS NULL`,
);
const INSERT_CONSENT = statement(
  "consents.insert",
  {},
  `WITH words AS (
           INSERT INTO consent_texts (digest, text_version, language, text, first_shown_at)
           VALUES (sha256(convert_to($7, 'UTF8')), $4, $5, $7, $6) ON CONFLICT DO NOTHING
         )
         INSERT INTO consents (user_id, id, application_id, text_version, language, agreed_at, text_digest)
         VALUES ($1, $2, $3, $4, $5, $6, sha256(convert_to($7, 'UTF8')))`,
);

/** Opens a session that ends `lifetimeSeconds` from now. */
export async function insertSession<P extends HostedPage>(
  tx: Tx,
  session: OpenSession<Requests[P]> & {
    id: string;
    tokenHash: Buffer;
    page: P;
    userId: string | null;
    now: Date;
    lifetimeSeconds: number;
  },
): Promise<void> {
  const { id, tokenHash, applicationId, page, request, userId, redirectUri, locale, now, lifetimeSeconds } = session;
  const expiresAt = new Date(now.getTime() + lifetimeSeconds * 1000);
  const sweepBefore = new Date(now.getTime() - KEPT_AFTER_EXPIRY_MS);
  const values = [tokenHash, applicationId, page, JSON.stringify(request), redirectUri, locale, now, expiresAt];
  await tx.query(INSERT, [...values, sweepBefore, id, userId]);
}

/** Returns the session of an id, if it is the application's; until a day after its end. */
export async function findSession(tx: Tx, applicationId: string, id: string): Promise<StoredSession | null> {
  return (await tx.query(FIND, [id, applicationId]))[0] ?? null;
}

/** Returns the session of a token for this page; "closed": it cannot be completed any more; null: there is none. */
export async function findOpenSession<P extends HostedPage>(
  tx: Tx,
  tokenHash: Buffer,
  page: P,
  now: Date,
): Promise<OpenSession<Requests[P]> | "closed" | null> {
  const [found] = await tx.query(FIND_OPEN, [tokenHash, page, now, UPLOAD_ATTEMPTS_MAX]);
  if (!found) return null;
  const { isOpen, ...session } = found;
  // The page decides the type of the request.
  return isOpen ? session : "closed";
}

/** Returns the session of a token, if a receipt was uploaded in it; until a day after its end. */
export async function findSentSession(tx: Tx, tokenHash: Buffer, now: Date): Promise<SentSession | null> {
  const expiresAfter = new Date(now.getTime() - KEPT_AFTER_EXPIRY_MS);
  return (await tx.query(FIND_SENT, [tokenHash, expiresAfter]))[0] ?? null;
}

/** Counts an upload that begins; returns false if the session cannot be completed, or has no attempt left. */
export async function countAttempt(tx: Tx, tokenHash: Buffer, now: Date): Promise<boolean> {
  return (await tx.query(COUNT_ATTEMPT, [tokenHash, now, UPLOAD_ATTEMPTS_MAX])).length === 1;
}

/** Takes the count of an attempt back: the service itself refused it. */
export async function uncountAttempt(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.query(UNCOUNT_ATTEMPT, [tokenHash]);
}

/** Completes a session, in the tx of its effect; returns null if it was already completed or has expired. */
export async function completeSession(
  tx: Tx,
  tokenHash: Buffer,
  page: HostedPage,
  completion: Completion,
  now: Date,
): Promise<StoredSession | null> {
  const consentVersion = completion.outcome === "sent" ? null : completion.consentVersion;
  const receiptId = completion.outcome === "sent" ? completion.receiptId : null;
  const values = [tokenHash, page, now, completion.outcome, consentVersion, receiptId];
  return (await tx.query(COMPLETE, values))[0] ?? null;
}

/** Stores the user whom a completed session enrolled. */
export async function setSessionUser(tx: Tx, tokenHash: Buffer, userId: string): Promise<void> {
  await tx.query(SET_USER, [tokenHash, userId]);
}

/** An expired session that this caller ended. `isReported`: its user, if it has one, is not erased. */
export interface ExpiredSession extends StoredSession {
  readonly isReported: boolean;
}

/** Ends at most `countMax` sessions that expired before `now`, each for one caller only. */
export async function claimExpired(tx: Tx, now: Date, countMax: number): Promise<ExpiredSession[]> {
  return tx.query(CLAIM_EXPIRED, [now, countMax]);
}

/** Lets an open session expire now; for tests of integrators. */
export async function expireSession(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.query(EXPIRE_NOW, [id, now]);
}

/** Stores that a user agreed to a version of the consent text, with the exact text in the language it was shown in. */
export async function insertConsent(
  tx: Tx,
  consent: {
    userId: string;
    id: string;
    applicationId: string;
    textVersion: string;
    language: string;
    text: string;
    now: Date;
  },
): Promise<void> {
  const { userId, id, applicationId, textVersion, language, text, now } = consent;
  await tx.query(INSERT_CONSENT, [userId, id, applicationId, textVersion, language, now, text]);
}
