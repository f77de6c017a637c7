import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** A session ends after this time, and sooner when it is not used. */
export const SESSION_MS_MAX = 12 * 3_600_000;
export const SESSION_IDLE_MS_MAX = 2 * 3_600_000;
/** A one-time link ends after this time. */
export const LINK_MS_MAX = 24 * 3_600_000;

/** Random bytes of a session's or a link's token. */
export const TOKEN_BYTES = 32;

/** Returns the hash of a token, which is all that is stored of it. */
export function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Returns whether a text can be a token: 32 bytes in base64url. */
export function isTokenText(text: unknown): text is string {
  return typeof text === "string" && /^[\w-]{43}$/.test(text);
}

/**
 * Returns the token that each form of a session carries: a page of another site cannot read it. It follows from the
 * session and from the installation's key, so it needs no place in the database.
 */
export function formToken(installationKey: Uint8Array, sessionToken: string): string {
  return createHmac("sha256", installationKey).update(`console form ${sessionToken}`).digest("base64url");
}

/** Compares two tokens in a time that does not depend on them. */
export function isSameToken(given: unknown, expected: string): boolean {
  return typeof given === "string" && timingSafeEqual(hashOf(given), hashOf(expected));
}

/**
 * The cookie of a session. Where the console is reached by https, its name has the prefix that no other host of the
 * domain, and no page without https, can set (RFC 6265bis, 4.1.3.2).
 */
export interface SessionCookie {
  /** Returns the token in a Cookie header; null: none, or more than one. */
  read(header: string | undefined): string | null;
  set(token: string, maxAgeSeconds: number): string;
  readonly clear: string;
}

/** Creates the cookie for the address of the console. */
export function sessionCookie(isSecure: boolean): SessionCookie {
  const name = isSecure ? "__Host-console" : "console";
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return {
    read: (header = "") => {
      const values = header.split(";").flatMap((pair) => {
        const [key = "", value = ""] = pair.trim().split("=");
        return key === name ? [value] : [];
      });
      const [token] = values;
      return values.length === 1 && isTokenText(token) ? token : null;
    },
    set: (token, maxAgeSeconds) => `${name}=${token}; Max-Age=${maxAgeSeconds}; ${attributes}`,
    clear: `${name}=; Max-Age=0; ${attributes}`,
  };
}

/** Returns the path to continue at after signing in; only a path of the console, never another site. */
export function pathAfterSignIn(given: unknown): string {
  return typeof given === "string" && /^\/console(?:[/?][\w/?=&%.,:+-]*)?$/.test(given) ? given : "/console";
}
