import { DAY_MS } from "../../time.ts";
import type { Declared } from "../receipt.ts";
import { withDayAndMonthSwapped } from "./authenticate.ts";
import { failed, notChecked, passed } from "./check.ts";
import type { Check } from "./check.ts";

/**
 * Checks the age of a purchase against the operator's limit; 0: no limit. The declared time is used, which was compared
 * with the printed day before; without one the printed day. A date that could be either of two days is the later one.
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
    : failed(check, "the purchase is older than is accepted");
}

/** Returns the latest moment of a printed day. The till's clock may be a day behind UTC. */
function latestOf(date: string | null, acceptedAt: Date): number | null {
  if (date === null) return null;
  const ends = [date, withDayAndMonthSwapped(date)]
    .filter((day) => day !== null)
    .map((day) => Date.parse(`${day}T00:00:00Z`) + 2 * DAY_MS);
  const past = ends.filter((end) => end <= acceptedAt.getTime() + 2 * DAY_MS);
  return Math.max(...(past.length > 0 ? past : ends));
}
