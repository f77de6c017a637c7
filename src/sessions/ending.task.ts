import type { Database, Tx } from "../postgres/postgres.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { sessionEvent } from "./events.ts";
import type { HostedPage } from "./session.ts";
import { claimExpired, completeSession, setSessionUser } from "./store.ts";
import type { Completion } from "./store.ts";
import type { StoredSession } from "./status.ts";

export interface SessionEndingDeps {
  readonly database: Database;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Stores events, in the tx of the change. */
  readonly publish: (tx: Tx, events: readonly NewEvent[]) => Promise<void>;
}

/** The end of sessions, each with its one event in the same tx. */
export interface SessionEnding {
  /**
   * Completes a session in the tx of its effect; null if it was already completed or has expired. `effect` runs after
   * the session is claimed and returns the user that it enrolled, if any.
   */
  complete(
    tx: Tx,
    session: {
      readonly tokenHash: Buffer;
      readonly page: HostedPage;
      readonly completion: Completion;
      readonly at: Date;
    },
    effect?: () => Promise<string | null>,
  ): Promise<StoredSession | null>;
  /** Ends the sessions that nobody completed in time. */
  sweepExpired(signal: AbortSignal): Promise<void>;
}

/** Sessions of one tx of the sweep, and txs of one run: the next run continues. */
const SWEPT_MAX = 500;
const SWEPT_BATCHES_MAX = 20;

export function createSessionEnding({ database, now, newId, publish }: SessionEndingDeps): SessionEnding {
  return {
    async complete(tx, { tokenHash, page, completion, at }, effect) {
      const claimed = await completeSession(tx, tokenHash, page, completion, at);
      if (!claimed) return null;
      const enrolledId = (await effect?.()) ?? null;
      if (enrolledId !== null) await setSessionUser(tx, tokenHash, enrolledId);
      const ended = { ...claimed, userId: enrolledId ?? claimed.userId };
      await publish(tx, [sessionEvent(newId(), ended, at)]);
      return ended;
    },
    async sweepExpired(signal) {
      for (let batch = 0; batch < SWEPT_BATCHES_MAX && !signal.aborted; batch++) {
        const swept = await database.tx(async (tx) => {
          const at = now();
          const expired = await claimExpired(tx, at, SWEPT_MAX);
          const reported = expired.filter(({ isReported }) => isReported);
          await publish(
            tx,
            reported.map((session) => sessionEvent(newId(), session, at)),
          );
          return expired.length;
        });
        if (swept < SWEPT_MAX) return;
      }
    },
  };
}
