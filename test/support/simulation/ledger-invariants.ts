import assert from "node:assert/strict";
import { OPERATION, RECORD_STATUS } from "../../../src/points/codes.ts";
import type { Operation } from "../../../src/points/codes.ts";
import type { RecordBody } from "../../../src/points/record.ts";
import type { World } from "./world.ts";

interface LedgerRow {
  id: string;
  userId: string;
  sequence: number;
  operation: Operation;
  points: number;
  isLifetime: boolean;
  relatedId: string | null;
  createdAt: Date;
  body: RecordBody;
  statuses: number[];
  references: string[];
  events: string[];
}

interface BalanceRow {
  userId: string;
  records: number;
  otherRecords: number;
  lifetimePoints: number;
  availablePoints: number;
  isOverdrawn: boolean;
}

/** The events of a record, by its operation. Those of an award belong to its submission. */
const EVENTS: Partial<Record<Operation, readonly string[]>> = {
  [OPERATION.adjust]: ["points.adjusted"],
  [OPERATION.reverse]: ["points.reversed"],
};

/** Checks the ledger of all users, after any crash: computed here from the rows, without any code of the service. */
export async function checkLedger(world: World): Promise<void> {
  const rows = await readRecords(world);
  const ids = new Set(rows.map(({ id }) => id));
  for (const id of world.booked) assert.ok(ids.has(id), `${id} was booked, and is lost`);
  for (const balance of await readBalances(world)) {
    checkBalance(
      balance,
      rows.filter(({ userId }) => userId === balance.userId),
    );
  }
  for (const row of rows) {
    const later = rows.filter(({ userId, relatedId }) => userId === row.userId && relatedId === row.id);
    checkReversals(row, later);
    const { operation, id, events, references } = row;
    if (operation !== OPERATION.earn) assert.deepEqual(events, EVENTS[operation], `events of ${id}`);
    assert.deepEqual(references, operation === OPERATION.adjust ? [row.body.reference] : [], `references of ${id}`);
  }
  const used = rows.flatMap(({ references }) => references);
  assert.equal(new Set(used).size, used.length, "each reference is used once");
  assert.equal(await countMovedEvents(world), rows.filter(({ operation }) => EVENTS[operation]).length, "events");
}

function checkBalance(balance: BalanceRow, rows: readonly LedgerRow[]): void {
  const { userId, records, otherRecords, lifetimePoints, availablePoints, isOverdrawn } = balance;
  assert.deepEqual(
    rows.map(({ sequence }) => sequence),
    Array.from({ length: records }, (_, i) => i + 1),
    `records of ${userId}`,
  );
  assert.equal(rows.filter(({ operation }) => operation !== OPERATION.earn).length, otherRecords);
  let [available, lifetime] = [0, 0];
  for (const [i, { id, operation, points, isLifetime, createdAt }] of rows.entries()) {
    available += points;
    if (isLifetime) lifetime += points;
    if (points < 0 && available < 0) assert.equal(operation, OPERATION.reverse, `${id} spends more than there was`);
    const before = rows[i - 1];
    assert.ok(!before || (id > before.id && createdAt >= before.createdAt), "time, id and sequence are one order");
  }
  assert.deepEqual(
    { availablePoints, lifetimePoints, isOverdrawn },
    { availablePoints: available, lifetimePoints: lifetime, isOverdrawn: available < 0 },
    `points of ${userId}`,
  );
}

/** Each item is taken back at most once; a record is reversed exactly when nothing of it is left. */
function checkReversals(row: LedgerRow, later: readonly LedgerRow[]): void {
  const given = row.body.items.map((item) => item.id);
  const taken = later.flatMap(({ body }) => body.items.map((item) => item.id));
  assert.equal(new Set(taken).size, taken.length, `items of ${row.id} taken back once`);
  for (const id of taken) assert.ok(given.includes(id), `${id} is not of ${row.id}`);
  const left = row.points + later.reduce((sum, { points }) => sum + points, 0);
  assert.ok(row.points >= 0 ? left >= 0 && left <= row.points : left <= 0 && left >= row.points, `rest of ${row.id}`);
  for (const { isLifetime } of later) assert.equal(isLifetime, row.isLifetime);
  const isReversed = later.length > 0 && taken.length === given.length;
  assert.deepEqual(row.statuses, isReversed ? [RECORD_STATUS.reversed] : [], `later statuses of ${row.id}`);
  if (given.length === 0) assert.ok(later.length <= 1, `${row.id} is taken back once`);
}

async function readRecords({ database, userIds }: World): Promise<LedgerRow[]> {
  return database.query<LedgerRow>(
    {
      name: "simulation.records",
      text: `SELECT id, user_id AS "userId", sequence::int AS sequence, operation, total_points AS points,
                    is_lifetime AS "isLifetime", related_id AS "relatedId", created_at AS "createdAt", body,
                    ARRAY(SELECT status::int FROM record_changes AS changed
                          WHERE changed.user_id = records.user_id AND record_id = records.id ORDER BY status) AS statuses,
                    ARRAY(SELECT reference FROM record_references AS used
                          WHERE used.user_id = records.user_id AND record_id = records.id) AS references,
                    ARRAY(SELECT type FROM events WHERE events.user_id = records.user_id AND subject = submission_id
                          ORDER BY position) AS events
             FROM records WHERE user_id = ANY ($1) ORDER BY user_id, sequence`,
    },
    [userIds],
  );
}

async function readBalances({ database, userIds }: World): Promise<BalanceRow[]> {
  return database.query<BalanceRow>(
    {
      name: "simulation.balances",
      text: `SELECT user_id AS "userId", records::int AS records, other_records::int AS "otherRecords",
                    lifetime_points::int AS "lifetimePoints", available_points::int AS "availablePoints",
                    is_overdrawn AS "isOverdrawn"
             FROM balances WHERE user_id = ANY ($1)`,
    },
    [userIds],
  );
}

async function countMovedEvents({ database, userIds }: World): Promise<number> {
  const [row] = await database.query<{ n: number }>(
    {
      name: "simulation.moved-events",
      text: "SELECT count(*)::int AS n FROM events WHERE user_id = ANY ($1) AND type LIKE 'points.%'",
    },
    [userIds],
  );
  return row!.n;
}
