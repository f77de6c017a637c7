import { arrayColumns } from "../../postgres/array-columns.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { float8, int4, orNull, statement, uuid } from "../../postgres/statement.ts";
import { firstIdAt, timeOfId } from "../../ids.ts";
import { DAY_MS } from "../../time.ts";
import type { Source } from "../award.ts";
import type { ComposedRecord } from "../record.ts";
import { tallied, withinDay } from "./limits.ts";

/** An award to be booked. */
interface Due {
  readonly applicationId: string;
  readonly userId: string;
  readonly source: Source;
  readonly submissionId: string;
  readonly record: ComposedRecord;
}

/** The days of awards, as ranges of submission ids. */
const DAYS = arrayColumns<Due>({
  application_id: ["uuid", ({ applicationId }) => applicationId],
  user_id: ["uuid", ({ userId }) => userId],
  first_id: ["uuid", (due) => firstIdAt(dayOf(due))],
  next_id: ["uuid", (due) => firstIdAt(dayOf(due) + DAY_MS)],
});
const LIMITED_DAYS = statement(
  "points.limited-days",
  {
    userId: uuid,
    firstId: uuid,
    pointsADay: orNull(int4),
    mealsADay: orNull(int4),
    foodPointsADay: orNull(int4),
    points: float8,
    meals: float8,
    foodPoints: float8,
  },
  // The day is that of the submission, not of the booking, which may come after midnight. A submission's id begins with
  // the time of its acceptance, so its day is a range of the index of awards by submission.
  `SELECT day.user_id AS "userId", day.first_id AS "firstId", points_a_day AS "pointsADay", meals_a_day AS "mealsADay",
                food_points_a_day AS "foodPointsADay", awarded.*
         FROM ${DAYS.unnest} AS day (${DAYS.names})
           JOIN applications ON applications.id = day.application_id
             AND num_nonnulls(points_a_day, meals_a_day, food_points_a_day) > 0
           CROSS JOIN LATERAL (
             SELECT (coalesce(sum(total_points), 0) + coalesce(sum((
                      SELECT sum(correction.total_points) FROM records AS correction
                      WHERE correction.user_id = records.user_id AND correction.related_id = records.id
                        AND correction.operation = 3)), 0))::float8 AS points,
                    (count(*) FILTER (WHERE source = 'meal' AND total_points > 0))::float8 AS meals,
                    coalesce(sum(total_points) FILTER (WHERE source = 'food'), 0)::float8 AS "foodPoints"
             FROM records
             WHERE records.user_id = day.user_id AND source IN ('meal', 'food', 'receipt')
               AND submission_id >= day.first_id AND submission_id < day.next_id AND operation = 1 AND status = 2
           ) AS awarded`,
);

/**
 * Returns the records to book, in the order given: each is reduced to the rest of its day under its application's
 * limits, after the records before it. The caller holds the users' locks, so that none of their other awards can be
 * booked meanwhile.
 */
export async function withinDayLimits(tx: Tx, due: readonly Due[]): Promise<ComposedRecord[]> {
  const days = [...new Map(due.map((each) => [keyOf(each), each])).values()];
  const rows = await tx.query(LIMITED_DAYS, DAYS.values(days));
  const limited = new Map(
    rows.map(({ userId, firstId, points, meals, foodPoints, ...limits }) => [
      `${userId} ${firstId}`,
      { limits, tally: { points, meals, foodPoints } },
    ]),
  );
  return due.map((each) => {
    const { source, record } = each;
    const found = limited.get(keyOf(each));
    if (!found) return record;
    const day = new Date(dayOf(each)).toISOString().slice(0, 10);
    const cut = withinDay(record, { source, ...found, day });
    found.tally = tallied(found.tally, source, cut.award.totalPoints);
    return cut;
  });
}

/**
 * Reduces a record that replaces an award of `ownPoints`, corrections included, to the rest of its day. The caller
 * holds the user's lock.
 */
export async function withinDayLimitsAgain(tx: Tx, due: Due, ownPoints: number): Promise<ComposedRecord> {
  const [row] = await tx.query(LIMITED_DAYS, DAYS.values([due]));
  if (!row) return due.record;
  const { userId: _user, firstId: _id, points, meals, foodPoints, ...limits } = row;
  const day = new Date(dayOf(due)).toISOString().slice(0, 10);
  const tally = { points: points - ownPoints, meals, foodPoints };
  return withinDay(due.record, { source: due.source, limits, tally, day });
}

/** Start of the UTC day of a submission, in milliseconds since 1970. */
function dayOf({ submissionId }: Due): number {
  const ms = timeOfId(submissionId);
  return ms - (ms % DAY_MS);
}

function keyOf(due: Due): string {
  return `${due.userId} ${firstIdAt(dayOf(due))}`;
}
