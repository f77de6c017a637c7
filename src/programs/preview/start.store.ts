// What was really so at the start of the time that a preview replays: points of periods that had begun, budgets of
// campaigns that were used. Reads only.
import { firstIdAt } from "../../ids.ts";
import type { ReferralCounts } from "../../points/bonuses/granting.ts";
import { isScarce } from "../../points/campaigns/campaign.ts";
import type { CampaignUsage } from "../../points/campaigns/campaign.ts";
import { NEW_USER } from "../../points/settlement/standing.ts";
import type { UserStanding } from "../../points/settlement/standing.ts";
import type { Limits } from "../../points/limits/limits.ts";
import { dayLimitsOf, talliesOf } from "../../points/limits/store.ts";
import { limitedRanges, rangeKey } from "../../points/limits/tallies.ts";
import type { RangeTally } from "../../points/limits/tallies.ts";
import type { Terms } from "../../points/terms.ts";
import type { RecordKeys } from "./keys.ts";
import { bonusesAt } from "./bonuses.store.ts";
import { readAwards } from "./replayed.store.ts";
import type { Span } from "./replayed.store.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { float8, statement, text, timestamptz, uuid } from "../../postgres/statement.ts";

/** Awards, or users, read at once. */
const ROWS_AT_ONCE = 200;

/** What the standings of users at the start depend on. */
export interface Start {
  readonly applicationId: string;
  readonly span: Span;
  readonly dayLimits: Limits | null;
  readonly terms: Pick<Terms, "limits" | "campaigns" | "tiers" | "bonuses">;
}

/** The limits of a day that the application has now. */
export async function applicationDayLimits(tx: Tx, applicationId: string): Promise<Limits | null> {
  return (await dayLimitsOf(tx, [applicationId], true)).get(applicationId) ?? null;
}

/** The standings of users at the start, by id. */
export async function standingsAt(tx: Tx, userIds: readonly string[], start: Start): Promise<StandingsAtStart> {
  if (userIds.length === 0) return { users: new Map(), referrals: new Map() };
  const tallies = await talliesAt(tx, userIds, start);
  const campaigns = await campaignsAt(tx, userIds, start);
  const { bonuses: rules } = start.terms;
  const bonuses = rules ? await bonusesAt(tx, userIds, rules, start.span.fromMs) : null;
  const users = userIds.map((userId): [string, UserStanding] => [
    userId,
    {
      ...NEW_USER,
      tallies: tallies.get(userId) ?? NEW_USER.tallies,
      campaigns: campaigns.get(userId) ?? NEW_USER.campaigns,
      bonuses: bonuses?.users.get(userId) ?? null,
    },
  ]);
  return { users: new Map(users), referrals: bonuses?.referrals ?? new Map<string, number>() };
}

/** What is known of users, and the bonuses that their referring users had. */
export interface StandingsAtStart {
  readonly users: ReadonlyMap<string, UserStanding>;
  readonly referrals: ReferralCounts;
}

const USAGE = statement(
  "program-preview.campaign-usage",
  { campaignId: text, points: float8, users: float8 },
  `SELECT campaign_id AS "campaignId", points::float8 AS points, users::float8 AS users FROM campaign_usage
         WHERE application_id = $1 AND campaign_id = ANY ($2) AND points > 0`,
);
const CAMPAIGN_USERS = statement(
  "program-preview.campaign-users",
  { userId: uuid, campaignId: text, createdAt: timestamptz },
  `SELECT user_id AS "userId", campaign_id AS "campaignId", created_at AS "createdAt" FROM campaign_users
         WHERE user_id = ANY ($1) AND campaign_id = ANY ($2)`,
);

/** What those campaigns of the draft have given until now that may end early, and have given anything. */
async function usedCampaigns(tx: Tx, { applicationId, terms }: Start): Promise<Map<string, CampaignUsage>> {
  const ids = terms.campaigns.filter(isScarce).map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await tx.query(USAGE, [applicationId, ids]);
  return new Map(rows.map(({ campaignId, ...usage }) => [campaignId, usage]));
}

/**
 * What campaigns of the draft had given at the start: until now, less what the records give that are replayed. Reads
 * these only where a campaign that may end early is one that has given points before: mostly it is new.
 */
export async function usageAt(
  tx: Tx,
  keys: RecordKeys,
  start: Start,
  /** Called after each statement: reading a million records takes longer than a process may be silent. */
  afterStep: () => Promise<void>,
): Promise<ReadonlyMap<string, CampaignUsage>> {
  const usage = await usedCampaigns(tx, start);
  if (usage.size === 0) return usage;
  const take = (id: string, by: CampaignUsage): void => {
    const { points, users } = usage.get(id)!;
    usage.set(id, { points: points - by.points, users: users - by.users });
  };
  for (const part of keys.parts("users", ROWS_AT_ONCE)) {
    for (const { ruleInputs } of await readAwards(tx, part)) {
      for (const { campaignId, points } of ruleInputs.settled?.extras ?? []) {
        if (campaignId !== null && usage.has(campaignId)) take(campaignId, { points, users: 0 });
      }
    }
    await afterStep();
  }
  for (let at = 0; at < keys.userIds.length; at += ROWS_AT_ONCE) {
    const userIds = keys.userIds.slice(at, at + ROWS_AT_ONCE);
    const since = await usersSince(tx, userIds, [...usage.keys()], start.span.fromMs);
    for (const [id, users] of since) take(id, { points: 0, users });
    await afterStep();
  }
  return usage;
}

/** The number of users by campaign whom it gave points for the first time after the start. */
async function usersSince(
  tx: Tx,
  userIds: readonly string[],
  campaignIds: readonly string[],
  fromMs: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query(CAMPAIGN_USERS, [userIds, campaignIds]);
  const since = rows.filter(({ createdAt }) => createdAt.getTime() >= fromMs);
  return new Map([...Map.groupBy(since, ({ campaignId }) => campaignId)].map(([id, users]) => [id, users.length]));
}

/** The campaigns that had given users points before the start. */
async function campaignsAt(
  tx: Tx,
  userIds: readonly string[],
  { span: { fromMs }, terms }: Start,
): Promise<ReadonlyMap<string, Set<string>>> {
  const ids = terms.campaigns.filter(isScarce).map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await tx.query(CAMPAIGN_USERS, [userIds, ids]);
  const before = rows.filter(({ createdAt }) => createdAt.getTime() < fromMs);
  const byUser = Map.groupBy(before, ({ userId }) => userId);
  return new Map([...byUser].map(([userId, own]) => [userId, new Set(own.map(({ campaignId }) => campaignId))]));
}

/** What users were awarded in the periods that had begun before. */
async function talliesAt(
  tx: Tx,
  userIds: readonly string[],
  { span: { fromMs }, dayLimits, terms }: Start,
): Promise<ReadonlyMap<string, ReadonlyMap<string, RangeTally>>> {
  const begun = limitedRanges(firstIdAt(fromMs), { ofApplication: dayLimits, ofProgram: terms.limits }).filter(
    ({ range }) => range.fromMs < fromMs,
  );
  if (begun.length === 0) return new Map();
  const before = begun.map((each) => ({ ...each, range: { ...each.range, untilMs: fromMs } }));
  const found = await talliesOf(
    tx,
    userIds.map((userId) => ({ userId, ranges: before })),
  );
  return new Map(
    [...found].map(([userId, tallies]) => [
      userId,
      new Map(
        begun.map(({ range }, i) => {
          const { tally } = tallies.get(rangeKey(before[i]!.range))!;
          return [rangeKey(range), { fromMs: range.fromMs, untilMs: range.untilMs, tally }] as const;
        }),
      ),
    ]),
  );
}
