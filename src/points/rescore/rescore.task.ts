import { setImmediate as nextTurn } from "node:timers/promises";
import type { ItemResult, RaterFor } from "../../foods/lookup/item-rater.ts";
import { timeOfId } from "../../ids.ts";
import type { Database } from "../../postgres/postgres.ts";
import { DAY_MS } from "../../time.ts";
import type { PointsRule } from "../award.ts";
import { NO_TALLY, tallied, untallied, withinDay } from "../limits/limits.ts";
import type { DayLimits, Tally } from "../limits/limits.ts";
import { withinAllLimitsAgain } from "../limits/store.ts";
import type { Recount } from "../limits/store.ts";
import { recordTotals } from "../record.ts";
import type { ComposedRecord } from "../record.ts";
import type { TermsByRule } from "../terms.ts";
import { changesOf, countedPoints, itemsToRateAgain, scoredAgain, withinPast } from "./rescore.ts";
import type { PastAward, Rescored } from "./rescore.ts";
import { bookDifferences, dayLimits, laterRecords, nextUsers, pastAwards } from "./store.ts";
import type { BookingDeps } from "./store.ts";

/** Awards are read a week of a slice of users at a time: memory stays the same for any history. */
const WINDOW_DAYS = 7;
/** The longest period with a limit, a month, in any time zone. */
const PERIOD_DAYS_MAX = 32;

export interface RescoreDeps extends BookingDeps {
  readonly database: Database;
  /** Rates items by the foods of now; null: the stored ratings stay. */
  readonly raterFor: RaterFor | null;
  readonly termsByRule: TermsByRule;
  readonly stopped: AbortSignal;
}

export interface RescoreOptions {
  readonly applicationId: string | null;
  /** Start of the first and of the first excluded UTC day, in ms since 1970. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Null: each award's own. */
  readonly rule: PointsRule | null;
  readonly catalogueVersion: string;
  /** Booked with this reason; null: nothing is booked. */
  readonly bookReason: string | null;
}

/** One step: some users in some days. */
export interface RescoreStep {
  /** Their number in their first step; 0 in those of their later days. */
  readonly users: number;
  readonly rescored: readonly Rescored[];
  readonly booked: number;
}

/**
 * Scores the awards of submissions of whole UTC days again, by slices of users, and books the differences if asked.
 * The same award, rule and catalogue give no second difference. Stops between steps when `stopped` is aborted.
 */
export async function* rescore(deps: RescoreDeps, options: RescoreOptions): AsyncGenerator<RescoreStep> {
  const { database, stopped } = deps;
  const limits = await dayLimits(database);
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const userIds = await nextUsers(database, after, options.applicationId);
    if (userIds.length === 0) return;
    after = userIds.at(-1)!;
    const slice: Slice = { userIds, unbooked: new Map() };
    for (let fromMs = options.fromMs; fromMs < options.untilMs; fromMs += WINDOW_DAYS * DAY_MS) {
      stopped.throwIfAborted();
      const untilMs = Math.min(fromMs + WINDOW_DAYS * DAY_MS, options.untilMs);
      const isFirst = fromMs === options.fromMs;
      const step = await rescoreWindow(deps, options, limits, slice, { fromMs, untilMs });
      yield { ...step, users: isFirst ? userIds.length : 0 };
    }
  }
}

/** Some users, and the differences of their awards so far that the ledger does not have. */
interface Slice {
  readonly userIds: readonly string[];
  readonly unbooked: Map<string, Recount[]>;
}

async function rescoreWindow(
  deps: RescoreDeps,
  options: RescoreOptions,
  limits: ReadonlyMap<string, DayLimits>,
  { userIds, unbooked }: Slice,
  range: { readonly fromMs: number; readonly untilMs: number },
): Promise<Omit<RescoreStep, "users">> {
  const { database } = deps;
  const awards = await pastAwards(database, userIds, range);
  if (awards.length === 0) return { rescored: [], booked: 0 };
  const ratings = await ratingsOf(awards, deps.raterFor);
  const later = await laterRecords(
    database,
    userIds,
    awards.map(({ id }) => id),
  );
  const days = pastDays(awards);
  const longAgoMs = range.fromMs - PERIOD_DAYS_MAX * DAY_MS;
  for (const [userId, recounts] of unbooked) {
    unbooked.set(
      userId,
      recounts.filter(({ submissionId }) => timeOfId(submissionId) >= longAgoMs),
    );
  }
  const rescored: Rescored[] = [];
  const differing = new Map<string, { award: PastAward; record: ComposedRecord }[]>();
  for (const award of awards) {
    const own = await deps.termsByRule(database, award);
    const terms = options.rule ? { ...own, rule: options.rule } : own;
    const uncut = scoredAgain(award, ratings.get(award.id) ?? new Map(), terms);
    const { source, submissionId } = award;
    const day = dayOf(award);
    const others = untallied(days.get(`${award.userId} ${day}`)!, source, pointsOfRecord(award));
    const ofAward = later.get(award.id) ?? [];
    const ownPoints = countedPoints(award, ofAward);
    let record: ComposedRecord | null = null;
    if (uncut) {
      const dayLimits = limits.get(award.applicationId) ?? NO_LIMITS;
      const inDay = withinDay(uncut, { source, limits: dayLimits, tally: others, day });
      // Those of its programme.
      const due = { ...award, record: uncut, limits: terms.limits };
      const inPeriods = await withinAllLimitsAgain(database, due, ownPoints, false, unbooked.get(award.userId));
      record = withinPast(award, uncut, Math.min(pointsOfRecord(inDay), pointsOfRecord(inPeriods)));
    }
    const changes = record ? changesOf(award, ofAward, record) : "without inputs";
    // An award that stays has the points that it had, for the limits of its day.
    const points = Array.isArray(changes) && record ? pointsOfRecord(record) : pointsOfRecord(award);
    days.set(`${award.userId} ${day}`, tallied(others, source, points));
    rescored.push({ award, changes });
    if (!record || !Array.isArray(changes) || changes.length === 0) continue;
    differing.set(award.userId, [...(differing.get(award.userId) ?? []), { award, record }]);
    const recount = { submissionId, source, booked: ownPoints, now: pointsOfRecord(record) };
    unbooked.set(award.userId, [...(unbooked.get(award.userId) ?? []), recount]);
  }
  let booked = 0;
  const { bookReason: reason, catalogueVersion } = options;
  if (reason !== null) {
    for (const scored of differing.values()) {
      booked += await database.tx((tx) => bookDifferences(tx, scored, { catalogueVersion, reason }, deps));
    }
    unbooked.clear();
  }
  return { rescored, booked };
}

const NO_LIMITS: DayLimits = { pointsADay: null, mealsADay: null, foodPointsADay: null };

/** The ratings of items by award and item, after one lookup for all. */
async function ratingsOf(
  awards: readonly PastAward[],
  raterFor: RaterFor | null,
): Promise<ReadonlyMap<string, ReadonlyMap<string, ItemResult>>> {
  if (raterFor === null) return new Map();
  const items = awards.map((award) => ({ award, inputs: itemsToRateAgain(award) }));
  const raterOf = await raterFor(
    items.flatMap(({ award: { applicationId }, inputs }) =>
      [...inputs.values()].map(({ foodId, name, merchants = [] }) => ({ applicationId, foodId, name, merchants })),
    ),
  );
  const ratings = new Map<string, ReadonlyMap<string, ItemResult>>();
  for (const { award, inputs } of items) {
    const { rate } = raterOf(award.applicationId);
    ratings.set(award.id, new Map([...inputs].map(([id, input]) => [id, rate(input, award.source)])));
    await nextTurn();
  }
  return ratings;
}

/** What each user was awarded on each day: it is taken off award by award, and what each is now is added. */
function pastDays(awards: readonly PastAward[]): Map<string, Tally> {
  const days = new Map<string, Tally>();
  for (const award of awards) {
    const key = `${award.userId} ${dayOf(award)}`;
    const tally = days.get(key) ?? NO_TALLY;
    days.set(key, tallied(tally, award.source, pointsOfRecord(award)));
  }
  return days;
}

function pointsOfRecord({ body }: Pick<ComposedRecord, "body">): number {
  return recordTotals(body).points;
}

/** The UTC day of a submission, as in 2026-10-25. */
function dayOf({ submissionId }: PastAward): string {
  return new Date(timeOfId(submissionId)).toISOString().slice(0, 10);
}
