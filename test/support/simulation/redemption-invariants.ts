import assert from "node:assert/strict";
import { OPERATION, RECORD_STATUS } from "../../../src/points/codes.ts";
import type { Ledger, LedgerRow, RedemptionRow } from "./ledger-rows.ts";
import { PRICES, STOCK } from "./shop.ts";
import type { World } from "./world.ts";

const { pending, completed, failed, reversed, expired } = RECORD_STATUS;

/** The statuses of a record by the state of its redemption: the first one, and the later ones. */
const STATUSES: Readonly<Record<RedemptionRow["state"], readonly (readonly [number, ...number[]])[]>> = {
  pending: [[pending]],
  completed: [[completed], [pending, completed]],
  released: [[pending, failed]],
  expired: [[pending, expired]],
  refunded: [
    [completed, reversed],
    [pending, completed, reversed],
  ],
};
const GIVEN_BACK: readonly RedemptionRow["state"][] = ["released", "expired", "refunded"];

/** Checks redemptions with their records, and that codes and stocks are all there: given, or left. */
export function checkRedemptions(
  world: World,
  ledger: Ledger,
  laterOf: ReadonlyMap<string, readonly LedgerRow[]>,
): void {
  const { rows, redemptions, erased } = ledger;
  const redemptionOf = new Map(redemptions.map((redemption) => [redemption.recordId, redemption]));
  assert.equal(redemptionOf.size, redemptions.length, "a record is of one redemption");
  const redeemed = rows.filter(({ operation }) => operation === OPERATION.redeem);
  for (const row of redeemed) {
    const redemption = redemptionOf.get(row.id);
    const later = laterOf.get(`${row.userId} ${row.id}`) ?? [];
    for (const { operation } of later) assert.equal(operation, OPERATION.refund);
    if (redemption) checkRedemption(row, later, redemption);
    else assert.ok(erased.has(row.userId), `the redemption of ${row.id} is lost`);
  }
  checkAcknowledged(world, ledger, redemptionOf);
  checkHolders(ledger);
  for (const ware of ["pool", "stocked", "both"] as const) {
    // What somebody has, or had when they were erased. A reservation of the erased was put back.
    const given = redeemed.filter(({ userId, id, points, status, statuses }) => {
      if (points !== -PRICES[ware] || laterOf.has(`${userId} ${id}`)) return false;
      return redemptionOf.has(id) || status === completed || statuses.includes(completed);
    });
    checkWare(ledger, { id: world.shop[ware], stock: STOCK[ware] }, given.length);
  }
}

function checkRedemption(row: LedgerRow, later: readonly LedgerRow[], redemption: RedemptionRow): void {
  const { id, state, usedAt, validTill, userId } = redemption;
  assert.deepEqual([id, userId], [row.submissionId, row.userId], `ids of ${row.id}`);
  const statuses = [row.status, ...row.statuses].join();
  assert.ok(STATUSES[state].map(String).includes(statuses), `${row.id} is ${state} with ${statuses}`);
  const returned = GIVEN_BACK.includes(state) ? [0 - row.points] : [];
  assert.deepEqual(
    later.map(({ points }) => points),
    returned,
    `refunds of ${row.id}, which is ${state}`,
  );
  if (!usedAt) return;
  assert.equal(state, "completed", `${id} was used`);
  assert.ok(!validTill || usedAt < validTill, `${id} was used in time`);
}

/** What was acknowledged is there, as it was then. */
function checkAcknowledged(
  { redeemed, confirmed, usedCodes }: World,
  { rows, redemptions, erased }: Ledger,
  redemptionOf: ReadonlyMap<string, RedemptionRow>,
): void {
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  for (const { id, reference, code } of redeemed) {
    const { userId, body } = rowOf.get(id)!;
    if (erased.has(userId)) continue;
    assert.deepEqual([body.reference, body.reward!.code], [reference, code], `what ${id} was`);
    assert.equal(redemptionOf.get(id)!.code ?? "", code, `the code of ${id}`);
  }
  for (const id of confirmed) assert.ok(rowOf.get(id)!.statuses.includes(completed), `${id} was confirmed`);
  assert.equal(new Set(usedCodes).size, usedCodes.length, "a code is used once");
  if (erased.size > 0) return;
  const used = new Set(redemptions.filter(({ usedAt }) => usedAt).map(({ code }) => code));
  for (const code of usedCodes) assert.ok(used.has(code), `${code} was used`);
}

/** A code has at most one holder, who got it by a redemption; and who got one by a redemption holds it. */
function checkHolders({ redemptions, codes, erased }: Ledger): void {
  const redemptionOf = new Map(redemptions.map((redemption) => [redemption.id, redemption]));
  const codeOf = new Map(codes.map((code) => [code.code, code]));
  for (const { code, rewardId, isFree, userId, redemptionId } of codes) {
    if (userId === null) {
      assert.ok(isFree ? rewardId !== null : erased.size > 0, `${code} is void without an erasure`);
      continue;
    }
    assert.ok(!isFree, `${code} is held and free`);
    const holder = redemptionOf.get(redemptionId!);
    assert.deepEqual([holder?.userId, holder?.code], [userId, code], `the holder of ${code}`);
    // One that the service has made stays with its redemption.
    if (rewardId !== null) assert.ok(!GIVEN_BACK.includes(holder!.state), `${code} was given back`);
  }
  const held = redemptions.filter(({ code, state }) => code !== null && !GIVEN_BACK.includes(state));
  assert.equal(new Set(held.map(({ code }) => code)).size, held.length, "no code is given twice");
  for (const { id, code } of held) assert.equal(codeOf.get(code!)?.redemptionId, id, `${code} is with its redemption`);
}

function checkWare(
  { rewards, codes }: Ledger,
  ware: { readonly id: string; readonly stock: number | null },
  given: number,
): void {
  const { stock, freeCodes } = rewards.find(({ id }) => id === ware.id)!;
  const pool = codes.filter(({ rewardId }) => rewardId === ware.id);
  const free = pool.filter(({ isFree }) => isFree).length;
  assert.equal(freeCodes, free, "the number of free codes");
  if (pool.length > 0) assert.equal(free + given, pool.length, "each code is free, or was given");
  assert.equal(stock, ware.stock === null ? null : ware.stock - given, "the stock and what was given");
}
