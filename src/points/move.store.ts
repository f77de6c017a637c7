import type { Tx } from "../postgres/postgres.ts";
import type { Posted } from "./balance.ts";
import type { Entry } from "./entry.ts";
import { append, appendOnce } from "./ledger.store.ts";
import type { LockedBalances, ReferenceUse } from "./ledger.store.ts";
import { movedEvent } from "./moved-event.ts";
import type { Moved, MoveDeps } from "./moved-event.ts";
import { presentRecord, rowOf } from "./transaction.ts";

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
  return publishMove(tx, { entry, posted: posted!, subject, at }, deps);
}

/** The same, and notes the integrator's reference. Null: it is used already, and the caller must roll back. */
export async function moveOnce(
  tx: Tx,
  locked: LockedBalances,
  entry: Entry,
  use: ReferenceUse,
  deps: MoveDeps,
): Promise<Moved | null> {
  const at = deps.now();
  const posted = await appendOnce(tx, locked, entry, use, at, deps.newId);
  return posted && publishMove(tx, { entry, posted, subject: entry.submissionId, at }, deps);
}

async function publishMove(
  tx: Tx,
  move: { readonly entry: Entry; readonly posted: Posted; readonly subject: string; readonly at: Date },
  { publish, tiers }: MoveDeps,
): Promise<Moved> {
  const { entry, posted, subject, at } = move;
  const { availablePoints, lifetimePoints } = posted;
  const moved = { transaction: presentRecord(rowOf(entry, posted)), balance: { availablePoints, lifetimePoints } };
  const event = movedEvent(moved);
  const { applicationId, userId } = entry;
  if (event) await publish(tx, { applicationId, userId, subject }, event, at);
  if (entry.isLifetime) await tiers.settle(tx, [{ applicationId, userId, lifetimePoints }], at);
  return moved;
}
