import { createCipheriv, createDecipheriv, hash } from "node:crypto";
import { DAY_MS } from "../time.ts";

/** Minimum time that a response stays stored. */
export const RETENTION_MS = DAY_MS;
const KEY_LENGTH_MAX = 255;
export const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A request with an Idempotency-Key: the hashes to store, and the secret that encrypts its response. */
export interface KeyedRequest {
  readonly applicationId: string;
  readonly keyHash: Buffer;
  readonly fingerprint: Buffer;
  readonly secret: string;
}

/** Checks a value of the header Idempotency-Key. Returns the error, or null. */
export function keyError(key: string): string | null {
  return key.length <= KEY_LENGTH_MAX && /^[\x21-\x7e]+$/.test(key)
    ? null
    : `must be 1 to ${KEY_LENGTH_MAX} visible ASCII characters without spaces, given once`;
}

/**
 * Computes the hashes of a request. Two requests are the same when their `target` (path and query) and `content` are.
 * If the key is random, neither it nor the request can be derived from the hashes.
 */
export function keyedRequest(request: {
  applicationId: string;
  clientSecret: string;
  key: string;
  target: string;
  content: string;
}): KeyedRequest {
  const { applicationId, clientSecret, key, target, content } = request;
  return {
    applicationId,
    keyHash: hash("sha256", key, "buffer"),
    // Key and target have no line breaks, so that two different requests never give the same text.
    fingerprint: hash("sha256", `${key}\n${target}\n${content}`, "buffer"),
    secret: `${clientSecret}\n${key}`,
  };
}

/** Encrypts a response (AES-256-GCM). `iv` must be 12 random bytes that are used once. */
export function seal(response: string, secret: string, iv: Uint8Array): Buffer {
  const cipher = createCipheriv("aes-256-gcm", sealingKey(secret), iv);
  const sealed = [iv, cipher.update(response, "utf8"), cipher.final()];
  return Buffer.concat([...sealed, cipher.getAuthTag()]);
}

/** Decrypts a response. Null with another key: the client secret was replaced since. */
export function unseal(sealed: Buffer, secret: string): string | null {
  const decipher = createDecipheriv("aes-256-gcm", sealingKey(secret), sealed.subarray(0, IV_BYTES));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const opened = decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

/** Derives the encryption key. One hash is enough, since a client secret is 256 random bits. */
function sealingKey(secret: string): Buffer {
  return hash("sha256", `idempotency\n${secret}`, "buffer");
}
