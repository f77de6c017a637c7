import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../log.ts";
import { isNotStored } from "../postgres/postgres.ts";
import type { Database } from "../postgres/postgres.ts";
import { createBatcher } from "../queue/batcher.ts";
import type { Batcher } from "../queue/batcher.ts";
import type { Outbox } from "../webhooks/outbox.task.ts";
import { outboxEvent, receivedEvent } from "./events.ts";
import { createJobPriorities } from "./job-priority.ts";
import { acceptIntakes } from "./store.ts";
import type { Arrival, Arrived } from "./store.ts";

/** Intakes of one scoring job. */
const JOB_INTAKES_MAX = 500;
const UNSENT_MAX = 100_000;
/** Intakes being stored at once: this many arrived while the batch before was stored, so requests wait. */
const PRESSING_MIN = 32;

export interface AcceptanceDeps {
  readonly database: Database;
  /** Sends one job for all of these intakes. Jobs of a higher priority come first. */
  readonly sendJob: (ids: readonly string[], priority: number) => Promise<unknown>;
  readonly outbox: Pick<Outbox, "parameters" | "send" | "abandon">;
  readonly newId: () => string;
  readonly log: Log;
}

/** Accepts meals and foods. */
export interface Acceptance {
  /** Stores a batch durably, with its `intake.received` events, in one statement. */
  accept(arrivals: readonly Arrival[]): Promise<Arrived[]>;
  /** Whether a burst of intakes is arriving: what has time gives way to it. */
  isPressed(): boolean;
  /** Resolves when the jobs of all accepted intakes are sent. */
  idle(): Promise<void>;
}

export function createAcceptance({ database, sendJob, outbox, newId, log }: AcceptanceDeps): Acceptance {
  // Jobs are sent after the commit, and no response waits for them. With the job in the accepting tx there were eight
  // round trips instead of one (npm start accepted 0.11 of the ceiling then and 0.19 after, each in a run of its own on
  // a crowded machine). The sweep finds the intakes whose job was lost with its process.
  const priorityOf = createJobPriorities(() => performance.now());
  const unsent = createBatcher<Arrival, void>({
    flush: async (intakes) => {
      const byPriority = Map.groupBy(intakes, ({ applicationId }) => priorityOf(applicationId));
      for (const [priority, group] of byPriority)
        await sendJob(
          group.map(({ id }) => id),
          priority,
        );
      return intakes.map(() => undefined);
    },
    isPoison: () => false,
    batchMax: JOB_INTAKES_MAX,
    waitingMax: UNSENT_MAX,
  });
  const logUnsent = (error: unknown): void => {
    log.debug({ err: error }, "no job was sent for an accepted intake: the sweep will find it");
  };

  let inFlight = 0;

  return {
    async accept(arrivals) {
      const events = arrivals.map((intake) =>
        outboxEvent(newId(), intake, receivedEvent(intake, intake.acceptedAt), intake.acceptedAt),
      );
      const parameters = outbox.parameters();
      inFlight += arrivals.length;
      const accepting = acceptIntakes(database, arrivals, events, parameters)
        .catch((error: unknown) => {
          // Its connection may have ended after the commit.
          if (parameters.lease && !isNotStored(error)) outbox.abandon();
          throw error;
        })
        .finally(() => (inFlight -= arrivals.length));
      const { arrived, leased } = await accepting;
      outbox.send(events, leased);
      arrivals.forEach((intake, i) => {
        if (arrived[i] === "stored") unsent.add(intake).catch(logUnsent);
      });
      return arrived;
    },
    isPressed: () => inFlight >= PRESSING_MIN,
    idle: () => unsent.idle(),
  };
}

/** Waits before each further attempt for an intake whose user is locked. */
const BUSY_WAITS_MS = [25, 50, 100, 200, 400, 800];
/** Intakes that wait so at once: they keep their requests open. */
const BUSY_MAX = 200;

/** Adds intakes again while another client has locked their user, for a second and a half at most. */
export function whileBusy(accepting: Batcher<Arrival, Arrived>): Batcher<Arrival, Arrived> {
  let waiting = 0;
  const add = async (arrival: Arrival): Promise<Arrived> => {
    let arrived = await accepting.add(arrival);
    for (const waitMs of BUSY_WAITS_MS) {
      if (arrived !== "busy" || waiting >= BUSY_MAX) break;
      waiting++;
      await sleep(waitMs).finally(() => waiting--);
      arrived = await accepting.add(arrival);
    }
    return arrived;
  };
  return { ...accepting, add };
}
