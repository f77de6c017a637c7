import type { Tx } from "../../postgres/postgres.ts";
import { statement } from "../../postgres/statement.ts";
import { HAS_CONTENT } from "../stored-body.ts";
import { checkOfRecords } from "./by-record.store.ts";
import { DIFFERENCES_MAX, DIFFERENCE_OF_NONE, differencesOf } from "./check.ts";
import type { Difference } from "./check.ts";

/** The bonus points of each award are those of the tier and the campaigns that explain it. */
export const EXTRAS = checkOfRecords(
  "ledger.verify-extras",
  // The stored inputs are read only of awards that have bonus points, or may have had: those of a programme.
  ({ records }) => `WITH settled AS (
           SELECT records.user_id, records.id, bonus_points, coalesce(extras.points, 0) AS points,
                  coalesce(extras.shared, 0) AS shared
           FROM records
           LEFT JOIN LATERAL (
             SELECT sum((extra ->> 1)::int) AS points,
                    sum((SELECT coalesce(sum(share::text::int), 0) FROM jsonb_array_elements(extra -> 2) AS share)) AS shared
             FROM jsonb_array_elements(explained::jsonb -> 7 -> 1) AS extra
             WHERE rule LIKE 'program/%'
           ) AS extras ON true
           WHERE ${records("records")} AND operation = 1 AND source IN ('receipt', 'meal', 'food')
             AND ${HAS_CONTENT} AND (rule LIKE 'program/%' OR bonus_points <> 0)
         )
         ${differencesOf("settled", {
           "its bonus points are not those of its tier and campaigns": "bonus_points <> points OR shared <> points",
         })}`,
);

const FIND_MISCOUNTED = statement(
  "ledger.verify-campaigns",
  DIFFERENCE_OF_NONE,
  // More than the users of now: erased ones stay counted.
  `SELECT NULL::uuid AS "userId", 'campaign ' || campaign_id || ': it counts fewer users than it has' AS what
         FROM campaign_usage JOIN (
           SELECT application_id, campaign_id, count(*) AS present
           FROM campaign_users JOIN users ON users.id = user_id GROUP BY application_id, campaign_id
         ) AS counted USING (application_id, campaign_id)
         WHERE campaign_usage.users < present ORDER BY campaign_id LIMIT ${DIFFERENCES_MAX}`,
);
/** Every user of a campaign is counted. */
export function differencesOfCampaigns(tx: Tx): Promise<Difference[]> {
  return tx.query(FIND_MISCOUNTED, []);
}
