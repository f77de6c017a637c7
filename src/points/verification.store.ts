// The verification of the ledger: everything that the service shows or decides by is computed again from the records.
// To verify more, add a check to the list.
import { setTimeout as sleep } from "node:timers/promises";
import type { Tx } from "../postgres/postgres.ts";
import { float8, statement, uuid } from "../postgres/statement.ts";
import { BALANCES } from "./verification/balances.store.ts";
import { BODIES } from "./verification/bodies.store.ts";
import { CHANGES } from "./verification/changes.store.ts";
import { BalanceInParts } from "./verification/balance-in-parts.store.ts";
import { DIFFERENCES_MAX, isUserOfSeventh } from "./verification/check.ts";
import type { Check, Difference, Part, Slice } from "./verification/check.ts";
import { CORRECTIONS, UNCORRECTED } from "./verification/corrections.store.ts";
import { EXPLAINED, differencesOfEvidence } from "./verification/evidence.store.ts";
import { GRANTED, STREAKS, UNNOTED_BONUSES } from "./verification/granted.store.ts";
import { EXTRAS, differencesOfCampaigns } from "./verification/extras.store.ts";
import { EXPIRIES } from "./verification/expiry.store.ts";
import { EXPIRY_SUMS, differencesOfLarge } from "./verification/expiry-sums.store.ts";
import { RECORD_SUMS } from "./verification/record-sums.store.ts";
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
  EXPIRY_SUMS,
  RECORD_SUMS,
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

/**
 * Users and records of a slice. A user with more records is a slice alone, and is read in parts of as many. Records of
 * a user are far apart: 20,000 that no cache had took 4.7 s in one statement.
 */
const USERS_A_SLICE = 5_000;
const RECORDS_A_SLICE = 8_000;

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
  /** Tests have few. */
  readonly recordsASlice?: number;
}

/**
 * Verifies every balance and record: the checks say what. Slices of users by key take constant memory for any number of
 * them. Safe while the service runs. Reports at most 1,000 differences. Throws after an abort.
 */
export async function verifyLedger(tx: Tx, options: VerificationOptions = {}): Promise<LedgerReport> {
  const { signal, seventh = null, rests = false, recordsASlice = RECORDS_A_SLICE } = options;
  const differences: Difference[] = [];
  const note = (found: readonly Difference[]): void =>
    void differences.push(...found.slice(0, DIFFERENCES_MAX - differences.length));
  let users = 0;
  let records = 0;
  let above = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    let startMs = performance.now();
    const rest = async (): Promise<void> => {
      if (rests) await sleep(performance.now() - startMs, undefined, signal && { signal });
      startMs = performance.now();
    };
    const slice = firstOf(await tx.query(NEXT_SLICE, [above, USERS_A_SLICE]), recordsASlice);
    const upTo = slice.at(-1)?.userId;
    if (upTo === undefined) break;
    const recordsOfSlice = slice.reduce((sum, user) => sum + user.records, 0);
    const isInParts = slice.length === 1 && recordsOfSlice > recordsASlice;
    const differencesOf = isInParts
      ? inParts(tx, { above, upTo, seventh }, { records: recordsOfSlice, size: recordsASlice })
      : inOne(tx, { above, upTo, seventh });
    for await (const found of differencesOf) {
      signal?.throwIfAborted();
      note(found);
      if (isInParts) await rest();
    }
    users += slice.length;
    records += recordsOfSlice;
    above = upTo;
    if (!isInParts) await rest();
  }
  // Of no user, after all users.
  const ofNone = [
    await differencesOfRewards(tx),
    await differencesOfCodes(tx, signal),
    await differencesOfEvidence(tx),
    await differencesOfCampaigns(tx),
  ];
  for (const found of ofNone) note(found);
  return { users, records, differences };
}

/** Each check of a slice of users. */
async function* inOne(tx: Tx, slice: Slice): AsyncGenerator<readonly Difference[]> {
  for (const check of CHECKS) yield await check.find(tx, slice);
}

/**
 * The same of one user with many records: a statement over all of them would take seconds, so those that can read
 * `size` at a time. The last part has no end: records may come meanwhile.
 */
async function* inParts(
  tx: Tx,
  slice: Slice,
  { records, size }: { records: number; size: number },
): AsyncGenerator<readonly Difference[]> {
  const userId = slice.upTo;
  const isReadInFull = isUserOfSeventh(userId, slice.seventh);
  const balance = new BalanceInParts();
  for (let after = 0, isLast = false; !isLast; after += size) {
    isLast = after + size >= records || balance.isEmpty;
    const part: Part = { userId, after, upTo: isLast ? Number.MAX_SAFE_INTEGER : after + size };
    yield isLast ? await balance.last(tx, part) : await balance.next(tx, part);
    for (const check of isReadInFull ? CHECKS : []) if (check.findInPart) yield await check.findInPart(tx, part);
  }
  if (isReadInFull) yield* differencesOfLarge(tx, userId, balance.expiries, size);
  const isRead = new Set<Check>([BALANCES, EXPIRIES, EXPIRY_SUMS]);
  const isLeft = (check: Check): boolean => !isRead.has(check) && !check.findInPart;
  for (const check of CHECKS.filter(isLeft)) yield await check.find(tx, slice);
}

/** The first users whose records make a slice: at least one user. */
function firstOf<User extends { readonly records: number }>(
  users: readonly User[],
  recordsMax: number,
): readonly User[] {
  let sum = 0;
  const end = users.findIndex((user, i) => (sum += Math.max(0, user.records)) > recordsMax && i > 0);
  return end < 0 ? users : users.slice(0, end);
}
