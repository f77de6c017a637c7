// The check of a receipt with several photos. Pure.
import { doubtful, passed } from "../checks/check.ts";
import type { Check } from "../checks/check.ts";
import { joiningOf } from "./parted-page.ts";
import type { PartedPage } from "./parted-page.ts";

/** Lines may be missing between two photos, or be there twice: as likely as not. */
const APART_SCORE = 0.5;

/** Checks that each photo of a receipt goes on where another one ends. None for a receipt with one photo. */
export function partsChecks(page: PartedPage | undefined): Check[] {
  const joined = page ? joiningOf(page) : null;
  if (!joined) return [];
  const check = "parts_overlap";
  const apart = joined.joints.find(({ common }) => common === 0);
  if (!apart) return [passed(check, 1, "each photo goes on where another one ends")];
  const reason = `photo ${apart.part + 1} has no line in common with the others: lines may be missing`;
  return [doubtful(check, APART_SCORE, reason)];
}
