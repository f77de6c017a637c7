// What a record earns in the end depends on what was booked before it: limits of periods, budgets of campaigns, the
// user's tier, streaks. All of that is decided here, once, from a standing. Booking runs it under the users' locks; a
// preview runs the same on a standing in memory. Pure.
import { timeOfId } from "../../ids.ts";
import type { Source } from "../award.ts";
import { bonusesOf } from "../bonuses/granting.ts";
import type { DueBonus } from "../bonuses/granting.ts";
import { isScarce, NO_USAGE } from "../campaigns/campaign.ts";
import type { Campaign, CampaignUsage } from "../campaigns/campaign.ts";
import { offersOf } from "../campaigns/campaign-extra.ts";
import type { Campaigned } from "../campaigns/campaign-extra.ts";
import { NO_BOUND, basePoints, extraOf, multiplied, withExtras } from "../extras.ts";
import type { Room, Settled, SettledTier } from "../extras.ts";
import { withinLimits } from "../limits/limits.ts";
import { limitedRanges, talliesAfter, withTallies } from "../limits/tallies.ts";
import { recordTotals } from "../record.ts";
import type { ComposedRecord } from "../record.ts";
import type { Terms } from "../terms.ts";
import { hasParts } from "../terms.ts";
import { tierAfter, tierBefore } from "../tiers/tier.ts";
import type { Standing } from "./standing.ts";

/** A record of base points with its terms. */
export interface DueRecord {
  readonly userId: string;
  readonly source: Source;
  readonly submissionId: string;
  readonly record: ComposedRecord;
  readonly terms: Terms;
}

export interface Settlement {
  /** With extras, and within the limits. */
  readonly record: ComposedRecord;
  /** The standing after it. */
  readonly standing: Standing;
  /** Records of their own, after this one. */
  readonly bonuses: readonly DueBonus[];
}

/**
 * Settles a record. In this order: the extras of the tier and of campaigns are computed from its base points, each
 * campaign within its budget and its number of users; limits of periods cut the record, the last extra first; bonuses
 * follow as records of their own; the tier after it is found.
 */
export function settle(standing: Standing, due: DueRecord): Settlement {
  const { userId, source, submissionId, terms } = due;
  const { user, application } = standing;
  const ranges = limitedRanges(submissionId, { ofApplication: application.dayLimits, ofProgram: terms.limits });
  const periods = withTallies(ranges, user.tallies);
  const record = withinLimits(hasParts(terms) ? extended(standing, due) : due.record, source, periods);
  const { points: earned, greenProducts, healthyProducts } = recordTotals(record.body);
  const tallies =
    ranges.length > 0 || user.tallies.size > 0
      ? talliesAfter(user.tallies, ranges, { submissionId, source, earned })
      : user.tallies;
  const given = (record.settled?.extras ?? []).flatMap(({ campaignId, points }) =>
    campaignId !== null && points > 0 ? [{ campaignId, points }] : [],
  );
  const isGreenOrHealthy = greenProducts + healthyProducts > 0;
  const award = { userId, source, submissionId, rule: record.award.rule, points: earned, isGreenOrHealthy };
  const known = { user: user.bonuses, referrals: application.referrals };
  const bonuses = terms.bonuses || user.bonuses ? bonusesOf(known, award, terms.bonuses) : { ...known, due: [] };
  const own = bonuses.due.filter((each) => each.userId === userId);
  const allEarned = own.reduce((sum, { points }) => sum + points, earned);
  return {
    record,
    standing: {
      user: {
        tallies,
        campaigns: campaignsAfter(user.campaigns, given),
        tier: terms.tiers ? tierAfter(user.tier, allEarned) : user.tier,
        bonuses: bonuses.user,
      },
      application: { ...application, usage: usageAfter(standing, given), referrals: bonuses.referrals },
    },
    bonuses: bonuses.due,
  };
}

/** Adds the extras that the tier and the campaigns give now. */
function extended(standing: Standing, due: DueRecord): ComposedRecord {
  const { terms } = due;
  const tier = terms.tiers ? tierBefore(terms.tiers, standing.user.tier) : null;
  return withExtras(
    due.record,
    extrasOf(due, tier, (campaign) => roomOf(campaign, standing)),
  );
}

/** Points that a campaign may give a user now. */
function roomOf({ id, firstUsers, budget }: Campaign, { user, application }: Standing): Room {
  const { points, users } = application.usage.get(id) ?? NO_USAGE;
  if (firstUsers !== null && users >= firstUsers && !user.campaigns.has(id)) return { points: 0, cutBy: "users" };
  return budget === null ? NO_BOUND : { points: Math.max(0, budget - points), cutBy: "budget" };
}

/**
 * Applies what was decided when an award was booked to another record of it: conditions are checked on its items, the
 * tier stays, and a campaign with a budget or a number of users gives what it gave then at most, or to nobody else.
 * A record that was never settled has no extras.
 */
export function settledAgain(due: Omit<DueRecord, "userId">, settled: Settled | undefined): ComposedRecord {
  if (!settled) return due.record;
  const given = new Map(settled.extras.map(({ campaignId, points }) => [campaignId, points]));
  const roomThen = (campaign: Campaign): Room => {
    const points = given.get(campaign.id) ?? 0;
    const isFree = !isScarce(campaign) || (campaign.budget === null && points > 0);
    return isFree ? NO_BOUND : { points, cutBy: "award" };
  };
  return withExtras(due.record, extrasOf(due, settled.tier, roomThen));
}

function extrasOf(
  { record, source, submissionId, terms }: Omit<DueRecord, "userId">,
  tier: SettledTier | null,
  room: (campaign: Campaign) => Room,
): Settled {
  const weights = record.body.items.map(basePoints);
  const base = weights.reduce((sum, each) => sum + each, 0);
  const tierPoints = tier ? multiplied(base, tier.hundredths) : 0;
  const ofTier = tierPoints > 0 ? [extraOf(null, tierPoints, weights)] : [];
  const about: Campaigned = { record, source, atMs: timeOfId(submissionId), groupOf: terms.groupOf };
  const ofCampaigns = offersOf(terms.campaigns, about).map(({ campaign, points, weights: shares }) =>
    extraOf(campaign.id, points, shares, room(campaign)),
  );
  return { tier, extras: [...ofTier, ...ofCampaigns] };
}

/** The same set where there is no new one: a preview keeps it for each user. */
function campaignsAfter(
  campaigns: ReadonlySet<string>,
  given: readonly { readonly campaignId: string }[],
): ReadonlySet<string> {
  const added = given.filter(({ campaignId }) => !campaigns.has(campaignId));
  return added.length === 0 ? campaigns : campaigns.union(new Set(added.map(({ campaignId }) => campaignId)));
}

function usageAfter(
  { user, application: { usage } }: Standing,
  given: readonly { readonly campaignId: string; readonly points: number }[],
): ReadonlyMap<string, CampaignUsage> {
  if (given.length === 0) return usage;
  const after = new Map(usage);
  for (const { campaignId, points } of given) {
    const { points: before, users } = usage.get(campaignId) ?? NO_USAGE;
    after.set(campaignId, { points: before + points, users: users + Number(!user.campaigns.has(campaignId)) });
  }
  return after;
}
