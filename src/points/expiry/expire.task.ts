import type { Log } from "../../log.ts";
import type { Database } from "../../postgres/postgres.ts";
import { holdUser } from "../../users/store.ts";
import type { MoveDeps } from "../moved-event.ts";
import { oldestToExpire } from "./expiry.ts";
import { expiriesOfUsers } from "./histories.store.ts";
import * as store from "./store.ts";

export interface ExpireDeps extends MoveDeps {
  readonly database: Database;
  readonly log: Log;
}

/** Users that one statement looks at: it reads at most a thousand records of each. */
const USERS_A_STEP = 100;
/** Users who may fail in a run. More of them mean that something else is wrong. */
const FAILED_MAX = 100;

/**
 * Books and announces the expiries of all applications whose points expire, each user in a tx of its own. It may run at
 * any time, twice and in several processes at once. Returns the number of users whose points expired or were announced.
 */
export async function expireAll(deps: ExpireDeps, signal: AbortSignal): Promise<number> {
  const { database, log, now } = deps;
  let users = 0;
  let failed = 0;
  for (const rule of await store.expiryRules(database)) {
    for (let after = ""; ;) {
      const page = { after, limit: USERS_A_STEP, oldest: oldestToExpire(rule, now()) };
      const held = await store.usersByAddress(database, rule.applicationId, page);
      const old = held.flatMap(({ userId, isOld }) => (isOld ? [userId] : []));
      const found = old.length > 0 ? await expiriesOfUsers(database, old, { signal }) : [];
      for (const { userId } of found.filter((user) => store.isDue(user, now()))) {
        if (signal.aborted) return users;
        try {
          if (await settleUser(deps, { applicationId: rule.applicationId, userId })) users++;
        } catch (error) {
          // One user who cannot be settled does not keep the points of those after them.
          if (++failed > FAILED_MAX) throw error;
          log.error({ err: error, userId }, "the points of a user could not expire");
        }
      }
      if (signal.aborted) return users;
      if (held.length < USERS_A_STEP) break;
      after = held.at(-1)!.email;
    }
  }
  if (users > 0) log.info({ users }, "points expired or were announced");
  return users;
}

/** Returns false for a user who is being erased, or held by another client: the next run finds them again. */
async function settleUser(
  deps: ExpireDeps,
  owner: { readonly applicationId: string; readonly userId: string },
): Promise<boolean> {
  return deps.database.tx(async (tx) => {
    if ((await holdUser(tx, owner.applicationId, owner.userId)) !== "held") return false;
    await store.settle(tx, owner, deps);
    return true;
  });
}
