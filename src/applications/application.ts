import type { DayLimits } from "../points/limits/limits.ts";

/** A client of the API: its first secret and its settings. */
export interface Application extends DayLimits {
  readonly id: string;
  readonly clientId: string;
  /** SHA-256 of the first client secret; more of them are `Credential`s. */
  readonly secretHash: Buffer;
  /** SHA-256 of the previous secret, accepted until `previousSecretUntil`. Both are null if there is none. */
  readonly previousSecretHash: Buffer | null;
  readonly previousSecretUntil: Date | null;
  readonly name: string;
  readonly isSandbox: boolean;
  /** A public https address, or null. */
  readonly logoUrl: string | null;
  /** Where hosted pages redirect to if the session has no address of its own. */
  readonly redirectUri: string | null;
  /** If not empty, the only addresses that a session may redirect to. */
  readonly redirectAllowList: readonly string[];
  /** Colour of buttons and links on the hosted pages, `#rrggbb` in lower case; null: the default. */
  readonly accentColour: string | null;
  readonly suspendedAt: Date | null;
  /** Since then it is moving to another cell or being removed: nothing responds for it here. It is suspended too. */
  readonly closedAt: Date | null;
  /** The address of the cell that it has moved to; null: it has not. */
  readonly movedTo: string | null;
  /** Its own rate limit; 0: no limit; null: the limit of the service. */
  readonly rateLimitPerMinute: number | null;
}

/** Creates a client id from 16 random bytes. It is not secret. */
export function clientIdFrom(random: Buffer): string {
  return `app_${random.toString("hex")}`;
}

/** Creates a client secret from 32 random bytes. It is shown once; only its hash is stored. */
export function clientSecretFrom(random: Buffer): string {
  return `sec_${random.toString("base64url")}`;
}

/** Returns the error of a logo address, or null. Browsers load the logo on our pages, so it must be https. */
export function logoUrlError(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url?.protocol === "https:" && !url.username && !url.password ? null : "must be an https address";
}
