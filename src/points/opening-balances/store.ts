import { arrayColumns } from "../../postgres/array-columns.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { rollback } from "../../postgres/rollback.ts";
import type { Rollback } from "../../postgres/rollback.ts";
import { json, neverNull, statement, text, uuid } from "../../postgres/statement.ts";
import { newEvent } from "../../webhooks/event.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { adjustedEvent } from "../adjustments/adjustment.ts";
import type { Entry } from "../entry.ts";
import { append, lockBalances, usersMoved } from "../ledger.store.ts";
import type { LockedBalances } from "../ledger.store.ts";
import { opening, openingReference } from "./opening.ts";
import type { OpeningInputs, OpeningPoints } from "./opening.ts";
import type { OpeningRow } from "./row.ts";
import type { TierKeeper } from "../tiers/keeper.store.ts";

const HOLD_MANY = statement(
  "opening.hold-users",
  { id: uuid, email: text },
  // As `holdUser`: nobody is waited for. A user who is just being erased is not there.
  `SELECT id, email FROM users
         WHERE application_id = $1 AND erased_at IS NULL AND id IN (
           SELECT unnest($2::uuid[])
           UNION SELECT user_id FROM user_emails WHERE application_id = $1 AND email = ANY ($3))
         FOR KEY SHARE SKIP LOCKED`,
);
const REFERENCES = statement(
  "opening.references",
  { reference: text, userId: uuid, inputs: neverNull(json<OpeningInputs>()) },
  `SELECT reference, record_references.user_id AS "userId", rule_inputs AS inputs
         FROM record_references
         JOIN records ON records.user_id = record_references.user_id AND records.id = record_id
         WHERE record_references.application_id = $1 AND kind = 'adjustment' AND reference = ANY ($2)`,
);
interface NewReference {
  readonly reference: string;
  readonly userId: string;
  readonly recordId: string;
}
const NEW_REFERENCES = arrayColumns<NewReference>({
  reference: ["text", ({ reference }) => reference],
  user_id: ["uuid", ({ userId }) => userId],
  record_id: ["uuid", ({ recordId }) => recordId],
});
const USE_REFERENCES = statement(
  "opening.use-references",
  { reference: text },
  // In one order, so that two imports with the same references never wait for each other in a circle.
  `INSERT INTO record_references (application_id, kind, reference, user_id, record_id)
         SELECT $${NEW_REFERENCES.next}::uuid, 'adjustment', reference, user_id, record_id
         FROM ${NEW_REFERENCES.unnest} AS new (${NEW_REFERENCES.names}) ORDER BY reference COLLATE "C"
         ON CONFLICT DO NOTHING RETURNING reference`,
);

/** What became of an opening balance. */
export type Opened =
  | { readonly kind: "booked" | "already" | "empty" }
  | { readonly kind: "refused"; readonly reason: string };

export interface OpeningDeps {
  /** Stores the events of the records in the tx; null: there are none. */
  readonly publish: ((tx: Tx, events: readonly NewEvent[]) => Promise<void>) | null;
  readonly tiers: TierKeeper;
  readonly now: () => Date;
  readonly newId: () => string;
}

/**
 * Books opening balances, each once: its reference is used with it. Returns an outcome for each, in order. Null, and
 * nothing is booked: another tx used one of the references in the same moment, so that a second attempt finds it used.
 */
export async function openBalances(
  tx: Tx,
  applicationId: string,
  rows: readonly OpeningRow[],
  deps: OpeningDeps,
): Promise<Opened[] | Rollback<null>> {
  const at = deps.now();
  const users = await holdUsers(tx, applicationId, rows);
  const userIds = rows.map((row) => userOf(users, row));
  const locked = await lockBalances(tx, [...users.ids], []);
  const references = rows.map(({ reference }, i) => reference ?? openingReference(userIds[i] ?? ""));
  const used = new Map(
    (await tx.query(REFERENCES, [applicationId, references])).map((row) => [
      row.reference,
      { userId: row.userId, opened: row.inputs.opening },
    ]),
  );
  const entries: Entry[] = [];
  const firsts: { readonly reference: string; readonly userId: string; readonly place: number }[] = [];
  const outcomes = rows.map((row, i): Opened => {
    const userId = userIds[i];
    if (!userId) return { kind: "refused", reason: "the application has no such user, or the user is being erased" };
    const reference = references[i]!;
    const { points, lifetimePoints } = row;
    const before = used.get(reference);
    if (before) return before.userId === userId && isSame(before.opened, row) ? { kind: "already" } : REFERENCE_USED;
    const added = opening({ applicationId, userId }, { ...row, reference }, deps.newId, at);
    if (added.length === 0) return { kind: "empty" };
    if (!hasRoom(locked, userId, row)) return { kind: "refused", reason: "the balance would exceed 2^53" };
    used.set(reference, { userId, opened: { points, lifetimePoints } });
    firsts.push({ reference, userId, place: entries.length });
    entries.push(...added);
    return { kind: "booked" };
  });
  const posted = await append(tx, locked, entries, at, deps.newId);
  const uses = firsts.map(({ place, ...use }): NewReference => ({ ...use, recordId: posted[place]!.id }));
  const taken = await tx.query(USE_REFERENCES, [...NEW_REFERENCES.values(uses), applicationId]);
  if (taken.length < uses.length) return rollback(null);
  await deps.publish?.(
    tx,
    entries.map((entry, i) => {
      const owner = { applicationId, userId: entry.userId, subject: entry.submissionId };
      return newEvent(deps.newId(), owner, adjustedEvent(entry, posted[i]!), posted[i]!.createdAt);
    }),
  );
  await deps.tiers.settle(tx, usersMoved(locked, entries), at);
  return outcomes;
}

const REFERENCE_USED = { kind: "refused", reason: "its reference is used by another adjustment" } as const;

interface HeldUsers {
  readonly ids: ReadonlySet<string>;
  readonly byEmail: ReadonlyMap<string, string>;
}

async function holdUsers(tx: Tx, applicationId: string, rows: readonly OpeningRow[]): Promise<HeldUsers> {
  const ids = rows.map(({ userId }) => userId).filter((id) => id !== null);
  const emails = rows.map(({ email }) => email).filter((email) => email !== null);
  const held = await tx.query(HOLD_MANY, [applicationId, ids, emails]);
  return { ids: new Set(held.map(({ id }) => id)), byEmail: new Map(held.map(({ id, email }) => [email, id])) };
}

/** The user of a row; null where there is none, or where address and id name two. */
function userOf({ ids, byEmail }: HeldUsers, { email, userId }: OpeningRow): string | null {
  const found = email === null ? userId : (byEmail.get(email) ?? null);
  if (found === null || !ids.has(found)) return null;
  return userId === null || userId === found ? found : null;
}

function isSame(opened: OpeningPoints | undefined, row: OpeningPoints): boolean {
  return opened?.points === row.points && opened.lifetimePoints === row.lifetimePoints;
}

/** Whether a balance stays exact in JavaScript, whatever else is booked for its user in this batch. */
function hasRoom({ balances }: LockedBalances, userId: string, { lifetimePoints }: OpeningPoints): boolean {
  const balance = balances.get(userId);
  const most = Math.max(balance?.lifetimePoints ?? 0, balance?.availablePoints ?? 0);
  return most + lifetimePoints <= Number.MAX_SAFE_INTEGER / 2;
}
