import type { Log } from "../../log.ts";
import { logFields } from "./recorder.task.ts";
import type { ClaimedDelivery, Outcome } from "./delivery.ts";

/** Writes failed attempts to the log, summed up: an endpoint that is down fails hundreds of attempts a second. */
export interface FailureLog {
  note(delivery: ClaimedDelivery, outcome: Outcome): void;
  /** Writes what is left. */
  stop(): void;
}

/** Failed attempts of an endpoint since its last line. */
interface Tally {
  attempts: number;
  /** Deliveries whose last attempt it was. */
  givenUp: number;
  last: object;
}

const INTERVAL_MS = 60_000;
/** Endpoints with a line of their own each minute. The others share one, however many they are. */
const ENDPOINTS_MAX = 100;

/**
 * Creates the log of failures: an endpoint's first one at once, then one line a minute with their number and the last
 * error, until a minute without any.
 */
export function createFailureLog(
  { log }: { log: Log },
  { intervalMs = INTERVAL_MS, endpointsMax = ENDPOINTS_MAX } = {},
): FailureLog {
  const tallies = new Map<string, Tally>();
  let others = 0;
  let timer: NodeJS.Timeout | undefined;

  const write = (endpointId: string, { attempts, givenUp, last }: Tally): void =>
    log.warn({ endpointId, failed: attempts, givenUp, last }, "webhook attempts failed");

  const flush = (): void => {
    for (const [endpointId, tally] of tallies) {
      if (tally.attempts > 0) write(endpointId, tally);
      if (tally.attempts === 0) tallies.delete(endpointId);
      else Object.assign(tally, { attempts: 0, givenUp: 0 });
    }
    if (others > 0) log.warn({ endpointId: null, failed: others }, "webhook attempts failed");
    others = 0;
    if (tallies.size === 0) stop();
  };

  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };

  return {
    note(delivery, { state, attempt }) {
      const { endpointId, type, attempts } = delivery;
      const { status = null, error = null, durationMs } = attempt ?? {};
      const last = { ...logFields(delivery), type, attempt: attempts + 1, state, status, error, durationMs };
      const givenUp = state === "failed" ? 1 : 0;
      const known = tallies.get(endpointId);
      timer ??= setInterval(flush, intervalMs).unref();
      if (known) {
        known.attempts += 1;
        known.givenUp += givenUp;
        known.last = last;
      } else if (tallies.size >= endpointsMax) {
        others += 1;
      } else {
        write(endpointId, { attempts: 1, givenUp, last });
        tallies.set(endpointId, { attempts: 0, givenUp: 0, last });
      }
    },
    stop() {
      flush();
      stop();
    },
  };
}
