import { statement } from "../../postgres/statement.ts";
import { DIFFERENCE, DIFFERENCES_MAX } from "./check.ts";
import type { Check } from "./check.ts";

const FIND_RECORDS = statement(
  "ledger.verify-records",
  DIFFERENCE,
  `WITH ordered AS (
           SELECT user_id, id, created_at, operation, status, source, is_lifetime, related_id, total_points, other_points,
                  health_points, carbon_points, bonus_points, green_products, healthy_products, co2e_mg,
                  lag(id) OVER own AS earlier_id, lag(created_at) OVER own AS earlier_at,
                  sum(total_points) OVER own AS balance
           FROM records WHERE user_id > $1 AND user_id <= $2
           WINDOW own AS (PARTITION BY user_id ORDER BY sequence ROWS UNBOUNDED PRECEDING)
         ), judged AS (
           SELECT user_id, id,
                  id <= earlier_id OR created_at < earlier_at AS is_unordered,
                  total_points <> health_points + carbon_points + bonus_points + other_points AS is_missummed,
                  balance < 0 AND total_points < 0 AND NOT (operation = 6 OR operation = 3 AND related_id IS NOT NULL)
                    AS is_overspent,
                  NOT CASE operation
                    WHEN 1 THEN (source IN ('receipt', 'meal', 'food')
                                 -- A bonus has its points, and nothing else.
                                 OR source = 'manual' AND bonus_points > 0 AND bonus_points = total_points
                                   AND green_products = 0 AND healthy_products = 0 AND co2e_mg = 0)
                                AND is_lifetime AND related_id IS NULL
                                AND other_points = 0 AND health_points >= 0 AND carbon_points >= 0 AND bonus_points >= 0
                                AND green_products >= 0 AND healthy_products >= 0 AND co2e_mg >= 0
                    WHEN 2 THEN total_points <= 0 AND NOT is_lifetime
                    WHEN 3 THEN true
                    WHEN 4 THEN total_points >= 0 AND NOT is_lifetime AND related_id IS NOT NULL
                    WHEN 5 THEN total_points < 0 AND NOT is_lifetime
                    WHEN 6 THEN related_id IS NOT NULL
                    ELSE false
                  END AS is_unlawful,
                  -- Only a redemption waits for its confirmation; every other record is complete from the start.
                  NOT (status = 2 OR operation = 2 AND status = 1 OR operation = 5 AND status = 5) AS is_misstated
           FROM ordered
         )
         SELECT user_id AS "userId", 'record ' || id || ': ' || concat_ws(', ',
                  CASE WHEN is_unordered THEN 'id or time not after the record before' END,
                  CASE WHEN is_missummed THEN 'points not the sum of their parts' END,
                  CASE WHEN is_overspent THEN 'spends more than there was' END,
                  CASE WHEN is_unlawful THEN 'against the rules of its operation' END,
                  CASE WHEN is_misstated THEN 'a status that it cannot begin with' END) AS what
         FROM judged WHERE is_unordered OR is_missummed OR is_overspent OR is_unlawful OR is_misstated
         ORDER BY user_id, id LIMIT ${DIFFERENCES_MAX}`,
);
/**
 * Each record obeys the rules of its kind, and its order: ids and times ascend with the sequence. Only what takes back
 * may make the balance negative. The rules are those of the table and of the entries (`entry.ts`).
 */
export const RECORDS: Check = {
  isDeep: true,
  find: (tx, above, upTo) => tx.query(FIND_RECORDS, [above, upTo]),
};

const FIND_BODIES = statement(
  "ledger.verify-bodies",
  DIFFERENCE,
  // A body is read once, since each reading decompresses it: OFFSET 0 keeps that step apart.
  `SELECT "userId", what FROM (
           SELECT records.user_id AS "userId", records.id,
                  CASE WHEN body.items IS NULL THEN
                    CASE WHEN users.erased_at IS NULL THEN 'record ' || records.id || ': its content is missing' END
                  WHEN summed.health_points <> records.health_points OR summed.carbon_points <> records.carbon_points
                    OR summed.bonus_points + body.bonus_points <> records.bonus_points OR summed.co2e_mg <> records.co2e_mg
                    OR operation IN (1, 6) AND (summed.green_products * sign <> records.green_products
                                                OR summed.healthy_products * sign <> records.healthy_products)
                  THEN 'record ' || records.id || ': its items do not sum up to it' END AS what
           FROM records
           JOIN LATERAL (
             SELECT records.body -> 'items' AS items, CASE operation WHEN 6 THEN -1 ELSE 1 END AS sign,
                    CASE source WHEN 'manual' THEN coalesce((records.body #>> '{bonus,points}')::int, 0) ELSE 0 END
                      AS bonus_points
             OFFSET 0
           ) AS body ON true
           JOIN LATERAL (
             SELECT coalesce(sum((item ->> 'healthPoints')::int), 0) AS health_points,
                    coalesce(sum((item ->> 'carbonPoints')::int), 0) AS carbon_points,
                    coalesce(sum((item ->> 'bonusPoints')::int), 0) AS bonus_points,
                    coalesce(sum((item ->> 'co2eMg')::bigint), 0) AS co2e_mg,
                    count(*) FILTER (WHERE (item ->> 'carbonRating')::int <= 2) AS green_products,
                    count(*) FILTER (WHERE (item ->> 'healthRating')::int <= 2) AS healthy_products
             FROM jsonb_array_elements(body.items) AS item
           ) AS summed ON true
           JOIN users ON users.id = records.user_id
           WHERE records.user_id > $1 AND records.user_id <= $2
         ) AS judged
         WHERE what IS NOT NULL ORDER BY "userId", id LIMIT ${DIFFERENCES_MAX}`,
);
/** The items of a record, or its bonus, sum up to it. An erasure removes them, and nothing else does. */
export const BODIES: Check = {
  isDeep: true,
  find: (tx, above, upTo) => tx.query(FIND_BODIES, [above, upTo]),
};
