import { DAY_MS } from "../../time.ts";
import type { Declared } from "../receipt.ts";
import { withDayAndMonthSwapped } from "./authenticate.ts";
import { failed, notChecked, passed } from "./check.ts";
import type { Check } from "./check.ts";

/**
 * Whether a purchase is recent enough for the operator; 0 allows any age. The declared time counts, which contradicts the
 * printed day in no receipt that comes this far, else that day; what could be either of two days is of the later one.
 */
export function ageCheck(
  { declared, date, acceptedAt }: { declared: Declared; date: string | null; acceptedAt: Date },
  ageMaxDays: number,
): Check {
  const check = "purchase_is_recent";
  if (ageMaxDays === 0) return notChecked(check, "the age of receipts is not limited");
  const boughtMs =
    declared.transactionTimestamp === null ? latestOf(date, acceptedAt) : Date.parse(declared.transactionTimestamp);
  if (boughtMs === null) return notChecked(check, "neither a time was declared nor does the receipt show a date");
  return acceptedAt.getTime() - boughtMs <= ageMaxDays * DAY_MS
    ? passed(check, 1, "the purchase is recent enough")
    : failed(check, "the purchase is longer ago than is accepted");
}

/** The latest moment that a printed day may mean; the till's clock may be a day behind ours. */
function latestOf(date: string | null, acceptedAt: Date): number | null {
  if (date === null) return null;
  const ends = [date, withDayAndMonthSwapped(date)]
    .filter((day) => day !== null)
    .map((day) => Date.parse(`${day}T00:00:00Z`) + 2 * DAY_MS);
  const past = ends.filter((end) => end <= acceptedAt.getTime() + 2 * DAY_MS);
  return Math.max(...(past.length > 0 ? past : ends));
}
