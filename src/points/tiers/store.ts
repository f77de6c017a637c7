// Seam: what the tiers of users need is read and written here, in one statement each for a whole batch, and only for
// users whose terms have tiers. The caller holds the users' balance locks.
import type { Tx } from "../../postgres/postgres.ts";
import type { TierRules, TierStanding } from "./tier.ts";

/** A user with the rules that their tier is by. */
export interface TierQuery {
  readonly applicationId: string;
  readonly userId: string;
  readonly rules: TierRules;
}

/** The standings of users by id. */
export async function readTierStandings(
  _tx: Tx,
  _queries: readonly TierQuery[],
): Promise<ReadonlyMap<string, TierStanding>> {
  return new Map();
}

/** Stores the standings that have changed. */
export async function saveTierStandings(
  _tx: Tx,
  _changes: readonly { readonly userId: string; readonly before: TierStanding | null; readonly after: TierStanding }[],
  _now: Date,
): Promise<void> {}
