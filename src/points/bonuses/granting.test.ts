import assert from "node:assert/strict";
import { test } from "node:test";
import { uuidv7 } from "../../ids.ts";
import { DAY_MS } from "../../time.ts";
import { bonusesOf, NO_STANDING } from "./granting.ts";
import type { BonusAward, BonusStanding, BonusStandings, DueBonus } from "./granting.ts";
import type { BonusRules } from "./rules.ts";

const MONDAY = Date.parse("2026-11-16T12:00:00Z");
const RULES: BonusRules = {
  timeZone: "UTC",
  welcome: { points: 50, on: "first_points" },
  streaks: [{ id: "two", every: "day", length: 2, points: 7, sources: ["receipt", "meal", "food"] }],
  referral: { points: 100, newUserPoints: 20, perUserMax: 2 },
};
const award = (userId: string, day: number, more: Partial<BonusAward> = {}): BonusAward => ({
  applicationId: "app",
  userId,
  source: "food",
  submissionId: uuidv7(MONDAY + day * DAY_MS, new Uint8Array(10)),
  rule: "program/1",
  points: 5,
  isGreenOrHealthy: true,
  ...more,
});
const standings = (users: Record<string, Partial<BonusStanding>> = {}): BonusStandings => ({
  users: new Map(Object.entries(users).map(([id, standing]) => [id, { ...NO_STANDING, ...standing }])),
  referrals: new Map(),
});

/** What awards bring one after the other. */
function bring(awards: readonly BonusAward[], start = standings(), rules: BonusRules | null = RULES): string[] {
  let now = start;
  const all: DueBonus[] = [];
  for (const each of awards) {
    const outcome = bonusesOf(now, each, rules);
    all.push(...outcome.due);
    now = outcome.standings;
  }
  return all.map(({ userId, cause, points, profileId }) =>
    [userId, cause.kind, points, profileId ?? ""].join(" ").trim(),
  );
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
  const first = bonusesOf(standings(), award("bob", 0), null);
  assert.deepEqual([first.due, bring([award("bob", 0)], first.standings)], [[], []]);
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
  let now = standings({ bob: { hasEarned: true } });
  const causes: object[] = [];
  for (const day of [0, 1, 3, 2]) {
    const outcome = bonusesOf(now, award("bob", day), RULES);
    now = outcome.standings;
    causes.push(...outcome.due.map(({ cause, key }) => ({ ...cause, key })));
  }
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
