import type { Database, Tx } from "../../postgres/postgres.ts";
import { Problem } from "../../problems.ts";
import type { Jobs } from "../../queue/jobs.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { firstIdOf } from "../log/store.ts";
import { replayChunk } from "./redelivery.store.ts";
import { advanced } from "./replay.ts";
import type { Replay, ReplayedChunk } from "./replay.ts";
import * as store from "./store.ts";

/** Queue of the jobs that say that a replay is waiting. */
export const REPLAY_QUEUE = "replay-webhooks";

/** Events of the part that the request itself carries out: most replays are not larger. About 50 ms. */
const FIRST_EVENTS = 1_000;
/** Events of one step in the background. */
const STEP_EVENTS = 5_000;
/** Unfinished replays of an application. */
const UNFINISHED_MAX = 20;
const RETRY_AFTER_SECONDS = 30;

export interface ReplayDeps {
  /** For the work in the background. */
  readonly background: Database;
  readonly jobs: Pick<Jobs, "send">;
  readonly findEndpoint: (tx: Tx, id: string) => Promise<Endpoint | null>;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Longest time that a delivery is leased to a process. */
  readonly leaseMs: number;
  /** Sends, in a tx, the notice that a delivery is due. */
  readonly hint: (tx: Tx) => Promise<void>;
}

/**
 * Replays of events, one after another for an application, and the applications in turn. Only the beginning of one,
 * which its request carries out, may coincide with another one.
 */
export interface Replays {
  /**
   * Stores a replay in the tx of its request, and carries out its beginning at once unless the application has another
   * unfinished one. Throws when it has too many.
   */
  request(tx: Tx, endpoint: Endpoint, about: { since: Date; onlyFailed: boolean }): Promise<Replay>;
  /** Carries out replays step by step until none is left. */
  run(signal: AbortSignal): Promise<void>;
  /** Sends a job if a replay is unfinished: the earlier job was lost with its process. */
  sweep(): Promise<void>;
  /** Lets `run` end after the step in progress. */
  stop(): void;
}

export function createReplays(deps: ReplayDeps): Replays {
  const { background, jobs, now, newId, hint } = deps;
  let isStopping = false;

  return {
    request: async (tx, endpoint, { since, onlyFailed }) => {
      const { id: endpointId, applicationId } = endpoint;
      const isAlone = await store.tryLockReplays(tx, applicationId);
      const unfinished = await store.countUnfinished(tx, applicationId);
      if (unfinished >= UNFINISHED_MAX) {
        const detail = `${UNFINISHED_MAX} replays of the application are unfinished.`;
        throw new Problem("unavailable", { detail, retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      const created = { id: newId(), applicationId, endpointId, onlyFailed, createdAt: now() };
      const waiting = { ...created, fromId: firstIdOf(since), replayed: 0, advancedAt: null, finishedAt: null };
      const isFirst = isAlone && unfinished === 0;
      const replay = isFirst ? await step(deps, tx, waiting, endpoint, FIRST_EVENTS) : waiting;
      await store.insertReplay(tx, replay);
      if (replay.finishedAt === null) await jobs.send(tx, REPLAY_QUEUE, {});
      await hint(tx);
      return replay;
    },
    run: async (signal) => {
      while (!signal.aborted && !isStopping) if (!(await runStep(deps))) return;
    },
    sweep: async () => {
      if (await store.areReplaysUnfinished(background)) await jobs.send(background, REPLAY_QUEUE, {});
    },
    stop: () => {
      isStopping = true;
    },
  };
}

/** Carries out a step of the replay whose turn it is, in a tx of its own. False: there is none. */
async function runStep(deps: ReplayDeps): Promise<boolean> {
  const { background, findEndpoint, now, hint } = deps;
  let claimed: Replay | null = null;
  try {
    return await background.tx(async (tx) => {
      claimed = await store.claimReplay(tx);
      const endpoint = claimed && (await findEndpoint(tx, claimed.endpointId));
      if (!claimed || !endpoint) return false;
      await store.storeProgress(tx, await step(deps, tx, claimed, endpoint, STEP_EVENTS));
      await hint(tx);
      return true;
    });
  } catch (error) {
    const { id } = (claimed ?? {}) as Partial<Replay>;
    if (id !== undefined) await store.postponeReplay(background, id, now());
    throw error;
  }
}

async function step(deps: ReplayDeps, tx: Tx, replay: Replay, endpoint: Endpoint, events: number): Promise<Replay> {
  const at = deps.now();
  const { onlyFailed, fromId, createdAt } = replay;
  const soon = new Date(at.getTime() + deps.leaseMs);
  const chunk: ReplayedChunk = await replayChunk(tx, endpoint, { onlyFailed, fromId, at: createdAt, soon, events });
  return advanced(replay, chunk, at);
}
