import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { DAY_MS } from "../../time.ts";
import { expiriesOf } from "./expiry.ts";
import { NO_SUMS, historyOf, withLater } from "./sums.ts";
import type { ExpirySums } from "./sums.ts";

/** A record of one day after the other; `root` is the index of the record that it relates to. */
interface Moved {
  readonly points: number;
  readonly root: number;
}

const RECORDS = fc
  .array(fc.record({ points: fc.integer({ min: -30, max: 60 }), back: fc.nat({ max: 9 }), undoes: fc.boolean() }))
  .map((all) => all.map(({ points, back, undoes }, i): Moved => ({ points, root: undoes && back < i ? back : i })));

/** The sums of records from one number on and before another, as the statement of the store computes them. */
function sumsOf(records: readonly Moved[], from: number, to: number): ExpirySums {
  const net = (root: number, before: number) =>
    records.slice(0, before).reduce((sum, record) => sum + (record.root === root ? record.points : 0), 0);
  const credits = new Map<number, number>();
  const returns = new Map<number, number>();
  let activeAt: Date | null = null;
  for (const root of new Set(records.slice(from, to).map((record) => record.root))) {
    const points = Math.max(0, net(root, to)) - Math.max(0, net(root, from));
    if (points !== 0) credits.set(root, points);
  }
  for (let i = from; i < to; i++) {
    const { points, root } = records[i]!;
    if (root !== i && points > 0) returns.set(i - root, i * DAY_MS);
    if (root === i && points > 0) activeAt = new Date(i * DAY_MS);
  }
  const ascending = (of: Map<number, number>) => [...of].toSorted(([a], [b]) => a - b);
  return { credits: ascending(credits), returns: ascending(returns), activeAt };
}

test("sums of records in any parts are those of all at once", () => {
  fc.assert(
    fc.property(RECORDS, fc.array(fc.nat()), (records, cuts) => {
      const ends = [...cuts.map((cut) => cut % (records.length + 1)), records.length].toSorted((a, b) => a - b);
      let [sums, from] = [NO_SUMS, 0];
      for (const to of ends) {
        sums = withLater(sums, sumsOf(records, from, to));
        from = to;
      }
      assert.deepEqual(sums, sumsOf(records, 0, records.length));
    }),
  );
});

test("of the sums as many points are used, the oldest first, as there are more than those of the balance", () => {
  const rule = { months: 1, from: "earning" as const, noticeDays: 14, setAt: new Date(0) };
  const sums: ExpirySums = {
    credits: [
      [1, 10],
      [40, 20],
    ],
    returns: [
      [13, 50 * DAY_MS],
      [14, 30 * DAY_MS],
      [20, 20 * DAY_MS],
    ],
    activeAt: null,
  };
  const history = historyOf(sums, rule, { availablePoints: 25, lateAt: null });
  assert.equal(history.debits, 5);
  assert.deepEqual(history.givenBackAt, new Date(30 * DAY_MS), "the last of those that were gone for a notice");
  assert.deepEqual(
    expiriesOf(history, rule).map(({ points }) => points),
    [5, 20],
  );
  assert.equal(historyOf(NO_SUMS, rule, { availablePoints: 5, lateAt: null }).givenBackAt, null);
});
