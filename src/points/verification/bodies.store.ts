import { checkOfRecords } from "./by-record.store.ts";
import { differencesOf } from "./check.ts";

/** The items of a record, or its bonus, sum up to it. An erasure removes them, and nothing else does. */
export const BODIES = checkOfRecords(
  "ledger.verify-bodies",
  // A body is read once, since each reading decompresses it: OFFSET 0 keeps that step apart.
  ({ records, users }) => `WITH read AS (
           SELECT records.user_id, records.id, operation, records.health_points, records.carbon_points,
                  records.bonus_points, records.co2e_mg, records.green_products, records.healthy_products, erased_at,
                  body.items IS NULL AS is_empty, body.granted, summed.*
           FROM records
           JOIN LATERAL (
             SELECT records.body -> 'items' AS items,
                    CASE source WHEN 'manual' THEN coalesce((records.body #>> '{bonus,points}')::int, 0) ELSE 0 END
                      AS granted
             OFFSET 0
           ) AS body ON true
           JOIN LATERAL (
             SELECT coalesce(sum((item ->> 'healthPoints')::int), 0) AS health,
                    coalesce(sum((item ->> 'carbonPoints')::int), 0) AS carbon,
                    coalesce(sum((item ->> 'bonusPoints')::int), 0) AS bonus,
                    coalesce(sum((item ->> 'co2eMg')::bigint), 0) AS co2e,
                    count(*) FILTER (WHERE (item ->> 'carbonRating')::int <= 2) AS green,
                    count(*) FILTER (WHERE (item ->> 'healthRating')::int <= 2) AS healthy
             FROM jsonb_array_elements(body.items) AS item
           ) AS summed ON true
           JOIN users ON users.id = records.user_id
           WHERE ${records("records")} AND ${users("users.id")}
         )
         ${differencesOf("read", {
           "its content is missing": "is_empty AND erased_at IS NULL",
           "its items do not sum up to it": `NOT is_empty AND (health <> health_points OR carbon <> carbon_points
             OR bonus + granted <> bonus_points OR co2e <> co2e_mg
             OR operation IN (1, 6) AND (green * CASE operation WHEN 6 THEN -1 ELSE 1 END <> green_products
                                         OR healthy * CASE operation WHEN 6 THEN -1 ELSE 1 END <> healthy_products))`,
         })}`,
);
