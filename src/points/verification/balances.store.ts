import { bool, statement, text, uuid } from "../../postgres/statement.ts";
import { DIFFERENCE, DIFFERENCES_MAX, breaks, brokenOf, differencesOf, inSlice } from "./check.ts";
import type { Check, Rules } from "./check.ts";

/** What comes before the first record of each user. */
const NOTHING = { id: "NULL::uuid", at: "NULL::timestamptz", applicationId: "NULL::uuid", points: "0" };

/** Records in their order, each with the one before. Streamed by key: neither sorted nor stored. */
export const orderedOf = (
  scope: string,
  before = NOTHING,
): string => `SELECT user_id, sequence, id, application_id, created_at, operation, status, source, is_lifetime, related_id,
           total_points, other_points, health_points, carbon_points, bonus_points, green_products, healthy_products,
           co2e_mg, coalesce(lag(id) OVER own, ${before.id}) AS earlier_id,
           coalesce(lag(created_at) OVER own, ${before.at}) AS earlier_at,
           coalesce(lag(application_id) OVER own, ${before.applicationId}) AS earlier_application_id, lead(sequence) OVER own IS NULL AS is_last,
           ${before.points} + sum(total_points) OVER own AS balance
         FROM records WHERE ${scope}
         WINDOW own AS (PARTITION BY user_id ORDER BY sequence ROWS UNBOUNDED PRECEDING)`;

const ORDERED = orderedOf(inSlice("user_id"));

/** The rules of the table, of the entries (`entry.ts`) and of their order (`balance.ts`). */
export const RECORD: Rules = {
  "id or time not after the record before": "id <= earlier_id OR created_at < earlier_at",
  "points not the sum of their parts": "total_points <> health_points + carbon_points + bonus_points + other_points",
  // Only what takes back may make the balance negative.
  "spends more than there was":
    "balance < 0 AND total_points < 0 AND NOT (operation = 6 OR operation = 3 AND related_id IS NOT NULL)",
  "against the rules of its operation": `NOT CASE operation
     -- A bonus has its points, and nothing else.
     WHEN 1 THEN (source IN ('receipt', 'meal', 'food')
                  OR source = 'manual' AND bonus_points > 0 AND bonus_points = total_points
                    AND green_products = 0 AND healthy_products = 0 AND co2e_mg = 0)
                 AND is_lifetime AND related_id IS NULL AND other_points = 0
                 AND health_points >= 0 AND carbon_points >= 0 AND bonus_points >= 0
                 AND green_products >= 0 AND healthy_products >= 0 AND co2e_mg >= 0
     WHEN 2 THEN total_points <= 0 AND NOT is_lifetime
     WHEN 3 THEN true
     WHEN 4 THEN total_points >= 0 AND NOT is_lifetime AND related_id IS NOT NULL
     WHEN 5 THEN total_points < 0 AND NOT is_lifetime
     WHEN 6 THEN related_id IS NOT NULL
     ELSE false END`,
  // Only a redemption waits for its confirmation; every other record is complete from the start.
  "a status that it cannot begin with":
    "NOT (status = 2 OR operation = 2 AND status = 1 OR operation = 5 AND status = 5)",
};

/** The members of a balance, as a report names them, each with the condition that it is not what the records say. */
const MEMBERS: Rules = {
  "number of records": "held.records <> coalesce(summed.records, 0)",
  numOfTransactions: "held.other_records <> coalesce(summed.other_records, 0)",
  "gapless sequence": "summed.last_sequence <> summed.records",
  lifetimePoints: "held.lifetime_points <> coalesce(summed.lifetime_points, 0)",
  availablePoints: "held.available_points <> coalesce(summed.points, 0)",
  overdrawn: "held.is_overdrawn <> (held.available_points < 0)",
  totalCarbonScore: "held.carbon_points <> coalesce(summed.carbon_points, 0)",
  totalGreenProducts: "held.green_products <> coalesce(summed.green_products, 0)",
  "time of the last record": "held.last_record_at IS DISTINCT FROM summed.last_at",
  "id of the last record": "held.last_record_id IS DISTINCT FROM summed.last_id",
};
const FOREIGN = "summed.is_mixed OR summed.application_id <> users.application_id";
/** Whether a balance differs from `summed`, and in which members. */
export const DIFFERS = `${FOREIGN} OR ${breaks(MEMBERS)}`;
export const DIFFERING = `concat_ws('; ', nullif(${brokenOf(MEMBERS)}, '') || ' not equal to the records',
                  CASE WHEN ${FOREIGN} THEN 'a record is of another application than the user' END)`;

const FIND_BALANCES = statement(
  "ledger.verify-balances",
  { userId: uuid, what: text, hasBrokenRecords: bool },
  // Each record is read once, for the balance and for its own rules. The last one is that of the highest sequence.
  `WITH ordered AS (${ORDERED}), summed AS (
           SELECT user_id, count(*) AS records, max(sequence) AS last_sequence,
                  count(*) FILTER (WHERE operation <> 1 OR source = 'manual') AS other_records, sum(total_points) AS points,
                  sum(total_points) FILTER (WHERE is_lifetime) AS lifetime_points, sum(carbon_points) AS carbon_points,
                  sum(green_products) AS green_products, max(created_at) FILTER (WHERE is_last) AS last_at,
                  (array_agg(id) FILTER (WHERE is_last))[1] AS last_id,
                  (array_agg(application_id) FILTER (WHERE is_last))[1] AS application_id,
                  bool_or(application_id <> earlier_application_id) AS is_mixed, bool_or(${breaks(RECORD)}) AS is_broken
           FROM ordered GROUP BY user_id
         )
         SELECT held.user_id AS "userId", coalesce(is_broken, false) AS "hasBrokenRecords",
                ${DIFFERING} AS what
         FROM balances AS held JOIN users ON users.id = held.user_id LEFT JOIN summed ON summed.user_id = held.user_id
         WHERE ${inSlice("held.user_id")} AND ${inSlice("users.id")}
           AND (is_broken OR ${DIFFERS})
         ORDER BY held.user_id LIMIT ${DIFFERENCES_MAX}`,
);
const FIND_RECORDS = statement(
  "ledger.verify-records",
  DIFFERENCE,
  `WITH ordered AS (${ORDERED}) ${differencesOf("ordered", RECORD)}`,
);

/**
 * Every member of a balance is the sum of its records; they have no gap, and belong to the user's application. Each
 * record obeys the rules of its kind and its order: ids and times ascend with the sequence.
 */
export const BALANCES: Check = {
  find: async (tx, { above, upTo }) => {
    const users = await tx.query(FIND_BALANCES, [above, upTo]);
    // Records never change, so a later statement finds the same.
    const records = users.some((user) => user.hasBrokenRecords) ? await tx.query(FIND_RECORDS, [above, upTo]) : [];
    const balances = users.filter(({ what }) => what !== "").map(({ userId, what }) => ({ userId, what }));
    return [...balances, ...records].slice(0, DIFFERENCES_MAX);
  },
};
