// The complete list of tables with personal data, for an erasure (GDPR, article 17). test/privacy.test.ts and
// test/erasure.test.ts search all tables for data that an erasure has missed.
//
// First the user is marked as erased: from then on nothing new is stored for them, since every insert holds the row of
// the user and judges the mark on it (`holdUser` and the acceptance of intakes). Then submissions are deleted: whatever
// writes about one of them holds its row. Then what they have left, and the events last of all. So nothing is written
// behind the erasure, and each step can be repeated.
import type { Tx } from "../postgres/postgres.ts";
import { isOpen } from "../applications/closed.ts";
import { int4, orNull, statement, text, textArray, timestamptz, uuid } from "../postgres/statement.ts";
import { keepFiguresOfNext } from "../points/figures/counted.store.ts";
import { insertFailures } from "../reports/figures/deltas.store.ts";
import { personKey } from "./erased-receipts.store.ts";

const LOCK = statement(
  "erasure.lock",
  { applicationId: uuid, email: text, erasedAt: orNull(timestamptz) },
  // Stops changes of the profile, but no submission.
  `SELECT application_id AS "applicationId", email, erased_at AS "erasedAt" FROM users WHERE id = $1
         FOR NO KEY UPDATE`,
);
/** Only these have a request: it is cleared when they end. The index of the sweep finds them among those of years. */
const IS_OPEN = "sessions.completed_at IS NULL AND sessions.expired_at IS NULL";
const DELETE_SESSIONS_OF_PERSON = statement(
  "erasure.delete-sessions-of-person",
  {},
  `DELETE FROM sessions WHERE application_id = $1 AND ${IS_OPEN}
           AND (request ->> 'userId' = $2 OR lower(trim(request ->> 'email')) = $3)`,
);
const MARK = statement(
  "erasure.mark",
  {},
  `WITH erased AS (
           UPDATE users SET email = '', first_name = '', last_name = '', image_url = NULL, country = NULL, city = NULL,
                  postal_code = NULL, updated_at = $2, erased_at = $2,
                  erasure_key = (SELECT ${personKey("users.application_id", "users.email")} FROM installation)
           WHERE id = $1 RETURNING application_id, erased_at
         )
         INSERT INTO report_deltas (application_id, day, figures)
         SELECT application_id, (erased_at AT TIME ZONE 'UTC')::date, '{"users.erased":1}' FROM erased`,
);
const DELETE_EMAIL = statement(
  "erasure.delete-email",
  {},
  "DELETE FROM user_emails WHERE application_id = $1 AND email = $2 AND user_id = $3",
);
const WAIT = statement(
  "erasure.wait",
  { id: uuid },
  // Waits for those who held the user before the mark. The others don't take the lock, so none of them waits for this.
  "SELECT id FROM users WHERE id = $1 FOR UPDATE",
);
const FINISH = statement(
  "erasure.finish",
  {},
  // Now nothing more is booked, and nobody can claim the points: the application owes them no longer.
  `WITH erased AS (
           UPDATE users SET erasure_key = NULL WHERE id = $1 AND erasure_key IS NOT NULL
           RETURNING id, application_id, erased_at
         )
         INSERT INTO report_deltas (application_id, day, figures)
         SELECT application_id, (erased_at AT TIME ZONE 'UTC')::date,
                json_build_object('points.forfeited', -available_points)::text
         FROM erased JOIN balances ON balances.user_id = erased.id WHERE available_points <> 0`,
);

/** Submissions, or events, that one tx deletes: their locks last milliseconds. */
const CHUNK = 200;

const LOCK_RECEIPTS = statement(
  "erasure.lock-receipts",
  { id: uuid, imageKey: text, moreImages: textArray },
  `SELECT id, image_key AS "imageKey", more_images AS "moreImages" FROM receipts WHERE user_id = $1
         ORDER BY id LIMIT ${CHUNK} FOR UPDATE`,
);
/** $1: the user's id, $2: the ids of locked receipts. In the order that foreign keys need. */
const DELETE_RECEIPTS = [
  `DELETE FROM submission_references AS held USING receipts
   WHERE receipts.user_id = $1 AND receipts.id = ANY ($2) AND held.application_id = receipts.application_id
     AND held.kind = 'receipt' AND held.reference = receipts.reference AND held.submission_id = receipts.id`,
  `DELETE FROM receipt_images AS held USING receipts
   WHERE receipts.user_id = $1 AND receipts.id = ANY ($2) AND held.application_id = receipts.application_id
     AND held.user_id = $1
     AND held.sha256 IN (SELECT image_sha256 UNION ALL SELECT decode(more, 'hex') FROM unnest(more_images) AS more)`,
  `DELETE FROM sessions USING receipts
   WHERE receipts.user_id = $1 AND receipts.id = ANY ($2) AND sessions.receipt_id = receipts.id`,
  `DELETE FROM receipt_disputes WHERE user_id = $1 AND receipt_id = ANY ($2)`,
  `DELETE FROM receipt_corrections WHERE user_id = $1 AND receipt_id = ANY ($2)`,
  `DELETE FROM receipt_findings WHERE user_id = $1 AND receipt_id = ANY ($2)`,
  `DELETE FROM receipt_facts WHERE user_id = $1 AND receipt_id = ANY ($2)`,
  `DELETE FROM receipt_likeness WHERE user_id = $1 AND receipt_id = ANY ($2)`,
  `DELETE FROM receipt_prints WHERE user_id = $1 AND receipt_id = ANY ($2)`,
  `DELETE FROM receipt_purchases AS held USING receipts
   WHERE receipts.user_id = $1 AND receipts.id = ANY ($2) AND stage <> 'Completed'
     AND held.user_id = $1 AND held.receipt_id = receipts.id`,
  // The fingerprint stays for some time, without its person: the same purchase earns nothing for the next user either.
  `UPDATE receipt_purchases SET user_id = NULL, receipt_id = NULL, erased_on = current_date
   WHERE user_id = $1 AND receipt_id = ANY ($2)`,
  // The failures of the past stay counted.
  `WITH gone AS (
     DELETE FROM receipts WHERE user_id = $1 AND id = ANY ($2)
     RETURNING application_id, 'receipt' AS source, error_code, updated_at AS ended_at
   )
   ${insertFailures("gone WHERE error_code IS NOT NULL", { isKept: true })}`,
].map((sql, i) => statement(`erasure.delete-receipts-${i}`, {}, sql));
const DELETE_PURCHASES = statement(
  "erasure.delete-purchases",
  {},
  `DELETE FROM receipt_purchases WHERE user_id = $1 AND receipt_id = ANY ($2)`,
);

const DELETE_INTAKES = statement(
  "erasure.delete-intakes",
  { n: int4 },
  `WITH chunk AS (
           SELECT user_id, id, application_id, source, reference FROM intakes WHERE user_id = $1
           ORDER BY id LIMIT ${CHUNK} FOR UPDATE
         ), released AS (
           DELETE FROM submission_references AS held USING chunk
           WHERE held.application_id = chunk.application_id AND held.kind = chunk.source
             AND held.reference = chunk.reference AND held.submission_id = chunk.id
         ), gone AS (
           DELETE FROM intakes USING chunk WHERE intakes.user_id = chunk.user_id AND intakes.id = chunk.id
           RETURNING intakes.id, intakes.application_id, intakes.source, error_type AS error_code,
                     finished_at AS ended_at, state
         ), kept AS (
           ${insertFailures("gone WHERE state = 'failed'", { isKept: true })}
         )
         SELECT count(*)::int AS n FROM gone`,
);
const DELETE_REDEMPTIONS = statement(
  "erasure.delete-redemptions",
  { one: int4 },
  // What was reserved goes back to its reward. A code that the user had is never given again: it stays without holder.
  `WITH chunk AS (
           SELECT user_id, id FROM redemptions WHERE user_id = $1 ORDER BY id LIMIT ${CHUNK} FOR UPDATE
         ), gone AS (
           DELETE FROM redemptions USING chunk WHERE redemptions.user_id = chunk.user_id AND redemptions.id = chunk.id
           RETURNING redemptions.application_id, reward_id, code, state = 'pending' AS was_reserved,
                     took_stock, state = 'completed' AS was_completed
         ), codes AS (
           UPDATE voucher_codes AS held SET user_id = NULL, redemption_id = NULL,
                  is_free = was_reserved AND held.reward_id IS NOT NULL
           FROM gone WHERE held.application_id = gone.application_id AND held.code = gone.code AND held.user_id = $1
           RETURNING held.reward_id, held.is_free
         ), returned AS (
           SELECT reward_id, count(*) FILTER (WHERE is_free) AS codes, 0 AS stock, 0 AS kept FROM codes GROUP BY reward_id
           UNION ALL
           SELECT reward_id, 0, count(*) FILTER (WHERE was_reserved AND took_stock),
                  count(*) FILTER (WHERE was_completed AND took_stock) FROM gone GROUP BY reward_id
         ), put_back AS (
           UPDATE rewards SET stock = rewards.stock + sums.stock, free_codes = free_codes + sums.codes,
                  supply = supply - sums.kept - CASE WHEN rewards.stock IS NULL THEN sums.stock ELSE 0 END
           FROM (SELECT reward_id, sum(codes)::int AS codes, sum(stock)::int AS stock, sum(kept)::int AS kept
                 FROM returned GROUP BY reward_id) AS sums
           WHERE rewards.id = sums.reward_id AND sums.codes + sums.stock + sums.kept > 0
         )
         SELECT 1 AS one FROM gone`,
);
const CLEAR_RECORDS = statement(
  "erasure.clear-records",
  {},
  // The numbers of the ledger stay; items, merchant and reference are removed.
  `UPDATE records SET body = '{}', packed = NULL, rule_inputs = '{}', explained = NULL, inputs = NULL, evidence = NULL WHERE user_id = $1
           AND sequence = ANY ($2::bigint[])`,
);
/** What submissions have left, and what belongs to the user alone. $1: the user's id. Each returns a row for each. */
const DELETE_REST = [
  `DELETE FROM record_references WHERE user_id = $1 RETURNING 1 AS one`,
  // The campaign still counts them: their place among its first users is not free again.
  `DELETE FROM campaign_users WHERE user_id = $1 RETURNING 1 AS one`,
  `DELETE FROM expiry_notices WHERE user_id = $1 RETURNING 1 AS one`,
  `DELETE FROM expiry_sums WHERE user_id = $1 RETURNING 1 AS one`,
  `DELETE FROM record_sums WHERE user_id = $1 RETURNING 1 AS one`,
  `DELETE FROM test_clocks WHERE user_id = $1 RETURNING 1 AS one`,
  `DELETE FROM user_tiers WHERE user_id = $1 RETURNING 1 AS one`,
  `DELETE FROM unknown_names WHERE user_id = $1 RETURNING 1 AS one`,
  `DELETE FROM streak_runs WHERE user_id = $1 RETURNING 1 AS one`,
  `DELETE FROM referral_codes WHERE user_id = $1 RETURNING 1 AS one`,
  `DELETE FROM referrals WHERE user_id = $1 RETURNING 1 AS one`,
  // Those whom the user referred keep what is due to them.
  `UPDATE referrals SET referrer_id = NULL WHERE referrer_id = $1 RETURNING 1 AS one`,
  `DELETE FROM receipt_facts WHERE user_id = $1 RETURNING 1 AS one`,
  `DELETE FROM receipt_likeness WHERE user_id = $1 RETURNING 1 AS one`,
  `DELETE FROM receipt_prints WHERE user_id = $1 RETURNING 1 AS one`,
  `DELETE FROM consents WHERE user_id = $1 RETURNING 1 AS one`,
  `DELETE FROM idempotency_keys WHERE user_id = $1 RETURNING 1 AS one`,
  `DELETE FROM sessions WHERE user_id = $1 RETURNING 1 AS one`,
  `DELETE FROM sessions WHERE ${IS_OPEN} AND request ->> 'userId' = $1::text RETURNING 1 AS one`,
].map((sql, i) => statement(`erasure.delete-rest-${i}`, { one: int4 }, sql));
const DELETE_GRANTED = statement(
  "erasure.delete-granted-bonuses",
  { one: int4 },
  `DELETE FROM granted_bonuses WHERE user_id = $1 RETURNING 1 AS one`,
);
const DELETE_EVENTS = statement(
  "erasure.delete-events",
  { one: int4 },
  // Their deliveries go with them, by a trigger.
  `WITH chunk AS (
           SELECT user_id, subject, position FROM events WHERE user_id = $1 ORDER BY subject, position LIMIT ${CHUNK}
         )
         DELETE FROM events USING chunk
         WHERE events.user_id = chunk.user_id AND events.subject = chunk.subject AND events.position = chunk.position
         RETURNING 1 AS one`,
);

const DELETE_DELIVERIES = statement(
  "erasure.delete-deliveries",
  { one: int4 },
  // Without their events: a process of the release before may write them. There is no foreign key between partitions.
  `DELETE FROM deliveries WHERE user_id = $1 RETURNING 1 AS one`,
);

/** A user who was marked as erased: by this call, or at `erasedAt` by an earlier one. */
export interface Marked {
  readonly erasedAt: Date;
}

/** Marks a user as erased, and removes who it was. Null: there is no such user. */
export async function markErased(tx: Tx, userId: string, now: Date): Promise<Marked | null> {
  const [user] = await tx.query(LOCK, [userId]);
  if (!user || user.erasedAt) return user?.erasedAt ? { erasedAt: user.erasedAt } : null;
  const { applicationId, email } = user;
  await tx.query(DELETE_SESSIONS_OF_PERSON, [applicationId, userId, email]);
  await tx.query(MARK, [userId, now]);
  await tx.query(DELETE_EMAIL, [applicationId, email, userId]);
  return { erasedAt: now };
}

/** Waits for every tx that was storing something for the user when they were marked. */
export async function waitForHolders(tx: Tx, userId: string): Promise<void> {
  await tx.query(WAIT, [userId]);
}

/** Locks the next receipts of a user, and returns them with the keys of their images. */
export async function lockReceiptsOf(
  tx: Tx,
  userId: string,
): Promise<{ id: string; imageKey: string; moreImages: string[] }[]> {
  return tx.query(LOCK_RECEIPTS, [userId]);
}

/** Deletes the purchases of locked receipts, so that nothing of them is kept. */
export async function deletePurchases(tx: Tx, userId: string, ids: readonly string[]): Promise<void> {
  await tx.query(DELETE_PURCHASES, [userId, ids]);
}

/** Deletes locked receipts with everything about them except records and events. */
export async function deleteReceipts(tx: Tx, userId: string, ids: readonly string[]): Promise<void> {
  for (const remove of DELETE_RECEIPTS) await tx.query(remove, [userId, ids]);
}

/** Deletes meals and foods of a user, and returns their number: 0 when none is left. */
export async function deleteIntakes(tx: Tx, userId: string): Promise<number> {
  return (await tx.query(DELETE_INTAKES, [userId]))[0]!.n;
}

/** Deletes redemptions of a user, and returns their number: 0 when none is left. */
export async function deleteRedemptions(tx: Tx, userId: string): Promise<number> {
  return (await tx.query(DELETE_REDEMPTIONS, [userId])).length;
}

/**
 * Removes the content of the user's next records after number `after`, and keeps what the daily figures count of it.
 * Returns the numbers of the records.
 */
export async function clearRecords(tx: Tx, userId: string, after: number): Promise<number[]> {
  const sequences = await keepFiguresOfNext(tx, userId, after, CHUNK);
  if (sequences.length > 0) await tx.query(CLEAR_RECORDS, [userId, sequences]);
  return sequences;
}

/** Deletes what was noted of a user's bonuses. Returns the number of rows. */
export async function deleteGranted(tx: Tx, userId: string): Promise<number> {
  return (await tx.query(DELETE_GRANTED, [userId])).length;
}

/** Deletes the rest except events. Returns the number of rows. */
export async function deleteRest(tx: Tx, userId: string): Promise<number> {
  let deleted = 0;
  for (const remove of DELETE_REST) deleted += (await tx.query(remove, [userId])).length;
  return deleted;
}

/** Deletes events of a user with their deliveries, and returns the number of events: 0 when none is left. */
export async function deleteEvents(tx: Tx, userId: string): Promise<number> {
  return (await tx.query(DELETE_EVENTS, [userId])).length;
}

/** Deletes deliveries of a user that no event has. Returns their number. */
export async function deleteDeliveries(tx: Tx, userId: string): Promise<number> {
  return (await tx.query(DELETE_DELIVERIES, [userId])).length;
}

/** Marks an erasure as finished: nothing of the user is left. */
export async function finishErasure(tx: Tx, userId: string): Promise<void> {
  await tx.query(FINISH, [userId]);
}

const WITH_LEFTOVERS = statement(
  "erasure.with-leftovers",
  { id: uuid },
  `SELECT id FROM users
         WHERE erased_at IS NOT NULL AND id > $1 AND ${isOpen("users.application_id")}
           AND (erasure_key IS NOT NULL
                OR EXISTS (SELECT 1 FROM intakes WHERE user_id = users.id)
                OR EXISTS (SELECT 1 FROM receipts WHERE user_id = users.id)
                OR EXISTS (SELECT 1 FROM receipt_facts WHERE user_id = users.id)
                OR EXISTS (SELECT 1 FROM receipt_likeness WHERE user_id = users.id)
                OR EXISTS (SELECT 1 FROM receipt_prints WHERE user_id = users.id)
                OR EXISTS (SELECT 1 FROM consents WHERE user_id = users.id)
                OR EXISTS (SELECT 1 FROM redemptions WHERE user_id = users.id)
                OR EXISTS (SELECT 1 FROM record_references WHERE user_id = users.id)
                OR EXISTS (SELECT 1 FROM campaign_users WHERE user_id = users.id)
                OR EXISTS (SELECT 1 FROM expiry_notices WHERE user_id = users.id)
                OR EXISTS (SELECT 1 FROM expiry_sums WHERE user_id = users.id)
                OR EXISTS (SELECT 1 FROM record_sums WHERE user_id = users.id)
                OR EXISTS (SELECT 1 FROM test_clocks WHERE user_id = users.id)
                OR EXISTS (SELECT 1 FROM user_tiers WHERE user_id = users.id)
                OR EXISTS (SELECT 1 FROM unknown_names WHERE user_id = users.id)
                OR EXISTS (SELECT 1 FROM granted_bonuses WHERE user_id = users.id)
                OR EXISTS (SELECT 1 FROM streak_runs WHERE user_id = users.id)
                OR EXISTS (SELECT 1 FROM referral_codes WHERE user_id = users.id)
                OR EXISTS (SELECT 1 FROM referrals WHERE user_id = users.id OR referrer_id = users.id)
                OR EXISTS (SELECT 1 FROM records WHERE user_id = users.id AND body IS DISTINCT FROM '{}')
                OR EXISTS (SELECT 1 FROM events WHERE user_id = users.id)
                OR EXISTS (SELECT 1 FROM deliveries WHERE user_id = users.id))
         ORDER BY id LIMIT $2`,
);
/** Of all erased users at once: two of these tables have no index on the user. */
const DELETE_OF_ERASED = [
  `DELETE FROM idempotency_keys AS kept USING users WHERE users.id = kept.user_id AND users.erased_at IS NOT NULL`,
  `DELETE FROM receipt_images AS held USING users WHERE users.id = held.user_id AND users.erased_at IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM receipts WHERE user_id = held.user_id AND id = held.receipt_id)`,
  `DELETE FROM sessions USING users
   WHERE users.id::text = request ->> 'userId' AND users.application_id = sessions.application_id
     AND users.erased_at IS NOT NULL AND ${IS_OPEN}`,
].map((sql, i) => statement(`erasure.delete-of-erased-${i}`, {}, sql));

/** Ids above `after` of erased users with an unfinished erasure or rows that were stored behind it, ascending. */
export async function erasedWithLeftovers(tx: Tx, after: string, limit: number): Promise<string[]> {
  return (await tx.query(WITH_LEFTOVERS, [after, limit])).map(({ id }) => id);
}

/** Deletes the rows of erased users that only a scan of the whole table finds. */
export async function deleteUnindexedLeftovers(tx: Tx): Promise<void> {
  for (const remove of DELETE_OF_ERASED) await tx.query(remove);
}
