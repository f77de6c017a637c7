/** Thrown when more waits than the batcher may hold; nothing of the item was done. */
export class TooMuchWaiting extends Error {}

/** Does things of many callers together. */
export interface Batcher<Item, Result> {
  /** Settles when the batch that held the item is done. Rejects with TooMuchWaiting at the bound. */
  add(item: Item): Promise<Result>;
  /** Resolves when nothing is waiting or in flight. */
  idle(): Promise<void>;
}

/**
 * Gathers concurrent items into batches: one batch in flight, the next leaves when it returns, so that a lone item
 * waits for nobody and a crowd shares one round trip and one fsync. What that gives stands in docs/performance.md.
 * `flush` gives one result for each item, in order; `isPoison` says which errors one bad item can cause: such a batch
 * is split in halves until the bad one stands alone. Flushing must therefore be repeatable.
 */
export function createBatcher<Item, Result>(options: {
  flush: (items: Item[]) => Promise<Result[]>;
  isPoison: (error: unknown) => boolean;
  batchMax: number;
  waitingMax: number;
}): Batcher<Item, Result> {
  interface Entry {
    item: Item;
    resolve: (result: Result) => void;
    reject: (error: unknown) => void;
  }
  let waiting: Entry[] = [];
  let flight: Promise<void> | null = null;

  const send = async (entries: Entry[]): Promise<void> => {
    try {
      const results = await options.flush(entries.map((entry) => entry.item));
      entries.forEach((entry, i) => entry.resolve(results[i]!));
    } catch (error) {
      if (entries.length > 1 && options.isPoison(error)) {
        const half = Math.ceil(entries.length / 2);
        await send(entries.slice(0, half));
        await send(entries.slice(half));
      } else for (const entry of entries) entry.reject(error);
    }
  };

  const fly = async (): Promise<void> => {
    // One turn of the event loop: requests that arrived together travel together.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting.slice(0, options.batchMax);
      waiting = waiting.slice(options.batchMax);
      await send(batch);
    }
    flight = null;
  };

  return {
    add: (item) =>
      new Promise<Result>((resolve, reject) => {
        if (waiting.length >= options.waitingMax) return reject(new TooMuchWaiting());
        waiting.push({ item, resolve, reject });
        flight ??= fly();
      }),
    idle: async () => {
      while (flight) await flight;
    },
  };
}
