import { setTimeout as sleep } from "node:timers/promises";
import { ProblemError, RewardsError } from "rewards-service-sdk";
import type { Rewards } from "rewards-service-sdk";
import type { StoredEvent } from "../webhooks/feed/store.ts";

const WAIT_SECONDS = 20;
const RETRY_MS = 2_000;

/**
 * Yields the events of an application from now on, each once, until `stopped`, by waiting calls to the service. Calls
 * without a response are repeated; a refusal ends them.
 */
export async function* polledEvents(
  rewards: Pick<Rewards, "listEvents">,
  stopped: AbortSignal,
  report: (line: string) => void,
): AsyncGenerator<StoredEvent> {
  let after: string | undefined;
  while (!stopped.aborted) {
    const query = after === undefined ? {} : { after, wait: WAIT_SECONDS };
    const page = await rewards.listEvents(query, { signal: stopped }).catch((error: unknown) => {
      if (stopped.aborted) return null;
      // At the start the address may be wrong; later the service may be starting again.
      if (after === undefined || error instanceof ProblemError || !(error instanceof RewardsError)) throw error;
      report(`the service does not respond (${error.message}); trying again`);
      return null;
    });
    if (page === null) {
      await sleep(RETRY_MS, undefined, { signal: stopped }).catch(() => {});
      continue;
    }
    after = page.next;
    for (const { id, event: type, sequence: position, createdAt, payload } of page.events) {
      yield { id, type, position, body: JSON.stringify(payload), createdAt: new Date(createdAt) };
    }
  }
}
