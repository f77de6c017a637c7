import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { DAY_MS } from "../../time.ts";
import {
  NO_LEVELS,
  changeOf,
  codeOf,
  countedFrom,
  dayOf,
  tierBefore,
  tierAfter,
  nextTierOf,
  pointsForTier,
  tierOf,
} from "./tier.ts";
import type { CountedPoints, StoredTier, TierCode, TierRules } from "./tier.ts";

const LEVELS = [
  { tier: 1, name: "Sprout", from: 0, hundredths: 100 },
  { tier: 2, name: "Leaf", from: 1_000, hundredths: 110 },
  { tier: 3, name: "Tree", from: 5_000, hundredths: 125 },
] as const;
const LIFETIME: TierRules = { by: "lifetime", timeZone: "UTC", levels: LEVELS };
const ROLLING: TierRules = { ...LIFETIME, by: "rolling_12_months" };

const dayMs = (day: string, zone = "UTC") => Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds;

test("a tier begins with its points, and the next one says what is missing", () => {
  const at = (points: number) => [tierOf(LIFETIME, points)?.name, nextTierOf(LIFETIME, points)?.missingPoints];
  assert.deepEqual([-5, 0, 999, 1_000, 4_999, 5_000].map(at), [
    [undefined, 5],
    ["Sprout", 1_000],
    ["Sprout", 1],
    ["Leaf", 4_000],
    ["Leaf", 1],
    ["Tree", undefined],
  ]);
});

test("the tier of before multiplies, unless its multiplier is 1, and an award counts for the next one", () => {
  const before = (points: number | null) => tierBefore(LIFETIME, points === null ? null : { points })?.hundredths;
  assert.deepEqual([null, 0, 999, 1_000, 4_999, 5_000].map(before), [undefined, undefined, undefined, 110, 110, 125]);
  assert.deepEqual([tierAfter(null, 7), tierAfter({ points: 995 }, 5)], [{ points: 7 }, { points: 1_000 }]);
});

test("points count through the same day of the next year, in the programme's time zone", () => {
  const earned = Date.parse("2025-11-22T23:30:00Z");
  const counts = (at: string, timeZone: string) => {
    const tiers = { ...ROLLING, timeZone };
    return pointsForTier(tiers, [{ points: 7, earnedAtMs: earned }], Date.parse(at)) === 7;
  };
  // There it is 23 November already.
  assert.deepEqual(
    ["2026-11-22T23:59:59Z", "2026-11-23T00:00:00Z"].map((at) => counts(at, "UTC")),
    [true, false],
  );
  assert.deepEqual(
    ["2026-11-23T22:59:59Z", "2026-11-23T23:00:00Z"].map((at) => counts(at, "Europe/Berlin")),
    [true, false],
  );
});

test("what was earned on 29 February counts through 28 February", () => {
  const firstDay = (day: string) => dayOf(countedFrom(dayMs(day), "UTC"), "UTC");
  assert.deepEqual(["2028-02-28", "2028-02-29", "2028-03-01", "2029-02-28", "2029-03-01"].map(firstDay), [
    "2027-02-28",
    "2027-02-28",
    "2027-03-01",
    "2028-02-28",
    "2028-03-01",
  ]);
});

test("a change is one of tiers, and nobody rises into the tier in which everybody begins", () => {
  const stored = (code: TierCode) => ({ code, since: new Date(0) });
  const change = (before: TierCode | null, points: number, rules = LIFETIME) => {
    const changed = changeOf(rules, before === null ? null : stored(before), points);
    return changed && [changed.from, changed.to];
  };
  assert.deepEqual([change(null, 0), change(null, 999), change(null, 1_000)], [null, null, [1, 2]]);
  assert.deepEqual([change(2, 1_000), change(2, 999), change(3, 0)], [null, [2, 1], [3, 1]]);
  // The tiers are gone with the next version.
  assert.deepEqual([change(3, 9_000, NO_LEVELS), change(null, 9_000, NO_LEVELS)], [[3, 0], null]);
});

const anyZone = fc.constantFrom("UTC", "Europe/London", "America/Sao_Paulo", "Pacific/Chatham", "America/Havana");
const anyMs = fc.integer({ min: Date.parse("2020-01-01"), max: Date.parse("2040-01-01") });
const anyTiers = fc.uniqueArray(fc.nat(2_000), { minLength: 1, maxLength: 4 }).map((froms): TierRules => ({
  ...LIFETIME,
  levels: froms
    .toSorted((a, b) => a - b)
    .map((from, i) => ({
      tier: (i + 1) as TierCode,
      name: String(i),
      from,
      hundredths: 100 + i,
    })),
}));

test("more points never mean a lower tier, and the missing points are exactly those to the next", () => {
  fc.assert(
    fc.property(anyTiers, fc.integer({ min: -100, max: 3_000 }), fc.nat(500), (tiers, points, more) => {
      assert.ok(codeOf(tiers, points) <= codeOf(tiers, points + more));
      const next = nextTierOf(tiers, points);
      if (!next) return;
      assert.equal(codeOf(tiers, points + next.missingPoints), next.level.tier);
      assert.ok(codeOf(tiers, points + next.missingPoints - 1) < next.level.tier);
    }),
  );
});

test("all moments of a day count from one start, a year before, and the start never moves back", () => {
  fc.assert(
    fc.property(anyMs, anyZone, fc.nat(DAY_MS), (ms, zone, later) => {
      const start = countedFrom(ms, zone);
      const days = (ms - start) / DAY_MS;
      assert.ok(days >= 365 - 1 && days < 368, String(days));
      assert.ok(countedFrom(ms + later, zone) >= start);
      if (dayOf(ms, zone) === dayOf(ms + later, zone)) assert.equal(countedFrom(ms + later, zone), start);
    }),
  );
});

test("following the changes one by one ends with the tier of the points, whatever moves them", () => {
  const anyMove = fc.record({ points: fc.integer({ min: -800, max: 800 }), days: fc.nat(200) });
  fc.assert(
    fc.property(anyTiers, fc.array(anyMove, { maxLength: 40 }), fc.boolean(), (levels, moves, isRolling) => {
      const tiers: TierRules = { ...levels, by: isRolling ? "rolling_12_months" : "lifetime" };
      const records: CountedPoints[] = [];
      const known: { stored: StoredTier | null } = { stored: null };
      let nowMs = dayMs("2026-01-01");
      for (const { points, days } of moves) {
        nowMs += days * DAY_MS;
        records.push({ points, earnedAtMs: nowMs });
        const counted = pointsForTier(tiers, records, nowMs);
        const change = changeOf(tiers, known.stored, counted);
        if (change) {
          assert.equal(change.from, known.stored?.code ?? codeOf(tiers, 0));
          assert.notEqual(change.from, change.to);
          known.stored = { code: change.to, since: new Date(nowMs) };
        }
        assert.equal(known.stored?.code ?? codeOf(tiers, 0), codeOf(tiers, counted));
      }
    }),
  );
});
