import { notChecked } from "./check.ts";
import type { Check } from "./check.ts";

/** Returns a sample's results of the checks against other receipts and limits: it may be sent any number of times. */
export function checksOfSample(): Check[] {
  const names = ["picture_is_new", "purchase_is_new", "pace_of_user", "purchase_is_recent"] as const;
  return names.map((check) =>
    notChecked(check, "the image is a sample, which may be sent at any time and any number of times"),
  );
}
