import { statement } from "../../postgres/statement.ts";
import { HASH_BYTES } from "../explained/evidence.store.ts";
import { DIFFERENCE, DIFFERENCES_MAX, DIFFERENCE_OF_NONE, checkInDepth, differencesOf, inSeventh } from "./check.ts";
import type { Difference } from "./check.ts";
import type { Tx } from "../../postgres/postgres.ts";

const FIND_UNEXPLAINED = statement(
  "ledger.verify-evidence",
  DIFFERENCE,
  // Only what an award explains itself by: an erasure removes both columns with the content.
  `WITH referring AS (
           SELECT records.user_id, records.id, num_nonnulls(explained, inputs) = 0 AS is_unexplained,
                  length(evidence) % ${HASH_BYTES} AS rest,
                  (SELECT count(*) FROM generate_series(0, length(evidence) / ${HASH_BYTES} - 1) AS place
                   WHERE NOT EXISTS (SELECT FROM evidence AS held
                     WHERE held.hash = substring(records.evidence FROM place * ${HASH_BYTES} + 1 FOR ${HASH_BYTES}))
                  ) AS missing
           FROM records
           WHERE ${inSeventh("records.user_id")} AND (num_nonnulls(explained, inputs, evidence) > 0 OR rule_inputs IS NULL)
         )
         ${differencesOf("referring", {
           "what explains it is missing": "is_unexplained",
           "its evidence is missing": "missing > 0",
           "its evidence is cut off": "rest > 0",
         })}`,
);
/** Each record that refers to evidence finds it. */
export const EXPLAINED = checkInDepth((tx, values) => tx.query(FIND_UNEXPLAINED, values));

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
