import { createHmac, timingSafeEqual } from "node:crypto";

/** What is kept in a cookie while somebody signs in at the other provider, and compared when they return. */
export interface ProviderVisit {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The path of the console to continue at. */
  readonly next: string;
  /** In ms since 1970. */
  readonly until: number;
}

/** Time for signing in at the provider, which may ask for a second factor. */
export const VISIT_MS = 600_000;

/** Returns the value of the cookie: readable, but not to be invented by another host of the domain. */
export function sealVisit(visit: ProviderVisit, key: Uint8Array): string {
  const text = Buffer.from(JSON.stringify(visit)).toString("base64url");
  return `${text}.${macOf(text, key).toString("base64url")}`;
}

/** Returns the visit of a cookie's value; null: not ours, or too long ago. */
export function openVisit(value: string, key: Uint8Array, nowMs: number): ProviderVisit | null {
  const [text = "", mac = ""] = value.split(".");
  const [given, expected] = [Buffer.from(mac, "base64url"), macOf(text, key)];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const visit = JSON.parse(Buffer.from(text, "base64url").toString()) as ProviderVisit;
  return visit.until > nowMs ? visit : null;
}

function macOf(text: string, key: Uint8Array): Buffer {
  return createHmac("sha256", key).update(`console provider ${text}`).digest();
}
