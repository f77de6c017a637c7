import { arrayColumns } from "../../postgres/array-columns.ts";
import { binaryArray } from "../../postgres/binary-array.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { bool, code, float8, orNull, statement, timestamptz, uuid } from "../../postgres/statement.ts";
import { countedFrom } from "./tiers.ts";
import type { StoredTier, TierCode, Tiers } from "./tiers.ts";

/** A user whose tier is asked for. `lifetimePoints` are those of the balance. */
export interface AskedUser {
  readonly userId: string;
  readonly tiers: Tiers;
  readonly lifetimePoints: number;
}

/** The sum of the points that count in the last twelve months. */
export interface CountedSum {
  readonly from: Date;
  /** Of records up to this number. */
  readonly sequence: number;
  readonly points: number;
}

/** What decides the tier of a user. */
export interface TierStanding {
  readonly userId: string;
  /** As last reported; null: never changed. */
  readonly stored: StoredTier | null;
  /** Points that count now. */
  readonly points: number;
  /** Null: all points ever earned count, and the balance has them. */
  readonly sum: CountedSum | null;
  /** Whether to store the sum, so that the next one reads little. */
  readonly isSumDue: boolean;
}

const STORED = statement(
  "tiers.stored",
  { userId: uuid, tier: orNull(code<TierCode>()), since: orNull(timestamptz) },
  `SELECT user_id AS "userId", tier, since FROM user_tiers WHERE user_id = ANY ($1)`,
);
const ASKED = arrayColumns<{ readonly userId: string; readonly from: Date }>({
  user_id: ["uuid", ({ userId }) => userId],
  from_at: ["timestamptz", ({ from }) => from],
});
/** Records by which a stored sum may be behind. Reading them takes less than writing the sum each time. */
const BEHIND_MAX = 50;
const COUNTED = statement(
  "tiers.counted",
  {
    userId: uuid,
    tier: orNull(code<TierCode>()),
    since: orNull(timestamptz),
    points: float8,
    sequence: float8,
    isSumDue: bool,
  },
  // From the stored sum on: less what has left the twelve months since, more what came. Without one, or if it begins
  // later than asked for, from the records of the twelve months. A record that takes back or corrects counts with the
  // one that it relates to. That one is older, so whatever was added to the ledger within the time is all there is.
  `SELECT asked.user_id AS "userId", stored.tier, stored.since, (base.points - gone.points + added.points)::float8 AS points,
                balances.records::float8 AS sequence,
                NOT base.is_stored OR gone.records + balances.records - base.sequence > ${BEHIND_MAX} AS "isSumDue"
         FROM ${ASKED.unnest} AS asked (${ASKED.names})
           JOIN balances ON balances.user_id = asked.user_id
           LEFT JOIN user_tiers AS stored ON stored.user_id = asked.user_id
           CROSS JOIN LATERAL (
             SELECT true AS is_stored, stored.points, stored.sequence, stored.counted_from
             WHERE stored.counted_from <= asked.from_at
             UNION ALL
             SELECT false, 0, coalesce((
                      SELECT sequence FROM records WHERE user_id = asked.user_id AND created_at < asked.from_at
                      ORDER BY created_at DESC, sequence DESC LIMIT 1), 0), asked.from_at
             WHERE stored.counted_from IS NULL OR stored.counted_from > asked.from_at
           ) AS base
           CROSS JOIN LATERAL (
             SELECT count(*) AS records,
                    coalesce(sum(CASE WHEN root.is_lifetime THEN root.total_points ELSE 0 END
                      + coalesce((SELECT sum(later.total_points) FROM records AS later
                                  WHERE later.user_id = root.user_id AND later.related_id = root.id
                                    AND later.is_lifetime AND later.sequence <= base.sequence), 0)), 0) AS points
             FROM records AS root
             WHERE root.user_id = asked.user_id AND root.created_at >= base.counted_from
               AND root.created_at < asked.from_at AND root.related_id IS NULL AND root.sequence <= base.sequence
           ) AS gone
           CROSS JOIN LATERAL (
             SELECT coalesce(sum(later.total_points), 0) AS points
             FROM records AS later
               LEFT JOIN records AS root ON root.user_id = later.user_id AND root.id = later.related_id
             WHERE later.user_id = asked.user_id AND later.sequence > base.sequence AND later.is_lifetime
               AND coalesce(root.created_at, later.created_at) >= asked.from_at
           ) AS added`,
);

/** What to store of a user's tier. The caller holds the lock of the user's balance. */
export interface KeptTier {
  readonly userId: string;
  readonly applicationId: string;
  readonly tier: StoredTier | null;
  readonly sum: CountedSum | null;
}

const KEPT = arrayColumns<KeptTier>({
  user_id: ["uuid", ({ userId }) => userId],
  application_id: ["uuid", ({ applicationId }) => applicationId],
  tier: ["smallint", ({ tier }) => tier?.code ?? null],
  since: ["timestamptz", ({ tier }) => tier?.since ?? null],
  points: ["bigint", ({ sum }) => sum?.points ?? null],
  counted_from: ["timestamptz", ({ sum }) => sum?.from ?? null],
  sequence: ["bigint", ({ sum }) => sum?.sequence ?? null],
});
const KEEP = statement(
  "tiers.keep",
  {},
  `INSERT INTO user_tiers (${KEPT.names}) SELECT * FROM ${KEPT.unnest}
         ON CONFLICT (user_id) DO UPDATE SET tier = excluded.tier, since = excluded.since, points = excluded.points,
           counted_from = excluded.counted_from, sequence = excluded.sequence`,
);

/** The standings of different users at a moment, by user: one statement for each way to count. */
export async function standingsOf(
  tx: Tx,
  asked: readonly AskedUser[],
  at: Date,
): Promise<ReadonlyMap<string, TierStanding>> {
  const rolling = asked.filter(({ tiers }) => tiers.by === "rolling_12_months");
  const found = new Map<string, TierStanding>();
  if (rolling.length > 0) {
    const froms = new Map(
      rolling.map(({ userId, tiers }) => [userId, new Date(countedFrom(at.getTime(), tiers.timeZone))]),
    );
    const rows = await tx.query(COUNTED, ASKED.values([...froms].map(([userId, from]) => ({ userId, from }))));
    for (const { userId, tier, since, points, sequence, isSumDue } of rows) {
      const from = froms.get(userId)!;
      found.set(userId, { userId, stored: storedTier(tier, since), points, sum: { from, sequence, points }, isSumDue });
    }
  }
  const others = asked.filter(({ tiers }) => tiers.by === "lifetime");
  if (others.length > 0) {
    const rows = await tx.query(STORED, [
      binaryArray(
        "uuid",
        others.map(({ userId }) => userId),
      ),
    ]);
    const byUser = new Map(rows.map(({ userId, tier, since }) => [userId, storedTier(tier, since)]));
    for (const { userId, lifetimePoints: points } of others) {
      found.set(userId, { userId, stored: byUser.get(userId) ?? null, points, sum: null, isSumDue: false });
    }
  }
  return found;
}

/** Stores tiers of users, in ascending order of the users as everywhere. */
export async function keepTiers(tx: Tx, kept: readonly KeptTier[]): Promise<void> {
  if (kept.length > 0) await tx.query(KEEP, KEPT.values(kept.toSorted((a, b) => (a.userId < b.userId ? -1 : 1))));
}

function storedTier(tier: TierCode | null, since: Date | null): StoredTier | null {
  return tier === null || since === null ? null : { code: tier, since };
}
