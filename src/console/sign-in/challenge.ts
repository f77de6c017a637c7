import { createHmac, timingSafeEqual } from "node:crypto";

/** A challenge is good for this time: a person looks for the phone, and types its PIN. */
export const CHALLENGE_MS = 300_000;
/** Random bytes of a challenge; its time and the MAC follow. */
export const CHALLENGE_RANDOM_BYTES = 16;
const TIME_BYTES = 6;
const MAC_BYTES = 16;

/**
 * Returns a challenge that this installation knows again without having stored it, so that strangers who ask for
 * challenges leave nothing behind. It is bound to its purpose: one for signing in cannot add a passkey.
 */
export function newChallenge(random: Uint8Array, purpose: string, key: Uint8Array, nowMs: number): Buffer {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeUIntBE(nowMs + CHALLENGE_MS, 0, TIME_BYTES);
  const start = Buffer.concat([random, time]);
  return Buffer.concat([start, macOf(start, purpose, key)]);
}

/** Returns when a challenge ends, in ms since 1970; null: it is not ours, is for another purpose, or has ended. */
export function challengeEnd(challenge: Uint8Array, purpose: string, key: Uint8Array, nowMs: number): number | null {
  const bytes = Buffer.from(challenge);
  if (bytes.length !== CHALLENGE_RANDOM_BYTES + TIME_BYTES + MAC_BYTES) return null;
  const start = bytes.subarray(0, CHALLENGE_RANDOM_BYTES + TIME_BYTES);
  if (!timingSafeEqual(bytes.subarray(start.length), macOf(start, purpose, key))) return null;
  const end = start.readUIntBE(CHALLENGE_RANDOM_BYTES, TIME_BYTES);
  return end > nowMs ? end : null;
}

function macOf(start: Uint8Array, purpose: string, key: Uint8Array): Buffer {
  return createHmac("sha256", key)
    .update(`console challenge ${purpose} `)
    .update(start)
    .digest()
    .subarray(0, MAC_BYTES);
}
