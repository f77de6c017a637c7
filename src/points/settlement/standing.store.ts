// Loads the standings of a batch, one statement for each kind, and stores what has changed. What no terms of the batch
// have is neither read nor written.
import type { Tx } from "../../postgres/postgres.ts";
import { timeOfId } from "../../ids.ts";
import { readBonusStandings, saveBonusStandings } from "../bonuses/standing.store.ts";
import type { BonusQuery } from "../bonuses/standing.store.ts";
import { offersOf } from "../campaigns/campaign-extra.ts";
import type { CampaignUsage } from "../campaigns/campaign.ts";
import { lockCampaigns, saveCampaigns } from "../campaigns/usage.store.ts";
import type { CampaignKey } from "../campaigns/usage.store.ts";
import { limitedRanges } from "../limits/tallies.ts";
import { dayLimitsOf, talliesOf } from "../limits/store.ts";
import { recordTotals } from "../record.ts";
import { readTierStandings } from "../tiers/store.ts";
import type { LockedBalances } from "../ledger.store.ts";
import type { DueRecord } from "./settle.ts";
import { NEW_APPLICATION, NEW_USER } from "./standing.ts";
import type { ApplicationStanding, Standing, UserStanding } from "./standing.ts";

/** A record to settle, and the application of its user. */
export interface Due extends DueRecord {
  readonly applicationId: string;
}

/** The standings of a batch: as they were loaded, and as they are after the records so far. */
export class Standings {
  readonly usersBefore: ReadonlyMap<string, UserStanding>;
  readonly applicationsBefore: ReadonlyMap<string, ApplicationStanding>;
  readonly users: Map<string, UserStanding>;
  readonly applications: Map<string, ApplicationStanding>;

  constructor(users: ReadonlyMap<string, UserStanding>, applications: ReadonlyMap<string, ApplicationStanding>) {
    this.usersBefore = users;
    this.applicationsBefore = applications;
    this.users = new Map(users);
    this.applications = new Map(applications);
  }

  of({ applicationId, userId }: Pick<Due, "applicationId" | "userId">): Standing {
    return {
      user: this.users.get(userId) ?? NEW_USER,
      application: this.applications.get(applicationId) ?? NEW_APPLICATION,
    };
  }

  keep({ applicationId, userId }: Pick<Due, "applicationId" | "userId">, { user, application }: Standing): void {
    this.users.set(userId, user);
    this.applications.set(applicationId, application);
  }
}

/**
 * Loads the standings of a batch. The caller holds the balances of all users; campaigns that offer points are locked
 * here, after them.
 */
export async function loadStandings(
  tx: Tx,
  dues: readonly Due[],
  locked: LockedBalances,
  now: Date,
): Promise<Standings> {
  const dayLimits = await dayLimitsOf(
    tx,
    dues.map(({ applicationId }) => applicationId),
    locked.isAnyLimited,
  );
  const limited = dues.map(({ applicationId, userId, submissionId, terms }) => ({
    userId,
    ranges: limitedRanges(submissionId, {
      ofApplication: dayLimits.get(applicationId) ?? null,
      ofProgram: terms.limits,
    }),
  }));
  const tallies = await talliesOf(tx, limited);
  const campaigns = await campaignsOf(tx, dues);
  const tierQueries = dues.flatMap(({ userId, terms: { tiers } }) => (tiers ? [{ userId, rules: tiers }] : []));
  const tiers = await readTierStandings(tx, tierQueries, locked.balances, now);
  const bonusQueries = dues.flatMap((due) => bonusQuery(due));
  const bonuses = bonusQueries.length > 0 ? await readBonusStandings(tx, bonusQueries) : null;
  const users = new Map(
    dues.map(({ userId }): [string, UserStanding] => [
      userId,
      {
        tallies: tallies.get(userId) ?? NEW_USER.tallies,
        campaigns: campaigns.ofUser.get(userId) ?? NEW_USER.campaigns,
        tier: tiers.get(userId) ?? null,
        bonuses: bonuses?.users.get(userId) ?? null,
      },
    ]),
  );
  const applications = new Map(
    dues.map(({ applicationId }): [string, ApplicationStanding] => [
      applicationId,
      {
        dayLimits: dayLimits.get(applicationId) ?? null,
        usage: campaigns.usage.get(applicationId) ?? NEW_APPLICATION.usage,
        // A user is of one application, so one map does for all.
        referrals: bonuses?.referrals ?? NEW_APPLICATION.referrals,
      },
    ]),
  );
  return new Standings(users, applications);
}

function bonusQuery({ userId, source, submissionId, record, terms: { bonuses: rules } }: Due): BonusQuery[] {
  if (rules === null) return [];
  const { greenProducts, healthyProducts } = recordTotals(record.body);
  return [{ userId, source, submissionId, isGreenOrHealthy: greenProducts + healthyProducts > 0, rules }];
}

/** Locks the campaigns that offer points to any record of the batch. */
async function campaignsOf(tx: Tx, dues: readonly Due[]) {
  const keys = new Map<string, CampaignKey>();
  for (const { applicationId, record, source, submissionId, terms } of dues) {
    const about = { record, source, atMs: timeOfId(submissionId), groupOf: terms.groupOf };
    for (const { campaign } of offersOf(terms.campaigns, about)) {
      keys.set(`${applicationId} ${campaign.id}`, { applicationId, campaignId: campaign.id });
    }
  }
  const usage = new Map<string, Map<string, CampaignUsage>>();
  const ofUser = new Map<string, Set<string>>();
  if (keys.size === 0) return { usage, ofUser };
  const locked = await lockCampaigns(
    tx,
    [...keys.values()],
    dues.map(({ userId }) => userId),
  );
  for (const { applicationId, campaignId, points, users } of locked.usage) {
    const all = usage.get(applicationId) ?? new Map<string, CampaignUsage>();
    usage.set(applicationId, all.set(campaignId, { points, users }));
  }
  for (const { userId, campaignId } of locked.users) {
    ofUser.set(userId, (ofUser.get(userId) ?? new Set<string>()).add(campaignId));
  }
  return { usage, ofUser };
}

/** Stores what a batch has changed in the standings. Tallies are sums of records, and are stored with these. */
export async function saveStandings(tx: Tx, standings: Standings, now: Date): Promise<void> {
  const usage = [...standings.applications].flatMap(([applicationId, { usage }]) => {
    const before = standings.applicationsBefore.get(applicationId)?.usage;
    return [...usage]
      .filter(([campaignId, used]) => used !== before?.get(campaignId))
      .map(([campaignId, used]) => ({ applicationId, campaignId, ...used }));
  });
  const changed = [...standings.users].map(([userId, after]) => {
    return { userId, after, before: standings.usersBefore.get(userId) };
  });
  const users = changed.flatMap(({ userId, before, after }) =>
    [...after.campaigns]
      .filter((campaignId) => !before?.campaigns.has(campaignId))
      .map((campaignId) => ({ userId, campaignId })),
  );
  if (usage.length > 0) await saveCampaigns(tx, usage, users, now);
  const bonuses = changed.flatMap(({ userId, before, after }) =>
    after.bonuses && after.bonuses !== before?.bonuses
      ? [{ userId, before: before?.bonuses ?? null, after: after.bonuses }]
      : [],
  );
  if (bonuses.length > 0) await saveBonusStandings(tx, bonuses, now);
}
