import { arrayColumns } from "../../postgres/array-columns.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { float8, int4, orNull, statement, uuid } from "../../postgres/statement.ts";
import { firstIdAt, timeOfId } from "../../ids.ts";
import type { Source } from "../award.ts";
import type { ComposedRecord } from "../record.ts";
import { limitsOfDay, tallied, untallied, withinLimits } from "./limits.ts";
import type { LimitedPeriod, PeriodLimits, Tally } from "./limits.ts";
import { PERIODS, periodOf } from "./periods.ts";
import type { PeriodRange } from "./periods.ts";

/** An award to be booked. */
interface Due {
  readonly applicationId: string;
  readonly userId: string;
  readonly source: Source;
  readonly submissionId: string;
  readonly record: ComposedRecord;
  /** Those of its programme; null: none. */
  readonly limits: PeriodLimits | null;
}

/** A user's time in which awards are summed up. */
interface Stretch extends PeriodRange {
  readonly userId: string;
}

const APPLICATION_LIMITS = statement(
  "points.day-limits",
  { id: uuid, pointsADay: orNull(int4), mealsADay: orNull(int4), foodPointsADay: orNull(int4) },
  `SELECT id, points_a_day AS "pointsADay", meals_a_day AS "mealsADay", food_points_a_day AS "foodPointsADay"
         FROM applications
         WHERE id = ANY ($1) AND num_nonnulls(points_a_day, meals_a_day, food_points_a_day) > 0`,
);
const STRETCHES = arrayColumns<Stretch>({
  user_id: ["uuid", ({ userId }) => userId],
  first_id: ["uuid", ({ fromMs }) => firstIdAt(fromMs)],
  next_id: ["uuid", ({ untilMs }) => firstIdAt(untilMs)],
});
const TALLIES = statement(
  "points.tallies",
  { points: float8, meals: float8, foodPoints: float8 },
  // The time is that of the submission, not of the booking, which may come after midnight. A submission's id begins
  // with the time of its acceptance, so its day is a range of the index of awards by submission.
  `SELECT awarded.*
         FROM ${STRETCHES.unnest} WITH ORDINALITY AS stretch (${STRETCHES.names}, place)
           CROSS JOIN LATERAL (
             SELECT (coalesce(sum(total_points), 0) + coalesce(sum((
                      SELECT sum(correction.total_points) FROM records AS correction
                      WHERE correction.user_id = records.user_id AND correction.related_id = records.id
                        AND correction.operation = 3)), 0))::float8 AS points,
                    (count(*) FILTER (WHERE source = 'meal' AND total_points > 0))::float8 AS meals,
                    coalesce(sum(total_points) FILTER (WHERE source = 'food'), 0)::float8 AS "foodPoints"
             FROM records
             WHERE records.user_id = stretch.user_id AND source IN ('meal', 'food', 'receipt')
               AND submission_id >= stretch.first_id AND submission_id < stretch.next_id AND operation = 1 AND status = 2
           ) AS awarded
         ORDER BY place`,
);

/** A limited period of a submission, with the key of what was awarded in it. */
interface Limited extends Omit<LimitedPeriod, "tally"> {
  readonly key: string;
  readonly stretch: Stretch;
}

/**
 * Returns the records to book, in the order given: each is reduced to the rest of its day, week and month under the
 * limits of its application and its programme, after the records before it. The caller holds the users' locks, so that
 * none of their other awards can be booked meanwhile. `isAnyLimited`: an application has day limits.
 */
export async function withinAllLimits(tx: Tx, due: readonly Due[], isAnyLimited: boolean): Promise<ComposedRecord[]> {
  const limited = await limitedPeriods(tx, due, isAnyLimited);
  const tallies = await talliesOf(tx, limited.flat());
  const byKey = new Map(limited.flat().map((each) => [each.key, each]));
  const byUser = Map.groupBy(byKey.values(), ({ stretch }) => stretch.userId);
  return due.map(({ userId, source, submissionId, record }, i) => {
    const periods = limited[i]!.map((each) => ({ ...each, tally: tallies.get(each.key)! }));
    const cut = withinLimits(record, source, periods);
    // Each period once: two limits may be of the same, and a later record of another version may have one of its own.
    for (const { key, stretch } of byUser.get(userId) ?? []) {
      if (isWithin(submissionId, stretch)) tallies.set(key, tallied(tallies.get(key)!, source, cut.award.totalPoints));
    }
    return cut;
  });
}

/** An award of the same user that counts for points of `now`, in place of those `booked`. */
export interface Recount {
  readonly submissionId: string;
  readonly source: Source;
  readonly booked: number;
  readonly now: number;
}

/**
 * Reduces a record that replaces an award of `ownPoints`, corrections included, to the rest of its periods. The caller
 * holds the user's lock, or books nothing by it. `others`: awards that will be replaced before it.
 */
export async function withinAllLimitsAgain(
  tx: Tx,
  due: Due,
  ownPoints: number,
  isAnyLimited: boolean,
  others: readonly Recount[] = [],
): Promise<ComposedRecord> {
  const limited = (await limitedPeriods(tx, [due], isAnyLimited)).flat();
  const tallies = await talliesOf(tx, limited);
  const recounts = [{ ...due, booked: ownPoints, now: 0 }, ...others];
  const periods = limited.map((each) => {
    const within = recounts.filter(({ submissionId }) => isWithin(submissionId, each.stretch));
    const tally = within.reduce(
      (sum, { source, booked, now }) => tallied(untallied(sum, source, booked), source, now),
      tallies.get(each.key)!,
    );
    return { ...each, tally };
  });
  return withinLimits(due.record, due.source, periods);
}

async function limitedPeriods(tx: Tx, due: readonly Due[], isAnyLimited: boolean): Promise<Limited[][]> {
  const ids = isAnyLimited ? [...new Set(due.map(({ applicationId }) => applicationId))] : [];
  const rows = ids.length > 0 ? await tx.query(APPLICATION_LIMITS, [ids]) : [];
  const ofApplication = new Map(rows.map(({ id, ...limits }) => [id, limitsOfDay(limits)]));
  return due.map(({ applicationId, userId, submissionId, limits }) => {
    const ms = timeOfId(submissionId);
    const limitedIn = (period: (typeof PERIODS)[number], zone: string, of: LimitedPeriod["limits"]): Limited => {
      const range = periodOf(ms, period, zone);
      const key = `${userId} ${range.fromMs} ${range.untilMs}`;
      const { first: day } = range;
      return { period, day, ...(zone !== "UTC" && { timeZone: zone }), limits: of, key, stretch: { userId, ...range } };
    };
    const day = ofApplication.get(applicationId);
    return [
      ...(day ? [limitedIn("day", "UTC", day)] : []),
      ...PERIODS.filter((period) => limits !== null && isLimited(limits[period])).map((period) =>
        limitedIn(period, limits!.timeZone, limits![period]),
      ),
    ];
  });
}

function isLimited({ points, meals, foodPoints }: LimitedPeriod["limits"]): boolean {
  return points !== null || meals !== null || foodPoints !== null;
}

function isWithin(submissionId: string, { fromMs, untilMs }: PeriodRange): boolean {
  const ms = timeOfId(submissionId);
  return fromMs <= ms && ms < untilMs;
}

/** What was awarded in each of the periods, by key. */
async function talliesOf(tx: Tx, limited: readonly Limited[]): Promise<Map<string, Tally>> {
  const stretches = [...new Map(limited.map(({ key, stretch }) => [key, stretch]))];
  if (stretches.length === 0) return new Map();
  const rows = await tx.query(TALLIES, STRETCHES.values(stretches.map(([, stretch]) => stretch)));
  return new Map(stretches.map(([key], i) => [key, rows[i]!]));
}
