// The verification of the ledger: everything that the service shows or decides by is computed again from the records.
// To verify more, add a check to the list.
import { setTimeout as sleep } from "node:timers/promises";
import type { Tx } from "../postgres/postgres.ts";
import { float8, statement, uuid } from "../postgres/statement.ts";
import { BALANCES } from "./verification/balances.store.ts";
import { BODIES } from "./verification/bodies.store.ts";
import { CHANGES } from "./verification/changes.store.ts";
import { DIFFERENCES_MAX } from "./verification/check.ts";
import type { Check, Difference } from "./verification/check.ts";
import { CORRECTIONS, UNCORRECTED } from "./verification/corrections.store.ts";
import { EXPLAINED, differencesOfEvidence } from "./verification/evidence.store.ts";
import { GRANTED, STREAKS, UNNOTED_BONUSES } from "./verification/granted.store.ts";
import { EXTRAS, differencesOfCampaigns } from "./verification/extras.store.ts";
import { EXPIRIES } from "./verification/expiry.store.ts";
import { REDEMPTIONS, UNREDEEMED } from "./verification/redemptions.store.ts";
import { REFERENCES, UNUSED_REFERENCES } from "./verification/references.store.ts";
import { ITEMS } from "./verification/items.store.ts";
import { RELATED, TAKEN_BACK } from "./verification/related.store.ts";
import { differencesOfCodes, differencesOfRewards } from "./verification/rewards.store.ts";
import { TIERS } from "./verification/tiers.store.ts";

const CHECKS: readonly Check[] = [
  BALANCES,
  RELATED,
  TAKEN_BACK,
  CHANGES,
  REDEMPTIONS,
  UNREDEEMED,
  CORRECTIONS,
  UNCORRECTED,
  EXPIRIES,
  TIERS,
  REFERENCES,
  UNUSED_REFERENCES,
  GRANTED,
  UNNOTED_BONUSES,
  STREAKS,
  ITEMS,
  BODIES,
  EXPLAINED,
  EXTRAS,
];

/** The number of verified users and records, and whatever is not as the records say. */
export interface LedgerReport {
  readonly users: number;
  readonly records: number;
  readonly differences: readonly Difference[];
}

/** Users and records of a slice. A user with more records is a slice alone. */
const USERS_A_SLICE = 5_000;
const RECORDS_A_SLICE = 20_000;

const NEXT_SLICE = statement(
  "ledger.verify-slice",
  { userId: uuid, records: float8 },
  `SELECT user_id AS "userId", records::float8 AS records FROM balances WHERE user_id > $1 ORDER BY user_id LIMIT $2`,
);

export interface VerificationOptions {
  readonly signal?: AbortSignal;
  /** Reads records in full for a seventh of the users, 0 to 6; by default for all of them. */
  readonly seventh?: number;
  /** Rests after each slice for as long as the slice took, so that it takes half a core of the database at most. */
  readonly rests?: boolean;
}

/**
 * Verifies every balance and record: the checks say what. Slices of users by key take constant memory for any number of
 * them. Safe while the service runs. Reports at most 1,000 differences. Throws after an abort.
 */
export async function verifyLedger(tx: Tx, options: VerificationOptions = {}): Promise<LedgerReport> {
  const { signal, seventh = null, rests = false } = options;
  const differences: Difference[] = [];
  let users = 0;
  let records = 0;
  let above = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const startMs = performance.now();
    const slice = firstOf(await tx.query(NEXT_SLICE, [above, USERS_A_SLICE]));
    const upTo = slice.at(-1)?.userId;
    if (upTo === undefined) break;
    for (const check of CHECKS) {
      signal?.throwIfAborted();
      const found = await check.find(tx, { above, upTo, seventh });
      differences.push(...found.slice(0, DIFFERENCES_MAX - differences.length));
    }
    users += slice.length;
    records += slice.reduce((sum, user) => sum + user.records, 0);
    above = upTo;
    if (rests) await sleep(performance.now() - startMs, undefined, signal && { signal });
  }
  // Of no user, after all users.
  const ofNone = [
    await differencesOfRewards(tx),
    await differencesOfCodes(tx, signal),
    await differencesOfEvidence(tx),
    await differencesOfCampaigns(tx),
  ];
  for (const found of ofNone) {
    differences.push(...found.slice(0, DIFFERENCES_MAX - differences.length));
  }
  return { users, records, differences };
}

/** The first users whose records make a slice: at least one user. */
function firstOf<User extends { readonly records: number }>(users: readonly User[]): readonly User[] {
  let sum = 0;
  const end = users.findIndex((user, i) => (sum += Math.max(0, user.records)) > RECORDS_A_SLICE && i > 0);
  return end < 0 ? users : users.slice(0, end);
}
