import { adjust } from "../../../src/points/adjustments/store.ts";
import type { MoveDeps } from "../../../src/points/moved-event.ts";
import { reverse } from "../../../src/points/reversals/store.ts";
import { rollback } from "../../../src/postgres/rollback.ts";
import type { Database } from "../../../src/postgres/postgres.ts";
import type { World } from "./world.ts";

/** Requests that move points, as a process carries them out: each in one tx, nothing left of one that is refused. */
export interface Moves {
  adjust(userId: string, reference: string, points: number, countsAsEarned: boolean): Promise<void>;
  reverse(userId: string, recordId: string, itemIds: readonly string[] | null): Promise<void>;
}

/** The requests of a process on `database`, which may end between any two of its steps. */
export function movesOf(world: World, database: Database, deps: MoveDeps): Moves {
  const { applicationId, booked } = world;
  return {
    adjust: async (userId, reference, points, countsAsEarned) => {
      const adjustment = { points, reason: "Gift", reference, countsAsEarned };
      const outcome = await database.tx(async (tx) => {
        const result = await adjust(tx, { applicationId, userId }, adjustment, deps);
        return typeof result === "object" && "moved" in result ? result : rollback(null);
      });
      if (outcome) booked.push(outcome.moved.transaction.id);
    },
    reverse: async (userId, recordId, itemIds) => {
      const reversal = { itemIds, reason: "Returned" };
      const outcome = await database.tx(async (tx) => {
        const result = await reverse(tx, { applicationId, userId }, recordId, reversal, deps);
        return result.kind === "reversed" ? result : rollback(null);
      });
      if (outcome) booked.push(outcome.moved.transaction.id);
    },
  };
}
