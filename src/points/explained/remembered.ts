/** Hashes that are remembered: some 2 MB. A catalogue has 3,000 foods, and people mostly buy the same products. */
const HASHES_MAX = 10_000;
/**
 * After this time a hash is stored again, which changes nothing if it is there. So a database that was emptied and
 * restored under a running process has all evidence again.
 */
const KNOWN_MS = 600_000;

/** Which hashes a process knows to be stored: the last ones that it has stored itself. */
export interface Remembered {
  has(hash: string): boolean;
  /** Call it after the commit. */
  add(hashes: Iterable<string>): void;
}

export function createRemembered(now: () => number, max = HASHES_MAX): Remembered {
  const until = new Map<string, number>();
  return {
    has: (hash) => (until.get(hash) ?? -Infinity) > now(),
    add: (hashes) => {
      const end = now() + KNOWN_MS;
      for (const hash of hashes) {
        // A Map is in the order of insertion: the first is the one that was stored longest ago.
        until.delete(hash);
        until.set(hash, end);
      }
      for (const hash of until.keys()) {
        if (until.size <= max) return;
        until.delete(hash);
      }
    },
  };
}
