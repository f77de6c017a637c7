import { statement } from "../../postgres/statement.ts";
import { DIFFERENCE, checkOfAll, differencesOf, inSlice } from "./check.ts";

const FIND_RELATED = statement(
  "ledger.verify-related",
  DIFFERENCE,
  `WITH pairs AS (
           SELECT later.user_id, later.id, later.sequence, later.operation, later.is_lifetime, later.other_points,
                  first.id AS first_id, first.sequence AS first_sequence, first.operation AS first_operation,
                  first.is_lifetime AS first_is_lifetime, first.other_points AS first_other_points,
                  first.related_id AS first_related_id, ended.record_id IS NOT NULL AS has_ended
           FROM records AS later
           LEFT JOIN records AS first ON first.user_id = later.user_id AND first.id = later.related_id
           LEFT JOIN (
             SELECT DISTINCT user_id, record_id FROM record_changes WHERE ${inSlice("user_id")} AND status IN (3, 4, 5)
           ) AS ended ON ended.user_id = later.user_id AND ended.record_id = later.related_id
           WHERE ${inSlice("later.user_id")} AND later.related_id IS NOT NULL
         )
         ${differencesOf("pairs", {
           "its related record is not one of this user": "first_id IS NULL",
           "not after its related record": "first_sequence >= sequence",
           "its related record is of another kind": `NOT CASE operation
              WHEN 4 THEN first_operation = 2 WHEN 3 THEN first_operation IN (1, 3)
              WHEN 6 THEN first_operation IN (1, 3) ELSE false END`,
           "does not count in lifetimePoints as its related record does":
             "operation IN (3, 6) AND is_lifetime <> first_is_lifetime",
           // Points that a reversal waives are spent: nothing is available after it.
           "leaves points that were not spent": `operation = 6 AND first_related_id IS NULL
              AND other_points + first_other_points > 0
              AND (SELECT sum(total_points) FROM records AS upto
                   WHERE upto.user_id = pairs.user_id AND upto.sequence <= pairs.sequence) > 0`,
           "gives points back, and its redemption did not end": "operation = 4 AND NOT has_ended",
         })}`,
);
/** What reverses, refunds or corrects a record is of the same user, comes after it, and is of a kind that may. */
export const RELATED = checkOfAll((tx, values) => tx.query(FIND_RELATED, values));

/** The amounts of a record: none may be taken back above what it gave. */
const AMOUNTS = [
  "total_points",
  "health_points",
  "carbon_points",
  "bonus_points",
  "green_products",
  "healthy_products",
  "co2e_mg",
];
const LEFT = AMOUNTS.map((amount) => `first.${amount} + taken.${amount} AS ${amount}`);

const FIND_TAKEN_BACK = statement(
  "ledger.verify-taken-back",
  DIFFERENCE,
  `WITH taken AS (
           SELECT user_id, related_id, ${AMOUNTS.map((amount) => `sum(${amount}) AS ${amount}`).join(", ")}
           FROM records WHERE ${inSlice("user_id")} AND related_id IS NOT NULL GROUP BY user_id, related_id
         ), rest AS (
           SELECT first.user_id, first.id, first.operation, first.related_id, first.total_points AS given,
                  taken.total_points AS taken, ${LEFT.join(", ")}
           FROM taken JOIN records AS first ON first.user_id = taken.user_id AND first.id = taken.related_id
         )
         ${differencesOf("rest", {
           "its refunds exceed it": "operation = 2 AND total_points > 0",
           // An adjustment of either sign ends between itself and 0. A correction may end anywhere.
           "more is taken back than it gave": `CASE operation
              WHEN 1 THEN least(${AMOUNTS.join(", ")}) < 0
              WHEN 3 THEN related_id IS NULL AND (sign(given) * total_points < 0 OR sign(given) * taken > 0)
              ELSE false END`,
         })}`,
);
/** What takes back, refunds or corrects a record leaves nothing below zero of what it gave. */
export const TAKEN_BACK = checkOfAll((tx, values) => tx.query(FIND_TAKEN_BACK, values));
