import assert from "node:assert/strict";
import { test } from "node:test";
import { uuidv7 } from "../../ids.ts";
import { DAY_MS } from "../../time.ts";
import { NO_BONUSES, bonusesOf } from "./granting.ts";
import type { BonusAward, BonusStanding, DueBonus, ReferralCounts } from "./granting.ts";
import type { BonusRules } from "./rules.ts";

const MONDAY = Date.parse("2026-11-16T12:00:00Z");
const RULES: BonusRules = {
  timeZone: "UTC",
  welcome: { points: 50, on: "first_points" },
  streaks: [{ id: "two", every: "day", length: 2, points: 7, sources: ["receipt", "meal", "food"] }],
  referral: { points: 100, newUserPoints: 20, perUserMax: 2 },
};
const award = (userId: string, day: number, more: Partial<BonusAward> = {}): BonusAward => ({
  userId,
  source: "food",
  submissionId: uuidv7(MONDAY + day * DAY_MS, new Uint8Array(10)),
  rule: "program/1",
  points: 5,
  isGreenOrHealthy: true,
  ...more,
});
interface Standings {
  users: Map<string, BonusStanding>;
  referrals: ReferralCounts;
}
const standings = (users: Record<string, Partial<BonusStanding>> = {}): Standings => ({
  users: new Map(Object.entries(users).map(([id, standing]) => [id, { ...NO_BONUSES, ...standing }])),
  referrals: new Map(),
});

/** Brings an award, and keeps the standings after it. */
function step(all: Standings, award: BonusAward, rules: BonusRules | null = RULES): readonly DueBonus[] {
  const { userId } = award;
  const { due, user, referrals } = bonusesOf(
    { user: all.users.get(userId) ?? null, referrals: all.referrals },
    award,
    rules,
  );
  all.users.set(userId, user);
  all.referrals = referrals;
  return due;
}

/** What awards bring one after the other. */
function bring(awards: readonly BonusAward[], start = standings(), rules: BonusRules | null = RULES): string[] {
  return awards
    .flatMap((each) => step(start, each, rules))
    .map(({ userId, cause, points, profileId }) => [userId, cause.kind, points, profileId ?? ""].join(" ").trim());
}

test("the first points of a user bring the welcome and both bonuses of a referral, once", () => {
  const referral = { referrerId: "anna", isRepeated: false };
  const given = bring(
    [award("bob", 0, { points: 0 }), award("bob", 0), award("bob", 0)],
    standings({ bob: { referral } }),
  );
  assert.deepEqual(given, ["bob welcome 50", "bob referred 20 anna", "anna referring 100 bob"]);
});

test("who has earned before, was welcomed before or earned first under other rules gets nothing later", () => {
  assert.deepEqual(bring([award("bob", 0)], standings({ bob: { hasEarned: true } })), []);
  assert.deepEqual(bring([award("bob", 0)], standings({ bob: { wasWelcomed: true } })), []);
  const now = standings();
  assert.deepEqual([step(now, award("bob", 0), null), bring([award("bob", 0)], now)], [[], []]);
});

test("an erased person who was referred before brings nothing again; an erased referrer gets nothing", () => {
  const of = (referrerId: string | null, isRepeated: boolean) =>
    bring([award("bob", 0)], standings({ bob: { referral: { referrerId, isRepeated }, wasWelcomed: true } }));
  assert.deepEqual(of("anna", true), []);
  assert.deepEqual(of(null, false), ["bob referred 20"]);
});

test("a referring user gets points for as many as the programme allows; the new ones always do", () => {
  const referral = { referrerId: "anna", isRepeated: false };
  const people = ["b", "c", "d"];
  const start = standings(Object.fromEntries(people.map((id) => [id, { referral, wasWelcomed: true }])));
  const given = bring(
    people.map((id) => award(id, 0)),
    start,
  );
  assert.deepEqual(
    given.filter((each) => each.startsWith("anna")),
    ["anna referring 100 b", "anna referring 100 c"],
  );
  assert.equal(given.filter((each) => each.includes("referred")).length, 3);
});

test("a streak counts days with a green or healthy product of its sources, also without points", () => {
  const start = () => standings({ bob: { hasEarned: true } });
  assert.deepEqual(bring([award("bob", 0, { points: 0 }), award("bob", 1, { points: 0 })], start()), ["bob streak 7"]);
  assert.deepEqual(bring([award("bob", 0), award("bob", 1, { isGreenOrHealthy: false })], start()), []);
  const meals = { ...RULES, streaks: [{ ...RULES.streaks[0]!, sources: ["meal" as const] }] };
  assert.deepEqual(bring([award("bob", 0), award("bob", 1)], start(), meals), []);
  assert.deepEqual(
    bring([award("bob", 0), award("cleo", 1)], standings({ bob: { hasEarned: true }, cleo: { hasEarned: true } })),
    [],
  );
});

test("a streak says which days were in a row, and which bonus of them it is", () => {
  const now = standings({ bob: { hasEarned: true } });
  const causes = [0, 1, 3, 2].flatMap((day) =>
    step(now, award("bob", day)).map(({ cause, key }) => ({ ...cause, key })),
  );
  const about = { kind: "streak", id: "two", every: "day", length: 2, timeZone: "UTC", from: "2026-11-16" };
  const key = "two day 2 UTC food+meal+receipt";
  assert.deepEqual(
    causes.map((cause) => ({ ...cause, submissionId: "" })),
    [
      { ...about, till: "2026-11-17", number: 1, submissionId: "", key: `${key} 20774` },
      { ...about, till: "2026-11-19", number: 2, submissionId: "", key: `${key} 20775` },
    ],
  );
});

test("what is due is settled by the first points, and what is known does not change without need", () => {
  const referral = { referrerId: "anna", isRepeated: false };
  const earned = standings({ bob: { hasEarned: true, referral } });
  assert.deepEqual(step(earned, award("bob", 0, { isGreenOrHealthy: false })), []);
  const { bob } = Object.fromEntries(earned.users);
  assert.equal(bob!.referral, null);
  step(earned, award("bob", 0));
  const known = earned.users.get("bob");
  step(earned, award("bob", 0));
  assert.equal(earned.users.get("bob"), known);
});
