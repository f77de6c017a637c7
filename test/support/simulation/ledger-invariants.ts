import assert from "node:assert/strict";
import { OPERATION, RECORD_STATUS } from "../../../src/points/codes.ts";
import type { RecordBody, RecordItem } from "../../../src/points/record.ts";
import { checkExpiries } from "./expiry-invariants.ts";
import { readLedger } from "./ledger-rows.ts";
import type { BalanceRow, LedgerRow, RedemptionRow } from "./ledger-rows.ts";
import { checkRedemptions } from "./redemption-invariants.ts";
import type { World } from "./world.ts";

const { earn, redeem, adjust, refund, expire, reverse } = OPERATION;

/** Checks the ledger of all users, after any crash: computed here from the rows, without any code of the service. */
export async function checkLedger(world: World): Promise<void> {
  assert.deepEqual(world.jobErrors, [], "errors of jobs");
  const ledger = await readLedger(world);
  const { rows, balances, redemptions, erased, movedEvents } = ledger;
  const ids = new Set(rows.map(({ id }) => id));
  for (const id of world.booked) assert.ok(ids.has(id), `${id} was booked, and is lost`);
  const rowsOf = Map.groupBy(rows, ({ userId }) => userId);
  for (const balance of balances) checkBalance(balance, rowsOf.get(balance.userId) ?? []);
  const laterOf = Map.groupBy(rows, ({ userId, relatedId }) => `${userId} ${relatedId}`);
  const redemptionOf = new Map(redemptions.map((redemption) => [redemption.recordId, redemption]));
  for (const row of rows) {
    const later = laterOf.get(`${row.userId} ${row.id}`) ?? [];
    if (row.operation === earn || (row.operation === adjust && row.relatedId === null)) {
      checkTakenBack(row, later, erased.has(row.userId));
    } else if (row.operation !== redeem) assert.deepEqual([later, row.statuses], [[], []], `${row.id} is final`);
    if (!erased.has(row.userId)) checkTraces(row, redemptionOf.get(row.id));
  }
  const used = rows.flatMap(({ operation, references }) => references.map((reference) => `${operation} ${reference}`));
  assert.equal(new Set(used).size, used.length, "each reference is used once");
  const own = rows.filter((row) => !erased.has(row.userId) && !isAward(row));
  assert.equal(movedEvents, own.flatMap(({ events }) => events).length, "no other event was sent");
  checkRedemptions(world, ledger, laterOf);
  checkExpiries(world, ledger);
}

const isAward = ({ operation, isBonus }: LedgerRow) => operation === earn && !isBonus;

function checkBalance(balance: BalanceRow, rows: readonly LedgerRow[]): void {
  const { userId, records, otherRecords, lifetimePoints, availablePoints, isOverdrawn } = balance;
  assert.deepEqual(
    rows.map(({ sequence }) => sequence),
    Array.from({ length: records }, (_, i) => i + 1),
    `records of ${userId}`,
  );
  assert.equal(rows.filter((row) => !isAward(row)).length, otherRecords);
  let [available, lifetime] = [0, 0];
  for (const [i, { id, operation, points, rated, otherPoints, isLifetime, relatedId, createdAt }] of rows.entries()) {
    available += points;
    if (isLifetime) lifetime += points;
    const takesBack = operation === reverse || (operation === adjust && relatedId !== null);
    if (points < 0 && available < 0) assert.ok(takesBack, `${id} spends more than there was`);
    // Points that are not taken, since they were spent, are the other points of what takes back points of ratings.
    if (takesBack && rated < 0 && otherPoints > 0) assert.ok(available <= 0, `${id} leaves points that were not spent`);
    const before = rows[i - 1];
    assert.ok(!before || (id > before.id && createdAt >= before.createdAt), "time, id and sequence are one order");
  }
  assert.deepEqual(
    { availablePoints, lifetimePoints, isOverdrawn },
    { availablePoints: available, lifetimePoints: lifetime, isOverdrawn: available < 0 },
    `points of ${userId}`,
  );
}

/**
 * What an award, bonus or adjustment gave is taken back at most once, by as much as it gave, whatever corrected it
 * meanwhile. A record is reversed exactly when a reversal left nothing of it.
 */
function checkTakenBack(row: LedgerRow, later: readonly LedgerRow[], isErased: boolean): void {
  for (const { operation, isLifetime } of later) {
    assert.ok(operation === reverse || (operation === adjust && isAward(row)), `kinds of ${row.id}`);
    assert.equal(isLifetime, row.isLifetime);
  }
  const all = [row, ...later];
  const sum = all.reduce((total, { points }) => total + points, 0);
  if (row.operation === earn || row.points >= 0) assert.ok(sum >= 0, `${row.id} has lost more than it gave`);
  if (row.operation === adjust) assert.ok(Math.abs(sum) <= Math.abs(row.points), `${row.id} gives what it never took`);
  if (isErased) return;
  const left = new Map<string, RecordItem>();
  const seen = new Set<string>();
  let isReversed = false;
  for (const { id, operation, body, rated, co2eMg } of all) {
    assert.equal(
      body.items.reduce((points, item) => points + pointsOf(item), body.bonus?.points ?? 0),
      rated,
      `points of ${id}`,
    );
    assert.equal(
      body.items.reduce((mg, item) => mg + item.co2eMg, 0),
      co2eMg,
      `CO2e of ${id}`,
    );
    for (const item of body.items) {
      const given = left.get(item.id);
      assert.ok(given ? left.delete(item.id) : !seen.has(item.id), `${item.id} is taken back or credited twice`);
      if (given) assert.deepEqual([pointsOf(item), item.co2eMg], [0 - pointsOf(given), 0 - given.co2eMg], item.id);
      else left.set(item.id, item);
      seen.add(item.id);
    }
    if (operation === reverse) isReversed ||= left.size === 0;
    else assert.ok(!isReversed, `${row.id} was changed after it was reversed`);
    if (isCorrection(body)) checkCorrection(id, body);
  }
  assert.deepEqual(row.statuses, isReversed ? [RECORD_STATUS.reversed] : [], `later statuses of ${row.id}`);
}

const isCorrection = ({ reason = "" }: RecordBody) => reason.startsWith("Misread");

/** A correction takes away the line that it is about, and no other. */
function checkCorrection(id: string, { items, reason }: RecordBody): void {
  const isTaken = (item: RecordItem) => item.co2eMg < 0 || pointsOf(item) < 0;
  const given = new Set(items.filter((item) => !isTaken(item)).map(({ name }) => name));
  const gone = items.filter((item) => isTaken(item) && !given.has(item.name)).map(({ name }) => name);
  assert.ok(gone.length <= Number(/\d/.exec(reason!)![0]), `${id} takes away ${gone.join(" and ")}`);
}

function pointsOf({ healthPoints, carbonPoints, bonusPoints }: RecordItem): number {
  return healthPoints + carbonPoints + bonusPoints;
}

/** A record has its reference and its events, each once. Those of an award belong to its submission. */
function checkTraces(row: LedgerRow, redemption: RedemptionRow | undefined): void {
  const { id, operation, isBonus, relatedId, body, references, events } = row;
  const isReferred = isBonus || operation === redeem || (operation === adjust && relatedId === null);
  assert.deepEqual(references, isReferred ? [body.reference] : [], `references of ${id}`);
  if (!isAward(row)) assert.deepEqual(events, eventsOf(row, redemption), `events of ${id}`);
}

function eventsOf({ operation, isBonus, relatedId, body, statuses }: LedgerRow, redemption?: RedemptionRow): string[] {
  if (isBonus) return ["bonus.awarded"];
  if (operation === reverse) return ["points.reversed"];
  if (operation === expire) return ["points.expired"];
  if (operation === adjust && relatedId === null) return ["points.adjusted"];
  if (operation === adjust) return isCorrection(body) ? ["receipt_corrected"] : [];
  // Those of a refund are of its redemption.
  if (operation === refund) return [];
  return [
    "points.redeemed",
    ...(statuses.includes(RECORD_STATUS.completed) ? ["redemption.confirmed"] : []),
    ...(redemption?.usedAt ? ["voucher.used"] : []),
    ...(statuses.some((status) => status > RECORD_STATUS.completed) ? ["points.refunded"] : []),
  ];
}

/** Checks that nothing waits any more when all jobs have run, and that nothing is left of those who were erased. */
export async function checkLedgerEnd(world: World): Promise<void> {
  const { redemptions, erased, balances } = await readLedger(world);
  assert.deepEqual(
    redemptions.filter(({ state }) => state === "pending"),
    [],
    "no reservation waits",
  );
  for (const { userId, availablePoints } of balances) {
    if (!erased.has(userId)) assert.ok(availablePoints <= 0, `${userId} has points that should have expired`);
  }
  for (const table of ERASED_TABLES) {
    const text = `SELECT FROM ${table} WHERE user_id = ANY ($1)`;
    const rows = await world.database.query({ name: `simulation.left-${table}`, text }, [[...erased]]);
    assert.equal(rows.length, 0, `of the erased nothing is left in ${table}`);
  }
}

const ERASED_TABLES = [
  "intakes",
  "receipts",
  "receipt_findings",
  "receipt_prints",
  "receipt_corrections",
  "redemptions",
  "voucher_codes",
  "record_references",
  "expiry_notices",
  "events",
];
