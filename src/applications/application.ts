import type { DayLimits } from "../points/day-limits/limits.ts";

/** One integrating client: its credentials and what is set for it. */
export interface Application extends DayLimits {
  readonly id: string;
  readonly clientId: string;
  /** SHA-256 of the client secret. */
  readonly secretHash: Buffer;
  /** Of the secret before it, which is accepted beside it until then; both are null where none is. */
  readonly previousSecretHash: Buffer | null;
  readonly previousSecretUntil: Date | null;
  readonly name: string;
  readonly isSandbox: boolean;
  /** A public https address, or null. */
  readonly logoUrl: string | null;
  /** Where hosted pages lead back to when the session names nothing. */
  readonly redirectUri: string | null;
  /** When not empty, the only addresses a session may lead back to. */
  readonly redirectAllowList: readonly string[];
  /** `#rrggbb`, in lower case: what can be pressed on the hosted pages; null: ours. */
  readonly accentColour: string | null;
  readonly suspendedAt: Date | null;
  /** Its own limit of calls; 0: none; null: that of the service. */
  readonly rateLimitPerMinute: number | null;
}

/** Whether the SHA-256 of a presented secret is one of the application's as of `now`, each compared in constant time. */
export function isAcceptedSecret(
  { secretHash, previousSecretHash, previousSecretUntil }: Application,
  givenHash: Buffer,
  equal: (a: Buffer, b: Buffer) => boolean,
  now: Date,
): boolean {
  const isPreviousOpen = previousSecretHash !== null && previousSecretUntil !== null && now < previousSecretUntil;
  return equal(givenHash, secretHash) || (isPreviousOpen && equal(givenHash, previousSecretHash));
}

/** A client id from 16 random bytes: recognisable in a list, nothing secret. */
export function clientIdFrom(random: Buffer): string {
  return `app_${random.toString("hex")}`;
}

/** A client secret from 32 random bytes. Shown once, kept only as its hash. */
export function clientSecretFrom(random: Buffer): string {
  return `sec_${random.toString("base64url")}`;
}

/** What is wrong with a logo address, or null: browsers load it on our pages, so it must be https. */
export function logoUrlError(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url?.protocol === "https:" && !url.username && !url.password ? null : "must be an https address";
}
