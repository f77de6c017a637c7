import type { Status } from "../receipts/types.ts";

/** What a form was filled in for: a receipt that has changed since is not corrected by it. */
export function seenOf({ lastUpdated, corrections = [], disputes = [] }: Status): string {
  const open = disputes.filter(({ state }) => state === "open").length;
  return `${lastUpdated} ${corrections.length} ${open}`;
}
