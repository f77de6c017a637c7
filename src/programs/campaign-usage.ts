// What the campaigns of an application have given, as operators see it. Pure.
import { Type } from "typebox";
import type { Static } from "typebox";
import { count, instant, nullable, oneOf, points, text } from "../http/schema-members.ts";
import type { Campaign, CampaignUsage } from "../points/campaigns/campaign.ts";
import { NO_USAGE } from "../points/campaigns/campaign.ts";

const STATES = ["scheduled", "running", "used_up", "ended", "removed"] as const;
type State = (typeof STATES)[number];

const UsageRow = Type.Object(
  {
    id: text("Its id."),
    name: text("Its name; empty for one that the programme in force does not have."),
    state: oneOf(
      STATES,
      "scheduled: starts later. running: gives points. used_up: its budget is given. ended: its time is over. removed: the programme in force does not have it.",
    ),
    startsAt: nullable(instant("Its start; null for a removed one.")),
    endsAt: nullable(instant("The first moment after it; null for a removed one.")),
    pointsGiven: points("Points that it has given. What was taken back later still counts."),
    users: count("Users whom it gave points. Erased ones still count."),
    budget: nullable(points("Points that it gives in all; null: no budget.")),
    budgetLeft: nullable(points("The rest of the budget.")),
    firstUsers: nullable(count("Number of users whom it gives points; null: all.")),
    usersLeft: nullable(count("Users who may still be the first.")),
  },
  { title: "CampaignUsage", description: "A campaign, and what it has given." },
);
type UsageRow = Static<typeof UsageRow>;

export const CampaignUsageResponse = Type.Object(
  {
    campaigns: Type.Array(UsageRow, {
      description: "Those of the programme in force, in its order; then others that have given points, by id.",
    }),
  },
  { title: "CampaignUsageResponse", description: "What campaigns have given so far." },
);

/** Presents campaigns in force, and others that have given points. */
export function presentUsage(
  campaigns: readonly Campaign[],
  usage: ReadonlyMap<string, CampaignUsage>,
  nowMs: number,
): UsageRow[] {
  const inForce = new Set(campaigns.map(({ id }) => id));
  const removed = [...usage].filter(([id, { points }]) => !inForce.has(id) && points > 0);
  return [
    ...campaigns.map((campaign) => usageOf(campaign, usage.get(campaign.id) ?? NO_USAGE, nowMs)),
    ...removed.map(([id, used]): UsageRow => {
      const nothing = {
        startsAt: null,
        endsAt: null,
        budget: null,
        budgetLeft: null,
        firstUsers: null,
        usersLeft: null,
      };
      return { id, name: "", state: "removed", pointsGiven: used.points, users: used.users, ...nothing };
    }),
  ];
}

function usageOf(campaign: Campaign, { points: pointsGiven, users }: CampaignUsage, nowMs: number): UsageRow {
  const { id, name, fromMs, untilMs, budget, firstUsers } = campaign;
  // A later version may have less than an earlier one gave.
  const left = (all: number | null, used: number) => (all === null ? null : Math.max(0, all - used));
  const budgetLeft = left(budget, pointsGiven);
  return {
    id,
    name,
    state: stateOf(campaign, budgetLeft, nowMs),
    startsAt: new Date(fromMs).toISOString(),
    endsAt: new Date(untilMs).toISOString(),
    pointsGiven,
    users,
    budget,
    budgetLeft,
    firstUsers,
    usersLeft: left(firstUsers, users),
  };
}

function stateOf({ fromMs, untilMs }: Campaign, budgetLeft: number | null, nowMs: number): State {
  if (nowMs >= untilMs) return "ended";
  if (nowMs < fromMs) return "scheduled";
  return budgetLeft === 0 ? "used_up" : "running";
}
