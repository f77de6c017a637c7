import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Source } from "../award.ts";
import { PARTNER_TYPE } from "../codes.ts";
import { composeRecord, recordTotals } from "../record.ts";
import type { ComposedRecord } from "../record.ts";
import type { ScoredLine } from "../scored-line.ts";
import { tallied, withinDay } from "./limits.ts";
import type { DayLimits, Tally } from "./limits.ts";

const HEAD = {
  reference: "r",
  brand: "",
  logo: "",
  location: "",
  partnerType: PARTNER_TYPE.unspecified,
  timestamp: "2026-10-25T09:00:00.000Z",
  currency: "GBP",
  totalAmountMinor: 100,
};
const DAY = "2026-10-25";
const OFF: DayLimits = { pointsADay: null, mealsADay: null, foodPointsADay: null };
const NOTHING: Tally = { points: 0, meals: 0, foodPoints: 0 };

interface Rated {
  health: 1 | 2 | 3 | 4 | 5;
  carbon: 1 | 2 | 3 | 4 | 5;
  massMg: number;
  isExcluded: boolean;
}

function recordOf(source: Source, rated: readonly Rated[]): ComposedRecord {
  const lines = rated.map(({ health, carbon, massMg, isExcluded }, i): ScoredLine => {
    const id = `r-${i + 1}`;
    const texts = { id, externalId: "", name: id, cleanedName: id, imageUrl: "", matchedName: id };
    const facts = { ...texts, quantity: 1, amountMinor: 100, soldByWeight: false, massMg };
    if (isExcluded) return { ...facts, exclusionReason: "NO_MATCH" };
    const ratings = { healthRating: health, carbonRating: carbon, co2eMg: 1, carbonDataSource: "test:1" };
    return { ...facts, exclusionReason: null, confidence: 1, plainWater: false, ...ratings };
  });
  return composeRecord(source, HEAD, lines);
}

/** The best of its kind: 10 points on a receipt, 30 as a meal, 5 as a food. */
function best(source: Source): ComposedRecord {
  return recordOf(source, [{ health: 1, carbon: 1, massMg: 200_000, isExcluded: false }]);
}

/** The points of records one after the other on one day, each of them cut to what is left. */
function dayOf(limits: DayLimits, records: readonly (readonly [Source, ComposedRecord])[]) {
  let tally = NOTHING;
  return records.map(([source, record]) => {
    const cut = withinDay(record, { source, limits, tally, day: DAY });
    tally = tallied(tally, source, cut.award.totalPoints);
    return cut;
  });
}

function pointsOf(limits: Partial<DayLimits>, ...sources: Source[]): number[] {
  const records = sources.map((source) => [source, best(source)] as const);
  return dayOf({ ...OFF, ...limits }, records).map(({ body }) => recordTotals(body).points);
}

test("points of a day are counted over receipts, meals and foods, and the record that exceeds the limit gets the rest", () => {
  assert.deepEqual(pointsOf({ pointsADay: 38 }, "receipt", "food", "meal", "food"), [10, 5, 23, 0]);
});

test("no more meals of a day earn points than the limit, and everything else still earns", () => {
  assert.deepEqual(
    pointsOf({ mealsADay: 2 }, "meal", "food", "meal", "meal", "receipt", "food"),
    [30, 5, 30, 0, 10, 5],
  );
});

test("a meal that earns nothing does not count for the limit", () => {
  const worst = recordOf("meal", [{ health: 5, carbon: 5, massMg: 200_000, isExcluded: false }]);
  const records = [worst, best("meal"), best("meal")].map((record) => ["meal", record] as const);
  const points = dayOf({ ...OFF, mealsADay: 1 }, records).map(({ award }) => award.totalPoints);
  assert.deepEqual(points, [0, 30, 0]);
});

test("points from foods have a limit of their own", () => {
  assert.deepEqual(pointsOf({ foodPointsADay: 8 }, "food", "meal", "food", "food", "receipt"), [5, 30, 3, 0, 10]);
});

test("a reduced record has the limit, the part of it that was used, and the points without it", () => {
  const limits = { pointsADay: 33, mealsADay: 1, foodPointsADay: 4 };
  const sources = ["food", "meal", "meal"] as const;
  const cuts = dayOf(
    limits,
    sources.map((source) => [source, best(source)] as const),
  ).map(({ dayCut }) => dayCut);
  assert.deepEqual(cuts, [
    { limit: "food_points_a_day", max: 4, day: DAY, used: 0, uncutPoints: 5 },
    { limit: "points_a_day", max: 33, day: DAY, used: 4, uncutPoints: 30 },
    { limit: "points_a_day", max: 33, day: DAY, used: 33, uncutPoints: 30 },
  ]);
});

test("a limit below the points already earned takes none back and leaves none", () => {
  const tally = { points: 90, meals: 9, foodPoints: 90 };
  for (const limits of [{ pointsADay: 80 }, { mealsADay: 3 }]) {
    const about = { source: "meal", limits: { ...OFF, ...limits }, tally, day: DAY } as const;
    assert.equal(withinDay(best("meal"), about).award.totalPoints, 0);
  }
});

const anySource = fc.constantFrom<Source>("receipt", "meal", "food");
const anyRating = fc.constantFrom<1 | 2 | 3 | 4 | 5>(1, 2, 3, 4, 5);
const anyRated = fc.record({
  health: anyRating,
  carbon: anyRating,
  massMg: fc.nat(500_000),
  isExcluded: fc.boolean(),
});
const anyRecord = anySource.chain((source) =>
  fc.array(anyRated, { minLength: 1, maxLength: 20 }).map((rated) => [source, recordOf(source, rated)] as const),
);
const anyDay = fc.array(anyRecord, { maxLength: 12 });
const anyLimit = (max: number) => fc.option(fc.nat(max));
const anyLimits = fc.record({ pointsADay: anyLimit(300), mealsADay: anyLimit(5), foodPointsADay: anyLimit(60) });

test("for any submissions of a day, no limit is exceeded, and no user earns more than without limits", () => {
  fc.assert(
    fc.property(anyLimits, anyDay, (limits, records) => {
      const booked = dayOf(limits, records);
      const points = booked.map(({ body }) => recordTotals(body).points);
      const sum = (source?: Source) =>
        points.reduce((all, each, i) => all + (source === undefined || records[i]![0] === source ? each : 0), 0);
      assert.ok(sum() <= (limits.pointsADay ?? Infinity));
      assert.ok(sum("food") <= (limits.foodPointsADay ?? Infinity));
      const meals = points.filter((each, i) => each > 0 && records[i]![0] === "meal").length;
      assert.ok(meals <= (limits.mealsADay ?? Infinity));
      booked.forEach(({ award, dayCut }, i) => {
        const [, uncut] = records[i]!;
        assert.ok(award.totalPoints <= uncut.award.totalPoints);
        assert.equal(award.totalPoints < uncut.award.totalPoints, dayCut !== undefined);
      });
    }),
  );
});

test("a reduced record is distributed over the same cells, each item adds up, and only points change", () => {
  fc.assert(
    fc.property(anyRecord, fc.nat(60), ([source, uncut], pointsADay) => {
      const about = { source, limits: { ...OFF, pointsADay }, tally: NOTHING, day: DAY };
      const { body, award, awardItems } = withinDay(uncut, about);
      const { points, healthPoints, carbonPoints, ...counts } = recordTotals(body);
      assert.equal(points, Math.min(pointsADay, uncut.award.totalPoints));
      assert.deepEqual(
        [points, healthPoints, carbonPoints],
        [award.totalPoints, award.totalHealthPoints, award.totalCarbonPoints],
      );
      assert.deepEqual({ ...recordTotals(uncut.body), ...counts }, recordTotals(uncut.body));
      assert.deepEqual(awardItems, uncut.awardItems);
      uncut.body.items.forEach((item, i) => {
        const { healthPoints: health, carbonPoints: carbon } = body.items[i]!;
        assert.ok(health >= 0 && health <= item.healthPoints + 1 && carbon >= 0 && carbon <= item.carbonPoints + 1);
        assert.deepEqual({ ...body.items[i], healthPoints: item.healthPoints, carbonPoints: item.carbonPoints }, item);
      });
      const cells = (of: ComposedRecord["award"]) => of.items.map((each) => [each.healthCell, each.carbonCell]);
      assert.deepEqual(cells(award), cells(uncut.award));
    }),
  );
});

test("without a limit, and below it, a record stays the same object", () => {
  fc.assert(
    fc.property(anyRecord, ([source, record]) => {
      const tally = { points: 1_000, meals: 100, foodPoints: 500 };
      assert.equal(withinDay(record, { source, limits: OFF, tally, day: DAY }), record);
      const limits = { pointsADay: 1_150, mealsADay: 101, foodPointsADay: 525 };
      assert.equal(withinDay(record, { source, limits, tally, day: DAY }), record);
    }),
  );
});
