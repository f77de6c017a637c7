// The sums that are kept of blocks of records: by adding up the records of each block anew.
import { statement } from "../../postgres/statement.ts";
import { RECORDS_OF, SUMMED_COLUMNS, SUM_COLUMNS, sumsOf } from "../sums/summed.store.ts";
import { DIFFERENCE, DIFFERENCES_MAX, inSeventh } from "./check.ts";
import type { Check } from "./check.ts";

const KEPT_COLUMNS = ["cause", "bonus_type", "oldest_related", ...SUM_COLUMNS];

/** Differences of the blocks with a condition. A block also begins after the one before, and ends with a record. */
const differencesOf = (condition: string): string => `WITH kept AS MATERIALIZED (
           SELECT * FROM record_sums WHERE ${condition}
             AND EXISTS (SELECT 1 FROM users WHERE id = record_sums.user_id AND erased_at IS NULL)
         ), blocks AS MATERIALIZED (
           SELECT DISTINCT user_id, first_sequence, last_sequence FROM kept
         ), counted AS (
           ${sumsOf(
             `(SELECT ${SUMMED_COLUMNS}, first_sequence, last_sequence
               FROM blocks CROSS JOIN ${RECORDS_OF("blocks.user_id", "first_sequence", "last_sequence")})`,
             ["user_id", "first_sequence", "last_sequence"],
           )}
         ), different AS (
           (SELECT user_id, first_sequence, last_sequence, ${KEPT_COLUMNS.join(", ")} FROM kept
            EXCEPT ALL
            SELECT user_id, first_sequence, last_sequence, ${KEPT_COLUMNS.join(", ")} FROM counted)
           UNION ALL
           (SELECT user_id, first_sequence, last_sequence, ${KEPT_COLUMNS.join(", ")} FROM counted
            EXCEPT ALL
            SELECT user_id, first_sequence, last_sequence, ${KEPT_COLUMNS.join(", ")} FROM kept)
         )
         SELECT user_id AS "userId", 'the sums that are kept of records ' || first_sequence || ' to ' || last_sequence
                  || ' are not those of the records' AS what
         FROM (
           SELECT user_id, first_sequence, last_sequence FROM different
           UNION
           SELECT user_id, first_sequence, last_sequence FROM blocks
           WHERE first_sequence <> 1 + coalesce((SELECT max(before.last_sequence) FROM record_sums AS before
                   WHERE before.user_id = blocks.user_id AND before.last_sequence < blocks.last_sequence), 0)
             OR NOT EXISTS (SELECT 1 FROM records WHERE records.user_id = blocks.user_id
                            AND records.sequence = blocks.last_sequence)
         ) AS wrong ORDER BY user_id, last_sequence LIMIT ${DIFFERENCES_MAX}`;

const FIND = statement("ledger.verify-record-sums", DIFFERENCE, differencesOf(inSeventh("user_id")));
const FIND_IN_PART = statement(
  "ledger.verify-record-sums-part",
  DIFFERENCE,
  differencesOf("user_id = $1 AND last_sequence > $2 AND last_sequence <= $3"),
);

/** The sums that are kept of records are those of the records, and leave none out. */
export const RECORD_SUMS: Check = {
  find: (tx, { above, upTo, seventh }) => tx.query(FIND, [above, upTo, seventh]),
  findInPart: (tx, { userId, after, upTo }) => tx.query(FIND_IN_PART, [userId, after, upTo]),
};
