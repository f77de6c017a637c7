import type { Platform } from "../module.ts";
import { createCallCounts } from "./counts.ts";
import type { CallCounts } from "./counts.ts";
import { createExchange } from "./exchange.task.ts";
import type { Exchange } from "./exchange.task.ts";

/** Limits the memory. Only authenticated calls are counted. */
const APPLICATIONS_MAX = 10_000;

/** The counts of calls of this process, and their exchange with the others that serve. */
export interface CallLimits {
  readonly counts: CallCounts;
  readonly exchange: Exchange;
}

/** By the connections of background work: requests that wait for theirs do not delay the exchange. */
export function createCallLimits({
  background,
  log,
  newId,
}: Pick<Platform, "background" | "log" | "newId">): CallLimits {
  const id = newId();
  const counts = createCallCounts(id, APPLICATIONS_MAX, Date.now);
  return { counts, exchange: createExchange({ id, counts, database: background, log, nowMs: Date.now }) };
}
