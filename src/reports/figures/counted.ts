// The figures that are counted for the metrics, of all applications together. Pure.
import type { Meters } from "../../meters.ts";
import { DELIVERIES } from "./deliveries.ts";

/** The figures with these beginnings are counted: each has a bounded number of names, but for ids of endpoints. */
export const COUNTED_FIGURES = ["points.", "award.", "failed.", "rated.", "left.", DELIVERIES] as const;

/** What was added to a figure, and what was taken from it. */
export interface CountedFigure {
  readonly figure: string;
  readonly added: number;
  readonly taken: number;
}

/** Counts figures. What takes back an earlier one (a correction) is not counted, but for points. */
export function countFigures({ count }: Meters, figures: readonly CountedFigure[]): void {
  for (const { figure, added, taken } of figures) {
    const [kind, first = "", second = ""] = figure.split(".");
    if (kind === "points") {
      if (added > 0) count("rewards_points_issued_total", { cause: first }, added);
      if (taken > 0) count("rewards_points_taken_total", { cause: first }, taken);
    } else if (added <= 0) continue;
    else if (kind === "award") count("rewards_submissions_total", { source: first, outcome: "credited" }, added);
    else if (kind === "failed") count("rewards_submissions_total", { source: first, outcome: second }, added);
    else if (kind === "rated") count("rewards_items_total", { source: first, outcome: "rated" }, added);
    else if (kind === "left") count("rewards_items_total", { source: first, outcome: second }, added);
    else if (kind === "webhook") count("rewards_deliveries_ended_total", { end: second }, added);
  }
}
