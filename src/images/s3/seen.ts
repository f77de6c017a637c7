/** The keys of images that were there a moment ago: a client who follows a receipt does not ask S3 each time. */
export interface Seen {
  add(key: string): void;
  has(key: string): boolean;
  remove(key: string): void;
}

const SEEN_MS = 60_000;
const KEYS_MAX = 10_000;

export function createSeen(): Seen {
  const seenMs = new Map<string, number>();
  return {
    add: (key) => {
      seenMs.delete(key);
      seenMs.set(key, performance.now());
      // A Map is in the order of insertion.
      if (seenMs.size > KEYS_MAX) seenMs.delete(seenMs.keys().next().value!);
    },
    has: (key) => performance.now() - (seenMs.get(key) ?? -Infinity) < SEEN_MS,
    remove: (key) => void seenMs.delete(key),
  };
}
