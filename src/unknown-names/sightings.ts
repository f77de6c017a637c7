import { createHash } from "node:crypto";
import { merchantKey, nameKey } from "../foods/aliases/alias.ts";
import type { NameSource } from "../foods/matching/match.ts";
import type { ExclusionReason } from "../points/scored-line.ts";

/** An item of a submission that nothing was matched with. */
export interface UnknownItem {
  readonly name: string;
  readonly merchantName: string | null;
  /** Paid for the whole line; null: not said. */
  readonly paid: { readonly currency: string; readonly amountMinor: number } | null;
}

/** A submission with those of its items that nothing was matched with. */
export interface Sighted {
  readonly applicationId: string;
  readonly userId: string;
  readonly submissionId: string;
  readonly source: NameSource;
  readonly items: readonly UnknownItem[];
}

/** One name of a submission: a row. */
export interface Sighting extends Omit<Sighted, "items"> {
  readonly nameId: string;
  readonly name: string;
  readonly nameKey: string;
  readonly merchantName: string | null;
  readonly merchantKey: string;
  readonly currency: string | null;
  readonly amountMinor: number;
}

/** Longer ones are texts, not names: no till prints them. */
const NAME_LENGTH_MAX = 120;
/** Names of one submission. Of a receipt with more, the first lines show well enough what is unknown. */
const NAMES_OF_SUBMISSION_MAX = 50;

/** True for items that were excluded because nothing, or nothing sure enough, was found for their name. */
export function isUnknown(reason: ExclusionReason | null): boolean {
  return reason === "NO_MATCH" || reason === "LOW_CONFIDENCE";
}

/** The id of a name of an application: always the same, so that it can be used for as long as the name is listed. */
export function nameIdOf(applicationId: string, key: string): string {
  const hex = createHash("sha256").update(applicationId).update("\n").update(key).digest("hex");
  // Written as a UUID of version 8, which leaves its bits to the application (RFC 9562).
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The rows of submissions: each name of each once, with all that was paid for it there in its first currency. */
export function sightingsOf(submissions: readonly Sighted[]): Sighting[] {
  return submissions.flatMap(({ items, ...submission }) => {
    const byId = new Map<string, Sighting>();
    for (const { name, merchantName, paid } of items) {
      const key = nameKey(name);
      if (key === "" || name.length > NAME_LENGTH_MAX || key.length > NAME_LENGTH_MAX) continue;
      const nameId = nameIdOf(submission.applicationId, key);
      const known = byId.get(nameId);
      if (!known && byId.size >= NAMES_OF_SUBMISSION_MAX) continue;
      const merchant = merchantKey(merchantName?.trim() || null);
      const currency = known?.currency ?? paid?.currency ?? null;
      const amountMinor = (known?.amountMinor ?? 0) + (paid?.currency === currency ? (paid?.amountMinor ?? 0) : 0);
      const facts = { name, nameKey: key, merchantName: merchant === "" ? null : merchantName, merchantKey: merchant };
      byId.set(nameId, { ...submission, nameId, ...(known ?? facts), currency, amountMinor });
    }
    return [...byId.values()];
  });
}
