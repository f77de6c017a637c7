import type { Module, Platform } from "../module.ts";
import { cached } from "./cache.task.ts";
import type { Callers } from "./callers.ts";
import { findCallingApplication, saveUses } from "./credentials.store.ts";
import { createLastUses } from "./last-uses.task.ts";
import { listClientIds } from "./store.ts";

/** The module of applications: who may call. */
export interface Applications extends Module {
  readonly callers: Callers;
}

/** Creates the module of applications. */
export function createApplications(platform: Platform): Applications {
  const { database, background, now, log } = platform;
  const uses = createLastUses({
    save: (used) => saveUses(background, used),
    now,
    log,
    later: (work, ms) => setTimeout(work, ms).unref(),
  });
  const find = (clientId: string) => findCallingApplication(database, clientId, now());
  return {
    // The age of what is kept is not that of the data, which `now` is about.
    callers: { find: cached(find, () => listClientIds(database), Date.now), now, used: uses.used },
    drain: uses.save,
  };
}
