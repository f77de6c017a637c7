import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../../log.ts";
import { isRowError } from "../../postgres/postgres.ts";
import type { Database } from "../../postgres/postgres.ts";
import { createBatcher } from "../../queue/batcher.ts";
import { recordOutcomes } from "../store.ts";
import { runningIn, takeWaiting } from "./backlog.ts";
import type { Backlog } from "./backlog.ts";
import { toReleased } from "./delivery.ts";
import type { ClaimedDelivery, Outcome } from "./delivery.ts";

/**
 * Time to gather outcomes before they are written together: one UPDATE each costs three times as much. It is short,
 * since a delivery whose outcome is not written when the process is killed is sent again.
 */
const GATHER_MS = 20;
const WRITE_ATTEMPTS_MAX = 5;
const WRITE_RETRY_MS = 1_000;

/** Writes the outcomes of claimed deliveries, in batches. */
export interface Recorder {
  /** Number of outcomes that are not written yet. */
  readonly unwritten: number;
  record(outcome: Outcome): void;
  /** Ends the lease of a delivery that was not attempted, so that any process can claim it. */
  release(delivery: ClaimedDelivery): void;
  /** Releases the deliveries of the backlog that are not being sent yet: those of one endpoint, or all. */
  releaseWaiting(endpointId?: string): void;
}

export interface RecorderDeps {
  readonly database: Database;
  readonly backlog: Backlog;
  readonly now: () => Date;
  readonly log: Log;
  readonly disableAfterSeconds: number;
  readonly batchMax: number;
  readonly onReleased: (delivery: ClaimedDelivery) => void;
  /** Called after each outcome that was written. */
  readonly onWritten: (outcome: Outcome) => void;
  /** Called after each outcome that was given up. */
  readonly onLost: (delivery: ClaimedDelivery) => void;
}

export function createRecorder(deps: RecorderDeps): Recorder {
  const { backlog, now, log, batchMax } = deps;
  let unwritten = 0;

  const recorder: Recorder = {
    get unwritten() {
      return unwritten;
    },
    record(outcome) {
      unwritten += 1;
      const { delivery } = outcome;
      batcher.add(outcome).then(
        () => {
          unwritten -= 1;
          deps.onWritten(outcome);
        },
        (error: unknown) => {
          // The lease will end and the delivery will be sent again: at least once is the promise.
          log.error({ err: error, ...logFields(delivery) }, "webhook outcome lost");
          unwritten -= 1;
          deps.onLost(delivery);
        },
      );
    },
    release: (delivery) => {
      deps.onReleased(delivery);
      recorder.record(toReleased(delivery, now()));
    },
    releaseWaiting: (endpointId) => takeWaiting(backlog, endpointId).forEach(recorder.release),
  };

  const batcher = createBatcher<Outcome, void>({
    async flush(outcomes) {
      for (const endpointId of await write(outcomes, deps)) {
        log.warn({ endpointId, reason: "failing" }, "webhook endpoint disabled");
        recorder.releaseWaiting(endpointId);
      }
      // The outcome of the last attempt in progress waits for no other.
      if (runningIn(backlog) > 0) await pause(GATHER_MS);
      return outcomes.map(() => undefined);
    },
    isPoison: isRowError,
    batchMax,
    waitingMax: Infinity,
  });

  return recorder;
}

/** Writes outcomes, with retries while the database cannot be reached. Returns the endpoints it disabled. */
async function write(outcomes: readonly Outcome[], deps: RecorderDeps): Promise<string[]> {
  const { database, log, disableAfterSeconds } = deps;
  for (let attempt = 1; ; attempt++) {
    try {
      return await recordOutcomes(database, outcomes, disableAfterSeconds);
    } catch (error) {
      if (isRowError(error) || attempt >= WRITE_ATTEMPTS_MAX) throw error;
      log.error({ err: error, outcomes: outcomes.length }, "webhook outcomes not written yet");
      await pause(WRITE_RETRY_MS);
    }
  }
}

/** The key of a delivery, as log lines have it. */
export function logFields({ subject, position, endpointId }: ClaimedDelivery): object {
  return { subject, position, endpointId };
}
