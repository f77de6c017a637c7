// Seam: what the bonuses of users need is read and written here, in one statement each for a whole batch, and only for
// users whose terms have bonuses. The caller holds the users' balance locks.
import type { Tx } from "../../postgres/postgres.ts";
import type { BonusRules, BonusStanding } from "./rules.ts";

/** A user with the rules of their bonuses. */
export interface BonusQuery {
  readonly applicationId: string;
  readonly userId: string;
  readonly rules: BonusRules;
}

/** Users whose balances must be locked beside those of the queries: they may get a bonus, too. */
export async function usersOfBonuses(_tx: Tx, _queries: readonly BonusQuery[]): Promise<readonly string[]> {
  return [];
}

/** The standings of users by id. */
export async function readBonusStandings(
  _tx: Tx,
  _queries: readonly BonusQuery[],
): Promise<ReadonlyMap<string, BonusStanding>> {
  return new Map();
}

/** Stores the standings that have changed. */
export async function saveBonusStandings(
  _tx: Tx,
  _changes: readonly { readonly userId: string; readonly after: BonusStanding }[],
  _now: Date,
): Promise<void> {}
