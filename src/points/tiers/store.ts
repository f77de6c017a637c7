import { arrayColumns } from "../../postgres/array-columns.ts";
import { binaryArray } from "../../postgres/binary-array.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { bool, code, float8, orNull, statement, timestamptz, uuid } from "../../postgres/statement.ts";
import type { Balance } from "../balance.ts";
import { KEPT_UP_TO } from "../sums/store.ts";
import { countedFrom } from "./tier.ts";
import type { StoredTier, TierCode, TierRules, TierStanding } from "./tier.ts";

/** A user whose tier is asked for, with the points of the balance. */
export interface AskedUser {
  readonly userId: string;
  readonly rules: TierRules;
  readonly lifetimePoints: number;
}

/** The sum of the points that count in the last twelve months. */
export interface CountedSum {
  readonly from: Date;
  /** Of records up to this number. */
  readonly sequence: number;
  readonly points: number;
}

/** What decides the tier of a user now, and what is stored of it. */
export interface ReadStanding extends TierStanding {
  readonly rules: TierRules;
  /** Those of the balance, when it was read. */
  readonly lifetimePoints: number;
  /** As last reported; null: never changed. */
  readonly stored: StoredTier | null;
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
/** A sum is stored when it took more records than this. Reading fewer takes less than writing it each time. */
const BEHIND_MAX = 50;
/** The points that count of some records of a user, from a time on. */
const COUNTED_OF_RECORDS = (condition: string) => `(
               SELECT coalesce(sum(later.total_points), 0)
               FROM records AS later
                 LEFT JOIN records AS root ON root.user_id = later.user_id AND root.id = later.related_id
               WHERE later.user_id = asked.user_id AND later.is_lifetime AND ${condition}
                 AND coalesce(root.created_at, later.created_at) >= asked.from_at
             )`;
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
  // later than asked for, from the kept blocks of the twelve months and the records after them. A record that takes
  // back or corrects counts with the one that it relates to. That one is older, so whatever was added to the ledger
  // within the time is all there is; but of a block with an older one, or with the beginning of the time in it, records
  // are read. `+ 0`: what has left is found by time. By number, PostgreSQL read all that a user had before: 450 ms of
  // CPU for 100,000 records.
  `SELECT asked.user_id AS "userId", stored.tier, stored.since, (base.points - gone.points + added.points)::float8 AS points,
                balances.records::float8 AS sequence,
                gone.records + balances.records - base.begins_after > ${BEHIND_MAX} AS "isSumDue"
         FROM ${ASKED.unnest} AS asked (${ASKED.names})
           JOIN balances ON balances.user_id = asked.user_id
           LEFT JOIN user_tiers AS stored ON stored.user_id = asked.user_id
           CROSS JOIN LATERAL (
             SELECT stored.points, stored.sequence, stored.counted_from, stored.sequence AS begins_after
             WHERE stored.counted_from <= asked.from_at
             UNION ALL
             SELECT coalesce((SELECT sum(CASE WHEN first_sequence > before.sequence
                                              AND coalesce(oldest_related > before.sequence, true) THEN points
                                         ELSE ${COUNTED_OF_RECORDS(
                                           "later.sequence BETWEEN greatest(first_sequence, before.sequence + 1) AND last_sequence",
                                         )} END)
                              FROM (
                                SELECT first_sequence, last_sequence, sum(lifetime_points) AS points,
                                       min(oldest_related) AS oldest_related
                                FROM record_sums WHERE user_id = asked.user_id AND last_sequence > before.sequence
                                GROUP BY first_sequence, last_sequence
                              ) AS blocks), 0),
                    greatest(before.sequence, ${KEPT_UP_TO("asked.user_id")}), asked.from_at, before.sequence
             FROM (
               SELECT coalesce((
                        SELECT sequence FROM records WHERE user_id = asked.user_id AND created_at < asked.from_at
                        ORDER BY created_at DESC, sequence DESC LIMIT 1), 0) AS sequence
               OFFSET 0 -- Computed once, not at each place of use.
             ) AS before
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
               AND root.created_at < asked.from_at AND root.related_id IS NULL AND root.sequence + 0 <= base.sequence
           ) AS gone
           CROSS JOIN LATERAL (
             SELECT ${COUNTED_OF_RECORDS("later.sequence > base.sequence")} AS points
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
): Promise<ReadonlyMap<string, ReadStanding>> {
  const found = new Map<string, ReadStanding>();
  const { rolling_12_months: rolling = [], lifetime = [] } = Object.groupBy(asked, ({ rules }) => rules.by);
  if (rolling.length > 0) {
    // A time zone takes 20 µs, and all of a batch mostly have the same.
    const starts = new Map(rolling.map(({ rules }) => [rules, null as Date | null]));
    for (const rules of starts.keys()) starts.set(rules, new Date(countedFrom(at.getTime(), rules.timeZone)));
    const froms = new Map(rolling.map(({ userId, rules }) => [userId, starts.get(rules)!]));
    const rows = await tx.query(COUNTED, ASKED.values([...froms].map(([userId, from]) => ({ userId, from }))));
    const byUser = new Map(rows.map((row) => [row.userId, row]));
    for (const { userId, rules, lifetimePoints } of rolling) {
      const row = byUser.get(userId);
      if (!row) continue;
      const { tier, since, points, sequence, isSumDue } = row;
      const sum = { from: froms.get(userId)!, sequence, points };
      found.set(userId, { rules, lifetimePoints, stored: storedTier(tier, since), points, sum, isSumDue });
    }
  }
  if (lifetime.length > 0) {
    const ids = lifetime.map(({ userId }) => userId);
    const rows = await tx.query(STORED, [binaryArray("uuid", ids)]);
    const byUser = new Map(rows.map(({ userId, tier, since }) => [userId, storedTier(tier, since)]));
    for (const { userId, rules, lifetimePoints } of lifetime) {
      const stored = byUser.get(userId) ?? null;
      found.set(userId, { rules, lifetimePoints, stored, points: lifetimePoints, sum: null, isSumDue: false });
    }
  }
  return found;
}

/** A user with the rules that their tier is by. */
export interface TierQuery {
  readonly userId: string;
  readonly rules: TierRules;
}

/**
 * The standings of users before a batch, whose balances the caller holds. Nothing is read where all points count: the
 * balance has them.
 */
export async function readTierStandings(
  tx: Tx,
  queries: readonly TierQuery[],
  balances: ReadonlyMap<string, Pick<Balance, "lifetimePoints">>,
  at: Date,
): Promise<ReadonlyMap<string, TierStanding>> {
  const users = new Map(queries.map(({ userId, rules }) => [userId, rules]));
  const asked = [...users].map(([userId, rules]) => {
    return { userId, rules, lifetimePoints: balances.get(userId)?.lifetimePoints ?? 0 };
  });
  const rolling = asked.filter(({ rules }) => rules.by !== "lifetime");
  const read = await standingsOf(tx, rolling, at);
  return new Map(asked.map(({ userId, lifetimePoints }) => [userId, read.get(userId) ?? { points: lifetimePoints }]));
}

/**
 * A standing that was read before a batch, as it is after it, if everything that moved the points of the balance since
 * was earned then. Null: it was not read, or by other rules.
 */
export function standingAfter(
  before: TierStanding | null,
  rules: TierRules,
  { lifetimePoints, records }: Pick<Balance, "lifetimePoints" | "records">,
): ReadStanding | null {
  if (!before || !isRead(before) || before.rules !== rules || !before.sum) return null;
  const points = before.points + lifetimePoints - before.lifetimePoints;
  return { ...before, points, lifetimePoints, sum: { ...before.sum, sequence: records, points } };
}

function isRead(standing: TierStanding): standing is ReadStanding {
  return "rules" in standing;
}

/** Stores tiers of users, in ascending order of the users as everywhere. */
export async function keepTiers(tx: Tx, kept: readonly KeptTier[]): Promise<void> {
  if (kept.length > 0) await tx.query(KEEP, KEPT.values(kept.toSorted((a, b) => (a.userId < b.userId ? -1 : 1))));
}

function storedTier(tier: TierCode | null, since: Date | null): StoredTier | null {
  return tier === null || since === null ? null : { code: tier, since };
}
