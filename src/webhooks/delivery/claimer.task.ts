import type { Database } from "../../postgres/postgres.ts";
import { claimDue, findNextDue } from "../store.ts";
import type { Backlog } from "./backlog.ts";
import { toChains } from "./delivery.ts";

/** Longest time between two claims. Also finds the deliveries whose process was killed, after their lease. */
const POLL_MS = 5_000;
/** Shortest time before the next claim, while due deliveries can't be claimed: no room, or another process has them. */
export const CLAIM_AGAIN_MS = 250;

export interface ClaimerDeps {
  readonly database: Database;
  readonly backlog: Backlog;
  readonly now: () => Date;
  readonly leaseSeconds: number;
  /** Set to the endpoints that have due deliveries. */
  readonly behind: Set<string>;
}

/** Claims due deliveries into the backlog, as many as it has room for. Returns the ms to wait before the next claim. */
export async function claimDeliveries(deps: ClaimerDeps): Promise<number> {
  const { database, backlog, now, leaseSeconds, behind } = deps;
  const { healthy, failing } = backlog;
  const nextDue = await findNextDue(database);
  const at = now();
  const dueIds = nextDue.filter(({ dueAt }) => dueAt <= at).map(({ endpointId }) => endpointId);
  behind.clear();
  for (const id of dueIds) behind.add(id);
  const failingIds = new Set(nextDue.filter(({ isFailing }) => isFailing).map(({ endpointId }) => endpointId));
  const shares = [
    ...healthy.rooms(dueIds.filter((id) => !failingIds.has(id))),
    ...failing.rooms(dueIds.filter((id) => failingIds.has(id))),
  ].map(({ key, room }) => ({ endpointId: key, room }));
  const claimed = shares.length === 0 ? [] : await claimDue(database, shares, at, leaseSeconds);
  for (const chain of toChains(claimed)) {
    const { endpointId } = chain[0]!;
    (failingIds.has(endpointId) ? failing : healthy).add(endpointId, chain);
  }
  const waits = nextDue.map(({ dueAt }) => Math.max(CLAIM_AGAIN_MS, dueAt.getTime() - at.getTime()));
  return Math.min(POLL_MS, ...waits);
}
