import type { Application } from "./application.ts";

/** A secret that opens an application: its first one, or one that was added. All have the application's client id. */
export interface Credential {
  /** That of the first secret is the application's. */
  readonly id: string;
  /** SHA-256 of the secret. */
  readonly secretHash: Buffer;
  readonly expiresAt: Date | null;
  /** What it may do; null: everything. */
  readonly scopes: readonly string[] | null;
}

/** An application with the credentials that were added to it, but for those that are revoked or expired. */
export interface CallingApplication extends Application {
  readonly credentials: readonly Credential[];
}

/** Credentials that an application may have at once, beside its first secret: each call compares with all of them. */
export const CREDENTIALS_MAX = 20;
/** Revoked and expired ones that are still listed; older ones are removed. */
export const ENDED_LISTED_MAX = 50;
/** The longest time until an expiry: ten years. */
export const EXPIRY_DAYS_MAX = 3_650;
export const CREDENTIAL_NAME_MAX = 64;

/** The hash of a first secret that is revoked: no secret is known to have it. */
export const NO_SECRET_HASH = Buffer.alloc(32);

/**
 * Returns the credential of a SHA-256 that is valid at `now`, or null. `equal` compares in constant time, and the
 * secret is compared with all. A first secret that was replaced counts as the first one until it expires.
 */
export function acceptedCredential(
  application: CallingApplication,
  givenHash: Buffer,
  equal: (a: Buffer, b: Buffer) => boolean,
  now: Date,
): Credential | null {
  const { id, secretHash, previousSecretHash, previousSecretUntil } = application;
  const first = { id, secretHash, expiresAt: null, scopes: null };
  const previous = previousSecretHash && {
    ...first,
    secretHash: previousSecretHash,
    expiresAt: previousSecretUntil,
  };
  const all = [first, ...(previous ? [previous] : []), ...application.credentials];
  const matching = all.filter((each) => equal(givenHash, each.secretHash));
  return matching.find(({ expiresAt }) => expiresAt === null || now < expiresAt) ?? null;
}

/** How a credential is listed. */
export interface ListedCredential {
  readonly id: string;
  /** Null: the first secret of the application. */
  readonly name: string | null;
  /** Null: everything. */
  readonly scopes: readonly string[] | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

export type CredentialState = "active" | "expired" | "revoked";

/** Returns whether a credential can be used at `now`. */
export function credentialState({ expiresAt, revokedAt }: ListedCredential, now: Date): CredentialState {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "active";
}

/** Returns the error of a name, or null. */
export function credentialNameError(name: string): string | null {
  if (name.trim() === "" || name !== name.trim()) return "must not be empty, nor begin or end with a space";
  if (Array.from(name).length > CREDENTIAL_NAME_MAX) return `must have at most ${CREDENTIAL_NAME_MAX} characters`;
  return /\p{C}/u.test(name) ? "must not have control characters" : null;
}
