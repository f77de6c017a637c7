import { WINDOW_MS } from "../rate-window.ts";

/** Counts events by key, in fixed windows of a minute. The window of a key starts with its first event. */
export interface FixedWindowCounter {
  /** Counts one event. Returns the count of the key's current window and the seconds until that window ends. */
  count(key: string): { count: number; secondsLeft: number };
  /** Returns the count of the key's current window. */
  current(key: string): number;
}

/**
 * Creates a counter in the memory of this process; processes do not share counts. With more than `keysMax` keys the
 * oldest window is forgotten.
 */
export function createFixedWindowCounter(keysMax: number, nowMs: () => number): FixedWindowCounter {
  const windows = new Map<string, { count: number; endsAt: number }>();
  return {
    current: (key) => {
      const window = windows.get(key);
      return window && window.endsAt > nowMs() ? window.count : 0;
    },
    count: (key) => {
      const now = nowMs();
      let window = windows.get(key);
      if (!window || window.endsAt <= now) {
        windows.delete(key);
        const [oldest] = windows.keys();
        if (oldest !== undefined && windows.size >= keysMax) windows.delete(oldest);
        window = { count: 0, endsAt: now + WINDOW_MS };
        windows.set(key, window);
      }
      window.count += 1;
      return { count: window.count, secondsLeft: Math.ceil((window.endsAt - now) / 1_000) };
    },
  };
}
