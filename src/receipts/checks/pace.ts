import { failed, notChecked, passed } from "./check.ts";
import type { Check } from "./check.ts";

/** Checks the user's number of receipts within a day against the operator's limit; 0: no limit. */
export function paceCheck(earlierToday: number, perDayMax: number): Check {
  const check = "pace_of_user";
  if (perDayMax === 0) return notChecked(check, "the number of receipts a day is not limited");
  return earlierToday < perDayMax
    ? passed(check, 1, "the user submitted no more receipts within a day than are allowed")
    : failed(check, "the user submitted more receipts within a day than are allowed");
}
