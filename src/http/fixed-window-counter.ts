/** Counts by key, each in a window that starts with its first count. */
export interface Windows {
  /** Counts one more; gives how many the window of the key has now, and the seconds until it ends. */
  count(key: string): { count: number; secondsLeft: number };
}

export const WINDOW_SECONDS = 60;

/** Windows of a minute, in memory, each process for itself. Of more than `keysMax` the oldest are forgotten. */
export function createWindows(keysMax: number, nowMs: () => number): Windows {
  const windows = new Map<string, { count: number; endsAt: number }>();
  return {
    count: (key) => {
      const now = nowMs();
      let window = windows.get(key);
      if (!window || window.endsAt <= now) {
        windows.delete(key);
        const [oldest] = windows.keys();
        if (oldest !== undefined && windows.size >= keysMax) windows.delete(oldest);
        window = { count: 0, endsAt: now + WINDOW_SECONDS * 1_000 };
        windows.set(key, window);
      }
      window.count += 1;
      return { count: window.count, secondsLeft: Math.ceil((window.endsAt - now) / 1_000) };
    },
  };
}
