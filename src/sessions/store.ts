import type { Tx } from "../postgres/postgres.ts";
import { json, neverNull, oneOf, orNull, statement, text, uuid } from "../postgres/statement.ts";
import type { Enrollment } from "../users/schema.ts";
import { KEPT_AFTER_EXPIRY_MS, UPLOAD_ATTEMPTS_MAX } from "./session.ts";
import type { HostedPage, ReceiptRequest } from "./session.ts";

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
  // Every new session removes two expired ones, so that the data of people who never came does not accumulate.
  `WITH expired AS (
           SELECT token_hash FROM sessions WHERE expires_at < $9
           ORDER BY expires_at LIMIT 2 FOR UPDATE SKIP LOCKED
         ), swept AS (
           DELETE FROM sessions USING expired WHERE sessions.token_hash = expired.token_hash
         )
         INSERT INTO sessions (token_hash, application_id, page, request, redirect_uri, locale, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
const FIND_OPEN = statement(
  "sessions.find-open",
  {
    applicationId: uuid,
    request: json<Enrollment & ReceiptRequest>(),
    redirectUri: orNull(text),
    locale: orNull(text),
  },
  `SELECT application_id AS "applicationId", request, redirect_uri AS "redirectUri", locale
         FROM sessions
         WHERE token_hash = $1 AND page = $2 AND completed_at IS NULL AND expires_at > $3 AND upload_attempts < $4`,
);
const COUNT_ATTEMPT = statement(
  "sessions.count-attempt",
  { page: oneOf(["enrolment", "receipt"]) },
  // One statement: of attempts at the same time, in any process, no more than the limit are counted.
  `UPDATE sessions SET upload_attempts = upload_attempts + 1
         WHERE token_hash = $1 AND completed_at IS NULL AND expires_at > $2 AND upload_attempts < $3
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
  { page: oneOf(["enrolment", "receipt"]) },
  // Of concurrent completions the first locks the row; the others wait for its tx and then find the session completed.
  `UPDATE sessions SET completed_at = $3, outcome = $4, consent_version = $5, receipt_id = $6, request = '{}'
         WHERE token_hash = $1 AND page = $2 AND completed_at IS NULL AND expires_at > $3
         RETURNING page`,
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
  session: OpenSession<Requests[P]> & { tokenHash: Buffer; page: P; now: Date; lifetimeSeconds: number },
): Promise<void> {
  const { tokenHash, applicationId, page, request, redirectUri, locale, now, lifetimeSeconds } = session;
  const expiresAt = new Date(now.getTime() + lifetimeSeconds * 1000);
  const sweepBefore = new Date(now.getTime() - KEPT_AFTER_EXPIRY_MS);
  const values = [tokenHash, applicationId, page, JSON.stringify(request), redirectUri, locale, now, expiresAt];
  await tx.query(INSERT, [...values, sweepBefore]);
}

/** Returns the session of a token, if it is for this page and can still be completed. */
export async function findOpenSession<P extends HostedPage>(
  tx: Tx,
  tokenHash: Buffer,
  page: P,
  now: Date,
): Promise<OpenSession<Requests[P]> | null> {
  // The page decides the type of the request.
  const [found] = await tx.query(FIND_OPEN, [tokenHash, page, now, UPLOAD_ATTEMPTS_MAX]);
  return (found as OpenSession<Requests[P]> | undefined) ?? null;
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

/** Completes a session, in the tx of its effect; returns false if it was already completed or has expired. */
export async function completeSession(
  tx: Tx,
  tokenHash: Buffer,
  page: HostedPage,
  completion: Completion,
  now: Date,
): Promise<boolean> {
  const consentVersion = completion.outcome === "sent" ? null : completion.consentVersion;
  const receiptId = completion.outcome === "sent" ? completion.receiptId : null;
  const claimed = await tx.query(COMPLETE, [tokenHash, page, now, completion.outcome, consentVersion, receiptId]);
  return claimed.length === 1;
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
