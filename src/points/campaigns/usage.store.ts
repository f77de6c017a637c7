import { arrayColumns } from "../../postgres/array-columns.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { float8, statement, text, uuid } from "../../postgres/statement.ts";
import type { CampaignUsage } from "./campaign.ts";

/** A campaign of an application. */
export interface CampaignKey {
  readonly applicationId: string;
  readonly campaignId: string;
}

/** A user whom a campaign gave points. */
export interface CampaignUser {
  readonly userId: string;
  readonly campaignId: string;
}

const KEYS = arrayColumns<CampaignKey>({
  application_id: ["uuid", ({ applicationId }) => applicationId],
  campaign_id: ["text", ({ campaignId }) => campaignId],
});
const USERS = statement(
  "campaigns.users",
  { userId: uuid, campaignId: text },
  // Rows of campaigns that have given nothing yet are created first, before any is locked, and all in one order: so two
  // calls at once cannot wait for each other.
  `WITH created AS (
           INSERT INTO campaign_usage (application_id, campaign_id)
             SELECT * FROM ${KEYS.unnest} AS due (${KEYS.names})
             WHERE NOT EXISTS (SELECT 1 FROM campaign_usage AS known WHERE known.application_id = due.application_id
                               AND known.campaign_id = due.campaign_id)
             ORDER BY due.application_id, due.campaign_id ON CONFLICT DO NOTHING)
         SELECT user_id AS "userId", campaign_id AS "campaignId" FROM campaign_users
         WHERE user_id = ANY ($${KEYS.next}) AND campaign_id = ANY ($2)`,
);
const LOCK = statement(
  "campaigns.lock",
  { applicationId: uuid, campaignId: text, points: float8, users: float8 },
  `SELECT application_id AS "applicationId", campaign_id AS "campaignId", points::float8 AS points, users::float8 AS users
         FROM campaign_usage JOIN ${KEYS.unnest} AS due (${KEYS.names}) USING (application_id, campaign_id)
         ORDER BY application_id, campaign_id FOR UPDATE OF campaign_usage`,
);
const USED = arrayColumns<CampaignKey & CampaignUsage>({
  application_id: ["uuid", ({ applicationId }) => applicationId],
  campaign_id: ["text", ({ campaignId }) => campaignId],
  points: ["bigint", ({ points }) => points],
  users: ["bigint", ({ users }) => users],
});
const NEW_USERS = arrayColumns<CampaignUser>(
  {
    user_id: ["uuid", ({ userId }) => userId],
    campaign_id: ["text", ({ campaignId }) => campaignId],
  },
  USED.next,
);
const SAVE = statement(
  "campaigns.save",
  {},
  `WITH users AS (
           INSERT INTO campaign_users (user_id, campaign_id, created_at)
             SELECT user_id, campaign_id, $${NEW_USERS.next} FROM ${NEW_USERS.unnest} AS added (${NEW_USERS.names}))
         UPDATE campaign_usage SET points = used.points, users = used.users
         FROM ${USED.unnest} AS used (${USED.names})
         WHERE campaign_usage.application_id = used.application_id AND campaign_usage.campaign_id = used.campaign_id`,
);

const READ = statement(
  "campaigns.read",
  { campaignId: text, points: float8, users: float8 },
  `SELECT campaign_id AS "campaignId", points::float8 AS points, users::float8 AS users FROM campaign_usage
         WHERE application_id = $1 ORDER BY campaign_id LIMIT $2`,
);
/** More campaigns than an application ever has; their list is not paged. */
const READ_MAX = 1_000;

/** What the campaigns of an application have given, by id. */
export async function campaignUsage(tx: Tx, applicationId: string): Promise<ReadonlyMap<string, CampaignUsage>> {
  const rows = await tx.query(READ, [applicationId, READ_MAX]);
  return new Map(rows.map(({ campaignId, ...usage }) => [campaignId, usage]));
}

/** The usage of campaigns, and the users whom they gave points, under the locks of the campaigns. */
export interface LockedCampaigns {
  readonly usage: readonly (CampaignKey & CampaignUsage)[];
  readonly users: readonly CampaignUser[];
}

/**
 * Locks campaigns until the tx ends, in ascending order. The caller holds the balances of the users: locks of balances
 * always come before these.
 */
export async function lockCampaigns(
  tx: Tx,
  keys: readonly CampaignKey[],
  userIds: readonly string[],
): Promise<LockedCampaigns> {
  const users = await tx.query(USERS, [...KEYS.values(keys), [...new Set(userIds)]]);
  return { users, usage: await tx.query(LOCK, KEYS.values(keys)) };
}

/** Stores what locked campaigns have given now, and the users who are new to them. */
export async function saveCampaigns(
  tx: Tx,
  usage: readonly (CampaignKey & CampaignUsage)[],
  users: readonly CampaignUser[],
  now: Date,
): Promise<void> {
  await tx.query(SAVE, [...USED.values(usage), ...NEW_USERS.values(users), now]);
}
