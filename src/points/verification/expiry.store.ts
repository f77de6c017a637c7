import { checkOfRecords } from "./by-record.store.ts";
import { differencesOf } from "./check.ts";
import type { Check } from "./check.ts";

/** The newest expiries of a user that are computed again: each of them reads all earlier records of the user. */
export const NEWEST = 12;

/** The months that points last at an expiry. */
export const MONTHS_KNOWN = `CASE WHEN NOT is_sandbox AND records.created_at
                         >= settings.updated_at + make_interval(days => settings.expiry_notice_days + 1)
                       THEN coalesce(settings.expiry_months, 1) ELSE 1 END`;

const EACH = checkOfRecords(
  "ledger.verify-expiries",
  // First in, first out: what is spent uses the oldest points, so the younger ones are left for as long as any are
  // (`expiry.ts`). Settings have no history. Those of now are certain from a notice and a day after their last change;
  // before, and for users of a sandbox, whose time is moved, all that is known is that points last a month.
  ({ records, users }) => `WITH expiries AS (
           SELECT records.user_id, records.id, sequence, records.created_at, -total_points AS expired,
                  row_number() OVER (PARTITION BY records.user_id ORDER BY sequence DESC) AS age,
                  ${MONTHS_KNOWN} AS months
           FROM records JOIN users ON users.id = records.user_id
           JOIN applications ON applications.id = records.application_id
           LEFT JOIN points_settings AS settings ON settings.application_id = records.application_id
           WHERE ${records("records")} AND ${users("users.id")} AND operation = 5
         ), known AS (
           SELECT expiries.user_id, expiries.id, expired, available, young
           FROM expiries CROSS JOIN LATERAL (
             SELECT coalesce(sum(points), 0) AS available,
                    coalesce(sum(points) FILTER (WHERE points > 0 AND expiries.created_at <
                      (((earned_at AT TIME ZONE 'UTC')::date + make_interval(months => months))::date + 1)::timestamp
                        AT TIME ZONE 'UTC'), 0) AS young
             FROM (SELECT sum(total_points) AS points, min(created_at) AS earned_at FROM records AS before
                   WHERE before.user_id = expiries.user_id AND before.sequence < expiries.sequence
                   GROUP BY coalesce(related_id, id)) AS earned
           ) AS before
           WHERE age <= ${NEWEST}
         )
         ${differencesOf("known", {
           "more expires than was there long enough": "expired > greatest(0, available - young)",
         })}`,
);

/** No expiry took points that had not lasted their time. */
export const EXPIRIES: Check = { find: EACH.find };
