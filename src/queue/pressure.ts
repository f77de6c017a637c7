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
 * loop: that is no burst. 128 clients have 50 to 80, since the others are on their way: with 64 here half of what they
 * sent in some runs was scored while they sent it.
 */
const HIGH_MIN = 40;
/**
 * A burst goes on for a while after its last requests: clients that have their responses send the next requests
 * meanwhile. 10 ms were too short where others use the machine as well: half of a burst was scored while it came.
 * 50 ms after each pause of the event loop left the processor idle, and at 80 % of its rate the backlog grew. So it is
 * a share of the time that the burst has lasted: a pause makes a short one.
 */
const LINGER_SHARE = 0.25;
const LINGER_MS_MIN = 10;
const LINGER_MS_MAX = 100;
/** Work is never later than this because of a burst: under a load that lasts it goes on, as late as that. */
const LATE_MS = 5_000;
const CHECK_MS = 10;

/**
 * Creates the pressure of one process. `nowMs` is the clock of `sinceMs`, in ms since 1970; that of bursts only goes
 * forward, whatever the clock of the service does: a test may stop it.
 */
export function createPressure(nowMs: () => number, elapsedMs = (): number => performance.now()): Pressure {
  let held = 0;
  let highSinceMs = 0;
  let highUntilMs = -Infinity;
  const isHigh = (): boolean => held >= HIGH_MIN || elapsedMs() < highUntilMs;
  // A hundred deliveries that wait share one timer.
  let check: Promise<void> | null = null;
  return {
    hold(requests) {
      const wasHigh = isHigh();
      held += requests;
      if (!wasHigh) highSinceMs = elapsedMs();
      return () => {
        if (held >= HIGH_MIN) {
          const lastedMs = elapsedMs() - highSinceMs;
          highUntilMs = elapsedMs() + Math.min(Math.max(LINGER_MS_MIN, lastedMs * LINGER_SHARE), LINGER_MS_MAX);
        }
        held -= requests;
      };
    },
    isHigh,
    async giveWay(sinceMs) {
      const lateMs = elapsedMs() + sinceMs + LATE_MS - nowMs();
      while (isHigh() && elapsedMs() < lateMs) {
        check ??= sleep(CHECK_MS).then(() => {
          check = null;
        });
        await check;
      }
    },
  };
}
