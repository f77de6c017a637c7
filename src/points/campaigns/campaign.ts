// A campaign of a programme: for some time, items that meet its conditions earn more. Pure.
import type { Rating } from "../../foods/rating/nutri-score.ts";
import type { Source } from "../award.ts";

/** What must be so for an item to count; null: anything goes. All of them must be so. */
export interface CampaignConditions {
  readonly foodGroups: ReadonlySet<string> | null;
  /** Keys of ids or names of foods of the catalogue (`foodKey`). */
  readonly foods: ReadonlySet<string> | null;
  /** Keys of codes (`codeKey`). */
  readonly products: ReadonlySet<string> | null;
  /** Keys of merchants (`merchantKey`). */
  readonly merchants: ReadonlySet<string> | null;
  readonly health: ReadonlySet<Rating> | null;
  readonly climate: ReadonlySet<Rating> | null;
  readonly sources: ReadonlySet<Source> | null;
  /** From 1, Monday, to 7. */
  readonly weekdays: ReadonlySet<number> | null;
}

/** A multiplier in hundredths (200 is 2), points for each item that counts, or points for a record with one. */
export interface CampaignEffect {
  readonly kind: "multiplier" | "pointsPerItem" | "pointsPerRecord";
  readonly amount: number;
}

export interface Campaign {
  /** Unique in a programme. In a later version it is the same campaign. */
  readonly id: string;
  readonly name: string;
  /** The moments of acceptance that it is for, in ms since 1970; `untilMs` is the first after it. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Of its weekdays. */
  readonly timeZone: string;
  readonly when: CampaignConditions;
  readonly effect: CampaignEffect;
  /** Number of users whom it gives points; null: all. */
  readonly firstUsers: number | null;
  /** Points that it gives in all; null: no limit. */
  readonly budget: number | null;
}

/** What a campaign of an application has given so far. */
export interface CampaignUsage {
  readonly points: number;
  readonly users: number;
}

export const NO_USAGE: CampaignUsage = { points: 0, users: 0 };

/** The form in which ids and names of foods are compared. */
export function foodKey(idOrName: string): string {
  return idOrName.trim().toLowerCase();
}

/** Whether it may end before its last day. */
export function isScarce({ firstUsers, budget }: Campaign): boolean {
  return firstUsers !== null || budget !== null;
}

/** Whether it is for what was accepted at this time. */
export function isRunning({ fromMs, untilMs }: Campaign, atMs: number): boolean {
  return fromMs <= atMs && atMs < untilMs;
}
