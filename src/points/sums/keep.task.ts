import type { Log } from "../../log.ts";
import type { Database } from "../../postgres/postgres.ts";
import { keepNext, usersBehind } from "./store.ts";

export interface KeepDeps {
  readonly database: Database;
  readonly log: Log;
}

/** Users of one look at the balances. */
const USERS_A_PAGE = 200;
/** Users who may fail in a run. More of them mean that something else is wrong. */
const FAILED_MAX = 100;
const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

/**
 * Keeps the sums of the records of all users with many, so that no request has to add them up. It may run at any time,
 * twice and in several processes at once. Returns the number of users.
 */
export async function keepSums({ database, log }: KeepDeps, signal: AbortSignal): Promise<number> {
  let users = 0;
  let failed = 0;
  for (let after = LOWEST_ID; ;) {
    const behind = await usersBehind(database, after, USERS_A_PAGE);
    for (const userId of behind) {
      try {
        while (!signal.aborted && (await keepNext(database, userId)));
        users++;
      } catch (error) {
        // One user whose records cannot be added up does not keep those after them from it.
        if (++failed > FAILED_MAX) throw error;
        log.error({ err: error, userId }, "the records of a user could not be added up");
      }
      if (signal.aborted) return users;
    }
    if (behind.length < USERS_A_PAGE) break;
    after = behind.at(-1)!;
  }
  if (users > 0) log.info({ users }, "the records of users with many were added up");
  return users;
}
