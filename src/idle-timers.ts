/** Ends those of a set that nobody has used for a time. */
export interface IdleTimers<Item> {
  /** The item is in use, or gone: it is not ended. */
  stop(item: Item): void;
  /** The item is idle from now on, if it is in the set. */
  start(item: Item): void;
  /** Resolves when all that are being ended have ended. */
  ended(): Promise<unknown>;
}

/**
 * Creates timers that remove an item from `items` after `ms` without use, and call `end` for it. They keep no process
 * alive.
 */
export function createIdleTimers<Item>(
  items: Set<Item>,
  ms: number,
  end: (item: Item) => Promise<void>,
): IdleTimers<Item> {
  const timers = new Map<Item, NodeJS.Timeout>();
  const ending = new Set<Promise<void>>();
  const stop = (item: Item): void => {
    clearTimeout(timers.get(item));
    timers.delete(item);
  };
  const expire = (item: Item): void => {
    timers.delete(item);
    if (!items.delete(item)) return;
    const ended = end(item).finally(() => ending.delete(ended));
    ending.add(ended);
  };
  return {
    stop,
    start: (item) => {
      stop(item);
      if (items.has(item)) timers.set(item, setTimeout(expire, ms, item).unref());
    },
    ended: () => Promise.all(ending),
  };
}
