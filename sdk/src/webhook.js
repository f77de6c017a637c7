/** @import { VerifiedDelivery, VerifyOptions, WebhookHeaders } from "./sdk.d.ts" */
import { WebhookError } from "./errors.js";

/** Five minutes in both directions: Standard Webhooks recommends this against replays. */
const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = "whsec_";
const SIGNATURE_PREFIX = "v1,";

/**
 * Verifies that a delivery is from the service and returns its event. Throws WebhookError otherwise.
 * @param {WebhookHeaders} headers as received
 * @param {string | Uint8Array | ArrayBuffer} body as received, before parsing
 * @param {string | readonly string[]} secrets both secrets during a rotation
 * @param {VerifyOptions} [options]
 * @returns {Promise<VerifiedDelivery>}
 */
export async function verifyWebhook(headers, body, secrets, options = {}) {
  const { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now } = options;
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature");
  if (!id || !timestamp || !signatures) throw new WebhookError("missing_header");
  const sentSeconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(now() / 1_000 - sentSeconds) <= toleranceSeconds)) throw new WebhookError("stale");

  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
  const signed = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const keys = await Promise.all([secrets].flat().map(importSecret));
  const given = signatures.split(" ").flatMap(signatureBytes);
  // All pairs are compared. WebCrypto compares in constant time.
  const results = await Promise.all(
    keys.flatMap((key) => given.map((signature) => crypto.subtle.verify("HMAC", key, signature, signed))),
  );
  if (!results.includes(true)) throw new WebhookError("wrong_signature");
  const sequence = headerOf(headers, "webhook-sequence");
  const position = sequence !== undefined && /^\d{1,5}$/.test(sequence) ? Number(sequence) : null;
  const delivery = { id, sentAt: new Date(sentSeconds * 1_000), sequence: position, ...eventIn(bytes) };
  // The signature is from the service, so the event has a type of its document.
  return /** @type {VerifiedDelivery} */ (delivery);
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {{ type: string, event: unknown }}
 */
function eventIn(bytes) {
  let event;
  try {
    event = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new WebhookError("malformed_body");
  }
  const type = event?.event ?? event?.eventType;
  if (typeof type !== "string") throw new WebhookError("malformed_body");
  return { type, event };
}

/**
 * @param {WebhookHeaders} headers
 * @param {string} name in lower case
 * @returns {string | undefined} undefined also if it was sent more than once
 */
function headerOf(headers, name) {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const values = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  const value = values.length === 1 ? values[0]?.[1] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** @param {string} secret */
async function importSecret(secret) {
  const bytes = secret.startsWith(SECRET_PREFIX) ? fromBase64(secret.slice(SECRET_PREFIX.length)) : null;
  if (!bytes?.length) throw new TypeError(`a signing secret must be ${SECRET_PREFIX} followed by base64`);
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

/** @param {string} signature */
function signatureBytes(signature) {
  const bytes = signature.startsWith(SIGNATURE_PREFIX) ? fromBase64(signature.slice(SIGNATURE_PREFIX.length)) : null;
  return bytes ? [bytes] : [];
}

/** @param {string} text */
function fromBase64(text) {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/**
 * @param {Uint8Array} first
 * @param {Uint8Array} second
 */
function concatenate(first, second) {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
