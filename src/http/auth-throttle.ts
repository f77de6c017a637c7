import { createFixedWindowCounter } from "./fixed-window-counter.ts";

/** Limits failed authentications by network address. */
export interface AuthThrottle {
  readonly perMinute: number;
  /** Returns whether the next failure of an address would be over the limit; counts nothing. */
  isOverLimit(address: string): boolean;
  /** Counts a failure. Over the limit, returns the seconds until the address may fail again; else null. */
  countFailure(address: string): number | null;
}

/** Limits the memory: above this number the oldest address is forgotten. */
const ADDRESSES_MAX = 10_000;

/**
 * Allows each address `perMinute` failures in a minute that starts with its first failure; 0 is no limit. Each process
 * counts in its own memory. Successful calls are not limited: a secret of 256 bits cannot be guessed, and an attacker
 * must not lock out others who share the address.
 */
export function createAuthThrottle(perMinute: number, nowMs: () => number): AuthThrottle {
  const counter = createFixedWindowCounter(ADDRESSES_MAX, nowMs);
  return {
    perMinute,
    isOverLimit: (address) => perMinute > 0 && counter.current(networkOf(address)) >= perMinute,
    countFailure: (address) => {
      if (perMinute === 0) return null;
      const { count, secondsLeft } = counter.count(networkOf(address));
      return count > perMinute ? secondsLeft : null;
    },
  };
}

/**
 * Returns the first 64 bits of an IPv6 address, since one household has a whole /64; an IPv4 address unchanged.
 * `address` is in the notation of Node's sockets.
 */
export function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(Math.max(0, zeros)).fill("0"), ...right].slice(0, 4).join(":");
}
