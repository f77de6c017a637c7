/** Numbers of places that are held, by holder: a session, an application, all together. */
export interface Holders {
  /** The number of places of a holder. */
  of(holder: string): number;
  /** Counts one place for each of these holders. Returns the function that frees it; further calls do nothing. */
  take(...holders: readonly string[]): () => void;
}

/** Creates counts that keep nothing of a holder without a place. */
export function createHolders(): Holders {
  const counts = new Map<string, number>();
  const add = (holder: string, change: 1 | -1): void => {
    const count = (counts.get(holder) ?? 0) + change;
    if (count === 0) counts.delete(holder);
    else counts.set(holder, count);
  };
  return {
    of: (holder) => counts.get(holder) ?? 0,
    take: (...holders) => {
      for (const holder of holders) add(holder, 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        for (const holder of holders) add(holder, -1);
      };
    },
  };
}
