import { statement } from "../../postgres/statement.ts";
import { DIFFERENCE, checkInDepth, differencesOf, inSeventh, inSlice } from "./check.ts";

const FIND_TIERS = statement(
  "ledger.verify-tiers",
  DIFFERENCE,
  `WITH stored AS (
           SELECT stored.user_id, stored.user_id AS id, stored.application_id, users.application_id AS own_application_id, sequence,
                  balances.records, stored.points,
                  (SELECT coalesce(sum(later.total_points), 0)
                   FROM records AS later
                     LEFT JOIN records AS root ON root.user_id = later.user_id AND root.id = later.related_id
                   WHERE later.user_id = stored.user_id AND later.sequence <= stored.sequence AND later.is_lifetime
                     AND coalesce(root.created_at, later.created_at) >= stored.counted_from) AS counted
           FROM user_tiers AS stored JOIN users ON users.id = stored.user_id
             JOIN balances ON balances.user_id = stored.user_id
           WHERE ${inSeventh("stored.user_id")} AND ${inSlice("users.id")} AND ${inSlice("balances.user_id")}
         )
         ${differencesOf(
           "stored",
           {
             "of another application": "application_id <> own_application_id",
             "counts records that are not there": "sequence > records",
             "points are not those of the records": "points <> counted",
           },
           "'the tier'",
         )}`,
);
/** The stored sum of the points that count for a tier is that of the records up to its number. */
export const TIERS = checkInDepth((tx, values) => tx.query(FIND_TIERS, values));
