/** Decides how long the next batch waits for more items. */
export interface Gathering {
  /** An item arrives. */
  arrives(): void;
  /** A batch leaves. */
  leaves(): void;
  /** How long the next batch should wait, in ms, when it has `items`. 0 or less: not at all. */
  waitMs(items: number): number;
}

interface GatheringOptions {
  /** The time from one batch to the next. */
  readonly ms: number;
  /** Items a second from where on batches wait. Below, each item is on its way at once. */
  readonly perSecondMin: number;
  /** A batch of at least as many items does not wait. */
  readonly itemsMax: number;
}

/** Arrivals are counted over this time. */
const WINDOW_MS = 50;

/**
 * Creates the gathering of a batcher whose items come evenly. Each would be a batch of its own: at 1,000/s an intake
 * took a tenth more of the processor, and the backlog grew at 80 % of the rate of bursts (docs/performance.md).
 */
export function createGathering(options: GatheringOptions, nowMs = (): number => performance.now()): Gathering {
  const { ms, perSecondMin, itemsMax } = options;
  const countMin = (perSecondMin * WINDOW_MS) / 1_000;
  let [windowStartMs, count, countBefore, leftMs] = [-Infinity, 0, 0, -Infinity];
  const turnWindow = (): number => {
    const now = nowMs();
    if (now - windowStartMs >= WINDOW_MS) {
      countBefore = now - windowStartMs < 2 * WINDOW_MS ? count : 0;
      count = 0;
      windowStartMs = now;
    }
    return now;
  };
  return {
    arrives() {
      turnWindow();
      count++;
    },
    leaves() {
      leftMs = nowMs();
    },
    waitMs(items) {
      const now = turnWindow();
      return items >= itemsMax || countBefore < countMin ? 0 : leftMs + ms - now;
    },
  };
}
