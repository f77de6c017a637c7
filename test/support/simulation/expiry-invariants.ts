import assert from "node:assert/strict";
import { OPERATION } from "../../../src/points/codes.ts";
import { expiriesByModel } from "./expiry-model.ts";
import type { ModelRule } from "./expiry-model.ts";
import { readLedger } from "./ledger-rows.ts";
import type { Ledger } from "./ledger-rows.ts";
import type { World } from "./world.ts";

const DAY_MS = 86_400_000;

/** Checks the expiries since the last time: each took the points that had expired then, no more and no fewer. */
export function checkExpiries(world: World, { rows, notices, late, erased }: Ledger): void {
  const rule = ruleOf(world);
  for (const expired of rows) {
    if (expired.operation !== OPERATION.expire || world.checkedExpiries.has(expired.id)) continue;
    world.checkedExpiries.add(expired.id);
    assert.ok(rule, `${expired.id} expired without a setting`);
    const before = rows.filter(({ userId, sequence }) => userId === expired.userId && sequence < expired.sequence);
    const own = late.filter(({ userId }) => userId === expired.userId);
    const due = [...expiriesByModel(before, rule, own)].filter(([at]) => at <= world.clockMs);
    const points = due.reduce((sum, [, each]) => sum + each, 0);
    assert.equal(expired.points, -points, `points of the expiry ${expired.id}`);
    if (rule.noticeDays === 0 || erased.has(expired.userId)) continue;
    const dueAt = due.at(-1)![0];
    const isNotified = notices.some(
      ({ userId, expiresAt }) => userId === expired.userId && Date.parse(expiresAt) === dueAt,
    );
    assert.ok(isNotified, `${expired.id} expired without a notice`);
  }
  const announced = notices.map(({ userId, expiresAt }) => `${userId} ${expiresAt}`);
  if (!world.hasGoneBack) assert.equal(new Set(announced).size, announced.length, "an expiry is announced once");
}

/** Checks that nobody has points that should have expired, or whose expiry should have been announced. */
export async function checkNothingDue(world: World): Promise<void> {
  const rule = ruleOf(world);
  if (!rule) return;
  const { rows, notices, late, erased, balances } = await readLedger(world);
  const announced = new Set(notices.map(({ userId, expiresAt }) => `${userId} ${expiresAt}`));
  for (const { userId } of balances.filter((balance) => !erased.has(balance.userId))) {
    const own = rows.filter((row) => row.userId === userId);
    const ownLate = late.filter((row) => row.userId === userId);
    for (const [at, points] of expiriesByModel(own, rule, ownLate)) {
      assert.ok(at > world.clockMs, `${points} points of ${userId} should have expired`);
      const expiresAt = new Date(at).toISOString();
      if (at > world.clockMs + rule.noticeDays * DAY_MS) continue;
      assert.ok(announced.has(`${userId} ${expiresAt}`), `${userId} was not notified of ${expiresAt}`);
    }
  }
}

function ruleOf({ settings }: World): ModelRule | null {
  const { expiryMonths: months, expiryFrom: from, expiryNoticeDays: noticeDays, setAt } = settings;
  return months === null ? null : { months, from, noticeDays, setAt };
}
