import { statement } from "../../postgres/statement.ts";
import { checkOfRecords } from "./by-record.store.ts";
import { DIFFERENCE, checkOfAll, differencesOf, inSlice } from "./check.ts";

const FIND_CORRECTIONS = statement(
  "ledger.verify-corrections",
  DIFFERENCE,
  // Without a record the receipt had failed and was processed again: no points moved.
  `WITH corrected AS (
           SELECT corrections.user_id, corrections.receipt_id, corrections.id, corrections.number, corrections.points,
                  corrections.record_id, own.id AS own_id, own.operation, own.submission_id, own.total_points,
                  award.source AS award_source, award.submission_id AS award_submission_id,
                  lag(number, 1, 0::smallint) OVER (PARTITION BY corrections.user_id, corrections.receipt_id
                                                    ORDER BY number) AS earlier_number
           FROM receipt_corrections AS corrections
           LEFT JOIN records AS own ON own.user_id = corrections.user_id AND own.id = corrections.record_id
           LEFT JOIN records AS award ON award.user_id = own.user_id AND award.id = own.related_id
           WHERE ${inSlice("corrections.user_id")}
         )
         ${differencesOf(
           "corrected",
           {
             "its record is not one of this user": "record_id IS NOT NULL AND own_id IS NULL",
             "its record is not its own": "operation <> 3 OR submission_id <> id",
             "its record corrects another receipt":
               "own_id IS NOT NULL AND (award_source, award_submission_id) IS DISTINCT FROM ('receipt', receipt_id)",
             "its points are not those of its record": "points <> coalesce(total_points, 0)",
             "an earlier one is missing": "number <> earlier_number + 1",
           },
           "'correction ' || id",
         )}`,
);
/** Each correction of a receipt has its record, of the same points and with the award of the receipt. */
export const CORRECTIONS = checkOfAll((tx, values) => tx.query(FIND_CORRECTIONS, values));

/** Each record that corrects a receipt is noted with the receipt: otherwise the next correction would repeat it. */
export const UNCORRECTED = checkOfRecords(
  "ledger.verify-uncorrected",
  // What rescoring books has no evidence of a correction. An erasure deletes corrections before the evidence.
  ({ records, users }) => `WITH correcting AS (
           SELECT own.user_id, own.id, corrections.id AS correction_id
           FROM records AS own JOIN users ON users.id = own.user_id
           LEFT JOIN receipt_corrections AS corrections
             ON corrections.user_id = own.user_id AND corrections.record_id = own.id
           WHERE ${records("own")} AND ${users("users.id")} AND erased_at IS NULL
             AND own.operation = 3 AND own.related_id IS NOT NULL AND own.rule_inputs ? 'correction'
         )
         ${differencesOf("correcting", { "corrects a receipt that has no such correction": "correction_id IS NULL" })}`,
);
