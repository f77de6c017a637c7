// The welcome of the programme that is in force when users are enrolled.
import type { Tx } from "../../postgres/postgres.ts";
import type { BonusesAt } from "./rules.ts";
import { giveWelcome } from "./welcome.store.ts";
import type { WelcomeDeps } from "./welcome.store.ts";

/** Gives new users their welcome, in the tx that enrols them. Returns the number of those who got one. */
export type WelcomeNow = (applicationId: string) => Promise<(tx: Tx, userIds: readonly string[]) => Promise<number>>;

/** Creates the welcome. What is in force is read before the tx. */
export function createWelcome(deps: WelcomeDeps & { readonly bonusesAt: BonusesAt }): WelcomeNow {
  return async (applicationId) => {
    const { rule = "", bonuses = null } = (await deps.bonusesAt(applicationId, deps.now())) ?? {};
    const { welcome = null } = bonuses ?? {};
    if (welcome?.on !== "enrolment") return async () => 0;
    const { points } = welcome;
    return (tx, userIds) => giveWelcome(tx, applicationId, userIds, { rule, points }, deps);
  };
}
