import { setTimeout as sleep } from "node:timers/promises";

/** How many requests wait for what they bring to be stored. In a burst, work that has time gives way to them. */
export interface Pressure {
  /** Counts `requests` until the returned function is called. */
  hold(requests: number): () => void;
  /** Whether a burst is arriving. */
  isHigh(): boolean;
  /**
   * Waits while a burst is arriving, but only until what has been due since `sinceMs` (of 1970) is late. So with
   * `npm start`, where one process does everything, a burst gets its responses first.
   */
  giveWay(sinceMs: number): Promise<void>;
}

/**
 * Requests waiting or being stored at once. An even load of 800/s has 15 to 25, and more after each pause of the event
 * loop: that is no burst.
 */
const HIGH_MIN = 64;
/**
 * A burst lasts this long after its last requests: clients that have their responses send the next requests meanwhile.
 * 50 ms left the processor idle after each pause of the event loop, and at 80 % of its rate the backlog grew.
 */
const LINGER_MS = 10;
/** Work is never later than this because of a burst: under a load that lasts it goes on, as late as that. */
const LATE_MS = 5_000;
const CHECK_MS = 10;

/** Creates the pressure of one process. */
export function createPressure(nowMs: () => number): Pressure {
  let held = 0;
  let highUntilMs = -Infinity;
  const isHigh = (): boolean => held >= HIGH_MIN || nowMs() < highUntilMs;
  // A hundred deliveries that wait share one timer.
  let check: Promise<void> | null = null;
  return {
    hold(requests) {
      held += requests;
      return () => {
        if (held >= HIGH_MIN) highUntilMs = nowMs() + LINGER_MS;
        held -= requests;
      };
    },
    isHigh,
    async giveWay(sinceMs) {
      while (isHigh() && nowMs() < sinceMs + LATE_MS) {
        check ??= sleep(CHECK_MS).then(() => {
          check = null;
        });
        await check;
      }
    },
  };
}
