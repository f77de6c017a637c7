import { createCipheriv, createDecipheriv, hash } from "node:crypto";
import { DAY_MS } from "../time.ts";

/** How long an answer is kept at least. */
export const KEPT_MS = DAY_MS;
const KEY_LENGTH_MAX = 255;
export const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A request that names itself by a key: what is stored of it, and from what its answer's encryption is derived. */
export interface KeyedRequest {
  readonly applicationId: string;
  readonly keyHash: Buffer;
  readonly fingerprint: Buffer;
  readonly secret: string;
}

/** What is wrong with the value of the header Idempotency-Key, or null. */
export function keyError(key: string): string | null {
  return key.length <= KEY_LENGTH_MAX && /^[\x21-\x7e]+$/.test(key)
    ? null
    : `must be 1 to ${KEY_LENGTH_MAX} visible ASCII characters without spaces, given once`;
}

/**
 * Makes what is stored of a request. Two requests are the same when `target` (path and query) and `content` are.
 * Neither the key nor anything it was used for can be read from it, where the key is random.
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
    // Neither key nor target can hold a line break, so that no two requests run together alike.
    fingerprint: hash("sha256", `${key}\n${target}\n${content}`, "buffer"),
    secret: `${clientSecret}\n${key}`,
  };
}

/** Encrypts an answer (AES-256-GCM). `iv` is 12 random bytes, used for nothing else. */
export function seal(response: string, secret: string, iv: Uint8Array): Buffer {
  const cipher = createCipheriv("aes-256-gcm", sealingKey(secret), iv);
  const sealed = [iv, cipher.update(response, "utf8"), cipher.final()];
  return Buffer.concat([...sealed, cipher.getAuthTag()]);
}

/** The answer again; null under another key: the client secret was replaced since. */
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

/** One hash is enough: a client secret is 256 random bits. */
function sealingKey(secret: string): Buffer {
  return hash("sha256", `idempotency\n${secret}`, "buffer");
}
