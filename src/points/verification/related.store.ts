import { statement } from "../../postgres/statement.ts";
import { DIFFERENCE, DIFFERENCES_MAX } from "./check.ts";
import type { Check } from "./check.ts";

const FIND_RELATED = statement(
  "ledger.verify-related",
  DIFFERENCE,
  // Points that a reversal waives are spent: nothing is available after it.
  `WITH later AS (
           SELECT * FROM records WHERE user_id > $1 AND user_id <= $2 AND related_id IS NOT NULL
         ), judged AS (
           SELECT later.user_id, later.id, first.id IS NULL AS is_unrelated,
                  first.sequence >= later.sequence AS is_early,
                  NOT CASE later.operation WHEN 3 THEN first.operation IN (1, 3) WHEN 4 THEN first.operation = 2
                                           WHEN 6 THEN first.operation IN (1, 3) ELSE false END AS is_of_wrong_kind,
                  later.operation IN (3, 6) AND later.is_lifetime <> first.is_lifetime AS is_miscounted,
                  later.operation = 6 AND first.related_id IS NULL AND later.other_points + first.other_points > 0
                    AND (SELECT sum(total_points) FROM records AS upto
                         WHERE upto.user_id = later.user_id AND upto.sequence <= later.sequence) > 0 AS is_waived
           FROM later LEFT JOIN records AS first ON first.user_id = later.user_id AND first.id = later.related_id
         )
         SELECT user_id AS "userId", 'record ' || id || ': ' || concat_ws(', ',
                  CASE WHEN is_unrelated THEN 'its related record is not one of this user' END,
                  CASE WHEN is_early THEN 'not after its related record' END,
                  CASE WHEN is_of_wrong_kind THEN 'its related record is of another kind' END,
                  CASE WHEN is_miscounted THEN 'does not count in lifetimePoints as its related record does' END,
                  CASE WHEN is_waived THEN 'leaves points that were not spent' END) AS what
         FROM judged WHERE is_unrelated OR is_early OR is_of_wrong_kind OR is_miscounted OR is_waived
         ORDER BY user_id, id LIMIT ${DIFFERENCES_MAX}`,
);
/** What reverses, refunds or corrects a record is of the same user, comes after it, and is of a kind that may. */
export const RELATED: Check = {
  isDeep: false,
  find: (tx, above, upTo) => tx.query(FIND_RELATED, [above, upTo]),
};

const FIND_TAKEN_BACK = statement(
  "ledger.verify-taken-back",
  DIFFERENCE,
  `WITH taken AS (
           SELECT user_id, related_id, sum(total_points) AS total_points, sum(health_points) AS health_points,
                  sum(carbon_points) AS carbon_points, sum(bonus_points) AS bonus_points,
                  sum(green_products) AS green_products, sum(healthy_products) AS healthy_products, sum(co2e_mg) AS co2e_mg
           FROM records WHERE user_id > $1 AND user_id <= $2 AND related_id IS NOT NULL
           GROUP BY user_id, related_id
         )
         SELECT first.user_id AS "userId", 'record ' || first.id || ': ' || CASE first.operation
                  WHEN 2 THEN 'its refunds exceed it' ELSE 'more is taken back than it gave' END AS what
         FROM taken JOIN records AS first ON first.user_id = taken.user_id AND first.id = taken.related_id
         WHERE CASE first.operation
                 WHEN 1 THEN least(first.total_points + taken.total_points, first.health_points + taken.health_points,
                                   first.carbon_points + taken.carbon_points, first.bonus_points + taken.bonus_points,
                                   first.green_products + taken.green_products,
                                   first.healthy_products + taken.healthy_products, first.co2e_mg + taken.co2e_mg) < 0
                 WHEN 2 THEN first.total_points + taken.total_points > 0
                 -- An adjustment of either sign ends between itself and 0. A correction may end anywhere.
                 WHEN 3 THEN first.related_id IS NULL
                             AND (sign(first.total_points) * (first.total_points + taken.total_points) < 0
                                  OR sign(first.total_points) * taken.total_points > 0)
                 ELSE false
               END
         ORDER BY first.user_id, first.id LIMIT ${DIFFERENCES_MAX}`,
);
/** What takes back, refunds or corrects a record leaves nothing below zero of what it gave. */
export const TAKEN_BACK: Check = {
  isDeep: false,
  find: (tx, above, upTo) => tx.query(FIND_TAKEN_BACK, [above, upTo]),
};

const FIND_ITEMS = statement(
  "ledger.verify-items",
  DIFFERENCE,
  `WITH first AS (
           SELECT user_id, id, body -> 'items' AS items,
                  EXISTS (SELECT FROM record_changes WHERE record_changes.user_id = records.user_id
                          AND record_id = records.id AND status = 4) AS is_reversed
           FROM records
           WHERE operation IN (1, 3) AND body <> '{}' AND (user_id, id) IN (
             SELECT user_id, related_id FROM records
             WHERE user_id > $1 AND user_id <= $2 AND related_id IS NOT NULL AND operation IN (3, 6))
         ), mentioned AS (
           SELECT user_id, id AS first_id, is_reversed, 0 AS reversals, 0::bigint AS sequence, items FROM first
           UNION ALL
           SELECT first.user_id, first.id, first.is_reversed, (later.operation = 6)::int, later.sequence,
                  later.body -> 'items'
           FROM first JOIN records AS later ON later.user_id = first.user_id AND later.related_id = first.id
           WHERE later.operation IN (3, 6)
         ), items AS (
           SELECT user_id, first_id, item ->> 'id' AS item_id, count(*) AS times, sum(reversals) AS reversals,
                  sum((item ->> 'healthPoints')::int) = 0 AND sum((item ->> 'carbonPoints')::int) = 0
                    AND sum((item ->> 'bonusPoints')::int) = 0 AND sum((item ->> 'co2eMg')::bigint) = 0 AS is_even
           FROM mentioned CROSS JOIN LATERAL jsonb_array_elements(mentioned.items) AS item
           GROUP BY user_id, first_id, item ->> 'id'
         ), summed AS (
           SELECT user_id, first_id,
                  bool_or(times > 2 OR reversals > 1) AS is_twice,
                  bool_or(times = 1 AND reversals = 1) AS is_unknown,
                  bool_or(times = 2 AND NOT is_even) AS is_uneven,
                  count(*) FILTER (WHERE times = 1) AS left_over
           FROM items GROUP BY user_id, first_id
         ), judged AS (
           SELECT user_id, first_id, is_reversed,
                  (array_agg(reversals ORDER BY sequence DESC))[1] = 1 AS ends_with_reversal
           FROM mentioned GROUP BY user_id, first_id, is_reversed
         )
         SELECT judged.user_id AS "userId", 'record ' || first_id || ': ' || concat_ws(', ',
                  CASE WHEN is_twice THEN 'an item is taken back twice' END,
                  CASE WHEN is_unknown THEN 'an item is taken back that it does not have' END,
                  CASE WHEN is_uneven THEN 'an item is not taken back by what it gave' END,
                  CASE WHEN is_reversed AND coalesce(left_over, 0) > 0 THEN 'reversed, and an item is left' END,
                  CASE WHEN NOT is_reversed AND ends_with_reversal AND coalesce(left_over, 0) = 0
                       THEN 'nothing is left, and it is not reversed' END) AS what
         FROM judged LEFT JOIN summed USING (user_id, first_id)
         WHERE is_twice OR is_unknown OR is_uneven OR is_reversed AND coalesce(left_over, 0) > 0
            OR NOT is_reversed AND ends_with_reversal AND coalesce(left_over, 0) = 0
         ORDER BY judged.user_id, first_id LIMIT ${DIFFERENCES_MAX}`,
);
/**
 * An item is credited once and taken back at most once, by as much as it gave. A record is marked as reversed exactly
 * when a reversal left no item of it: after a correction that leaves none, another one may add some. Records whose
 * items were erased are left out.
 */
export const ITEMS: Check = {
  isDeep: false,
  find: (tx, above, upTo) => tx.query(FIND_ITEMS, [above, upTo]),
};
