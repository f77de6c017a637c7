import { statement } from "../../postgres/statement.ts";
import { checkOfRecords } from "./by-record.store.ts";
import { DIFFERENCE, checkInDepth, differencesOf, inSeventh } from "./check.ts";

const FIND_REFERENCES = statement(
  "ledger.verify-references",
  DIFFERENCE,
  // An erasure may have removed the content of the record and not yet the reference.
  `WITH used AS (
           SELECT used.user_id, used.record_id AS id, used.kind, used.application_id, used.reference,
                  named.id AS named_id, named.application_id AS named_application_id, named.operation, named.source,
                  named.body ->> 'reference' AS named_reference
           FROM record_references AS used
           LEFT JOIN records AS named ON named.user_id = used.user_id AND named.id = used.record_id
           WHERE ${inSeventh("used.user_id")}
         )
         ${differencesOf(
           "used",
           {
             "not one of this user": "named_id IS NULL",
             "of another application": "named_application_id <> application_id",
             "not the one of the record": `operation <> CASE kind WHEN 'adjustment' THEN 3 WHEN 'bonus' THEN 1 ELSE 2 END
                OR (kind = 'bonus') <> (operation = 1 AND source = 'manual') OR named_reference <> reference`,
           },
           "'reference of record ' || id",
         )}`,
);
/** Each used reference is that of a record of the same user and application, of its kind. */
export const REFERENCES = checkInDepth((tx, values) => tx.query(FIND_REFERENCES, values));

/**
 * The reference of each adjustment, redemption and bonus is used: otherwise a request that is sent again would move its
 * points twice.
 */
export const UNUSED_REFERENCES = checkOfRecords(
  "ledger.verify-unused-references",
  // Both records of an opening balance have one reference.
  ({ records, users }) => `WITH referring AS (
           SELECT records.user_id, records.id, used.record_id
           FROM records JOIN users ON users.id = records.user_id
           LEFT JOIN record_references AS used ON used.application_id = records.application_id
             AND used.kind = CASE operation WHEN 1 THEN 'bonus' WHEN 3 THEN 'adjustment' ELSE 'redemption' END
             AND used.reference = records.body ->> 'reference' AND used.user_id = records.user_id
           WHERE ${records("records")} AND ${users("users.id")} AND erased_at IS NULL
             AND (operation IN (2, 3) OR operation = 1 AND records.source = 'manual' AND rule = 'none')
             AND related_id IS NULL
         )
         ${differencesOf("referring", { "its reference is not noted as used": "record_id IS NULL" })}`,
);
