import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { firstIdAt } from "../../ids.ts";
import type { Source } from "../award.ts";
import { cutTo } from "../award.ts";
import type { Campaign, CampaignConditions } from "../campaigns/campaign.ts";
import { PARTNER_TYPE } from "../codes.ts";
import { basePoints, cutRecord, storedSettled } from "../extras.ts";
import { packInputs, unpackInputs } from "../explained/packed-inputs.ts";
import { composeRecord, recordTotals, withAward } from "../record.ts";
import type { ComposedRecord } from "../record.ts";
import type { ScoredLine } from "../scored-line.ts";
import { DEFAULT_TERMS } from "../terms.ts";
import type { Terms } from "../terms.ts";
import { settle, settledAgain } from "./settle.ts";
import { NEW_APPLICATION, NEW_USER } from "./standing.ts";
import type { ApplicationStanding, UserStanding } from "./standing.ts";

/** A Sunday. */
const SUNDAY = Date.parse("2026-11-01T12:00:00Z");
const HEAD = {
  reference: "r",
  brand: "Café Nero",
  logo: "",
  location: "",
  partnerType: PARTNER_TYPE.unspecified,
  timestamp: "2026-11-01T09:00:00.000Z",
  currency: "GBP",
  totalAmountMinor: 100,
};
const ANY: CampaignConditions = {
  foodGroups: null,
  foods: null,
  products: null,
  merchants: null,
  health: null,
  climate: null,
  sources: null,
  weekdays: null,
};
const GROUPS: Readonly<Record<string, string>> = { apple: "fruit", carrot: "vegetable", beef: "meat-beef" };

interface Line {
  readonly food: "apple" | "carrot" | "beef";
  readonly health?: 1 | 2 | 3 | 4 | 5;
  readonly quantity?: number;
  readonly externalId?: string;
  readonly product?: string;
}

function recordOf(lines: readonly Line[], source: Source = "receipt"): ComposedRecord {
  const scored = lines.map(({ food, health = 1, quantity = 1, externalId = "", product }, i): ScoredLine => {
    const id = `s-${i + 1}`;
    const match = {
      by: "name" as const,
      food: { id: product ?? food, name: product ?? food.toUpperCase() },
      matchedName: null,
      confidence: 1,
      product: product === undefined ? null : { source: "own", code: product, name: product, revision: 1 },
      reference: product === undefined ? null : { id: food, name: food.toUpperCase(), by: "name" },
      alias: null,
    };
    const input = { name: food, weight: null, unit: null, quantity, foodId: externalId, nutrition: [] };
    return {
      id,
      externalId,
      name: food,
      cleanedName: food,
      imageUrl: "",
      matchedName: food,
      quantity,
      amountMinor: 100,
      soldByWeight: false,
      massMg: 200_000,
      exclusionReason: null,
      confidence: 1,
      plainWater: false,
      healthRating: health,
      carbonRating: 2,
      co2eMg: 1,
      carbonDataSource: "test:1",
      basis: { input, match, massMg: 200_000, rated: null, exclusion: null },
    };
  });
  return composeRecord(source, HEAD, scored);
}

function campaign(about: Partial<Omit<Campaign, "when">> & { readonly when?: Partial<CampaignConditions> }): Campaign {
  const when = { ...ANY, ...about.when };
  const times = { fromMs: SUNDAY - 1, untilMs: SUNDAY + 1, timeZone: "UTC" };
  const effect = { kind: "multiplier", amount: 200 } as const;
  return { id: "c", name: "C", ...times, effect, firstUsers: null, budget: null, ...about, when };
}

const under = (...campaigns: Campaign[]): Terms => ({
  ...DEFAULT_TERMS,
  campaigns,
  groupOf: (foodId) => GROUPS[foodId] ?? null,
});

interface Submitted {
  readonly userId?: string;
  readonly source?: Source;
  readonly atMs?: number;
  readonly record: ComposedRecord;
}

/** Settles records one after the other. */
function settleAll(terms: Terms, submitted: readonly Submitted[], dayLimits: ApplicationStanding["dayLimits"] = null) {
  const users = new Map<string, UserStanding>();
  let application: ApplicationStanding = { ...NEW_APPLICATION, dayLimits };
  const records = submitted.map(({ userId = "u", source = "receipt", atMs = SUNDAY, record }) => {
    const user = users.get(userId) ?? NEW_USER;
    const due = { userId, source, submissionId: firstIdAt(atMs), record, terms };
    const settled = settle({ user, application }, due);
    users.set(userId, settled.standing.user);
    ({ application } = settled.standing);
    return settled.record;
  });
  return { records, application, users };
}

const settleOne = (terms: Terms, record: ComposedRecord, about: Omit<Submitted, "record"> = {}) =>
  settleAll(terms, [{ record, ...about }]).records[0]!;
const bonusOf = ({ body }: ComposedRecord) => recordTotals(body).bonusPoints;
const bonusesOf = ({ body }: ComposedRecord) => body.items.map(({ bonusPoints }) => bonusPoints);

test("without campaigns, tiers and bonuses a record is booked as it was composed", () => {
  const record = recordOf([{ food: "apple" }]);
  assert.equal(settleOne(DEFAULT_TERMS, record), record);
});

test("a multiplier adds its part of the base points of the items that count", () => {
  const record = recordOf([{ food: "carrot", quantity: 3 }, { food: "beef" }]);
  assert.deepEqual(record.body.items.map(basePoints), [27, 9]);
  const settled = settleOne(under(campaign({ when: { foodGroups: new Set(["vegetable"]) } })), record);
  assert.deepEqual(bonusesOf(settled), [27, 0]);
  assert.equal(recordTotals(settled.body).points, 63);
  // 36 base points, and 27 percent of them: 9.72.
  const all = settleOne(under(campaign({ effect: { kind: "multiplier", amount: 127 } })), record);
  assert.deepEqual(bonusesOf(all), [7, 2]);
});

test("points for each item, or for a record with one, count items with base points alone", () => {
  const record = recordOf([{ food: "carrot", quantity: 3 }, { food: "beef" }, { food: "carrot", quantity: 0 }]);
  const vegetables = { foodGroups: new Set(["vegetable"]) };
  const perItem = campaign({ when: vegetables, effect: { kind: "pointsPerItem", amount: 5 } });
  const perRecord = campaign({ id: "d", effect: { kind: "pointsPerRecord", amount: 10 } });
  assert.deepEqual(bonusesOf(settleOne(under(perItem), record)), [5, 0, 0]);
  assert.deepEqual(bonusesOf(settleOne(under(perRecord), record)), [8, 2, 0]);
  const none = withAward(record, cutTo(0, record.award));
  assert.equal(bonusOf(settleOne(under(perItem, perRecord), none)), 0);
});

test("every condition decides: group, food, product, merchant, grades, source, weekday and time", () => {
  const record = recordOf([
    { food: "carrot", health: 1 },
    { food: "beef", health: 4, externalId: "4006381333931" },
    { food: "apple", health: 2, product: "own-1" },
  ]);
  const counted = (when: Partial<CampaignConditions>, about: Omit<Submitted, "record"> = {}) =>
    bonusesOf(settleOne(under(campaign({ when, effect: { kind: "pointsPerItem", amount: 1 } })), record, about));
  const all = [1, 1, 1];
  const none = [0, 0, 0];
  assert.deepEqual(counted({}), all);
  assert.deepEqual(counted({ foodGroups: new Set(["vegetable", "meat-beef"]) }), [1, 1, 0]);
  assert.deepEqual(counted({ foods: new Set(["carrot"]) }), [1, 0, 0]);
  assert.deepEqual(counted({ foods: new Set(["apple"]) }), [0, 0, 1], "a product is the food that completes it");
  assert.deepEqual(counted({ products: new Set(["04006381333931"]) }), [0, 1, 0]);
  assert.deepEqual(counted({ products: new Set(["own-1"]) }), [0, 0, 1]);
  assert.deepEqual(counted({ merchants: new Set(["cafe nero"]) }), all);
  assert.deepEqual(counted({ merchants: new Set(["larkmeadow"]) }), none);
  assert.deepEqual(counted({ health: new Set([1, 4] as const) }), [1, 1, 0]);
  assert.deepEqual(counted({ climate: new Set([1] as const) }), none);
  assert.deepEqual(counted({ foodGroups: new Set(["vegetable"]), health: new Set([4] as const) }), none);
  assert.deepEqual(counted({ sources: new Set(["meal"] as const) }), none);
  assert.deepEqual(counted({ weekdays: new Set([7]) }), all);
  assert.deepEqual(counted({ weekdays: new Set([1]) }), none);
  assert.deepEqual(counted({}, { atMs: SUNDAY + 1 }), none);
  assert.deepEqual(counted({}, { atMs: SUNDAY - 2 }), none);
});

test("the weekday is that of the time zone", () => {
  const monday = campaign({ timeZone: "Pacific/Auckland", when: { weekdays: new Set([1]) } });
  assert.equal(bonusOf(settleOne(under(monday), recordOf([{ food: "apple" }]))), 9);
});

const lines = fc.array(
  fc.record({
    food: fc.constantFrom("apple" as const, "carrot" as const, "beef" as const),
    health: fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const, 5 as const),
    quantity: fc.integer({ min: 0, max: 5 }),
  }),
  { minLength: 1, maxLength: 8 },
);
const records = lines.map((each) => recordOf(each));
const effects = fc.oneof(
  fc.record({ kind: fc.constant("multiplier" as const), amount: fc.integer({ min: 101, max: 400 }) }),
  fc.record({
    kind: fc.constantFrom("pointsPerItem" as const, "pointsPerRecord" as const),
    amount: fc.integer({ min: 1, max: 40 }),
  }),
);
const groups = fc.option(fc.subarray(["fruit", "vegetable", "meat-beef"], { minLength: 1 }));
const campaigns = (scarce: { budget?: fc.Arbitrary<number>; firstUsers?: fc.Arbitrary<number> } = {}) =>
  fc
    .array(
      fc.record({
        effect: effects,
        groups,
        budget: scarce.budget ? fc.option(scarce.budget) : fc.constant(null),
        firstUsers: scarce.firstUsers ? fc.option(scarce.firstUsers) : fc.constant(null),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((all) =>
      all.map(({ effect, groups, ...rest }, i) =>
        campaign({ id: `c${i}`, effect, when: { foodGroups: groups && new Set(groups) }, ...rest }),
      ),
    );
const SCARCE = { budget: fc.integer({ min: 1, max: 200 }), firstUsers: fc.integer({ min: 1, max: 3 }) };
const submissions = fc.array(fc.record({ userId: fc.constantFrom("a", "b", "c", "d"), record: records }), {
  minLength: 1,
  maxLength: 12,
});

test("extras add up and their order does not matter, where nothing is scarce", () => {
  fc.assert(
    fc.property(records, campaigns(), (record, all) => {
      const together = settleOne(under(...all), record);
      const alone = all.map((each) => settleOne(under(each), record));
      const sums = record.body.items.map((_, i) => alone.reduce((sum, each) => sum + bonusesOf(each)[i]!, 0));
      assert.deepEqual(bonusesOf(together), sums);
      assert.deepEqual(bonusesOf(settleOne(under(...all.toReversed()), record)), sums);
      assert.deepEqual(together.award, record.award);
    }),
  );
});

test("the items' points are those of the record, and their extras those of tier and campaigns", () => {
  fc.assert(
    fc.property(submissions, campaigns(SCARCE), fc.option(fc.nat({ max: 400 })), (submitted, all, points) => {
      const dayLimits = points === null ? null : { points, meals: null, foodPoints: null };
      for (const { body, award, settled } of settleAll(under(...all), submitted, dayLimits).records) {
        const { extras } = settled!;
        for (const { points: given, uncutPoints, shares, cutBy } of extras) {
          assert.equal(
            shares.reduce((sum, share) => sum + share, 0),
            given,
          );
          assert.equal(given < uncutPoints, cutBy !== null);
        }
        const byItem = body.items.map((_, i) => extras.reduce((sum, { shares }) => sum + shares[i]!, 0));
        assert.deepEqual(
          body.items.map(({ bonusPoints }) => bonusPoints),
          byItem,
        );
        const totals = recordTotals(body);
        assert.equal(totals.points, award.totalPoints + totals.bonusPoints);
        if (points !== null) assert.ok(totals.points <= points);
      }
    }),
  );
});

test("a budget is used up to its last point and never exceeded; a number of users is kept, and each counts once", () => {
  fc.assert(
    fc.property(submissions, campaigns(SCARCE), (submitted, all) => {
      const { records: settled, application, users } = settleAll(under(...all), submitted);
      for (const { id, budget, firstUsers } of all) {
        const extras = settled.flatMap(({ settled }) => settled!.extras.filter(({ campaignId }) => campaignId === id));
        const given = extras.reduce((sum, { points }) => sum + points, 0);
        const usage = application.usage.get(id) ?? { points: 0, users: 0 };
        const counted = [...users.values()].filter((user) => user.campaigns.has(id)).length;
        assert.deepEqual(usage, { points: given, users: counted });
        if (firstUsers !== null) assert.ok(counted <= firstUsers);
        // What others left: those who are not among the first users want nothing of it.
        const wanted = extras.filter(({ cutBy }) => cutBy !== "users");
        const uncut = wanted.reduce((sum, { uncutPoints }) => sum + uncutPoints, 0);
        assert.equal(given, Math.min(budget ?? Infinity, uncut));
      }
    }),
  );
});

test("limits cut the last extra first, and base points last", () => {
  fc.assert(
    fc.property(records, campaigns(), fc.nat({ max: 300 }), (record, all, most) => {
      const uncut = settleOne(under(...all), record);
      const cut = cutRecord(most, uncut);
      assert.equal(recordTotals(cut.body).points, Math.min(most, recordTotals(uncut.body).points));
      assert.equal(cut.award.totalPoints, Math.min(most, uncut.award.totalPoints));
      let left = most - cut.award.totalPoints;
      for (const [i, { points }] of cut.settled!.extras.entries()) {
        const { points: before } = uncut.settled!.extras[i]!;
        assert.equal(points, Math.min(before, left));
        left -= points;
      }
    }),
  );
});

test("a correction back to the original gives the original points, item for item", () => {
  fc.assert(
    fc.property(submissions, campaigns(SCARCE), records, (submitted, all, other) => {
      const terms = under(...all);
      const { records: booked } = settleAll(terms, submitted);
      for (const [i, { record }] of submitted.entries()) {
        const about = { source: "receipt", submissionId: firstIdAt(SUNDAY), terms } as const;
        // As it was stored and read again.
        const row = { body: booked[i]!.body, packed: packInputs(booked[i]!, "s") };
        const own = JSON.stringify(row.packed.own);
        const { settled } = unpackInputs({ ...row.packed, own }, row.body, "s");
        assert.deepEqual(settled, storedSettled(booked[i]!.settled!));
        assert.deepEqual(bonusesOf(settledAgain({ ...about, record }, settled)), bonusesOf(booked[i]!));
        // Corrected to another record, a scarce campaign gives no more than it gave.
        const corrected = settledAgain({ ...about, record: other }, settled);
        for (const { id, budget, firstUsers } of all) {
          const [before, after] = [booked[i]!, corrected].map(
            (each) => each.settled!.extras.find(({ campaignId }) => campaignId === id)?.points ?? 0,
          ) as [number, number];
          if (budget !== null || (firstUsers !== null && before === 0)) assert.ok(after <= before);
        }
      }
    }),
  );
});

test("a record that was never settled has no extras later either", () => {
  const record = recordOf([{ food: "apple" }]);
  const about = { source: "receipt", submissionId: firstIdAt(SUNDAY), record, terms: under(campaign({})) } as const;
  assert.equal(settledAgain(about, undefined), record);
});

test("a user who has a place among the first users keeps it, and the next one gets none", () => {
  const first = campaign({ firstUsers: 1, effect: { kind: "pointsPerRecord", amount: 5 } });
  const record = recordOf([{ food: "apple" }]);
  const { records: settled } = settleAll(under(first), [
    { userId: "a", record },
    { userId: "b", record },
    { userId: "a", record },
  ]);
  assert.deepEqual(settled.map(bonusOf), [5, 0, 5]);
  assert.deepEqual(
    settled.map((each) => each.settled!.extras[0]!.cutBy),
    [null, "users", null],
  );
});
