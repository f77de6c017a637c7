import { randomBytes } from "node:crypto";

const POOL_BYTES = 4_096;

/**
 * Creates a source of random hexadecimal digits for ids. Reads 4 kB at a time from the system, and makes a text of them
 * at once: an id from ten bytes of its own took twice as long. Never for a secret.
 */
export function createRandomDigits(): (digits: number) => string {
  let pool = "";
  let used = 0;
  return (digits) => {
    if (used + digits > pool.length) {
      pool = randomBytes(POOL_BYTES).toString("hex");
      used = 0;
    }
    used += digits;
    return pool.slice(used - digits, used);
  };
}
