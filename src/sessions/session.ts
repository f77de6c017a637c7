import { createHash } from "node:crypto";
import { parseInstant } from "../http/formats.ts";
import { knownMembers } from "../http/members.ts";
import type { Errors } from "../problems.ts";
import { DAY_MS } from "../time.ts";
import type { Enrollment } from "../users/schema.ts";
import { EnrollmentBody } from "../users/schema.ts";
import { redirectUriError } from "./redirect.ts";
import type { RedirectRules } from "./redirect.ts";
import type { EnrolmentSessionBody, ReceiptSessionBody } from "./schema.ts";

/** Which hosted page a session opens. */
export type Page = "enrolment" | "receipt";

/** Where each page lives below the hosted pages' address. */
export const PAGE_PATHS: Record<Page, string> = { enrolment: "/enroll", receipt: "/receipts" };

/** How long after its end a session's row is kept, so that the progress of what was sent can be looked at. */
export const KEPT_AFTER_EXPIRY_MS = DAY_MS;

/** What the application already knows of the receipt that will be handed in; the amount is in major units. */
export interface ReceiptRequest {
  readonly userId: string;
  readonly reference: string | null;
  readonly merchantName: string | null;
  readonly amount: number | null;
  /** RFC 3339 in UTC with milliseconds. */
  readonly transactionTimestamp: string | null;
}

/** The token of a session from 32 random bytes: 256 bits, no prefix, nothing to guess from. */
export function sessionToken(random: Buffer): string {
  return random.toString("base64url");
}

/** What is stored of a token. It is the text that is hashed: two spellings of the same bytes are two tokens. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** The address of a session's page. `hostedPagesUrl` has no slash at its end. */
export function sessionUrl(hostedPagesUrl: string, page: Page, token: string): string {
  return `${hostedPagesUrl}${PAGE_PATHS[page]}?sessionId=${token}`;
}

/** The token in the query of a page's address, `sessionId` or `session_id`; null when there is none or more than one. */
export function tokenIn(query: unknown): string | null {
  const { sessionId, session_id } = query as Record<"sessionId" | "session_id", unknown>;
  if (sessionId !== undefined && session_id !== undefined && sessionId !== session_id) return null;
  const token = sessionId ?? session_id;
  return typeof token === "string" && /^[\w-]{43}$/.test(token) ? token : null;
}

/**
 * What is wrong with the members that both session requests share, in a body that may break its schema elsewhere
 * (such members are passed over here), so that one answer names all errors.
 */
export function sessionErrors(body: unknown, rules: RedirectRules): Errors {
  const { redirectUri, locale } = (body ?? {}) as Record<"redirectUri" | "locale", unknown>;
  const errors: Errors = {};
  const redirectError = typeof redirectUri === "string" ? redirectUriError(redirectUri, rules) : null;
  if (redirectError !== null) errors["redirectUri"] = [redirectError];
  if (typeof locale === "string" && !isLanguageTag(locale)) errors["locale"] = ["must be a language tag, as in en-GB"];
  return errors;
}

/** Whether a text is a well-formed language tag (BCP 47). */
function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** The members of an enrolment that are stored; any other that was sent is not. */
export function enrollmentOf(body: EnrolmentSessionBody): Enrollment {
  return knownMembers(EnrollmentBody, body);
}

/** The members of a receipt session that are stored, `null` for what the application doesn't know. */
export function receiptRequestOf(body: ReceiptSessionBody): ReceiptRequest {
  return {
    userId: body.userId,
    reference: body.transactionId ?? null,
    merchantName: body.merchantName?.trim() ? body.merchantName : null,
    amount: body.amount ?? null,
    transactionTimestamp: body.transactionTimestamp === undefined ? null : utc(body.transactionTimestamp),
  };
}

/** The same instant in UTC; the schema has checked that the text names one, so anything else throws. */
function utc(timestamp: string): string {
  return new Date(parseInstant(timestamp) ?? Number.NaN).toISOString();
}
