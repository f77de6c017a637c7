import { setTimeout as sleep } from "node:timers/promises";
import { firstIdAt } from "../ids.ts";
import type { Database } from "../postgres/postgres.ts";
import { HOUR_MS } from "../time.ts";
import { countRunning } from "./move.store.ts";

/** How long a move or a removal waits for what is in progress, in ms. */
export interface Waits {
  /** From closing on: processes remember an application for two seconds, and finish the requests that they have. */
  readonly closedMs: number;
  /** For scoring and reading. A move leaves what takes longer to the target. */
  readonly workMs: number;
  /** The lease of a delivery that a process has claimed. */
  readonly leaseMs: number;
  /** For all deliveries in progress, so that none is sent from both cells, or from none. */
  readonly sendingMs: number;
}

const CLOSED_MS = 4_000;
const WORK_MS = 60_000;
const CHECK_MS = 250;
/** Events sent from memory are younger: their lease ends within minutes. */
const SENT_MS = HOUR_MS;

/** Returns how long commands wait, by the lease of a delivery. */
export function waitsFor(leaseMs: number): Waits {
  // A process that was killed leaves its lease; another one takes it over, and sends what it had left.
  return { closedMs: CLOSED_MS, workMs: WORK_MS, leaseMs, sendingMs: 3 * leaseMs + WORK_MS };
}

/** Waits until nothing of a closed application is in progress. False: deliveries are, after all the time there is. */
export async function isQuiet(
  { source, waits, now }: { readonly source: Database; readonly waits: Waits; readonly now: () => Date },
  id: string,
  closedAt: Date,
): Promise<boolean> {
  const closedMs = closedAt.getTime();
  const from = { firstEventId: firstIdAt(closedMs - SENT_MS) };
  const claimedUntil = new Date(closedMs + waits.closedMs + waits.leaseMs);
  await sleep(Math.max(0, closedMs + waits.closedMs - now().getTime()));
  const begunMs = performance.now();
  for (;;) {
    const { scoring, reading, sending } = await countRunning(source, id, { ...from, now: now(), claimedUntil });
    const waitedMs = performance.now() - begunMs;
    if (sending === 0 && (scoring + reading === 0 || waitedMs > waits.workMs)) return true;
    if (waitedMs > waits.sendingMs) return false;
    await sleep(CHECK_MS);
  }
}
