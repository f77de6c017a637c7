import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { DAY_MS } from "../../time.ts";
import { announcedBy, expiredBy, expiriesOf, isLate, monthsLater, oldestToExpire } from "./expiry.ts";
import type { ExpiryRule, PointsHistory } from "./expiry.ts";

const day = (n: number) => new Date(Date.UTC(2024, 0, 1) + n * DAY_MS);
const LONG_AGO = new Date(0);
const RULE: ExpiryRule = { months: 12, from: "earning", noticeDays: 14, setAt: LONG_AGO };

/** A record of a user, with the record that it reverses or refunds. */
interface Moved {
  readonly at: number;
  readonly points: number;
  readonly root: number;
}

/** Sums records as the statement of the store does. */
function historyOf(records: readonly Moved[]): PointsHistory {
  const groups = Map.groupBy(records, ({ root }) => root);
  const nets = [...groups].map(([root, of]) => ({
    earnedOn: day(records[root]!.at),
    points: of.reduce((sum, { points }) => sum + points, 0),
  }));
  return {
    availablePoints: records.reduce((sum, { points }) => sum + points, 0),
    credits: nets.filter(({ points }) => points > 0).sort((a, b) => a.earnedOn.getTime() - b.earnedOn.getTime()),
    debits: nets.reduce((sum, { points }) => sum + Math.max(-points, 0), 0),
    activeAt: null,
    givenBackAt: null,
    lateAt: null,
  };
}

/** Each point on its own: earned in order, the oldest is spent first. Returns the days of those that are left. */
function pointByPoint(records: readonly Moved[]): number[] {
  const net = records.map((_, root) =>
    records.reduce((sum, record) => sum + (record.root === root ? record.points : 0), 0),
  );
  const queue = records.flatMap(({ at }, root) => Array.from({ length: Math.max(net[root]!, 0) }, () => at));
  for (const points of net) for (let n = points; n < 0; n++) queue.shift();
  return queue;
}

interface Step {
  kind: "earn" | "spend" | "expire" | "undo";
  days: number;
  amount: number;
}
const STEP = fc.record<Step>({
  kind: fc.constantFrom("earn", "earn", "spend", "expire", "undo"),
  days: fc.integer({ min: 0, max: 200 }),
  amount: fc.integer({ min: 1, max: 30 }),
});

/** Carries out steps one after the other: whatever is taken is there, but for reversals of what is spent. */
function carriedOut(steps: readonly Step[], rule: ExpiryRule): { records: Moved[]; expired: number[] } {
  const records: Moved[] = [];
  const expired: number[] = [];
  let at = 0;
  const append = (points: number, root = records.length) => records.push({ at, points, root });
  for (const { kind, days, amount } of steps) {
    at += days;
    const available = records.reduce((sum, { points }) => sum + points, 0);
    if (kind === "earn") append(amount);
    if (kind === "spend" && available > 0) append(-Math.min(amount, available));
    if (kind === "expire") {
      const points = expiredBy(expiriesOf(historyOf(records), rule), day(at));
      expired.push(points);
      assert.ok(points <= Math.max(available, 0), "an expiry never makes a balance negative");
      const old = pointByPoint(records).filter((earned) => monthsLater(day(earned), rule.months) <= day(at));
      assert.equal(points, old.length, "the points that expire are those that a queue of single points has left");
      if (points > 0) append(-points);
      assert.equal(expiredBy(expiriesOf(historyOf(records), rule), day(at)), 0, "a second run finds nothing");
    }
    const root = amount % Math.max(records.length, 1);
    const open = records.filter((record) => record.root === root).reduce((sum, { points }) => sum + points, 0);
    if (kind === "undo" && open !== 0) append(-open, root);
  }
  return { records, expired };
}

test("in any order of earning, spending, taking back and expiry, points expire first in, first out, and none twice", () => {
  fc.assert(
    fc.property(fc.array(STEP, { maxLength: 40 }), fc.integer({ min: 1, max: 24 }), (steps, months) => {
      const rule = { ...RULE, months };
      const { records } = carriedOut(steps, rule);
      const history = historyOf(records);
      const expiries = expiriesOf(history, rule);
      const left = expiries.reduce((sum, { points }) => sum + points, 0);
      assert.equal(left, Math.max(history.availablePoints, 0), "all points that are there expire one day, no others");
      assert.ok(expiries.every(({ points }, i) => points > 0 && expiries[i - 1]?.expiresAt !== expiries[i]!.expiresAt));
      assert.deepEqual(
        [...expiries].sort((a, b) => a.expiresAt.getTime() - b.expiresAt.getTime()),
        expiries,
      );
    }),
  );
});

test("without anything taken back, points are used in the order of their records, one after the other", () => {
  fc.assert(
    fc.property(fc.array(STEP, { maxLength: 40 }), (steps) => {
      const { records } = carriedOut(
        steps.filter(({ kind }) => kind !== "undo"),
        RULE,
      );
      // A queue that is run through time, as a user lives through it.
      const queue: number[] = [];
      for (const { at, points } of records) {
        for (let n = 0; n < points; n++) queue.push(at);
        for (let n = 0; n > points; n--) assert.notEqual(queue.shift(), undefined);
      }
      const expected = Map.groupBy(queue, (at) => monthsLater(day(at), RULE.months).getTime());
      const expiries = expiriesOf(historyOf(records), RULE);
      assert.deepEqual(
        expiries.map(({ expiresAt, points }) => [expiresAt.getTime(), points]),
        [...expected].map(([at, all]) => [at, all.length]),
      );
    }),
  );
});

test("a point lasts through the day that is N calendar months later, or the last day of that month", () => {
  const after = (from: string, months: number) => monthsLater(new Date(from), months).toISOString();
  assert.equal(after("2025-01-15T00:00:00Z", 12), "2026-01-16T00:00:00.000Z");
  assert.equal(after("2025-01-15T23:59:59.999Z", 12), "2026-01-16T00:00:00.000Z");
  assert.equal(after("2025-01-31T10:00:00Z", 1), "2025-03-01T00:00:00.000Z");
  assert.equal(after("2024-01-31T10:00:00Z", 1), "2024-03-01T00:00:00.000Z");
  assert.equal(after("2024-02-29T10:00:00Z", 12), "2025-03-01T00:00:00.000Z");
  assert.equal(after("2025-11-30T10:00:00Z", 3), "2026-03-01T00:00:00.000Z");
});

test("after activity all points expire together, months after it", () => {
  const history = { availablePoints: 70, credits: [], debits: 0, activeAt: day(0), givenBackAt: null, lateAt: null };
  const expiries = expiriesOf(history, { ...RULE, from: "activity" });
  assert.deepEqual(expiries, [{ expiresAt: monthsLater(day(0), 12), points: 70 }]);
  assert.deepEqual(expiriesOf({ ...history, availablePoints: -1 }, { ...RULE, from: "activity" }), []);
});

test("nothing expires within a notice of the day when expiry was set, or when points came back", () => {
  const history = historyOf([{ at: 0, points: 10, root: 0 }]);
  for (const from of ["earning", "activity"] as const) {
    for (const held of [{ setAt: day(1_000) }, { givenBackAt: day(1_000) }, { lateAt: day(1_000) }]) {
      const [expiry] = expiriesOf({ ...history, activeAt: day(0), ...held }, { ...RULE, from, ...held });
      assert.deepEqual(expiry, { expiresAt: day(1_014), points: 10 });
    }
  }
});

test("an expiry is announced in the days of its notice, and not any more when it is past", () => {
  const expiries = expiriesOf(historyOf([{ at: 0, points: 10, root: 0 }]), RULE);
  const at = expiries[0]!.expiresAt.getTime();
  const announced = (days: number) => announcedBy(expiries, RULE, new Date(at - days * DAY_MS)).length;
  assert.deepEqual([15, 14, 1, 0].map(announced), [0, 1, 1, 0]);
});

test("an expiry is late if it has passed and was not announced, and there are notices", () => {
  const expiries = expiriesOf(historyOf([{ at: 0, points: 10, root: 0 }]), RULE);
  const at = expiries[0]!.expiresAt;
  const before = new Date(at.getTime() - 1);
  assert.deepEqual(
    [
      isLate(expiries, RULE, new Set(), at),
      isLate(expiries, RULE, new Set(), before),
      isLate(expiries, RULE, new Set([at.getTime()]), at),
      isLate(expiries, { ...RULE, noticeDays: 0 }, new Set(), at),
    ],
    [true, false, false, false],
  );
});

test("who has no old record has nothing that is due or to be announced", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 5_000 }),
      fc.integer({ min: 1, max: 120 }),
      fc.integer({ min: 0, max: 365 }),
      (earned, months, noticeDays) => {
        const rule = { ...RULE, months, noticeDays };
        const firstSeen = new Date(monthsLater(day(earned), months).getTime() - noticeDays * DAY_MS);
        assert.ok(day(earned) < oldestToExpire(rule, firstSeen));
      },
    ),
  );
});
