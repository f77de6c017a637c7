import { setTimeout as sleep } from "node:timers/promises";
import type { Gathering } from "./gathering.ts";
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

interface BatcherOptions<Item, Result> {
  /** Returns one result for each item, in order. */
  flush: (items: Item[]) => Promise<Result[]>;
  isPoison: (error: unknown) => boolean;
  isBlocked?: (error: unknown) => boolean;
  batchMax: number;
  waitingMax: number;
  /** When a batch leaves. Absent: as soon as the one before returns. */
  gathering?: Gathering;
}

const nothing = (): void => {};

/**
 * Creates a batcher with one batch in flight. The next batch leaves when it returns, so a single item does not wait,
 * and many items share one round trip and one fsync. docs/performance.md has measurements.
 * `isPoison` recognises errors that one bad item can cause: such a batch is split in halves until only the bad item
 * fails. `flush` must therefore be repeatable. `isBlocked` recognises errors of waiting in vain for something that one
 * item needs: such a batch is set aside and flushed item by item, while the next batches leave. A blocked item alone
 * fails.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  let waiting: Entry<Item, Result>[] = [];
  let flushing: Promise<void> | null = null;
  const aside: Entry<Item, Result>[] = [];
  let flushingAside: Promise<void> | null = null;

  const flushBatch = (batch: Entry<Item, Result>[]): Promise<() => void> =>
    flushAndSettle(batch, options, (blocked) => {
      aside.push(...blocked);
      flushingAside ??= flushAside();
    });

  // One at a time: halves of a batch would each wait for the blocked item in them.
  const flushAside = async (): Promise<void> => {
    for (let entry = aside.shift(); entry; entry = aside.shift()) {
      const settle = await flushBatch([entry]);
      settle();
    }
    flushingAside = null;
  };

  const { gathering } = options;
  const flushAll = async (): Promise<void> => {
    // One turn of the event loop: requests that arrive together share a batch.
    await new Promise((resolve) => setImmediate(resolve));
    let settle = nothing;
    while (waiting.length > 0) {
      const gatherMs = gathering?.waitMs(waiting.length) ?? 0;
      if (gatherMs > 0) {
        settle();
        settle = nothing;
        await sleep(gatherMs);
      }
      gathering?.leaves();
      const batch = waiting.slice(0, options.batchMax);
      waiting = waiting.slice(options.batchMax);
      const next = flushBatch(batch);
      // Responses to the batch before are written while the database works on this one. A tick later, since the pool
      // sends a statement then.
      process.nextTick(settle);
      settle = await next;
    }
    settle();
    flushing = null;
  };

  return {
    add: (item) =>
      new Promise<Result>((resolve, reject) => {
        if (waiting.length + aside.length >= options.waitingMax) return reject(new TooMuchWaiting());
        waiting.push({ item, resolve, reject });
        gathering?.arrives();
        flushing ??= flushAll();
      }),
    idle: async () => {
      while (flushing ?? flushingAside) await (flushing ?? flushingAside);
    },
  };
}

/**
 * Flushes a batch, in halves where an item fails it. Returns what settles it, but not those parts that were settled
 * meanwhile. `setAside` takes the batch if one of its items is blocked.
 */
async function flushAndSettle<Item, Result>(
  batch: Entry<Item, Result>[],
  options: BatcherOptions<Item, Result>,
  setAside: (batch: Entry<Item, Result>[]) => void,
): Promise<() => void> {
  try {
    const results = await options.flush(batch.map((entry) => entry.item));
    return () => batch.forEach((entry, i) => entry.resolve(results[i]!));
  } catch (error) {
    if (batch.length > 1 && options.isPoison(error)) {
      const half = Math.ceil(batch.length / 2);
      const settleFirst = await flushAndSettle(batch.slice(0, half), options, setAside);
      settleFirst();
      return flushAndSettle(batch.slice(half), options, setAside);
    }
    if (batch.length > 1 && options.isBlocked?.(error)) {
      setAside(batch);
      return nothing;
    }
    return () => batch.forEach((entry) => entry.reject(error));
  }
}
