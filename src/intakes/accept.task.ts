import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../postgres/postgres.ts";
import type { Batcher } from "../queue/batcher.ts";
import type { Pressure } from "../queue/pressure.ts";
import { createScoreJobs } from "./score-jobs.task.ts";
import type { ScoreJobDeps } from "./score-jobs.task.ts";
import { acceptIntakes } from "./store.ts";
import type { Arrival, Arrived } from "./store.ts";

export interface AcceptanceDeps extends Pick<ScoreJobDeps, "sendJob" | "log"> {
  readonly database: Database;
  readonly pressure: Pressure;
}

/** Accepts meals and foods. */
export interface Acceptance {
  /** Stores a batch durably, in one statement. Its events are written when it is scored. */
  accept(arrivals: readonly Arrival[]): Promise<Arrived[]>;
  /** Resolves when the jobs of all accepted intakes are sent. */
  idle(): Promise<void>;
}

export function createAcceptance({ database, sendJob, pressure, log }: AcceptanceDeps): Acceptance {
  const jobs = createScoreJobs({ sendJob, log });
  return {
    async accept(arrivals) {
      const stored = pressure.hold(arrivals.length);
      const arrived = await acceptIntakes(database, arrivals).finally(stored);
      jobs.add(arrivals.filter((_intake, i) => arrived[i] === "stored"));
      return arrived;
    },
    idle: jobs.idle,
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
