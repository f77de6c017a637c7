import type { Tx } from "../postgres/postgres.ts";
import { statement, uuid } from "../postgres/statement.ts";
import type { Entry } from "./entry.ts";
import { append } from "./ledger.store.ts";
import type { LockedBalances } from "./ledger.store.ts";
import { movedEvent } from "./moved-event.ts";
import type { Moved, MoveDeps } from "./moved-event.ts";
import { findRecord } from "./store.ts";
import { presentRecord } from "./transaction.ts";

const USE_REFERENCE = statement(
  "points.use-reference",
  { recordId: uuid },
  // The primary key decides between two requests at once: the second waits for the first.
  `INSERT INTO record_references (application_id, kind, reference, user_id, record_id) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING RETURNING record_id AS "recordId"`,
);

/**
 * Appends one entry that is no award, and publishes its event. Its subject is the entry's `submissionId`, or another
 * one whose events it follows.
 */
export async function move(
  tx: Tx,
  locked: LockedBalances,
  entry: Entry,
  deps: MoveDeps,
  subject: string = entry.submissionId,
): Promise<Moved> {
  const at = deps.now();
  const [posted] = await append(tx, locked, [entry], at, deps.newId);
  const { id, availablePoints, lifetimePoints } = posted!;
  const record = await findRecord(tx, entry.userId, id);
  if (!record) throw new Error("the record that was just appended is not there");
  const moved = { transaction: presentRecord(record), balance: { availablePoints, lifetimePoints } };
  const event = movedEvent(moved);
  const { applicationId, userId } = entry;
  if (event) await deps.publish(tx, { applicationId, userId, subject }, event, at);
  return moved;
}

/** Notes the integrator's reference of a record. Returns false if the application has used it already. */
export async function useReference(
  tx: Tx,
  use: {
    readonly applicationId: string;
    readonly userId: string;
    readonly kind: "adjustment" | "redemption" | "bonus";
    readonly reference: string;
  },
  recordId: string,
): Promise<boolean> {
  const { applicationId, kind, reference, userId } = use;
  return (await tx.query(USE_REFERENCE, [applicationId, kind, reference, userId, recordId])).length > 0;
}
