import { statement } from "../../postgres/statement.ts";
import { checkOfRecords } from "./by-record.store.ts";
import { DIFFERENCE, DIFFERENCES_MAX, checkInDepth, checkOfAll, differencesOf, inSeventh, inSlice } from "./check.ts";

const FIND_GRANTED = statement(
  "ledger.verify-granted",
  DIFFERENCE,
  // An erasure may have removed the content of the record and not yet the note.
  `WITH granted AS (
           SELECT granted.user_id, granted.record_id AS id, kind, granted.application_id, key, rule,
                  given.id AS given_id, given.application_id AS given_application_id, given.operation, given.source,
                  given.body #>> '{bonus,type}' AS type, given.body #>> '{bonus,profileId}' AS profile_id
           FROM granted_bonuses AS granted
           LEFT JOIN records AS given ON given.user_id = granted.user_id AND given.id = granted.record_id
           WHERE ${inSeventh("granted.user_id")}
         )
         ${differencesOf(
           "granted",
           {
             "not one of this user": "given_id IS NULL",
             "of another application": "given_application_id <> application_id",
             "not what the record says": `operation <> 1 OR source <> 'manual' OR rule = 'none'
                OR type <> CASE kind WHEN 'welcome' THEN '2' WHEN 'streak' THEN '3' ELSE '1' END
                OR kind = 'referring' AND profile_id <> key`,
           },
           "'bonus by record ' || id",
         )}`,
);
/** Each bonus of a programme that was noted as given has its record, of the same user, application and kind. */
export const GRANTED = checkInDepth((tx, values) => tx.query(FIND_GRANTED, values));

/** Each bonus of a programme is noted: otherwise it could be given a second time. */
export const UNNOTED_BONUSES = checkOfRecords(
  "ledger.verify-unnoted-bonuses",
  ({ records, users }) => `WITH given AS (
           SELECT records.user_id, records.id, noted.record_id
           FROM records JOIN users ON users.id = records.user_id
           LEFT JOIN granted_bonuses AS noted ON noted.user_id = records.user_id AND noted.record_id = records.id
           WHERE ${records("records")} AND ${users("users.id")} AND erased_at IS NULL
             AND operation = 1 AND records.source = 'manual' AND rule <> 'none'
         )
         ${differencesOf("given", { "is not noted as given": "record_id IS NULL" })}`,
);

const FIND_STREAKS = statement(
  "ledger.verify-streaks",
  DIFFERENCE,
  // Runs that touch each other, or overlap, would count days twice.
  `WITH runs AS (
           SELECT user_id, streak, first_unit, last_unit, length,
                  lag(last_unit) OVER (PARTITION BY user_id, streak ORDER BY first_unit) AS earlier
           FROM streak_runs WHERE ${inSlice("user_id")}
         ), due AS (
           SELECT user_id, streak, sum((last_unit - first_unit + 1) / length) AS bonuses,
                  bool_or(earlier >= first_unit - 1) AS is_joined
           FROM runs GROUP BY user_id, streak
         ), given AS (
           SELECT user_id, regexp_replace(key, ' -?\\d+$', '') AS streak, count(*) AS bonuses
           FROM granted_bonuses WHERE ${inSlice("user_id")} AND kind = 'streak' GROUP BY 1, 2
         ), differing AS (
           SELECT users.id AS user_id, coalesce(due.streak, given.streak) AS id
           FROM due FULL JOIN given ON given.user_id = due.user_id AND given.streak = due.streak
           JOIN users ON users.id = coalesce(due.user_id, given.user_id)
           WHERE erased_at IS NULL
             AND (coalesce(due.is_joined, false) OR coalesce(due.bonuses, 0) <> coalesce(given.bonuses, 0))
         )
         SELECT user_id AS "userId", 'streak ' || id || ': its bonuses are not those of its days' AS what
         FROM differing ORDER BY user_id, id LIMIT ${DIFFERENCES_MAX}`,
);
/** A run of days or weeks has given as many bonuses as its length holds, and no day is in two runs. */
export const STREAKS = checkOfAll((tx, values) => tx.query(FIND_STREAKS, values));
