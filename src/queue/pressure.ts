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
 * Requests waiting or being stored at once, over the last moments. An even load of 1,000/s has 10 to 20, and 100 for
 * the few milliseconds after each pause of the event loop. 128 clients have 50 to 80, since the others are on their
 * way: with 64 here half of what they sent in some runs was scored while they sent it.
 */
const HIGH_MIN = 36;
/**
 * Time over which they are averaged. When each pause of the event loop was a burst, and for 10 to 100 ms after it,
 * an even load of 1,000/s was scored five seconds late (LATE_MS), with a quarter of the processor unused. Clients that
 * have their responses send the next requests within it.
 */
const AVERAGE_MS = 50;
/** Work is never later than this because of a burst: under a load that lasts it goes on, as late as that. */
const LATE_MS = 5_000;
const CHECK_MS = 10;

/**
 * Creates the pressure of one process. `nowMs` is the clock of `sinceMs`, in ms since 1970; that of bursts only goes
 * forward, whatever the clock of the service does: a test may stop it.
 */
export function createPressure(nowMs: () => number, elapsedMs = (): number => performance.now()): Pressure {
  let held = 0;
  let [average, averagedMs] = [0, elapsedMs()];
  /** Brings the average up to now, before `held` changes. */
  const averaged = (): number => {
    const ms = elapsedMs();
    average = held + (average - held) * Math.exp((averagedMs - ms) / AVERAGE_MS);
    averagedMs = ms;
    return average;
  };
  const isHigh = (): boolean => averaged() >= HIGH_MIN;
  // A hundred deliveries that wait share one timer.
  let check: Promise<void> | null = null;
  return {
    hold(requests) {
      averaged();
      held += requests;
      return () => {
        averaged();
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
