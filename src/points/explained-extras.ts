// Explains the points that the tier and campaigns have added to a record, by the decisions stored with it. Pure.
import type { Campaign } from "./campaigns/campaign.ts";
import type { ExtraExplanation, ItemExtra } from "./explanation-schema.ts";
import * as say from "./extras-text.ts";
import type { Extra, Settled } from "./extras.ts";

/** The extras of a record, in the order in which they were computed. */
export function explainedExtras({ tier, extras }: Settled, campaigns: readonly Campaign[]): ExtraExplanation[] {
  return extras.map((extra) => {
    const { uncutPoints, points, cutBy } = extra;
    const campaign = campaigns.find(({ id }) => id === extra.campaignId);
    const effect = campaign?.effect ?? { kind: "multiplier", amount: tier?.hundredths ?? 100 };
    const amount = effect.kind === "multiplier" ? effect.amount / 100 : effect.amount;
    const figures = {
      ...namedOf(extra, { tier, campaigns }),
      effect: { [effect.kind]: amount },
      uncutPoints,
      points,
      ...(cutBy !== null && { cutBy }),
    };
    return { ...figures, text: say.extra(figures) };
  });
}

/** Those of one item of the record, by its place; without those that gave it nothing. */
export function extrasOfItem({ tier, extras }: Settled, campaigns: readonly Campaign[], place: number): ItemExtra[] {
  return extras.flatMap((extra) => {
    const points = extra.shares[place] ?? 0;
    return points > 0 ? [{ ...namedOf(extra, { tier, campaigns }), points }] : [];
  });
}

function namedOf(
  { campaignId }: Extra,
  { tier, campaigns }: { readonly tier: Settled["tier"]; readonly campaigns: readonly Campaign[] },
) {
  if (campaignId === null) return { kind: "tier", id: "", name: tier?.name ?? "" } as const;
  const name = campaigns.find(({ id }) => id === campaignId)?.name ?? campaignId;
  return { kind: "campaign", id: campaignId, name } as const;
}
