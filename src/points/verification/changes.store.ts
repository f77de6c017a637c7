import { statement } from "../../postgres/statement.ts";
import { DIFFERENCE, checkOfAll, differencesOf, inSlice } from "./check.ts";

const FIND_CHANGES = statement(
  "ledger.verify-changes",
  DIFFERENCE,
  // Their times are not compared: processes have clocks of their own.
  `WITH changed AS (
           SELECT user_id, record_id, array_agg(status::int ORDER BY status) AS statuses
           FROM record_changes WHERE ${inSlice("user_id")} GROUP BY user_id, record_id
         ), explained AS (
           SELECT changed.user_id, changed.record_id AS id, statuses, first.id AS first_id, first.operation, first.status,
                  first.total_points, coalesce(given_back, 0) AS given_back, coalesce(is_reversed, false) AS is_reversed
           FROM changed LEFT JOIN records AS first ON first.user_id = changed.user_id AND first.id = changed.record_id
           LEFT JOIN LATERAL (
             SELECT sum(total_points) FILTER (WHERE operation = 4) AS given_back, bool_or(operation = 6) AS is_reversed
             FROM records AS later WHERE later.user_id = changed.user_id AND later.related_id = changed.record_id
           ) AS later ON true
         )
         ${differencesOf("explained", {
           "has a status and is not one of this user": "first_id IS NULL",
           "a status that its earlier one excludes": `NOT CASE status
              WHEN 1 THEN statuses IN ('{2}', '{3}', '{5}', '{2,4}') WHEN 2 THEN statuses = '{4}' ELSE false END`,
           "reversed without a reversal": `4 = ANY (statuses)
              AND CASE WHEN operation IN (1, 3) THEN NOT is_reversed ELSE operation <> 2 END`,
           "ended without a refund": "operation = 2 AND statuses && '{3,4,5}' AND total_points + given_back <> 0",
         })}`,
);
/** Each later status of a record is one that its earlier one allows, and a record explains it. */
export const CHANGES = checkOfAll((tx, values) => tx.query(FIND_CHANGES, values));
