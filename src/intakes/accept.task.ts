import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../postgres/postgres.ts";
import type { Batcher } from "../queue/batcher.ts";
import type { Pressure } from "../queue/pressure.ts";
import { createScoreJobs } from "./score-jobs.task.ts";
import type { ScoreJobDeps, ScoreJobs } from "./score-jobs.task.ts";
import { acceptIntakes } from "./store.ts";
import type { Arrival, Arrived } from "./store.ts";

export interface AcceptanceDeps extends Pick<ScoreJobDeps, "sendJob" | "log"> {
  readonly database: Database;
  readonly pressure: Pressure;
}

/** Accepts meals and foods. */
export interface Acceptance extends Pick<ScoreJobs, "scoreHere" | "idle"> {
  /** Stores a batch durably, in one statement. Its events are written when it is scored. */
  accept(arrivals: readonly Arrival[]): Promise<Arrived[]>;
}

export function createAcceptance({ database, sendJob, pressure, log }: AcceptanceDeps): Acceptance {
  const jobs = createScoreJobs({ sendJob, log, isBurst: pressure.isHigh });
  return {
    async accept(arrivals) {
      const arrived = await acceptIntakes(database, arrivals);
      jobs.add(arrivals.filter((_intake, i) => arrived[i] === "stored"));
      return arrived;
    },
    scoreHere: jobs.scoreHere,
    idle: jobs.idle,
  };
}

/** Waits before each further attempt for an intake whose user is locked. */
const BUSY_WAITS_MS = [25, 50, 100, 200, 400, 800];
/** Intakes that wait so at once: they keep their requests open. */
const BUSY_MAX = 200;

/**
 * Adds intakes again while another client has locked their user, for a second and a half at most. Those that wait for
 * their batch and those that are being stored are held as pressure: two groups of clients take turns, and one alone may
 * be small.
 */
export function whileBusy(accepting: Batcher<Arrival, Arrived>, pressure: Pressure): Batcher<Arrival, Arrived> {
  let waiting = 0;
  const store = async (arrival: Arrival): Promise<Arrived> => {
    const stored = pressure.hold(1);
    try {
      return await accepting.add(arrival);
    } finally {
      stored();
    }
  };
  const add = async (arrival: Arrival): Promise<Arrived> => {
    let arrived = await store(arrival);
    for (const waitMs of BUSY_WAITS_MS) {
      if (arrived !== "busy" || waiting >= BUSY_MAX) break;
      waiting++;
      await sleep(waitMs).finally(() => waiting--);
      arrived = await store(arrival);
    }
    return arrived;
  };
  return { ...accepting, add };
}
