import { randomFillSync } from "node:crypto";

const POOL_BYTES = 4_096;

/**
 * Creates a source of random bytes for ids. Reads 4 kB at a time from the system, since a call costs 3 µs for any
 * number of bytes. The returned bytes are overwritten later: use them at once, and never for a secret.
 */
export function createRandom(): (bytes: number) => Uint8Array {
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  return (bytes) => {
    if (used + bytes > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    used += bytes;
    return pool.subarray(used - bytes, used);
  };
}
