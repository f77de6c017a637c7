import { statement } from "../../postgres/statement.ts";
import { checkOfRecords } from "./by-record.store.ts";
import { DIFFERENCE, checkInDepth, differencesOf, inSlice, isOfSeventh } from "./check.ts";

/** The status of a redemption's record, by its state. */
const STATUS = `CASE state WHEN 'pending' THEN 1 WHEN 'completed' THEN 2 WHEN 'released' THEN 3
                           WHEN 'refunded' THEN 4 WHEN 'expired' THEN 5 END`;

const FIND_REDEMPTIONS = statement(
  "ledger.verify-redemptions",
  DIFFERENCE,
  // An erasure deletes redemptions before it removes the content of their records. The reward of a record is read for
  // the users of a seventh.
  `WITH redeemed AS (
           SELECT redemptions.*, first.id AS first_id, first.operation, first.submission_id, first.total_points,
                  first.application_id AS first_application_id, first.status AS first_status,
                  coalesce(changed.status, first.status) AS last_status,
                  held.user_id AS holder_id, held.redemption_id AS holder_redemption_id,
                  CASE WHEN ${isOfSeventh("redemptions.user_id")} THEN first.body -> 'reward' END AS reward
           FROM redemptions
           LEFT JOIN records AS first ON first.user_id = redemptions.user_id AND first.id = record_id
           LEFT JOIN (
             SELECT user_id, record_id, max(status) AS status FROM record_changes WHERE ${inSlice("user_id")}
             GROUP BY user_id, record_id
           ) AS changed ON changed.user_id = redemptions.user_id AND changed.record_id = redemptions.record_id
           LEFT JOIN voucher_codes AS held
             ON held.application_id = redemptions.application_id AND held.code = redemptions.code
           WHERE ${inSlice("redemptions.user_id")}
         )
         ${differencesOf(
           "redeemed",
           {
             "its record is not one of this user": "first_id IS NULL",
             "its record is not its own":
               "operation <> 2 OR submission_id <> id OR first_application_id <> application_id",
             "its state is not that of its record": `last_status IS DISTINCT FROM ${STATUS}`,
             "reserved, or not, against its record": "(first_status = 1) <> (hold_until IS NOT NULL)",
             "used, and not completed": "used_at IS NOT NULL AND state <> 'completed'",
             "used without a code or a till": `used_at IS NOT NULL AND (code IS NULL OR used_till IS NULL)
                OR used_at IS NULL AND num_nonnulls(used_till, used_reference) > 0`,
             "its code is held by another, or void": `code IS NOT NULL AND state IN ('pending', 'completed')
                AND (holder_id, holder_redemption_id) IS DISTINCT FROM (user_id, id)`,
             "took from a stock, and has no reward": "took_stock AND reward_id IS NULL",
             "its points are not the price of its reward": "(reward ->> 'points')::bigint <> -total_points",
             "its record shows another reward": `reward ->> 'id' <> coalesce(reward_id::text, '')
                OR reward ->> 'voucherIdentifier' <> id::text OR reward ->> 'code' <> code`,
           },
           "'redemption ' || id",
         )}`,
);
/** Each redemption has its record, and agrees with it; its code is its own, and a used voucher has a redemption. */
export const REDEMPTIONS = checkInDepth((tx, values) => tx.query(FIND_REDEMPTIONS, values));

/** Each record of a redemption has its redemption. */
export const UNREDEEMED = checkOfRecords(
  "ledger.verify-unredeemed",
  // An erasure deletes redemptions.
  ({ records, users }) => `WITH booked AS (
           SELECT records.user_id, records.id, redemptions.id AS redemption_id
           FROM records JOIN users ON users.id = records.user_id
           LEFT JOIN redemptions ON redemptions.user_id = records.user_id AND redemptions.id = records.submission_id
           WHERE ${records("records")} AND ${users("users.id")} AND erased_at IS NULL AND operation = 2
         )
         ${differencesOf("booked", { "its redemption is missing": "redemption_id IS NULL" })}`,
);
