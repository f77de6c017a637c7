/** Thrown when the batcher has no room for another item. The item was not processed. */
export class TooMuchWaiting extends Error {}

/** Processes items of concurrent callers in batches. */
export interface Batcher<Item, Result> {
  /** Settles when the batch with the item is done. Rejects with TooMuchWaiting when `waitingMax` items wait. */
  add(item: Item): Promise<Result>;
  /** Resolves when no item is waiting or in flight. */
  idle(): Promise<void>;
}

/** An item with its promise. */
interface Entry<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Creates a batcher with one batch in flight. The next batch leaves when it returns, so a single item does not wait,
 * and many items share one round trip and one fsync. docs/performance.md has measurements.
 * `flush` returns one result for each item, in order. `isPoison` recognises errors that one bad item can cause: such a
 * batch is split in halves until only the bad item fails. `flush` must therefore be repeatable. `isBlocked` recognises
 * errors of waiting in vain for something that one item needs: such a batch is set aside and flushed item by item,
 * while the next batches leave. A blocked item alone fails.
 */
export function createBatcher<Item, Result>(options: {
  flush: (items: Item[]) => Promise<Result[]>;
  isPoison: (error: unknown) => boolean;
  isBlocked?: (error: unknown) => boolean;
  batchMax: number;
  waitingMax: number;
}): Batcher<Item, Result> {
  let waiting: Entry<Item, Result>[] = [];
  let flushing: Promise<void> | null = null;
  const aside: Entry<Item, Result>[] = [];
  let flushingAside: Promise<void> | null = null;

  const flushBatch = async (batch: Entry<Item, Result>[]): Promise<void> => {
    try {
      const results = await options.flush(batch.map((entry) => entry.item));
      batch.forEach((entry, i) => entry.resolve(results[i]!));
    } catch (error) {
      if (batch.length > 1 && options.isPoison(error)) {
        const half = Math.ceil(batch.length / 2);
        await flushBatch(batch.slice(0, half));
        await flushBatch(batch.slice(half));
      } else if (batch.length > 1 && options.isBlocked?.(error)) {
        aside.push(...batch);
        flushingAside ??= flushAside();
      } else for (const entry of batch) entry.reject(error);
    }
  };

  // One at a time: halves of a batch would each wait for the blocked item in them.
  const flushAside = async (): Promise<void> => {
    for (let entry = aside.shift(); entry; entry = aside.shift()) await flushBatch([entry]);
    flushingAside = null;
  };

  const flushAll = async (): Promise<void> => {
    // One turn of the event loop: requests that arrive together share a batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting.slice(0, options.batchMax);
      waiting = waiting.slice(options.batchMax);
      await flushBatch(batch);
    }
    flushing = null;
  };

  return {
    add: (item) =>
      new Promise<Result>((resolve, reject) => {
        if (waiting.length + aside.length >= options.waitingMax) return reject(new TooMuchWaiting());
        waiting.push({ item, resolve, reject });
        flushing ??= flushAll();
      }),
    idle: async () => {
      while (flushing ?? flushingAside) await (flushing ?? flushingAside);
    },
  };
}
