// The verification of the ledger: everything that the service shows or decides by is computed again from the records.
// To verify more (rewards, vouchers, redemptions), add a check to the list.
import type { Tx } from "../postgres/postgres.ts";
import { float8, statement, uuid } from "../postgres/statement.ts";
import { BALANCES } from "./verification/balances.store.ts";
import { CHANGES } from "./verification/changes.store.ts";
import { DIFFERENCES_MAX } from "./verification/check.ts";
import type { Check, Difference } from "./verification/check.ts";
import { BODIES, RECORDS } from "./verification/records.store.ts";
import { ADJUSTMENTS, REFERENCES } from "./verification/references.store.ts";
import { ITEMS, RELATED, TAKEN_BACK } from "./verification/related.store.ts";

const CHECKS: readonly Check[] = [
  BALANCES,
  RELATED,
  TAKEN_BACK,
  ITEMS,
  CHANGES,
  REFERENCES,
  ADJUSTMENTS,
  RECORDS,
  BODIES,
];

/** The number of verified users and records, and whatever is not as the records say. */
export interface LedgerReport {
  readonly users: number;
  readonly records: number;
  readonly differences: readonly Difference[];
}

/** Users and records of a slice. A user with more records is a slice alone. */
const USERS_A_SLICE = 5_000;
const RECORDS_A_SLICE = 50_000;

const NEXT_SLICE = statement(
  "ledger.verify-slice",
  { userId: uuid, records: float8 },
  `SELECT user_id AS "userId", records::float8 AS records FROM balances WHERE user_id > $1 ORDER BY user_id LIMIT $2`,
);

/**
 * Verifies every balance and record: the checks say what. Slices of users by key take constant memory for any number of
 * them. Safe while the service runs. `isDeepFor` chooses slices whose records are read in full; by default all. Reports
 * at most 1,000 differences. Throws after an abort.
 */
export async function verifyLedger(
  tx: Tx,
  signal?: AbortSignal,
  isDeepFor: (slice: number) => boolean = () => true,
): Promise<LedgerReport> {
  const differences: Difference[] = [];
  let users = 0;
  let records = 0;
  let after = "00000000-0000-0000-0000-000000000000";
  for (let number = 0; ; number++) {
    const next = await tx.query(NEXT_SLICE, [after, USERS_A_SLICE]);
    const slice = firstOf(next);
    const last = slice.at(-1)?.userId;
    if (last === undefined) return { users, records, differences };
    for (const check of CHECKS) {
      signal?.throwIfAborted();
      if (check.isDeep && !isDeepFor(number)) continue;
      const found = await check.find(tx, after, last);
      differences.push(...found.slice(0, DIFFERENCES_MAX - differences.length));
    }
    users += slice.length;
    records += slice.reduce((sum, user) => sum + user.records, 0);
    after = last;
  }
}

/** The first users whose records make a slice: at least one user. */
function firstOf<User extends { readonly records: number }>(users: readonly User[]): readonly User[] {
  let sum = 0;
  const end = users.findIndex((user, i) => (sum += Math.max(0, user.records)) > RECORDS_A_SLICE && i > 0);
  return end < 0 ? users : users.slice(0, end);
}
