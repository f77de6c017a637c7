// Expiries of users with many records, and the sums that are kept of these: both by adding up the records anew, a step
// at a time, so that each record is read once.
import type { Tx } from "../../postgres/postgres.ts";
import { float8, int2, neverNull, statement, timestamptz, uuid } from "../../postgres/statement.ts";
import type { RowOf } from "../../postgres/statement.ts";
import { monthsLater } from "../expiry/expiry.ts";
import { SUMS, SUMS_OF_OWNED } from "../expiry/sums.store.ts";
import { NO_SUMS, withLater } from "../expiry/sums.ts";
import type { ExpirySums } from "../expiry/sums.ts";
import { DAY_MS } from "../../time.ts";
import { inSeventh } from "./check.ts";
import type { Check, Difference } from "./check.ts";
import { MONTHS_KNOWN, NEWEST } from "./expiry.store.ts";

const RECORDS_A_STEP = 8_000;

const KEPT = {
  userId: uuid,
  sequence: float8,
  ...SUMS,
};
const KEPT_COLUMNS = `user_id AS "userId", sequence::float8 AS sequence, credits, returns, active_at AS "activeAt"`;
const KEPT_OF_SLICE = statement(
  "ledger.verify-kept-sums",
  KEPT,
  `SELECT ${KEPT_COLUMNS} FROM expiry_sums WHERE ${inSeventh("user_id")} ORDER BY user_id`,
);
const KEPT_OF_USER = statement(
  "ledger.verify-kept-sums-of-user",
  KEPT,
  `SELECT ${KEPT_COLUMNS} FROM expiry_sums WHERE user_id = $1`,
);
const STEP = statement(
  "ledger.verify-sums-step",
  { ...SUMS, records: float8, points: float8 },
  `WITH owned AS (SELECT $1::uuid AS user_id, $2::bigint AS summed, $3::bigint AS up_to), ${SUMS_OF_OWNED}
         SELECT coalesce(sums.credits, '[]') AS credits, coalesce(sums.returns, '[]') AS returns,
                sums.active_at AS "activeAt",
                (SELECT count(*) FROM later)::float8 AS records,
                (SELECT coalesce(sum(total_points), 0) FROM later)::float8 AS points
         FROM owned LEFT JOIN sums USING (user_id)`,
);
const EXPIRY = {
  id: uuid,
  sequence: float8,
  createdAt: timestamptz,
  expired: float8,
  months: neverNull(int2),
};
const EXPIRIES_OF_USER = statement(
  "ledger.verify-expiries-of-user",
  EXPIRY,
  `SELECT records.id, sequence::float8 AS sequence, records.created_at AS "createdAt",
                (-total_points)::float8 AS expired, (${MONTHS_KNOWN})::smallint AS months
         FROM records JOIN applications ON applications.id = records.application_id
           LEFT JOIN points_settings AS settings ON settings.application_id = records.application_id
         WHERE records.user_id = $1 AND sequence = ANY ($2::bigint[]) ORDER BY sequence`,
);

type Kept = RowOf<typeof KEPT>;

/** The sums that are kept of users are those of their records. */
export const EXPIRY_SUMS: Check = {
  find: async (tx, { above, upTo, seventh }) => {
    const differences: Difference[] = [];
    for (const kept of await tx.query(KEPT_OF_SLICE, [above, upTo, seventh])) {
      for await (const found of differencesOfSums(tx, kept.userId, { kept, expiries: [] })) differences.push(...found);
    }
    return differences;
  },
};

/**
 * The same of one user with many records, and the newest expiries, by the numbers of all of them: no expiry took points
 * that had not lasted their time.
 */
export async function* differencesOfLarge(
  tx: Tx,
  userId: string,
  sequences: readonly number[],
  recordsAStep = RECORDS_A_STEP,
): AsyncGenerator<readonly Difference[]> {
  const [kept] = await tx.query(KEPT_OF_USER, [userId]);
  const expiries = await tx.query(EXPIRIES_OF_USER, [userId, sequences.slice(-NEWEST)]);
  yield* differencesOfSums(tx, userId, { kept: kept ?? null, expiries }, recordsAStep);
}

/** Records never change: what they add up to is the same, however many come meanwhile. */
async function* differencesOfSums(
  tx: Tx,
  userId: string,
  { kept, expiries }: { kept: Kept | null; expiries: readonly RowOf<typeof EXPIRY>[] },
  recordsAStep = RECORDS_A_STEP,
): AsyncGenerator<readonly Difference[]> {
  const keptUpTo = kept ? [kept.sequence] : [];
  const wanted = new Set([...keptUpTo, ...expiries.map(({ sequence }) => sequence - 1)]);
  let sums: ExpirySums = NO_SUMS;
  let [reached, points, records] = [0, 0, 0];
  for (const end of [...wanted].toSorted((a, b) => a - b)) {
    while (reached < end) {
      const upTo = Math.min(end, reached + recordsAStep);
      const [step] = await tx.query(STEP, [userId, reached, upTo]);
      sums = withLater(sums, step!);
      points += step!.points;
      records += step!.records;
      // A number far beyond the records would be read for years.
      reached = step!.records === 0 ? end : upTo;
      yield [];
    }
    const before = expiries.find(({ sequence }) => sequence === end + 1);
    if (before && isTooEarly(sums, points, before)) {
      yield [{ userId, what: `record ${before.id}: more expires than was there long enough` }];
    }
    if (kept?.sequence === end && !(records === end && isSame(kept, sums))) {
      yield [{ userId, what: "the sums that are kept for expiries are not those of its records" }];
    }
  }
}

/** Whether an expiry took points of records that are younger than the months that points last. */
function isTooEarly(
  { credits }: ExpirySums,
  available: number,
  { createdAt, expired, months }: RowOf<typeof EXPIRY>,
): boolean {
  const young = credits.reduce(
    (sum, [day, points]) => sum + (monthsLater(new Date(day * DAY_MS), months) > createdAt ? points : 0),
    0,
  );
  return expired > Math.max(0, available - young);
}

function isSame(kept: ExpirySums, { credits, returns, activeAt }: ExpirySums): boolean {
  return (
    kept.activeAt?.getTime() === activeAt?.getTime() &&
    JSON.stringify([kept.credits, kept.returns]) === JSON.stringify([credits, returns])
  );
}
