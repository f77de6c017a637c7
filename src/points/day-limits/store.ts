import type { Tx } from "../../adapters/postgres.ts";
import { float8, statement, uuid } from "../../adapters/statement.ts";
import { firstIdAt, timeOfId } from "../../ids.ts";
import type { Source } from "../award.ts";
import type { ComposedRecord } from "../record.ts";
import { isLimiting, tallied, withinDay } from "./limits.ts";
import type { DayLimits, DayTally } from "./limits.ts";

const DAY_MS = 86_400_000;

const TALLIES = statement(
  "points.day-tallies",
  { userId: uuid, firstId: uuid, points: float8, meals: float8, foodPoints: float8 },
  // The day is that of the submission, not of the booking, which may come after midnight. A submission's id begins with
  // the moment it came in, so that its day is a range of the index that holds one award for each submission.
  `SELECT day.user_id AS "userId", day.first_id AS "firstId", awarded.*
         FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS day (user_id, first_id, next_id)
           CROSS JOIN LATERAL (
             SELECT coalesce(sum(total_points), 0)::float8 AS points,
                    (count(*) FILTER (WHERE source = 'meal' AND total_points > 0))::float8 AS meals,
                    coalesce(sum(total_points) FILTER (WHERE source = 'food'), 0)::float8 AS "foodPoints"
             FROM records
             WHERE records.user_id = day.user_id AND source IN ('meal', 'food', 'receipt')
               AND submission_id >= day.first_id AND submission_id < day.next_id AND operation = 1 AND status = 2
           ) AS awarded`,
);

/** An award that is about to be booked. */
interface Due {
  readonly userId: string;
  readonly source: Source;
  readonly submissionId: string;
  readonly record: ComposedRecord;
}

/**
 * The records as they are to be booked, in the order given: each cut to what its application's limits leave of its day,
 * counting those before it. The caller holds the users' locks, so that what is read now is all that was awarded.
 * Where no limit is set nothing is read.
 */
export async function withinDayLimits(
  tx: Tx,
  due: readonly Due[],
  limitsOf: (userId: string) => DayLimits,
): Promise<ComposedRecord[]> {
  const limited = due.filter(({ userId }) => isLimiting(limitsOf(userId)));
  if (limited.length === 0) return due.map(({ record }) => record);
  const days = [...new Map(limited.map((each) => [keyOf(each), each])).values()];
  const rows = await tx.query(TALLIES, [
    days.map(({ userId }) => userId),
    days.map((each) => firstIdAt(dayOf(each))),
    days.map((each) => firstIdAt(dayOf(each) + DAY_MS)),
  ]);
  const tallies = new Map(rows.map(({ userId, firstId, ...tally }) => [`${userId} ${firstId}`, tally]));
  return due.map((each) => {
    const { userId, source, record } = each;
    const tally: DayTally | undefined = tallies.get(keyOf(each));
    if (!tally) return record;
    const day = new Date(dayOf(each)).toISOString().slice(0, 10);
    const cut = withinDay(record, { source, limits: limitsOf(userId), tally, day });
    tallies.set(keyOf(each), tallied(tally, source, cut.award.totalPoints));
    return cut;
  });
}

/** When the UTC day of a submission began, in milliseconds since 1970. */
function dayOf({ submissionId }: Due): number {
  const ms = timeOfId(submissionId);
  return ms - (ms % DAY_MS);
}

function keyOf(due: Due): string {
  return `${due.userId} ${firstIdAt(dayOf(due))}`;
}
