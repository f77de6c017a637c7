import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { award, isAccepted, POINTS_1 } from "./award.ts";
import type { AwardItem, Source } from "./award.ts";

const BEST: AwardItem = {
  kind: "rated",
  healthRating: 1,
  carbonRating: 1,
  confidence: 1,
  quantity: 1,
  soldByWeight: false,
  massMg: null,
};

function item(over: Partial<AwardItem>): AwardItem {
  return { ...BEST, ...over };
}

function total(source: Source, ...items: Partial<AwardItem>[]): number {
  return award(source, items.map(item)).totalPoints;
}

test("a meal of beef mince and lentils earns 16 points: beef 2 + 0, lentils 7 + 7", () => {
  const result = award("meal", [
    item({ healthRating: 4, carbonRating: 5, massMg: 200_000 }),
    item({ massMg: 200_000 }),
  ]);
  assert.deepEqual(result, {
    rule: "points/1",
    divisor: "800000",
    items: [
      { healthCell: "1200000", carbonCell: "0", healthPoints: 2, carbonPoints: 0, totalPoints: 2 },
      { healthCell: "6000000", carbonCell: "6000000", healthPoints: 7, carbonPoints: 7, totalPoints: 14 },
    ],
    totalHealthPoints: 9,
    totalCarbonPoints: 7,
    totalPoints: 16,
    capped: false,
  });
});

test("each rating has its base, and a missing one gives 0", () => {
  const bases = ([1, 2, 3, 4, 5, null] as const).map((healthRating) =>
    total("receipt", { healthRating, carbonRating: null }),
  );
  assert.deepEqual(bases, [5, 4, 2, 1, 0, 0]);
});

test("a confidence of 0.7 earns the full base, 0.5 half of it, less earns nothing", () => {
  const earned = [1, 0.7, 0.69, 0.5, 0.49, 0].map((confidence) => total("receipt", { confidence }));
  assert.deepEqual(earned, [10, 10, 5, 5, 0, 0]);
  assert.deepEqual(
    [0.5, 0.49].map((confidence) => isAccepted(confidence)),
    [true, false],
  );
});

test("a counted receipt line earns by its quantity, in exact hundredths, five pieces at most", () => {
  const cells = [0.29, 1, 1.15, 4.999, 5, 12, 0, -1].map(
    (quantity) => award("receipt", [item({ quantity })]).items[0]?.healthCell,
  );
  assert.deepEqual(cells, ["290", "1000", "1150", "4990", "5000", "5000", "0", "0"]);
});

test("a line sold by weight or volume earns for each started kilogram or litre", () => {
  const earned = [0.436, 1, 1.0001, 4.2, 70, 0, -0.5].map((quantity) =>
    total("receipt", { quantity, soldByWeight: true }),
  );
  assert.deepEqual(earned, [10, 10, 20, 50, 50, 0, 0]);
});

test("a tracked food earns half of that, for portions of at least 20 g", () => {
  assert.equal(total("food", { quantity: 1, massMg: 150_000 }), 5);
  assert.equal(total("food", { quantity: 1, massMg: 20_000 }), 5);
  assert.equal(total("food", { quantity: 1, massMg: 1_000 }), 0);
  assert.equal(total("food", { quantity: 3, massMg: 30_000 }), 7);
  assert.equal(total("food", { quantity: 9, massMg: 900_000 }), 25);
  assert.equal(total("food", { quantity: 2, massMg: null }), 10);
  assert.equal(award("food", [item({ quantity: 0.29, massMg: 150_000 })]).items[0]?.healthCell, "290");
});

test("a meal below 100 g earns by its mass, and an unknown mass is taken as 100 g", () => {
  assert.equal(total("meal", { massMg: 50_000 }), 15);
  assert.equal(total("meal", { massMg: 100_000 }), 30);
  assert.equal(total("meal", { massMg: null }), 30);
  assert.equal(total("meal", { massMg: 0 }), 0);
});

test("an unmatched or doubtful ingredient counts in the mass of a meal and earns nothing", () => {
  assert.equal(total("meal", { massMg: 100_000 }, { kind: "unmatched", massMg: 100_000 }), 15);
  assert.equal(total("meal", { massMg: 100_000 }, { kind: "unmatched", massMg: null }), 15);
  assert.equal(total("meal", { massMg: 100_000 }, { confidence: 0.4, massMg: 100_000 }), 15);
});

test("plain water and items that are not eligible neither earn nor count in the mass", () => {
  const water = { kind: "ignored", massMg: 1_000_000, quantity: 6 } as const;
  assert.equal(total("meal", { massMg: 100_000 }, water), 30);
  assert.equal(total("receipt", water), 0);
  assert.equal(total("food", water), 0);
});

test("ties of the last point go to the earlier item, health before carbon", () => {
  const { items } = award("receipt", [item({ quantity: 0.15 }), item({ quantity: 0.15 })]);
  assert.deepEqual(
    items.map((each) => [each.healthPoints, each.carbonPoints]),
    [
      [1, 1],
      [1, 0],
    ],
  );
});

test("a cap reduces all items in proportion and is reported", () => {
  const result = award(
    "receipt",
    Array.from({ length: 5 }, () => item({ quantity: 5 })),
  );
  assert.equal(result.capped, true);
  assert.deepEqual(
    result.items.map((each) => each.totalPoints),
    [30, 30, 30, 30, 30],
  );
  assert.equal(
    award(
      "receipt",
      Array.from({ length: 3 }, () => item({ quantity: 5 })),
    ).capped,
    false,
  );
});

test("an empty record earns nothing", () => {
  for (const source of ["receipt", "meal", "food"] as const) {
    assert.equal(award(source, []).totalPoints, 0);
  }
});

test("an invalid amount is refused", () => {
  assert.throws(() => award("receipt", [item({ quantity: Number.NaN })]), RangeError);
  assert.throws(() => award("meal", [item({ massMg: -1 })]), RangeError);
  assert.throws(() => award("meal", [item({ massMg: 0.5 })]), RangeError);
});

const anySource = fc.constantFrom<Source>("receipt", "meal", "food");
const anyRating = fc.constantFrom(1, 2, 3, 4, 5, null);
const anyItem: fc.Arbitrary<AwardItem> = fc.record({
  kind: fc.constantFrom("rated", "rated", "rated", "unmatched", "ignored"),
  healthRating: anyRating,
  carbonRating: anyRating,
  confidence: fc.constantFrom(0, 0.49, 0.5, 0.69, 0.7, 1),
  quantity: fc.oneof(fc.double({ min: 0, max: 8, noNaN: true }), fc.constantFrom(0, 1, 1e9, 1e-9)),
  soldByWeight: fc.boolean(),
  massMg: fc.oneof(fc.nat(2_000_000), fc.constantFrom(null, 0, 1, 1e15)),
});
const anyItems = fc.array(anyItem, { maxLength: 12 });

test("points add up over health and carbon, over the items, and to the whole of the cells", () => {
  fc.assert(
    fc.property(anySource, anyItems, (source, items) => {
      const result = award(source, items);
      const sum = (pick: (each: (typeof result.items)[number]) => number) =>
        result.items.reduce((all, each) => all + pick(each), 0);
      assert.equal(
        sum((each) => each.healthPoints),
        result.totalHealthPoints,
      );
      assert.equal(
        sum((each) => each.carbonPoints),
        result.totalCarbonPoints,
      );
      assert.equal(
        sum((each) => each.totalPoints),
        result.totalPoints,
      );
      assert.equal(result.totalHealthPoints + result.totalCarbonPoints, result.totalPoints);

      const whole = cellsOf(result).reduce((all, cell) => all + cell, 0n) / BigInt(result.divisor);
      const max = BigInt(POINTS_1[source].pointsMax);
      assert.equal(BigInt(result.totalPoints), whole > max ? max : whole);
      assert.equal(result.capped, whole > max);
    }),
  );
});

test("each cell gets at least the floor of its exact share and less than one point above it; nothing is negative", () => {
  fc.assert(
    fc.property(anySource, anyItems, (source, items) => {
      const result = award(source, items);
      const cells = cellsOf(result);
      const sum = cells.reduce((all, cell) => all + cell, 0n);
      const points = result.items.flatMap((each) => [each.healthPoints, each.carbonPoints]);
      for (const [index, given] of points.entries()) {
        const share = BigInt(result.totalPoints) * (cells[index] ?? 0n);
        assert.ok(given >= 0 && Number.isSafeInteger(given));
        if (cells[index] === 0n) assert.equal(given, 0);
        else assert.ok(BigInt(given) * sum > share - sum && BigInt(given) * sum < share + sum);
      }
    }),
  );
});

test("the order of the items changes neither the points of the record nor any item's by more than ties do", () => {
  const shuffled = anyItems.chain((items) =>
    fc.tuple(
      fc.constant(items),
      fc.shuffledSubarray([...items.keys()], { minLength: items.length, maxLength: items.length }),
    ),
  );
  fc.assert(
    fc.property(anySource, shuffled, (source, [items, order]) => {
      const before = award(source, items);
      const after = award(
        source,
        order.map((index) => items[index] ?? BEST),
      );
      assert.equal(after.totalPoints, before.totalPoints);
      assert.equal(after.divisor, before.divisor);
      for (const [place, index] of order.entries()) {
        const [one, other] = [before.items[index], after.items[place]];
        assert.ok(one && other);
        assert.equal(other.healthCell, one.healthCell);
        assert.ok(Math.abs(other.healthPoints - one.healthPoints) <= 1);
        assert.ok(Math.abs(other.carbonPoints - one.carbonPoints) <= 1);
      }
    }),
  );
});

test("splitting an ingredient of a meal in two earns exactly the same", () => {
  fc.assert(
    fc.property(anyItems, fc.nat(2_000_000), fc.nat(2_000_000), anyItem, (rest, one, other, split) => {
      const whole = award("meal", [...rest, { ...split, massMg: one + other }]);
      const parts = award("meal", [...rest, { ...split, massMg: one }, { ...split, massMg: other }]);
      assert.equal(parts.totalPoints, whole.totalPoints);
    }),
  );
});

test("an unmatched ingredient added to a meal never earns anything", () => {
  fc.assert(
    fc.property(anyItems, anyItem, (items, extra) => {
      const more = award("meal", [...items, { ...extra, kind: "unmatched" }]);
      assert.ok(more.totalPoints <= award("meal", items).totalPoints);
    }),
  );
});

test("a better rating never earns less", () => {
  fc.assert(
    fc.property(anySource, anyItems, anyItem, (source, rest, improved) => {
      const better = { ...improved, healthRating: 1, carbonRating: 1 } as const;
      assert.ok(award(source, [...rest, better]).totalPoints >= award(source, [...rest, improved]).totalPoints);
    }),
  );
});

test("the most extreme amounts stay within the cap of the source", () => {
  for (const [source, max] of [
    ["receipt", 150],
    ["meal", 30],
    ["food", 25],
  ] as const) {
    const extreme = Array.from({ length: 100 }, () => item({ quantity: 1e9, massMg: 1e15 }));
    assert.equal(award(source, extreme).totalPoints, max);
    assert.equal(total(source, { quantity: Number.MAX_VALUE, massMg: Number.MAX_SAFE_INTEGER }), Math.min(max, 50));
  }
});

function cellsOf(result: ReturnType<typeof award>): bigint[] {
  return result.items.flatMap((each) => [BigInt(each.healthCell), BigInt(each.carbonCell)]);
}

test("a rule may value the carbon rating by a base of its own", () => {
  const rule = { ...POINTS_1, id: "other", carbonBase: { 1: 20, 2: 10, 3: 5, 4: 0, 5: 0 } };
  const { totalHealthPoints, totalCarbonPoints } = award("receipt", [item({ healthRating: 2, carbonRating: 1 })], rule);
  assert.deepEqual([totalHealthPoints, totalCarbonPoints], [4, 20]);
});

test("a rule's multiplier is exact, and its rounding decides what a part of a point is worth", () => {
  const multiplier = { times: 5, over: 4 };
  const earned = (["down", "nearest", "up"] as const).map((rounding) =>
    [1, 2, 3, 5].map(
      (healthRating) =>
        award("receipt", [item({ healthRating: healthRating as 1, carbonRating: 5 })], {
          ...POINTS_1,
          id: "other",
          multiplier,
          rounding,
        }).totalPoints,
    ),
  );
  // 6.25, 5, 2.5 and 0.
  assert.deepEqual(earned, [
    [6, 5, 2, 0],
    [6, 5, 3, 0],
    [7, 5, 3, 0],
  ]);
});

test("a multiplier of n gives the points of n such records before rounding, for every source", () => {
  fc.assert(
    fc.property(
      anySource,
      fc.array(anyItem, { maxLength: 12 }),
      fc.integer({ min: 0, max: 9 }),
      (source, items, times) => {
        const unbounded = { ...POINTS_1, [source]: { ...POINTS_1[source], pointsMax: 1_000_000 } };
        const plain = award(source, items, unbounded);
        const multiplied = award(source, items, { ...unbounded, id: "other", multiplier: { times, over: 1 } });
        const sumOf = ({ items: cells }: typeof plain) =>
          cells.reduce((sum, { healthCell, carbonCell }) => sum + BigInt(healthCell) + BigInt(carbonCell), 0n);
        assert.equal(sumOf(multiplied), sumOf(plain) * BigInt(times));
        assert.equal(multiplied.divisor, plain.divisor);
      },
    ),
  );
});
