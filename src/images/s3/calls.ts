import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../log.ts";
import type { Meters } from "../../meters.ts";
import { StorageUnavailable } from "../../storage-failures.ts";
import { DamagedImage, isMissing, isWorthRetry, unavailable } from "./failure.ts";

/** How often a call is made, and how long each attempt may take, with the bytes that it moves. */
export interface Patience {
  readonly attempts: number;
  readonly attemptMs: number;
}

/** How long the store waits for S3. */
export interface Waits {
  /** The start waits for its check of the bucket. */
  readonly check: Patience;
  /** A status or a probe does not wait for a slow S3. */
  readonly quick: Patience;
  readonly small: Patience;
  readonly transfer: Patience;
  /** Time between two questions whether it is back. */
  readonly awayMs: number;
}

export const WAITS: Waits = {
  check: { attempts: 2, attemptMs: 4_000 },
  quick: { attempts: 1, attemptMs: 2_000 },
  small: { attempts: 3, attemptMs: 4_000 },
  // An image of 10 MB at 10 Mbit/s.
  transfer: { attempts: 2, attemptMs: 10_000 },
  awayMs: 3_000,
};

export type Operation = "put" | "get" | "head" | "delete" | "list";
/** What a call moves, or who waits for it. */
export type CallKind = "quick" | "small" | "transfer";

/** Calls of S3: each within its patience, none while S3 is known to be away. */
export interface Calls {
  /**
   * Throws StorageUnavailable, DamagedImage, or the error that says that there is no such object. `signal` ends the
   * attempt.
   */
  make<Result>(
    operation: Operation,
    kind: CallKind,
    attempt: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
  /** Whether a call would fail at once. */
  isAway(): boolean;
}

const RETRY_DELAYS_MS = [100, 400];
/** Time for an attempt to end after its limit. */
const CLOSING_MS = 250;
/** Failed calls in a row until S3 counts as away: others then fail at once, and one at a time asks if it is back. */
const FAILED_MAX = 3;

/** Creates the calls. */
export function createCalls({ log, meters, waits }: { log: Log; meters: Meters; waits: Waits }): Calls {
  let failedInARow = 0;
  let blockedUntilMs = 0;

  const succeed = (): void => {
    if (failedInARow >= FAILED_MAX) log.info({}, "the store of images is back");
    failedInARow = 0;
    blockedUntilMs = 0;
  };

  const fail = (error: StorageUnavailable): void => {
    failedInARow++;
    if (failedInARow < FAILED_MAX) return;
    if (failedInARow === FAILED_MAX) log.error({ reason: error.message }, "the store of images is away");
    blockedUntilMs = performance.now() + waits.awayMs;
  };

  const isAway = (): boolean => performance.now() < blockedUntilMs;

  return {
    isAway,
    make: async (operation, kind, attempt) => {
      const patience = waits[kind];
      if (isAway()) throw new StorageUnavailable("the store of images is away");
      // Away: this call asks whether it is back, the others don't wait for that.
      if (failedInARow >= FAILED_MAX) blockedUntilMs = performance.now() + patience.attempts * patience.attemptMs;
      const startedMs = performance.now();
      let outcome = "error";
      try {
        const result = await repeated(patience, attempt);
        outcome = "ok";
        succeed();
        return result;
      } catch (error) {
        // S3 has responded.
        if (isMissing(error) || error instanceof DamagedImage) {
          if (isMissing(error)) outcome = "ok";
          succeed();
          throw error;
        }
        const failure = unavailable(error);
        fail(failure);
        throw failure;
      } finally {
        const seconds = (performance.now() - startedMs) / 1_000;
        meters.time("rewards_image_store_duration_seconds", { operation, outcome }, seconds);
      }
    },
  };
}

/** Makes the attempts, until one succeeds or fails for good. Throws the error of the last one. */
export async function repeated<Result>(
  { attempts, attemptMs }: Patience,
  attempt: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  for (let n = 1; ; n++) {
    try {
      return await inTime(attemptMs, attempt);
    } catch (error) {
      if (n >= attempts || isMissing(error) || !isWorthRetry(error)) throw error;
      await sleep(RETRY_DELAYS_MS[n - 1] ?? RETRY_DELAYS_MS.at(-1)!);
    }
  }
}

/**
 * Ends an attempt at its time limit, whatever it waits for: the SDK does not end the search for credentials. What it
 * has begun to write is closed in a moment.
 */
async function inTime<Result>(ms: number, attempt: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const limit = new AbortController();
  const tooLate = new StorageUnavailable(`the store of images did not respond within ${ms} ms`);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      limit.abort();
      timer = setTimeout(() => reject(tooLate), CLOSING_MS);
    }, ms);
  });
  const made = attempt(limit.signal);
  made.catch(() => {}); // after its limit
  try {
    return await Promise.race([made, late]);
  } catch (error) {
    throw limit.signal.aborted ? tooLate : error;
  } finally {
    clearTimeout(timer);
  }
}
