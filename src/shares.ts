import { createHolders } from "./holders.ts";

/** Places that are waited for. Each holder has a share of them, and holders take turns. */
export interface Shares {
  /** Takes a place as soon as there is one; returns a function that frees it. Null: there was none in time. */
  take(holder: string): Promise<(() => void) | null>;
}

/** Creates places: `max` in all, `perHolder` of each holder. Nobody waits for one longer than `waitMsMax`. */
export function createShares(options: { max: number; perHolder: number; waitMsMax: number }): Shares {
  const { max, perHolder, waitMsMax } = options;
  const held = createHolders();
  /** Those who wait, by holder; the holder whose turn it is comes first. */
  const waiting = new Map<string, (() => void)[]>();
  const isFree = (holder: string) => held.of("all") < max && held.of(`holder ${holder}`) < perHolder;

  const hold = (holder: string): (() => void) => {
    const free = held.take("all", `holder ${holder}`);
    return () => {
      free();
      startNext();
    };
  };

  const startNext = (): void => {
    for (const [holder, starts] of waiting) {
      if (!isFree(holder)) continue;
      const start = starts.shift()!;
      waiting.delete(holder);
      if (starts.length > 0) waiting.set(holder, starts);
      start();
      return;
    }
  };

  const wait = (holder: string): Promise<(() => void) | null> =>
    new Promise((resolve) => {
      const starts = waiting.get(holder) ?? [];
      const start = () => {
        clearTimeout(timer);
        resolve(hold(holder));
      };
      const timer = setTimeout(() => {
        starts.splice(starts.indexOf(start), 1);
        if (starts.length === 0) waiting.delete(holder);
        resolve(null);
      }, waitMsMax);
      starts.push(start);
      waiting.set(holder, starts);
    });

  // Who waits is first: a place is free only when nobody who waits may take it.
  return { take: (holder) => (isFree(holder) ? Promise.resolve(hold(holder)) : wait(holder)) };
}
