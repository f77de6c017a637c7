import { arrayColumns } from "../../postgres/array-columns.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { float8, int4, orNull, statement, uuid } from "../../postgres/statement.ts";
import { firstIdAt } from "../../ids.ts";
import type { Source } from "../award.ts";
import type { ComposedRecord } from "../record.ts";
import { limitsOfDay, tallied, untallied, withinLimits } from "./limits.ts";
import type { Limits, PeriodLimits } from "./limits.ts";
import type { PeriodRange } from "./periods.ts";
import { isWithin, limitedRanges, rangeKey, withTallies } from "./tallies.ts";
import type { LimitedRange, RangeTally, Tallies } from "./tallies.ts";

/** A submission whose award has limits. */
interface Limited {
  readonly applicationId: string;
  readonly userId: string;
  readonly submissionId: string;
  /** Those of its programme; null: none. */
  readonly limits: PeriodLimits | null;
}

/** An award to be booked. */
interface Due extends Limited {
  readonly source: Source;
  readonly record: ComposedRecord;
}

/** A user's time in which awards are summed up. */
interface Stretch extends Pick<PeriodRange, "fromMs" | "untilMs"> {
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

/**
 * The day limits of applications by id; none has any unless `isAnyLimited`.
 */
export async function dayLimitsOf(
  tx: Tx,
  applicationIds: readonly string[],
  isAnyLimited: boolean,
): Promise<ReadonlyMap<string, Limits>> {
  const ids = isAnyLimited ? [...new Set(applicationIds)] : [];
  const rows = ids.length > 0 ? await tx.query(APPLICATION_LIMITS, [ids]) : [];
  return new Map(rows.map(({ id, ...limits }) => [id, limitsOfDay(limits)]));
}

/** What users were awarded in periods, by user. */
export async function talliesOf(
  tx: Tx,
  limited: readonly { readonly userId: string; readonly ranges: readonly LimitedRange[] }[],
): Promise<ReadonlyMap<string, Tallies>> {
  const byKey = new Map<string, Stretch>();
  for (const { userId, ranges } of limited) {
    for (const { range } of ranges) byKey.set(`${userId} ${rangeKey(range)}`, { userId, ...range });
  }
  const stretches = [...byKey.values()];
  if (stretches.length === 0) return new Map();
  const rows = await tx.query(TALLIES, STRETCHES.values(stretches));
  const tallies = new Map<string, Map<string, RangeTally>>();
  for (const [i, { userId, fromMs, untilMs }] of stretches.entries()) {
    const ofUser = tallies.get(userId) ?? new Map<string, RangeTally>();
    tallies.set(userId, ofUser.set(rangeKey({ fromMs, untilMs }), { fromMs, untilMs, tally: rows[i]! }));
  }
  return tallies;
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
  const { applicationId, userId, submissionId, limits: ofProgram } = due;
  const ofApplication = (await dayLimitsOf(tx, [applicationId], isAnyLimited)).get(applicationId) ?? null;
  const ranges = limitedRanges(submissionId, { ofApplication, ofProgram });
  const tallies = (await talliesOf(tx, [{ userId, ranges }])).get(userId) ?? new Map<string, RangeTally>();
  const recounts = [{ ...due, booked: ownPoints, now: 0 }, ...others];
  const recounted = [...tallies].map(([key, each]) => {
    const within = recounts.filter((recount) => isWithin(recount.submissionId, each));
    const tally = within.reduce(
      (sum, { source, booked, now }) => tallied(untallied(sum, source, booked), source, now),
      each.tally,
    );
    return [key, { ...each, tally }] as const;
  });
  return withinLimits(due.record, due.source, withTallies(ranges, new Map(recounted)));
}
