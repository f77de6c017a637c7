import { setTimeout as sleep } from "node:timers/promises";
import { ProblemError, RewardsError } from "rewards-service-sdk";
import type { Rewards } from "rewards-service-sdk";
import type { StoredEvent } from "../webhooks/feed/store.ts";

const WAIT_SECONDS = 20;
const RETRY_MS = 2_000;

/**
 * Returns the events of an application from now on, each once, until `stopped`, by waiting calls to the service. Calls
 * without a response are repeated, but for the first one, whose address may be wrong; a refusal ends them.
 */
export async function polledEvents(
  rewards: Pick<Rewards, "listEvents">,
  stopped: AbortSignal,
  report: (line: string) => void,
): Promise<AsyncIterableIterator<StoredEvent>> {
  const { next } = await rewards.listEvents({}, { signal: stopped });
  return eventsAfter(next, { rewards, stopped, report });
}

async function* eventsAfter(
  place: string,
  of: { rewards: Pick<Rewards, "listEvents">; stopped: AbortSignal; report: (line: string) => void },
): AsyncGenerator<StoredEvent> {
  const { rewards, stopped, report } = of;
  let after = place;
  while (!stopped.aborted) {
    const page = await rewards
      .listEvents({ after, wait: WAIT_SECONDS }, { signal: stopped })
      .catch((error: unknown) => {
        if (stopped.aborted) return null;
        if (error instanceof ProblemError || !(error instanceof RewardsError)) throw error;
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
