import type { AuditTrail } from "../http/audit-changes.ts";
import type { Log } from "../log.ts";
import type { Change, ChangeOutcome } from "./store.ts";

/** Creates the trail of the changes by keys. `drain` waits until the outcomes so far are written. */
export function createAuditTrail(deps: {
  add(change: Change): Promise<void>;
  addOutcome(changeId: string, outcome: ChangeOutcome): Promise<void>;
  now(): Date;
  newId(): string;
  readonly log: Log;
}): AuditTrail & { drain(): Promise<void> } {
  const ending = new Set<Promise<void>>();
  const write = async (entryId: string, outcome: ChangeOutcome) => {
    try {
      await deps.addOutcome(entryId, outcome);
    } catch (error) {
      // The entry stays, and reads as interrupted.
      deps.log.warn({ err: error, entryId }, "the outcome of a change could not be written");
    }
  };
  return {
    begin: async (change) => {
      const id = deps.newId();
      await deps.add({ id, at: deps.now(), ...change });
      return id;
    },
    end: (entryId, outcome) => {
      const written = write(entryId, outcome);
      ending.add(written);
      void written.then(() => ending.delete(written));
    },
    drain: async () => {
      await Promise.all(ending);
    },
  };
}
