import { createIdempotency } from "./idempotency.task.ts";
import type { Idempotency } from "./idempotency.task.ts";
import type { Module, Platform } from "../module.ts";
import { RETENTION_MS } from "./key.ts";
import * as storedResponses from "./store.ts";

const SWEEP_SECONDS = 600;

/** The module of idempotency keys: other domains run their POSTs through `idempotency`. */
export interface IdempotencyModule extends Module {
  readonly idempotency: Idempotency;
}

/** Creates the module of idempotency keys. */
export function createIdempotencyKeys(platform: Pick<Platform, "database" | "now" | "newId">): IdempotencyModule {
  const { database, now } = platform;
  return {
    idempotency: createIdempotency({ ...platform, storedResponses }),
    startWork: (jobs) =>
      jobs.everyAsQueuedJob(SWEEP_SECONDS, "idempotency-keys", async (signal) => {
        await storedResponses.sweep(database, new Date(now().getTime() - RETENTION_MS), signal);
      }),
  };
}
