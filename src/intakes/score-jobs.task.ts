import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../log.ts";
import { createJobPriorities } from "./job-priority.ts";

/** Intakes of one scoring job. A worker takes up to four at a time, and what is urgent waits for them. */
const JOB_INTAKES_MAX = 250;
/**
 * Scorings without a job at once, and the most intakes of each. What a killed process leaves of them waits for the
 * sweep. More at a time is cheaper in jobs, which are scored together: with 50 in place of 5 an even load of 800/s left
 * ten times the backlog.
 */
const HERE_MAX = 2;
const HERE_INTAKES_MAX = 5;
/** At a stop, what is scored here has this long: then the sweep of another process finds it. */
const STOP_MS = 3_000;
const UNSENT_MAX = 100_000;
/**
 * The longest pause between two jobs. Each is a commit, and a tx of its own to score. At 80 % of the rate of bursts,
 * and one job for every request, two thirds of what arrived were not scored in time. With 100 in place of 25 an intake
 * at an even 450/s takes 0.75 of the processor time (five rounds by turns, 0.68 to 0.95).
 */
const PAUSE_MS_MAX = 100;
/** For each intake of the job before: who sends one after the other does not wait, above 200/s jobs grow. */
const PAUSE_MS = 5;

/** Has accepted intakes scored: by jobs, or in this process. */
export interface ScoreJobs {
  /** Scores these, or sends jobs for them. No response waits for it. */
  add(intakes: readonly { readonly id: string; readonly applicationId: string }[]): void;
  /** From now on `score` is called for a few: this process does background work. */
  scoreHere(score: (ids: readonly string[]) => Promise<void>): void;
  /** Resolves when all jobs are sent, and what is scored here has ended. From now on nothing is scored here. */
  idle(): Promise<void>;
}

export interface ScoreJobDeps {
  /** Sends one job for all of these intakes. Jobs of a higher priority come first. */
  readonly sendJob: (ids: readonly string[], priority: number) => Promise<unknown>;
  readonly log: Log;
  /** Whether a burst is arriving: then nothing is scored without a job. */
  readonly isBurst?: () => boolean;
  /** The pause between two jobs, in tests. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * Creates the sender of scoring jobs: at once, and what comes within the pause after a job makes the next.
 * With the job in the accepting tx there were eight round trips instead of one (npm start accepted 0.11 of the ceiling
 * then, 0.19 after, each in a run of its own on a crowded machine). The sweep finds the intakes whose job was lost.
 *
 * A process with background work scores a few itself: a job is a commit to send, another to take and a third to end
 * it, and a lone food waited 3 of 14 ms for the first two.
 */
export function createScoreJobs(deps: ScoreJobDeps): ScoreJobs {
  const { sendJob, log, isBurst = () => false, pause = sleep } = deps;
  const waiting = createWaiting();
  let sending: Promise<void> | null = null;
  let score: ((ids: readonly string[]) => Promise<void>) | null = null;
  const here = new Set<Promise<void>>();

  const send = (ids: readonly string[], priority: number): Promise<unknown> =>
    sendJob(ids, priority).catch((error: unknown) => {
      log.debug({ err: error, intakes: ids.length }, "no job was sent for accepted intakes: the sweep will find them");
    });
  /** Starts to score these, if it can: no job waits for its end. */
  const startHere = (ids: readonly string[], priority: number): boolean => {
    if (score === null || here.size >= HERE_MAX || ids.length > HERE_INTAKES_MAX || isBurst()) return false;
    const scoring = score(ids)
      .catch(async (error: unknown) => {
        log.warn({ err: error, intakes: ids.length }, "a batch was not scored: it becomes a job");
        await send(ids, priority);
      })
      .finally(() => here.delete(scoring));
    here.add(scoring);
    return true;
  };

  const sendAll = async (): Promise<void> => {
    while (waiting.count() > 0) {
      const { ids, priority } = waiting.take(JOB_INTAKES_MAX);
      if (!startHere(ids, priority)) await send(ids, priority);
      await pause(Math.min(PAUSE_MS_MAX, PAUSE_MS * ids.length));
    }
    sending = null;
  };

  return {
    add(intakes) {
      waiting.add(intakes);
      if (waiting.count() > 0) sending ??= sendAll();
    },
    scoreHere(by) {
      score = by;
    },
    idle: async () => {
      score = null;
      await sending;
      const stopped = new AbortController();
      const late = sleep(STOP_MS, undefined, { signal: stopped.signal }).catch(() => {});
      await Promise.race([Promise.all(here), late]);
      stopped.abort();
    },
  };
}

/** Accepted intakes without a job, by the priority of it. */
function createWaiting() {
  const priorityOf = createJobPriorities(() => performance.now());
  const byPriority = new Map<number, string[]>();
  let count = 0;
  return {
    count: () => count,
    add(intakes: readonly { readonly id: string; readonly applicationId: string }[]): void {
      for (const { id, applicationId } of intakes) {
        if (count >= UNSENT_MAX) return;
        const priority = priorityOf(applicationId);
        const ids = byPriority.get(priority);
        if (ids) ids.push(id);
        else byPriority.set(priority, [id]);
        count++;
      }
    },
    /** Removes the most urgent ones, all of one priority. */
    take(max: number): { ids: readonly string[]; priority: number } {
      const priority = Math.max(...byPriority.keys());
      const all = byPriority.get(priority)!;
      const ids = all.splice(0, max);
      if (all.length === 0) byPriority.delete(priority);
      count -= ids.length;
      return { ids, priority };
    },
  };
}
