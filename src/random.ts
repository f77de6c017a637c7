import { randomFillSync } from "node:crypto";

const POOL_BYTES = 4_096;

/**
 * A source of random bytes for ids: drawn from the system 4 kB at a time, since a call costs 3 µs however few it gives.
 * What it gives is overwritten later on: use it at once, and never for a secret.
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
