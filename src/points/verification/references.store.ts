import { statement } from "../../postgres/statement.ts";
import { DIFFERENCE, DIFFERENCES_MAX } from "./check.ts";
import type { Check } from "./check.ts";

const FIND_REFERENCES = statement(
  "ledger.verify-references",
  DIFFERENCE,
  // An erasure may have removed the content of the record and not yet the reference.
  `SELECT used.user_id AS "userId", 'reference of record ' || used.record_id || ': ' || CASE
                  WHEN named.id IS NULL THEN 'not one of this user'
                  WHEN named.application_id <> used.application_id THEN 'of another application'
                  ELSE 'not the one of the record' END AS what
           FROM record_references AS used
           LEFT JOIN records AS named ON named.user_id = used.user_id AND named.id = used.record_id
           WHERE used.user_id > $1 AND used.user_id <= $2
             AND (named.id IS NULL OR named.application_id <> used.application_id
                  OR used.kind = 'adjustment' AND (named.operation <> 3 OR named.body ->> 'reference' <> used.reference)
                  OR used.kind = 'redemption' AND named.operation <> 2
                  OR used.kind = 'bonus' AND (named.operation <> 1 OR named.source <> 'manual'
                                              OR named.body ->> 'reference' <> used.reference))
           ORDER BY used.user_id, used.record_id LIMIT ${DIFFERENCES_MAX}`,
);
/** Each used reference is that of a record of the same user and application, of its kind. */
export const REFERENCES: Check = {
  isDeep: false,
  find: (tx, above, upTo) => tx.query(FIND_REFERENCES, [above, upTo]),
};

const FIND_ADJUSTMENTS = statement(
  "ledger.verify-adjustments",
  DIFFERENCE,
  `SELECT records.user_id AS "userId", 'record ' || records.id || ': its reference is not noted as used' AS what
           FROM records JOIN users ON users.id = records.user_id
           LEFT JOIN record_references AS used ON used.user_id = records.user_id
             AND used.kind = CASE records.operation WHEN 1 THEN 'bonus' ELSE 'adjustment' END
             AND used.application_id = records.application_id AND used.reference = records.body ->> 'reference'
           WHERE records.user_id > $1 AND records.user_id <= $2 AND records.related_id IS NULL
             AND (records.operation = 3 OR records.operation = 1 AND records.source = 'manual')
             AND users.erased_at IS NULL AND used.record_id IS NULL
           ORDER BY records.user_id, records.id LIMIT ${DIFFERENCES_MAX}`,
);
/** The reference of each adjustment and bonus is used: otherwise a repeated request would move its points twice. */
export const ADJUSTMENTS: Check = {
  isDeep: true,
  find: (tx, above, upTo) => tx.query(FIND_ADJUSTMENTS, [above, upTo]),
};
