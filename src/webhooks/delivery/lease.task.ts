import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../../log.ts";
import type { Database } from "../../postgres/postgres.ts";
import { closeLease, extendLease, openLease, takeOverLease } from "./lease.store.ts";

/**
 * The lease of this process. Events stored under it have no deliveries until these have an outcome; when the process
 * ends without them, another one takes the lease over.
 */
export interface ProcessLease {
  /** Its id, while no other process can have taken it over; else null. */
  readonly id: string | null;
  /** Opens the lease, extends it from time to time, and takes over those of processes that were killed. */
  start(): void;
  /** Leaves what is stored under the lease to the next process, and goes on with another one. */
  abandon(): void;
  /** Ends the lease. With `isSettled` nothing of it is left to send. */
  stop(isSettled: boolean): Promise<void>;
}

export interface LeaseDeps {
  readonly database: Database;
  readonly now: () => Date;
  readonly log: Log;
  readonly leaseMs: number;
  /** Time of the oldest event whose deliveries have no rows yet; null: there is none. */
  readonly oldestUnstored: () => number | null;
  /** Called when deliveries of another process have become due. */
  readonly onTakenOver: () => void;
}

/** An event is stored at most this long after its time. More than a statement may take. */
const STORED_WITHIN_MS = 120_000;
/** Parts of a lease after which it is extended. */
const EXTENSIONS = 4;

export function createProcessLease(deps: LeaseDeps): ProcessLease {
  const { database, now, log, leaseMs } = deps;
  const stopping = new AbortController();
  let id: string | null = null;
  let [usableSince, usableUntil] = [0, 0];
  let loop: Promise<void> | undefined;

  const extend = async (): Promise<void> => {
    const at = now().getTime();
    const until = new Date(at + leaseMs);
    const since = new Date(Math.min(deps.oldestUnstored() ?? at, at - STORED_WITHIN_MS));
    if (id !== null && !(await extendLease(database, id, until, since))) {
      log.warn({}, "webhooks: this process was away for longer than its lease");
      id = null;
    }
    id ??= await openLease(database, until, since);
    // Half of it: what is stored until then is on its way before another process can take over.
    usableUntil = at + leaseMs / 2;
    // A clock that is set back gives events times that nobody who takes the lease over looks at.
    usableSince = since.getTime();
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await extend();
        for (let queued = await takeOverLease(database, now()); queued !== null;) {
          if (queued > 0) log.info({ queued }, "webhooks of a process that was killed are due again");
          deps.onTakenOver();
          queued = await takeOverLease(database, now());
        }
      } catch (error) {
        log.error({ err: error }, "webhooks: lease not extended");
      }
      await pause(leaseMs / EXTENSIONS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };

  return {
    get id() {
      const at = now().getTime();
      return at >= usableSince && at < usableUntil ? id : null;
    },
    start() {
      loop ??= run();
    },
    abandon() {
      id = null;
    },
    async stop(isSettled) {
      stopping.abort();
      await loop;
      const closing = id !== null && isSettled ? closeLease(database, id) : null;
      id = null;
      await closing?.catch((error: unknown) => log.error({ err: error }, "webhooks: lease not closed"));
    },
  };
}
