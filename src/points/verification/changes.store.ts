import { statement } from "../../postgres/statement.ts";
import { DIFFERENCE, DIFFERENCES_MAX } from "./check.ts";
import type { Check } from "./check.ts";

const FIND_CHANGES = statement(
  "ledger.verify-changes",
  DIFFERENCE,
  // Their times are not compared: processes have clocks of their own.
  `WITH changed AS (
           SELECT user_id, record_id, array_agg(status::int ORDER BY status) AS statuses
           FROM record_changes WHERE user_id > $1 AND user_id <= $2 GROUP BY user_id, record_id
         ), judged AS (
           SELECT changed.user_id, record_id, first.id IS NULL AS is_unknown,
                  NOT CASE first.status WHEN 1 THEN statuses IN ('{2}', '{3}', '{5}', '{2,4}')
                                        WHEN 2 THEN statuses = '{4}' ELSE false END AS is_out_of_order,
                  first.operation IN (1, 3) AND 4 = ANY (statuses) AND NOT EXISTS (
                    SELECT FROM records AS later
                    WHERE later.user_id = changed.user_id AND later.related_id = record_id AND later.operation = 6
                  ) AS is_not_reversed,
                  first.operation NOT IN (1, 2, 3) AND 4 = ANY (statuses) AS is_not_reversible,
                  first.operation = 2 AND statuses && '{3,4,5}' AND first.total_points + (
                    SELECT coalesce(sum(later.total_points), 0) FROM records AS later
                    WHERE later.user_id = changed.user_id AND later.related_id = record_id AND later.operation = 4
                  ) <> 0 AS is_not_refunded
           FROM changed LEFT JOIN records AS first ON first.user_id = changed.user_id AND first.id = changed.record_id
         )
         SELECT user_id AS "userId", 'record ' || record_id || ': ' || concat_ws(', ',
                  CASE WHEN is_unknown THEN 'has a status and is not one of this user' END,
                  CASE WHEN is_out_of_order THEN 'a status that its earlier one excludes' END,
                  CASE WHEN is_not_reversed OR is_not_reversible THEN 'reversed without a reversal' END,
                  CASE WHEN is_not_refunded THEN 'ended without a refund' END) AS what
         FROM judged WHERE is_unknown OR is_out_of_order OR is_not_reversed OR is_not_reversible OR is_not_refunded
         ORDER BY user_id, record_id LIMIT ${DIFFERENCES_MAX}`,
);
/** Each later status of a record is one that its earlier one allows, and a record explains it. */
export const CHANGES: Check = {
  isDeep: false,
  find: (tx, above, upTo) => tx.query(FIND_CHANGES, [above, upTo]),
};
