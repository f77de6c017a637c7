// The whole programme, written a second time from docs/programs.md: what each record, bonus and tier must be. It is fed
// with the records of all users in the order of their booking, and knows of each what was sent, and the ratings and the
// match of its items. Nothing of src/points is imported.
import type { ProgramDefinition } from "../../../src/programs/definition.ts";
import { addDays, periodsAt } from "./calendar.ts";
import type { Periods } from "./calendar.ts";
import { campaignExtra, cutExtras, restOf, tierExtra } from "./extras.ts";
import type { Counted, Extra, ModelItem, ModelRecord } from "./extras.ts";
import { basePoints, itemPoints, sum } from "./points.ts";
import type { Source } from "./points.ts";

/** An award to be computed. */
export interface Submitted {
  readonly id: string;
  readonly userId: string;
  readonly source: Source;
  readonly merchant: string;
  readonly atMs: number;
  readonly items: readonly ModelItem[];
  readonly strangersMg: number;
  /** Of a receipt. */
  readonly totalMinor: number;
  readonly definition: ProgramDefinition;
}

/** What a record must be. */
export interface Expected {
  readonly items: readonly { readonly health: number; readonly climate: number; readonly bonus: number }[];
  readonly extras: readonly Extra[];
  readonly total: number;
}

interface Award extends Counted {
  readonly submitted: Submitted;
  readonly tier: number;
  readonly extras: readonly Extra[];
}

/** A bonus that must be booked. */
export interface ExpectedBonus {
  readonly userId: string;
  /** 1 referral, 2 welcome, 3 streak. */
  readonly type: 1 | 2 | 3;
  readonly points: number;
}

interface User {
  lifetime: number;
  hasEarned: boolean;
  wasWelcomed: boolean;
  referrerId: string | null;
  /** Awards by the id of their record. */
  readonly awards: Map<string, Award>;
  /** Days with a green or healthy product by streak, and the bonuses that they have given. */
  readonly streaks: Map<string, { readonly units: Set<string>; given: number }>;
}

/** What a campaign has given. */
interface Usage {
  readonly points: number;
  readonly users: ReadonlySet<string>;
}
const NO_USAGE: Usage = { points: 0, users: new Set() };

export class Model {
  readonly users = new Map<string, User>();
  readonly #usage = new Map<string, Usage>();
  readonly #bonuses: ExpectedBonus[] = [];
  /** Nothing is given to a user any more from then on. */
  readonly #erased: { readonly userId: string; readonly atMs: number } | null;

  constructor(erased: { readonly userId: string; readonly atMs: number } | null) {
    this.#erased = erased;
  }

  /** Type and points of every bonus, by user. */
  expectedBonuses(): string[] {
    return this.#bonuses.map(({ userId, type, points }) => `${userId} ${type} ${points}`).sort();
  }

  enrol(userId: string, referrerId: string | null, definition: ProgramDefinition): void {
    const awards = new Map<string, Award>();
    const welcome = definition.bonuses?.welcome;
    const wasWelcomed = welcome?.on === "enrolment";
    this.users.set(userId, { lifetime: 0, hasEarned: false, wasWelcomed, referrerId, awards, streaks: new Map() });
    if (wasWelcomed) this.#give({ userId, type: 2, points: welcome.points }, 0);
  }

  /** Computes an award, and what it does to its user and to budgets. */
  award(recordId: string, submitted: Submitted): Expected {
    const { userId, definition, source } = submitted;
    const user = this.users.get(userId)!;
    const periods = this.#periods(submitted);
    const tier = this.#multiplier(user, definition);
    const room = restOf(definition, source, periods, [...user.awards.values()]);
    const expected = this.#settled(submitted, tier, room, (id) => this.#roomOf(definition, id, userId));
    for (const { campaignId, points } of expected.extras) {
      if (campaignId === null || points === 0) continue;
      const used = this.#usage.get(campaignId) ?? NO_USAGE;
      this.#usage.set(campaignId, { points: used.points + points, users: new Set([...used.users, userId]) });
    }
    const { total, extras } = expected;
    user.awards.set(recordId, { submitted, tier, extras, source, periods, booked: total, now: total });
    this.#giveBonuses(user, submitted, total);
    return expected;
  }

  /** Computes an award again with corrected items. What was decided when it was booked stays decided. */
  correct(recordId: string, userId: string, corrected: Pick<Submitted, "items" | "totalMinor">): Expected {
    const user = this.users.get(userId)!;
    const award = user.awards.get(recordId)!;
    const submitted = { ...award.submitted, ...corrected };
    const others = [...user.awards.values()].filter((each) => each !== award);
    const { definition, source } = submitted;
    const room = restOf(definition, source, award.periods, others);
    const expected = this.#settled(submitted, award.tier, room, (id) => {
      const { budget, firstUsers } = definition.campaigns!.find((each) => each.id === id)!;
      const given = award.extras.find(({ campaignId }) => campaignId === id)?.points ?? 0;
      if (budget !== undefined) return given;
      return firstUsers === undefined || given > 0 ? Infinity : 0;
    });
    user.awards.set(recordId, { ...award, submitted, now: expected.total });
    return expected;
  }

  /** Points that count in lifetimePoints, whatever moved them. */
  earned(userId: string, points: number): void {
    this.users.get(userId)!.lifetime += points;
  }

  /** The name of a user's tier; "" without one. */
  tierOf(userId: string, definition: ProgramDefinition): string {
    return this.#level(this.users.get(userId)!, definition)?.name ?? "";
  }

  #settled(submitted: Submitted, tier: number, rest: number, roomOf: (campaignId: string) => number): Expected {
    const { source, items, definition, strangersMg, merchant, atMs } = submitted;
    const base = basePoints(source, items, definition, strangersMg);
    const minimum = source === "receipt" ? (definition.minimumSpend?.["GBP"] ?? 0) : 0;
    const full = submitted.totalMinor < Math.round(minimum * 100) ? 0 : base.total;
    const record: ModelRecord = { source, items, merchant, atMs, base: itemPoints(base, full) };
    const zone = definition.timeZone ?? "UTC";
    const offered = [
      tierExtra(record.base, tier),
      ...(definition.campaigns ?? []).map((each) => campaignExtra(each, record, zone, roomOf(each.id))),
    ].filter((each) => each !== null);
    const booked = Math.min(full, rest);
    const extras = cutExtras(offered, rest - booked);
    const points = itemPoints(base, booked);
    return {
      items: points.map((each, i) => ({ ...each, bonus: sum(extras.map(({ shares }) => shares[i]!)) })),
      extras,
      total: booked + sum(extras.map((each) => each.points)),
    };
  }

  #roomOf(definition: ProgramDefinition, campaignId: string, userId: string): number {
    const { budget = Infinity, firstUsers = Infinity } = definition.campaigns!.find(({ id }) => id === campaignId)!;
    const used = this.#usage.get(campaignId) ?? NO_USAGE;
    if (used.users.size >= firstUsers && !used.users.has(userId)) return 0;
    return Math.max(0, budget - used.points);
  }

  #level({ lifetime }: User, { tiers }: ProgramDefinition) {
    return tiers?.levels.filter(({ from }) => lifetime >= from).at(-1);
  }

  #multiplier(user: User, definition: ProgramDefinition): number {
    return this.#level(user, definition)?.multiplier ?? 1;
  }

  #periods({ atMs, definition }: Submitted): Periods {
    return periodsAt(atMs, definition.timeZone ?? "UTC");
  }

  #give(bonus: ExpectedBonus, atMs: number): void {
    const isGone = this.#erased?.userId === bonus.userId && this.#erased.atMs <= atMs;
    if (bonus.points > 0 && !isGone) this.#bonuses.push(bonus);
  }

  #giveBonuses(user: User, { userId, definition, items, source, atMs }: Submitted, total: number): void {
    const { welcome, streaks = [], referral } = definition.bonuses ?? {};
    if (total > 0 && !user.hasEarned) {
      user.hasEarned = true;
      if (welcome?.on === "first_points" && !user.wasWelcomed)
        this.#give({ userId, type: 2, points: welcome.points }, atMs);
      if (referral && user.referrerId !== null) {
        this.#give({ userId, type: 1, points: referral.newUserPoints }, atMs);
        this.#give({ userId: user.referrerId, type: 1, points: referral.points }, atMs);
      }
    }
    if (!items.some(({ health, climate }) => health <= 2 || climate <= 2)) return;
    const zone = definition.timeZone ?? "UTC";
    for (const { id, every, length, points, sources } of streaks) {
      if (sources && !sources.includes(source)) continue;
      const streak = user.streaks.get(id) ?? { units: new Set(), given: 0 };
      user.streaks.set(id, streak);
      streak.units.add(periodsAt(atMs, zone)[every]);
      const due = bonusesOf(streak.units, every === "day" ? 1 : 7, length);
      for (; streak.given < due; streak.given++) this.#give({ userId, type: 3, points }, atMs);
    }
  }
}

/** Bonuses of all runs of days or weeks in a row: as many as the length fits into each. */
function bonusesOf(units: ReadonlySet<string>, days: number, length: number): number {
  let bonuses = 0;
  for (const first of units) {
    if (units.has(addDays(first, -days))) continue;
    let count = 0;
    for (let unit = first; units.has(unit); unit = addDays(unit, days)) count++;
    bonuses += Math.floor(count / length);
  }
  return bonuses;
}
