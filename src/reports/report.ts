// What reports there are: their columns, and the figures that each is made of.
import { DELIVERIES } from "./figures/deliveries.ts";

/** Reports by period. */
export const DAILY_REPORTS = [
  "users",
  "submissions",
  "matching",
  "items",
  "points",
  "impact",
  "shops",
  "campaigns",
  "deliveries",
] as const;
export type DailyReport = (typeof DAILY_REPORTS)[number];
/** Reports of the moment. */
export const CURRENT_REPORTS = ["review", "webhooks"] as const;
export type CurrentReport = (typeof CURRENT_REPORTS)[number];
export const REPORTS = [...DAILY_REPORTS, ...CURRENT_REPORTS] as const;
export type ReportName = (typeof REPORTS)[number];

export type Cell = string | number | null;
export type Row = Readonly<Record<string, Cell>>;

/** The columns of the points that were given: earned and granted, less what corrections and reversals took back. */
export const GIVEN_POINTS = [
  "health",
  "climate",
  "extra",
  "referralBonus",
  "welcomeBonus",
  "streakBonus",
  "campaignBonus",
  "otherBonus",
  "opening",
  "adjusted",
  "corrected",
  "reversed",
] as const;

/** The columns of each report, in order. */
export const COLUMNS: Readonly<Record<ReportName, readonly string[]>> = {
  users: ["from", "enrolled", "erased", "active"],
  submissions: ["from", "source", "outcome", "errorCode", "submissions"],
  matching: ["from", "source", "items", "matched", "unmatched", "abstained", "excluded", "matchRate"],
  items: ["from", "foodGroup", "healthGrade", "climateGrade", "items"],
  points: ["from", ...GIVEN_POINTS, "redeemed", "refunded", "expired", "forfeited", "change", "outstanding"],
  impact: ["from", "awards", "co2eKg", "greenProducts", "healthyProducts"],
  shops: ["from", "shop", "receipts", "items", "greenItems", "greenShare", "co2eKgPerItem"],
  campaigns: ["from", "campaign", "awards", "points", "pointsInAll", "budget", "users", "firstUsers"],
  deliveries: ["from", "firstAttempt", "afterRetries", "replayed", "failed", "medianSeconds", "p95Seconds"],
  review: ["held", "heldSince", "disputed"],
  webhooks: ["endpointId", "url", "state", "failingSince", "pending", "oldestDue", "failed"],
};

/** The figures that a report by period reads, by the beginning of their names. */
export const FIGURES: Readonly<Record<DailyReport, readonly string[]>> = {
  users: ["users.", "active."],
  submissions: ["award.", "failed."],
  matching: ["rated.", "left."],
  items: ["item."],
  points: ["points."],
  impact: ["award.", "impact."],
  shops: ["shop."],
  campaigns: ["campaign."],
  deliveries: [DELIVERIES],
};
