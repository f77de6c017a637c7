import { createWindows } from "./fixed-window-counter.ts";

/** Counts failed authentications by the address they come from. */
export interface FailureLimit {
  readonly perMinute: number;
  /** Notes a failure. Gives the seconds until the address has a clean slate when it is over the limit, else null. */
  note(address: string): number | null;
}

/** Bounds the memory: beyond it the address that was noted first is forgotten. */
const ADDRESSES_MAX = 10_000;

/**
 * Lets each address fail `perMinute` times in a minute that starts with its first failure; 0 lets it fail for ever.
 * In memory, each process for itself. Successes are not asked about: a secret of 256 bits is not guessed, and who
 * shares an address with someone who tries must not be locked out by it.
 */
export function createAuthThrottle(perMinute: number, nowMs: () => number): FailureLimit {
  const windows = createWindows(ADDRESSES_MAX, nowMs);
  return {
    perMinute,
    note: (address) => {
      if (perMinute === 0) return null;
      const { count, secondsLeft } = windows.count(networkOf(address));
      return count > perMinute ? secondsLeft : null;
    },
  };
}

/** Of IPv6 the first 64 bits: one household has them all. `address` is as Node gives a socket's. */
export function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(Math.max(0, zeros)).fill("0"), ...right].slice(0, 4).join(":");
}
