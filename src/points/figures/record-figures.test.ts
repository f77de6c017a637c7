import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createCollected } from "../../reports/figures/collected.ts";
import { DAY_MS } from "../../time.ts";
import { NO_AMOUNTS } from "../entry.ts";
import { countRecord } from "./record-figures.ts";
import type { CountedRecord } from "./record-figures.ts";

const AT = new Date("2026-11-22T10:00:00Z");

function counted(change: Partial<CountedRecord>, lastAwardAt: Date | null = null): Record<string, number> {
  const collected = createCollected();
  const record: CountedRecord = {
    operation: 1,
    source: "meal",
    relatedId: null,
    createdAt: AT,
    amounts: NO_AMOUNTS,
    body: {},
    bases: [],
    extras: [],
    isOpening: false,
    ...change,
  };
  countRecord(collected.on("app", record.createdAt), record, lastAwardAt);
  return { ...collected.all()[0]?.figures };
}

test("points count once, by their cause, as they move the balance", () => {
  const other = (otherPoints: number) => ({ ...NO_AMOUNTS, otherPoints });
  const of = (change: Partial<CountedRecord>) => counted({ source: "manual", ...change });
  assert.deepEqual(of({ operation: 2, source: "reward", amounts: other(-5) }), { "points.redeemed": -5 });
  assert.deepEqual(of({ operation: 4, source: "reward", amounts: other(5) }), { "points.refunded": 5 });
  assert.deepEqual(of({ operation: 5, amounts: other(-5) }), { "points.expired": -5 });
  assert.deepEqual(of({ operation: 3, amounts: other(5) }), { "points.adjusted": 5 });
  assert.deepEqual(of({ operation: 3, amounts: other(5), isOpening: true }), { "points.opening": 5 });
  assert.deepEqual(of({ operation: 3, amounts: other(5), relatedId: "x" }), { "points.corrected": 5 });
  const taken = { ...NO_AMOUNTS, healthPoints: -3, carbonPoints: -2, co2eMg: -7, greenProducts: -1 };
  assert.deepEqual(of({ operation: 6, amounts: taken, relatedId: "x" }), {
    "impact.co2e": -7,
    "impact.green": -1,
    "points.reversed": -5,
  });
  const bonus = { type: 2, profileId: "", points: 9 } as const;
  const amounts = { ...NO_AMOUNTS, bonusPoints: 9 };
  assert.deepEqual(of({ amounts, body: { bonus } }), { "points.bonus.welcome": 9 });
  assert.deepEqual(of({ amounts }), { "points.bonus.unknown": 9 }, "erased");
  const extras = [
    { campaignId: null, points: 1 },
    { campaignId: "veg.1", points: 3 },
    { campaignId: "none", points: 0 },
  ];
  const { "campaign.awards.veg.1": awards, "campaign.points.veg.1": given, ...rest } = counted({ extras });
  assert.deepEqual([awards, given, Object.keys(rest).filter((name) => name.startsWith("campaign"))], [1, 3, []]);
  const award = { healthPoints: 1, carbonPoints: 2, bonusPoints: 4 };
  const {
    "points.health.meal": health,
    "points.climate.meal": climate,
    "points.extra.meal": extra,
  } = counted({
    amounts: { ...NO_AMOUNTS, ...award },
  });
  assert.deepEqual([health, climate, extra], [1, 2, 4]);
});

test("a user counts as active once in each day, week and month, whatever the times of the awards", () => {
  const anyTimes = fc
    .array(fc.integer({ min: 0, max: 90 * 24 }), { minLength: 1, maxLength: 30 })
    .map((hours) =>
      hours.toSorted((a, b) => a - b).map((hour) => new Date(Date.UTC(2026, 10, 1) + (hour * DAY_MS) / 24)),
    );
  const weekOf = (at: Date) => Math.floor((at.getTime() / DAY_MS + 3) / 7);
  fc.assert(
    fc.property(anyTimes, (times) => {
      const sums = new Map<string, number>();
      for (const [i, createdAt] of times.entries()) {
        for (const [figure, n] of Object.entries(counted({ createdAt }, times[i - 1] ?? null))) {
          sums.set(figure, (sums.get(figure) ?? 0) + n);
        }
      }
      const different = (period: (at: Date) => unknown) => new Set(times.map(period)).size;
      assert.equal(
        sums.get("active.day"),
        different((at) => at.toISOString().slice(0, 10)),
      );
      assert.equal(sums.get("active.week"), different(weekOf));
      assert.equal(
        sums.get("active.month"),
        different((at) => at.toISOString().slice(0, 7)),
      );
    }),
  );
});
