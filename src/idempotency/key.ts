import { createCipheriv, createDecipheriv, createHash, createHmac } from "node:crypto";

/** How long an answer is kept at least. */
export const KEPT_MS = 24 * 3_600_000;
export const KEY_LENGTH_MAX = 255;
export const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A request that names itself by a key: what is stored of it, and what its answer is encrypted under. */
export interface KeyedRequest {
  readonly applicationId: string;
  readonly keyHash: Buffer;
  readonly fingerprint: Buffer;
  readonly sealingKey: Buffer;
}

/** What is wrong with the value of the header Idempotency-Key, or null. */
export function keyFault(key: string): string | null {
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
    keyHash: createHash("sha256").update(key).digest(),
    fingerprint: createHmac("sha256", key).update(target).update("\n").update(content).digest(),
    sealingKey: createHmac("sha256", clientSecret).update("idempotency\n").update(key).digest(),
  };
}

/** Encrypts an answer (AES-256-GCM). `iv` is 12 random bytes, used for nothing else. */
export function seal(answer: string, sealingKey: Buffer, iv: Uint8Array): Buffer {
  const cipher = createCipheriv("aes-256-gcm", sealingKey, iv);
  const sealed = [iv, cipher.update(answer, "utf8"), cipher.final()];
  return Buffer.concat([...sealed, cipher.getAuthTag()]);
}

/** The answer again; null under another key: the client secret was replaced since. */
export function unseal(sealed: Buffer, sealingKey: Buffer): string | null {
  const decipher = createDecipheriv("aes-256-gcm", sealingKey, sealed.subarray(0, IV_BYTES));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const opened = decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
