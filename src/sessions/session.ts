import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { parseInstant } from "../http/formats.ts";
import { knownMembers } from "../http/schema-members.ts";
import type { Errors } from "../problems.ts";
import { DAY_MS } from "../time.ts";
import type { Enrollment } from "../users/schema.ts";
import { EnrollmentBody } from "../users/schema.ts";
import { redirectUriError } from "./redirect.ts";
import type { RedirectRules } from "./redirect.ts";
import type { EnrolmentSessionBody, ReceiptSessionBody } from "./schema.ts";

/** The hosted page that a session opens. */
export type HostedPage = "enrolment" | "receipt";

/** The path of each page below the address of the hosted pages. */
export const PAGE_PATHS: Record<HostedPage, string> = { enrolment: "/enroll", receipt: "/receipts" };

/** A session's row is kept this long after its end, so that the progress of its receipt can be shown. */
export const KEPT_AFTER_EXPIRY_MS = DAY_MS;

/**
 * Uploads that may be begun in a session before it is closed. A person on a bad connection needs a few; anybody who has
 * the link could let the service receive and examine any number of files.
 */
export const UPLOAD_ATTEMPTS_MAX = 30;

/** What the application knows of the receipt that will be uploaded; the amount is in major units. */
export interface ReceiptRequest {
  readonly userId: string;
  readonly reference: string | null;
  readonly merchantName: string | null;
  readonly amount: number | null;
  /** RFC 3339 in UTC with milliseconds. */
  readonly transactionTimestamp: string | null;
  /** Missing in sessions of releases without it. */
  readonly cardLastFour?: string | null;
}

/** Random bytes of a token; the rest of its 32 bytes is their MAC. */
export const TOKEN_RANDOM_BYTES = 24;
const TOKEN_MAC_BYTES = 8;

/** Derives the key of the MAC in tokens from the key of the installation. */
export function tokenKey(installationKey: Uint8Array): Buffer {
  return createHmac("sha256", installationKey).update("session-token").digest();
}

/**
 * Returns the token of a session for 24 random bytes: 192 bits, which cannot be guessed, and a MAC of 64 bits. An
 * invented token is known by it without the database. The MAC opens nothing.
 */
export function sessionToken(random: Uint8Array, key: Uint8Array): string {
  return Buffer.concat([random, macOf(random, key)]).toString("base64url");
}

/** Returns whether a token was made with this key. Those of releases before 0.4 were not, and are good all the same. */
export function isSessionToken(token: string, key: Uint8Array): boolean {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== TOKEN_RANDOM_BYTES + TOKEN_MAC_BYTES) return false;
  return timingSafeEqual(bytes.subarray(TOKEN_RANDOM_BYTES), macOf(bytes.subarray(0, TOKEN_RANDOM_BYTES), key));
}

function macOf(random: Uint8Array, key: Uint8Array): Buffer {
  return createHmac("sha256", key).update(random).digest().subarray(0, TOKEN_MAC_BYTES);
}

/** Returns the hash that is stored for a token. It hashes the text: two spellings of the same bytes are two tokens. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Returns the address of a session's page. `hostedPagesUrl` has no slash at its end. */
export function sessionUrl(hostedPagesUrl: string, page: HostedPage, token: string): string {
  return `${hostedPagesUrl}${PAGE_PATHS[page]}?sessionId=${token}`;
}

/** Returns the token in a query, as `sessionId` or `session_id`; null if there is none or more than one. */
export function tokenIn(query: unknown): string | null {
  const { sessionId, session_id } = query as Record<"sessionId" | "session_id", unknown>;
  if (sessionId !== undefined && session_id !== undefined && sessionId !== session_id) return null;
  const token = sessionId ?? session_id;
  return typeof token === "string" && /^[\w-]{43}$/.test(token) ? token : null;
}

/**
 * Validates the members that both session requests share. The body may violate its schema in other members, which are
 * ignored here, so that one response names all errors.
 */
export function sessionErrors(body: unknown, rules: RedirectRules): Errors {
  const { redirectUri, locale } = (body ?? {}) as Record<"redirectUri" | "locale", unknown>;
  const errors: Errors = {};
  const redirectError = typeof redirectUri === "string" ? redirectUriError(redirectUri, rules) : null;
  if (redirectError !== null) errors["redirectUri"] = [redirectError];
  if (typeof locale === "string" && !isLanguageTag(locale)) errors["locale"] = ["must be a language tag, as in en-GB"];
  return errors;
}

/** Returns whether a text is a well-formed language tag (BCP 47). */
function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** Returns the members of an enrolment that are stored; any others are dropped. */
export function enrollmentOf(body: EnrolmentSessionBody): Enrollment {
  return knownMembers(EnrollmentBody, body);
}

/** Returns the members of a receipt session that are stored, `null` for those the application did not send. */
export function receiptRequestOf(body: ReceiptSessionBody): ReceiptRequest {
  return {
    userId: body.userId,
    reference: body.transactionId ?? null,
    merchantName: body.merchantName?.trim() ? body.merchantName : null,
    amount: body.amount ?? null,
    transactionTimestamp: body.transactionTimestamp === undefined ? null : utc(body.transactionTimestamp),
    cardLastFour: body.cardLastFour ?? null,
  };
}

/** Returns the same instant in UTC. Throws for any other text, which the schema has already rejected. */
function utc(timestamp: string): string {
  return new Date(parseInstant(timestamp) ?? Number.NaN).toISOString();
}
