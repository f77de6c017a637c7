// The texts about the points of tiers and campaigns.
import type { ExtraExplanation } from "./explanation-schema.ts";
import type { ExtraCut } from "./extras.ts";

/** One extra of a record. */
export function extra({ kind, id, name, effect, uncutPoints, points, cutBy }: Omit<ExtraExplanation, "text">): string {
  const who = kind === "tier" ? `The tier ${name}` : `The campaign ${name} (${id})`;
  const { multiplier, pointsPerItem, pointsPerRecord } = effect;
  const what =
    multiplier !== undefined
      ? `multiplies ${kind === "tier" ? "all base points" : "the base points of the items that count for it"} by ` +
        `${multiplier}; rounded down, that adds ${uncutPoints}`
      : pointsPerItem !== undefined
        ? `adds ${pointsPerItem} for each item that counts for it: ${uncutPoints}`
        : `adds ${pointsPerRecord ?? uncutPoints} to a record with an item that counts for it`;
  return `${who} ${what}.${cutBy === undefined ? "" : ` ${CUTS[cutBy]}: it gave ${points}.`}`;
}

const CUTS: Readonly<Record<ExtraCut, string>> = {
  budget: "No more was left of its budget",
  users: "It is for a number of users, and others were first",
  limit: "A limit of the day, week or month left no more",
  award: "A later record of an award gets no more of a campaign with a budget or a number of users than the award did",
};
