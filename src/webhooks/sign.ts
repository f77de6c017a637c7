import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { KeyObject } from "node:crypto";

const SECRET_PREFIX = "whsec_";
const SIGNATURE_PREFIX = "v1,";

/** Five minutes either way, as Standard Webhooks recommends against replays. */
export const TOLERANCE_SECONDS = 300;

/**
 * The signing secret of an endpoint: `whsec_` and 32 bytes in base64. It is derived from the installation's key
 * (32 random bytes), never stored; a rotation is the next `generation`.
 */
export function signingSecret(installationKey: Uint8Array, endpointId: string, generation: number): string {
  const secret = createHmac("sha256", installationKey).update(`webhook:${endpointId}:${generation}`).digest("base64");
  return SECRET_PREFIX + secret;
}

/** Returns the signing secret of an endpoint's generation. */
export type SecretOf = (endpointId: string, generation: number) => string;

/** Secrets and keys that are remembered. Above this number all are forgotten. */
const SECRETS_MAX = 1_000;

/** Creates a function that derives secrets and remembers them: deriving is a third of the cost of a signature. */
export function rememberedSecrets(installationKey: Uint8Array): SecretOf {
  const secrets = new Map<string, string>();
  return (endpointId, generation) => {
    const key = `${endpointId} ${generation}`;
    const known = secrets.get(key);
    if (known !== undefined) return known;
    const secret = signingSecret(installationKey, endpointId, generation);
    if (secrets.size >= SECRETS_MAX) secrets.clear();
    secrets.set(key, secret);
    return secret;
  };
}

/** The secrets that sign at `at`: the current one and, for some time after a rotation, the previous one. */
export function signingSecrets(
  secretOf: SecretOf,
  endpoint: {
    readonly endpointId: string;
    readonly generation: number;
    readonly previousSecretUntil: Date | null;
  },
  at: Date,
): string[] {
  const { endpointId, generation, previousSecretUntil } = endpoint;
  const isRotating = previousSecretUntil !== null && at < previousSecretUntil;
  const generations = isRotating ? [generation, generation - 1] : [generation];
  return generations.map((each) => secretOf(endpointId, each));
}

/** The signed content, in the order of the signature: `id.timestamp.body`. */
export interface SignedContent {
  /** The event's id, the same on every attempt. */
  readonly id: string;
  /** Unix time of this attempt. */
  readonly timestampSeconds: number;
  readonly body: string;
}

/**
 * The headers of one attempt by Standard Webhooks 1.0: `webhook-id`, `webhook-timestamp` and `webhook-signature`
 * with one signature for each secret, separated by spaces, so that receivers can change theirs while two are valid.
 */
export function signatureHeaders(content: SignedContent, secrets: readonly string[]): Record<string, string> {
  return {
    "webhook-id": content.id,
    "webhook-timestamp": String(content.timestampSeconds),
    "webhook-signature": secrets.map((secret) => SIGNATURE_PREFIX + sign(content, secret)).join(" "),
  };
}

/** The event's id of a genuine delivery, or the reason for refusing it. */
export type Verification =
  | { readonly kind: "verified"; readonly id: string }
  | { readonly kind: "refused"; readonly reason: "missing_header" | "stale" | "wrong_signature" };

/**
 * Verifies a delivery as a receiver does: the time (within the tolerance, either way), then, in constant time, that one
 * of the signatures is by `secret`. Header names are lower-case; `body` is the text as received.
 */
export function verify(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  secret: string,
  nowSeconds: number,
): Verification {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (typeof id !== "string" || typeof timestamp !== "string" || typeof signatures !== "string")
    return { kind: "refused", reason: "missing_header" };
  const timestampSeconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(nowSeconds - timestampSeconds) <= TOLERANCE_SECONDS)) return { kind: "refused", reason: "stale" };
  const expected = Buffer.from(SIGNATURE_PREFIX + sign({ id, timestampSeconds, body }, secret));
  const isGenuine = signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isGenuine ? { kind: "verified", id } : { kind: "refused", reason: "wrong_signature" };
}

function sign({ id, timestampSeconds, body }: SignedContent, secret: string): string {
  return createHmac("sha256", keyOf(secret)).update(`${id}.${timestampSeconds}.${body}`).digest("base64");
}

const keys = new Map<string, KeyObject>();

/** The key of a secret. From its bytes, OpenSSL would make one for each signature: a fifth of what that costs. */
function keyOf(secret: string): KeyObject {
  const known = keys.get(secret);
  if (known) return known;
  if (!secret.startsWith(SECRET_PREFIX)) throw new TypeError(`a signing secret starts with ${SECRET_PREFIX}`);
  const key = createSecretKey(secret.slice(SECRET_PREFIX.length), "base64");
  if (keys.size >= SECRETS_MAX) keys.clear();
  keys.set(secret, key);
  return key;
}
