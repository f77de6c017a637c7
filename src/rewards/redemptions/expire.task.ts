import type { Log } from "../../log.ts";
import type { MoveDeps } from "../../points/moved-event.ts";
import type { Database } from "../../postgres/postgres.ts";
import { holdUser } from "../../users/store.ts";
import { dueReservations, giveBack } from "./store.ts";
import type { Due } from "./store.ts";

export interface ExpireDeps extends MoveDeps {
  readonly database: Database;
  readonly log: Log;
}

/** Reservations that one query reads, and those that one run ends: the next run continues. */
const BATCH = 100;
const RUN_MAX = 2_000;

/**
 * Ends the reservations whose time is up: each in a tx of its own, so that one that fails stops no other. Several
 * processes may do so at once: the lock on the redemption decides. Returns the number that it ended.
 */
export async function expireReservations(deps: ExpireDeps, signal: AbortSignal): Promise<number> {
  const until = deps.now();
  let from = new Date(0);
  let ended = 0;
  const done = new Set<string>();
  while (!signal.aborted && done.size < RUN_MAX) {
    const due = await dueReservations(deps.database, from, until, BATCH + done.size);
    const next = due.filter(({ recordId }) => !done.has(recordId)).slice(0, BATCH);
    if (next.length === 0) break;
    for (const reservation of next) {
      if (signal.aborted) return ended;
      done.add(reservation.recordId);
      if (await expireOne(deps, reservation)) ended += 1;
    }
    from = next.at(-1)!.holdUntil;
  }
  return ended;
}

async function expireOne(deps: ExpireDeps, { applicationId, userId, recordId }: Due): Promise<boolean> {
  try {
    return await deps.database.tx(async (tx) => {
      // Of an erased user, the erasure puts back stock and code. A locked user has its turn in the next run.
      if ((await holdUser(tx, applicationId, userId)) !== "held") return false;
      const outcome = await giveBack(tx, { applicationId, userId }, recordId, { way: "expire" }, deps);
      return outcome.kind === "given back";
    });
  } catch (error) {
    deps.log.error({ err: error, recordId }, "a reservation could not be ended; the next run attempts it again");
    return false;
  }
}
