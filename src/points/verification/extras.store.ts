import type { Tx } from "../../postgres/postgres.ts";
import { statement } from "../../postgres/statement.ts";
import { HAS_CONTENT } from "../stored-body.ts";
import { DIFFERENCE, DIFFERENCES_MAX, DIFFERENCE_OF_NONE, checkInDepth, differencesOf, inSeventh } from "./check.ts";
import type { Difference } from "./check.ts";

const FIND_UNSETTLED = statement(
  "ledger.verify-extras",
  DIFFERENCE,
  // The stored inputs are read only of awards that have bonus points, or may have had: those of a programme.
  `WITH settled AS (
           SELECT records.user_id, records.id, bonus_points, coalesce(extras.points, 0) AS points,
                  coalesce(extras.shared, 0) AS shared
           FROM records
           LEFT JOIN LATERAL (
             SELECT sum((extra ->> 1)::int) AS points,
                    sum((SELECT coalesce(sum(share::text::int), 0) FROM jsonb_array_elements(extra -> 2) AS share)) AS shared
             FROM jsonb_array_elements(explained::jsonb -> 7 -> 1) AS extra
             WHERE rule LIKE 'program/%'
           ) AS extras ON true
           WHERE ${inSeventh("records.user_id")} AND operation = 1 AND source IN ('receipt', 'meal', 'food')
             AND ${HAS_CONTENT} AND (rule LIKE 'program/%' OR bonus_points <> 0)
         )
         ${differencesOf("settled", {
           "its bonus points are not those of its tier and campaigns": "bonus_points <> points OR shared <> points",
         })}`,
);
/** The bonus points of each award are those of the tier and the campaigns that explain it. */
export const EXTRAS = checkInDepth((tx, values) => tx.query(FIND_UNSETTLED, values));

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
