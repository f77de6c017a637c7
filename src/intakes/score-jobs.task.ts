import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../log.ts";
import { createJobPriorities } from "./job-priority.ts";

/** Intakes of one scoring job. A worker takes up to four at a time, and what is urgent waits for them. */
const JOB_INTAKES_MAX = 250;
const UNSENT_MAX = 100_000;
/**
 * The longest pause between two jobs. Each is a commit, and a tx of its own to score. At 80 % of the rate of bursts,
 * and one job for every request, two thirds of what arrived were not scored in time.
 */
const PAUSE_MS_MAX = 25;
/** For each intake of the job before: who sends one after the other does not wait, above 200/s jobs grow. */
const PAUSE_MS = 5;

/** Sends the jobs of accepted intakes. */
export interface ScoreJobs {
  /** Sends jobs for these. No response waits for them. */
  add(intakes: readonly { readonly id: string; readonly applicationId: string }[]): void;
  /** Resolves when all jobs are sent. */
  idle(): Promise<void>;
}

export interface ScoreJobDeps {
  /** Sends one job for all of these intakes. Jobs of a higher priority come first. */
  readonly sendJob: (ids: readonly string[], priority: number) => Promise<unknown>;
  readonly log: Log;
  /** The pause between two jobs, in tests. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * Creates the sender of scoring jobs: at once, and what comes within the pause after a job makes the next.
 * With the job in the accepting tx there were eight round trips instead of one (npm start accepted 0.11 of the ceiling
 * then, 0.19 after, each in a run of its own on a crowded machine). The sweep finds the intakes whose job was lost.
 */
export function createScoreJobs(deps: ScoreJobDeps): ScoreJobs {
  const { sendJob, log, pause = sleep } = deps;
  const priorityOf = createJobPriorities(() => performance.now());
  const unsent = new Map<number, string[]>();
  let count = 0;
  let sending: Promise<void> | null = null;

  const sendAll = async (): Promise<void> => {
    while (count > 0) {
      const priority = Math.max(...unsent.keys());
      const ids = unsent.get(priority)!.splice(0, JOB_INTAKES_MAX);
      if (unsent.get(priority)!.length === 0) unsent.delete(priority);
      count -= ids.length;
      await sendJob(ids, priority).catch((error: unknown) => {
        log.debug(
          { err: error, intakes: ids.length },
          "no job was sent for accepted intakes: the sweep will find them",
        );
      });
      await pause(Math.min(PAUSE_MS_MAX, PAUSE_MS * ids.length));
    }
    sending = null;
  };

  return {
    add(intakes) {
      for (const { id, applicationId } of intakes) {
        if (count >= UNSENT_MAX) return;
        const priority = priorityOf(applicationId);
        const ids = unsent.get(priority);
        if (ids) ids.push(id);
        else unsent.set(priority, [id]);
        count++;
      }
      if (count > 0) sending ??= sendAll();
    },
    idle: async () => {
      await sending;
    },
  };
}
