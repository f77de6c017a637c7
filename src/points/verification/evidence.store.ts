import { statement } from "../../postgres/statement.ts";
import { HASH_BYTES } from "../explained/evidence.store.ts";
import { checkOfRecords } from "./by-record.store.ts";
import { DIFFERENCES_MAX, DIFFERENCE_OF_NONE, differencesOf } from "./check.ts";
import type { Difference } from "./check.ts";
import type { Tx } from "../../postgres/postgres.ts";

/** Each record that refers to evidence finds it. */
export const EXPLAINED = checkOfRecords(
  "ledger.verify-evidence",
  // Only what an award explains itself by: an erasure removes both columns with the content.
  ({ records }) => `WITH referring AS (
           SELECT records.user_id, records.id, num_nonnulls(explained, inputs) = 0 AS is_unexplained,
                  length(evidence) % ${HASH_BYTES} AS rest,
                  (SELECT count(*) FROM generate_series(0, length(evidence) / ${HASH_BYTES} - 1) AS place
                   WHERE NOT EXISTS (SELECT 1 FROM evidence AS held
                     WHERE held.hash = substring(records.evidence FROM place * ${HASH_BYTES} + 1 FOR ${HASH_BYTES}))
                  ) AS missing
           FROM records
           WHERE ${records("records")} AND (num_nonnulls(explained, inputs, evidence) > 0 OR rule_inputs IS NULL)
         )
         ${differencesOf("referring", {
           "what explains it is missing": "is_unexplained",
           "its evidence is missing": "missing > 0",
           "its evidence is cut off": "rest > 0",
         })}`,
);

const FIND_CHANGED = statement(
  "ledger.verify-evidence-content",
  DIFFERENCE_OF_NONE,
  `SELECT NULL::uuid AS "userId", 'evidence ' || encode(hash, 'hex') || ': is not what its hash says' AS what
         FROM evidence WHERE substring(sha256(convert_to(content, 'UTF8')) FOR ${HASH_BYTES}) <> hash
         ORDER BY hash LIMIT ${DIFFERENCES_MAX}`,
);
/** All evidence is what its hash says: it was not changed after a record referred to it. */
export function differencesOfEvidence(tx: Tx): Promise<Difference[]> {
  return tx.query(FIND_CHANGED, []);
}
