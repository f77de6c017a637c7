import { binaryArray } from "../../postgres/binary-array.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { bool, float8, int4, neverNull, orNull, statement, text, uuid } from "../../postgres/statement.ts";

const REVIEWS = statement(
  "tiers.reviews",
  { applicationId: uuid, version: int4, day: neverNull(text), afterUser: orNull(uuid), isFinished: neverNull(bool) },
  `SELECT application_id AS "applicationId", version, day::text AS day, after_user AS "afterUser",
                finished_at IS NOT NULL AS "isFinished" FROM tier_reviews`,
);
const SAVE = statement(
  "tiers.save-review",
  {},
  `INSERT INTO tier_reviews (application_id, version, day, after_user, finished_at) VALUES ($1, $2, $3::text::date, $4, $5)
         ON CONFLICT (application_id) DO UPDATE SET version = excluded.version, day = excluded.day,
           after_user = excluded.after_user, finished_at = excluded.finished_at`,
);
const ADDRESS = statement("tiers.review-address", { email: text }, "SELECT email FROM users WHERE id = $1");
const USERS = statement(
  "tiers.review-users",
  { userId: uuid, email: text, lifetimePoints: float8 },
  // By address, since that is indexed by application. Erased users have none.
  `SELECT held.user_id AS "userId", held.email, lifetime_points::float8 AS "lifetimePoints"
         FROM user_emails AS held JOIN balances USING (user_id)
         WHERE held.application_id = $1 AND held.email > $2 ORDER BY held.email LIMIT $3`,
);
const WITH_TIER = statement(
  "tiers.with-tier",
  { userId: uuid },
  `SELECT user_id AS "userId" FROM user_tiers WHERE application_id = $1 AND user_id > $2 AND tier > 0
         ORDER BY user_id LIMIT $3`,
);
const HOLD = statement(
  "tiers.hold-users",
  { id: uuid },
  // As `holdUser`: nobody is waited for, and a user who is just being erased is not there.
  `SELECT id FROM users WHERE application_id = $1 AND id = ANY ($2) AND erased_at IS NULL
         FOR KEY SHARE SKIP LOCKED`,
);

/** How far the look at the users of an application has come. */
export interface Review {
  readonly applicationId: string;
  /** Of the programme that it looks with. */
  readonly version: number;
  /** Of the programme's time zone, as in 2026-10-25. */
  readonly day: string;
  /** The last user who was looked at; null: none. */
  readonly afterUser: string | null;
  readonly isFinished: boolean;
}

/** The last review of each application that ever had tiers. */
export async function lastReviews(tx: Tx): Promise<ReadonlyMap<string, Review>> {
  return new Map((await tx.query(REVIEWS)).map((review) => [review.applicationId, review]));
}

export async function saveReview(
  tx: Tx,
  { applicationId, version, day, afterUser, isFinished }: Review,
  now: Date,
): Promise<void> {
  await tx.query(SAVE, [applicationId, version, day, afterUser, isFinished ? now : null]);
}

/** The address of a user, to go on behind it; "" for an erased one, so that all are looked at again. */
export async function addressOf(tx: Tx, userId: string): Promise<string> {
  return (await tx.query(ADDRESS, [userId]))[0]?.email ?? "";
}

/** The next users of an application by address. */
export async function usersAfter(
  tx: Tx,
  applicationId: string,
  { email, limit }: { readonly email: string; readonly limit: number },
): Promise<{ userId: string; email: string; lifetimePoints: number }[]> {
  return tx.query(USERS, [applicationId, email, limit]);
}

/** The next users of an application who have a tier, by id. */
export async function usersWithTier(
  tx: Tx,
  applicationId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  return (await tx.query(WITH_TIER, [applicationId, after, limit])).map(({ userId }) => userId);
}

/** Holds those of these users who are not being erased until the tx ends. */
export async function holdUsers(tx: Tx, applicationId: string, userIds: readonly string[]): Promise<string[]> {
  return (await tx.query(HOLD, [applicationId, binaryArray("uuid", userIds)])).map(({ id }) => id);
}
