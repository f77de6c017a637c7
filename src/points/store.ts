import type { Tx } from "../postgres/postgres.ts";
import { bool, code, float8, int4, oneOf, orNull, statement, text, timestamptz, uuid } from "../postgres/statement.ts";
import type { Source } from "./award.ts";
import type { Posted } from "./balance.ts";
import type { Operation, RecordStatus } from "./codes.ts";
import { grantingDue } from "./bonuses/bonus.ts";
import { insertGranted, usersOfBonuses } from "./bonuses/standing.store.ts";
import { earning } from "./entry.ts";
import type { Entry, RecordSource } from "./entry.ts";
import { STORED_INPUTS, STORED_INPUTS_COLUMNS, withInputs } from "./explained/inputs.store.ts";
import { isAward } from "./explanation.ts";
import type { ExplainedRow } from "./explanation.ts";
import { append, lockBalances, usersMoved } from "./ledger.store.ts";
import type { LockedBalances } from "./ledger.store.ts";
import type { ComposedRecord } from "./record.ts";
import { settle } from "./settlement/settle.ts";
import type { Settlement } from "./settlement/settle.ts";
import { loadStandings, saveStandings } from "./settlement/standing.store.ts";
import type { Standings } from "./settlement/standing.store.ts";
import { hasParts } from "./terms.ts";
import type { Terms } from "./terms.ts";
import { NO_TIERS } from "./tiers/keeper.store.ts";
import type { TierKeeper } from "./tiers/keeper.store.ts";
import { HAS_CONTENT, STORED_BODY, withBody } from "./stored-body.ts";
import type { RecordRow } from "./transaction.ts";

/** An award to book: its user, its submission, and the composed record. */
export interface Booking {
  applicationId: string;
  userId: string;
  source: Source;
  submissionId: string;
  record: ComposedRecord;
  /** Those of its record. */
  terms: Terms;
  /** Version of the catalogue that rated it. */
  catalogueVersion: string;
}

/** A bonus that an award has caused, as stored. */
export interface BookedBonus {
  readonly entry: Entry;
  readonly posted: Posted;
}

/** A booking as stored in the ledger, with the balance just after it. */
export interface Booked extends Posted {
  /** The record as booked; events and responses use this one. */
  readonly record: ComposedRecord;
  /** Bonuses that the record has caused: records of their own, after it. */
  readonly bonuses: readonly BookedBonus[];
}

const RECORD = {
  id: uuid,
  applicationId: uuid,
  userId: uuid,
  sequence: float8,
  source: oneOf<RecordSource>(["receipt", "meal", "food", "manual", "reward"]),
  submissionId: uuid,
  relatedId: orNull(uuid),
  isLifetime: bool,
  operation: code<Operation>(),
  status: code<RecordStatus>(),
  healthPoints: int4,
  carbonPoints: int4,
  bonusPoints: int4,
  otherPoints: int4,
  greenProducts: int4,
  healthyProducts: int4,
  co2eMg: float8,
  createdAt: timestamptz,
  updatedAt: timestamptz,
  ...STORED_BODY,
};
// The statuses of a record ascend from one state to the next.
const COLUMNS = `records.id, application_id AS "applicationId", records.user_id AS "userId", sequence::float8 AS sequence,
  source, submission_id AS "submissionId", related_id AS "relatedId", is_lifetime AS "isLifetime", operation,
  greatest(records.status, changes.status) AS status, health_points AS "healthPoints", carbon_points AS "carbonPoints",
  bonus_points AS "bonusPoints", other_points AS "otherPoints", green_products AS "greenProducts",
  healthy_products AS "healthyProducts", co2e_mg::float8 AS "co2eMg", created_at AS "createdAt",
  greatest(created_at, changes.changed_at) AS "updatedAt", body, packed`;
const RECORDS = `records LEFT JOIN LATERAL (
           SELECT max(status) AS status, max(changed_at) AS changed_at FROM record_changes
           WHERE record_changes.user_id = records.user_id AND record_id = records.id
         ) AS changes ON true`;
// A user may be erased between their lookup and one of these statements: then nothing is left to show.
const PAGE = statement(
  "points.page",
  RECORD,
  `SELECT ${COLUMNS} FROM ${RECORDS} WHERE records.user_id = $1 AND records.sequence BETWEEN $2 AND $3 AND ${HAS_CONTENT}
         ORDER BY sequence DESC`,
);
const FIND = statement(
  "points.find",
  RECORD,
  `SELECT ${COLUMNS} FROM ${RECORDS} WHERE records.user_id = $1 AND records.id = $2 AND ${HAS_CONTENT}`,
);
const FIND_RELATED = statement(
  "points.find-related",
  RECORD,
  `SELECT ${COLUMNS} FROM ${RECORDS} WHERE records.user_id = $1 AND related_id = $2 AND operation IN (3, 6)
           AND ${HAS_CONTENT} ORDER BY sequence`,
);
const FIND_EXPLAINED = statement(
  "points.find-explained",
  {
    ...RECORD,
    rule: text,
    ...STORED_INPUTS,
    catalogueVersion: text,
  },
  `SELECT ${COLUMNS}, rule, ${STORED_INPUTS_COLUMNS}, catalogue_version AS "catalogueVersion"
         FROM ${RECORDS} WHERE records.user_id = $1 AND records.id = $2 AND ${HAS_CONTENT}`,
);
const FIND_BY_SUBMISSION = statement(
  "points.find-by-submission",
  RECORD,
  `SELECT ${COLUMNS} FROM ${RECORDS} WHERE records.user_id = $1 AND records.source = $2 AND submission_id = $3
           AND ${HAS_CONTENT}`,
);
const FIND_AWARD = statement(
  "points.find-award",
  { ...STORED_INPUTS, ...STORED_BODY, submissionId: uuid },
  `SELECT ${STORED_INPUTS_COLUMNS}, body, packed, submission_id AS "submissionId" FROM records
         WHERE user_id = $1 AND source = $2 AND submission_id = $3 AND operation = 1 AND ${HAS_CONTENT}`,
);
const FIRST_SEQUENCE_FROM = statement(
  "points.first-sequence-from",
  { sequence: float8 },
  `SELECT sequence::float8 AS sequence FROM records WHERE user_id = $1 AND created_at >= $2
         ORDER BY created_at, sequence LIMIT 1`,
);
const LAST_SEQUENCE_BEFORE = statement(
  "points.last-sequence-before",
  { sequence: float8 },
  `SELECT sequence::float8 AS sequence FROM records WHERE user_id = $1 AND created_at < $2
         ORDER BY created_at DESC, sequence DESC LIMIT 1`,
);

/**
 * Books awards in the order given: each is settled by what was booked before it (`settle`). Takes the users' locks in
 * ascending order, then those of campaigns; the caller already holds the locks of the submissions. `tiers` lets users
 * rise by it.
 */
export async function book(
  tx: Tx,
  bookings: readonly Booking[],
  now: Date,
  newId: () => string,
  tiers: TierKeeper = NO_TIERS,
): Promise<Booked[]> {
  if (bookings.length === 0) return [];
  const userIds = [...bookings.map((booking) => booking.userId), ...(await alsoDue(tx, bookings))];
  const applicationIds = bookings.map((booking) => booking.applicationId);
  const locked = await lockBalances(tx, userIds, applicationIds);
  const isPlain = !locked.isAnyLimited && bookings.every(({ terms }) => terms.limits === null && !hasParts(terms));
  const standing = isPlain ? null : await settleAll(tx, bookings, locked, now);
  const settled: readonly Pick<Settlement, "record" | "bonuses">[] =
    standing?.settled ?? bookings.map(({ record }) => ({ record, bonuses: [] }));
  const entries = settled.map(({ record, bonuses }, i) => {
    const booking = bookings[i]!;
    const caused = bonuses.map((due) => grantingDue(booking.applicationId, due, newId(), now));
    return [earning({ ...booking, record }), ...caused];
  });
  const posted = await append(tx, locked, entries.flat(), now, newId);
  const moved = usersMoved(locked, entries.flat());
  const earned = [...(standing?.standings.usersBefore ?? [])].map(
    ([userId, { tier }]) => [userId, { before: tier, balance: locked.balances.get(userId)! }] as const,
  );
  await tiers.settle(tx, moved, now, new Map(earned));
  let at = 0;
  const booked = settled.map(({ record }, i): Booked => {
    const own = entries[i]!.map((entry) => ({ entry, posted: posted[at++]! }));
    return { ...own[0]!.posted, record, bonuses: own.slice(1) };
  });
  const granted = settled.flatMap(({ bonuses }, i) =>
    bonuses.map((due, j) => {
      return { applicationId: bookings[i]!.applicationId, due, recordId: booked[i]!.bonuses[j]!.posted.id };
    }),
  );
  await insertGranted(tx, granted);
  return booked;
}

/** Other users whose balances the bookings may move. */
async function alsoDue(tx: Tx, bookings: readonly Booking[]): Promise<readonly string[]> {
  const queries = bookings.flatMap(({ userId, terms: { bonuses } }) => (bonuses ? [{ userId, rules: bonuses }] : []));
  return queries.length > 0 ? usersOfBonuses(tx, queries) : [];
}

async function settleAll(
  tx: Tx,
  bookings: readonly Booking[],
  locked: LockedBalances,
  now: Date,
): Promise<{ settled: Settlement[]; standings: Standings }> {
  const standings = await loadStandings(tx, bookings, locked, now);
  const settled = bookings.map((booking) => {
    const settlement = settle(standings.of(booking), booking);
    standings.keep(booking, settlement);
    return settlement;
  });
  await saveStandings(tx, standings, now);
  return { settled, standings };
}

/** A user's records from sequence `low` to `high`, newest first. */
export async function recordsBetween(tx: Tx, userId: string, low: number, high: number): Promise<RecordRow[]> {
  return (await tx.query(PAGE, [userId, low, high])).map(withBody);
}

/** One record of this user, by its id. */
export async function findRecord(tx: Tx, userId: string, id: string): Promise<RecordRow | null> {
  return (await tx.query(FIND, [userId, id])).map(withBody)[0] ?? null;
}

/** The records that reversed or corrected a record, in order. */
export async function relatedRecords(tx: Tx, userId: string, id: string): Promise<RecordRow[]> {
  return (await tx.query(FIND_RELATED, [userId, id])).map(withBody);
}

/** An award, a correction of one, or a bonus of a programme, with the inputs of its rule; null for other records. */
export async function findExplained(tx: Tx, userId: string, id: string): Promise<ExplainedRow | null> {
  const [row] = await withInputs(tx, await tx.query(FIND_EXPLAINED, [userId, id]));
  const { correction, bonus } = row?.ruleInputs ?? {};
  return row && (isAward(row) || correction || bonus) ? row : null;
}

/** The record of a submission. */
export async function findRecordOf(
  tx: Tx,
  userId: string,
  source: Source,
  submissionId: string,
): Promise<RecordRow | null> {
  return (await tx.query(FIND_BY_SUBMISSION, [userId, source, submissionId])).map(withBody)[0] ?? null;
}

/** The award of a submission as it was composed and booked; null: there is none, or its content was erased. */
export async function findAwardOf(
  tx: Tx,
  userId: string,
  source: Source,
  submissionId: string,
): Promise<ComposedRecord | null> {
  const [row] = await withInputs(tx, await tx.query(FIND_AWARD, [userId, source, submissionId]));
  const { items: awardItems, award, bases, dayCut, spendCut, settled } = row?.ruleInputs ?? {};
  if (!row || !awardItems || !award || !bases) return null;
  const decided = { ...(dayCut && { dayCut }), ...(spendCut && { spendCut }), ...(settled && { settled }) };
  return { body: row.body, awardItems, award, bases, ...decided };
}

/**
 * The sequence numbers of a user's records with `from <= createdAt < before`. Both ascend together, so two lookups do.
 * `last` is the user's newest number. An empty range has `high < low`.
 */
export async function sequencesBetween(
  tx: Tx,
  userId: string,
  range: { from: Date | null; before: Date | null },
  last: number,
): Promise<{ low: number; high: number }> {
  const first = range.from && (await tx.query(FIRST_SEQUENCE_FROM, [userId, range.from]))[0];
  const final = range.before && (await tx.query(LAST_SEQUENCE_BEFORE, [userId, range.before]))[0];
  return {
    low: range.from ? (first?.sequence ?? last + 1) : 1,
    high: range.before ? (final?.sequence ?? 0) : last,
  };
}
