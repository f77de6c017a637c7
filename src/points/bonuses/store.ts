import type { Tx } from "../../postgres/postgres.ts";
import { statement, text, uuid } from "../../postgres/statement.ts";
import { lockBalances } from "../ledger.store.ts";
import type { Moved, MoveDeps } from "../moved-event.ts";
import { moveOnce } from "../move.store.ts";
import type { TransactionRecord } from "../schema.ts";
import { granting } from "./bonus.ts";
import type { NewBonus } from "./bonus.ts";

const NAMES = statement(
  "bonuses.names",
  { id: uuid, firstName: text, lastName: text },
  `SELECT id, first_name AS "firstName", last_name AS "lastName" FROM users
         WHERE application_id = $1 AND id = ANY ($2) AND erased_at IS NULL`,
);

/** Books a bonus and publishes `bonus.awarded`, in the tx. Nothing is booked when the reference is used. */
export async function grantBonus(
  tx: Tx,
  owner: { readonly applicationId: string; readonly userId: string },
  bonus: NewBonus,
  deps: MoveDeps,
): Promise<{ moved: Moved } | "reference used"> {
  const locked = await lockBalances(tx, [owner.userId], []);
  const { reference } = bonus;
  const entry = granting(owner, bonus, deps.newId(), deps.now());
  const moved = await moveOnce(tx, locked, entry, { kind: "bonus", reference }, deps);
  return moved ? { moved } : "reference used";
}

/**
 * Fills in the names of the users whom bonuses are related to, as they are now. Only their ids are stored, in records,
 * events and responses: so an erasure of one of them leaves no name in what belongs to another user.
 */
export async function withNames(
  tx: Tx,
  applicationId: string,
  records: readonly TransactionRecord[],
): Promise<readonly TransactionRecord[]> {
  const ids = new Set(records.flatMap(({ bonus }) => (bonus.profileId === "" ? [] : [bonus.profileId])));
  if (ids.size === 0) return records;
  const names = new Map((await tx.query(NAMES, [applicationId, [...ids]])).map(({ id, ...name }) => [id, name]));
  return records.map((record) => ({ ...record, bonus: { ...record.bonus, ...names.get(record.bonus.profileId) } }));
}
