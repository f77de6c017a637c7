// Lets users rise and fall by time alone: when points no longer count, and when another version of the programme is in
// force. Whatever moves points settles the tier of its user itself.
import type { Log } from "../../log.ts";
import type { Database } from "../../postgres/postgres.ts";
import { lockBalances } from "../ledger.store.ts";
import { settleTiers } from "./keeper.store.ts";
import type { KeeperDeps } from "./keeper.store.ts";
import * as store from "./review.store.ts";
import type { Review } from "./review.store.ts";
import { standingsOf } from "./store.ts";
import { NO_LEVELS, changeOf, dayOf } from "./tier.ts";
import type { TierRules } from "./tier.ts";

/** An application with the version that is in force now. */
export interface ReviewedProgram {
  readonly applicationId: string;
  readonly version: number;
  /** Null: it has no tiers. */
  readonly rules: TierRules | null;
}

export interface ReviewDeps extends KeeperDeps {
  readonly database: Database;
  readonly log: Log;
  readonly now: () => Date;
  /** The programmes in force. */
  readonly programsNow: () => Promise<readonly ReviewedProgram[]>;
}

/** Users that one statement looks at. */
const USERS_A_STEP = 200;
/** Users whose balances one tx locks: it takes some milliseconds. */
const USERS_A_TX = 50;
/** Users who may fail in a run. More of them mean that something else is wrong. */
const FAILED_MAX = 100;
const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

/**
 * Looks at all users of each application once a day of its programme's time zone, and once for each version. It may run
 * at any time, twice and in several processes at once: each change is decided under the lock of the user's balance, and
 * is none the second time. A run goes on where the last one has ended. Returns the number of changes.
 */
export async function reviewTiers(deps: ReviewDeps, signal: AbortSignal): Promise<number> {
  const last = await store.lastReviews(deps.database);
  let changes = 0;
  for (const program of await deps.programsNow()) {
    const review = dueReview(program, last.get(program.applicationId) ?? null, deps.now());
    if (!review) continue;
    if (signal.aborted) return changes;
    const { rules } = program;
    changes += rules
      ? await reviewUsers(deps, { ...program, rules }, review, signal)
      : await endTiers(deps, review, signal);
  }
  if (changes > 0) deps.log.info({ changes }, "users have risen or fallen to another tier");
  return changes;
}

/** The review to begin or to go on with; null: it is done. Without tiers it only ends those of the version before. */
function dueReview({ applicationId, version, rules }: ReviewedProgram, last: Review | null, now: Date): Review | null {
  if (!rules && (!last || (last.version === version && last.isFinished))) return null;
  const day = rules ? dayOf(now.getTime(), rules.timeZone) : last!.day;
  if (last?.version === version && last.day === day) return last.isFinished ? null : last;
  return { applicationId, version, day, afterUser: null, isFinished: false };
}

async function reviewUsers(
  deps: ReviewDeps,
  program: ReviewedProgram & { readonly rules: TierRules },
  review: Review,
  signal: AbortSignal,
): Promise<number> {
  const { database, now } = deps;
  const { applicationId, rules } = program;
  const failures = { left: FAILED_MAX };
  let changes = 0;
  let email = review.afterUser === null ? "" : await store.addressOf(database, review.afterUser);
  for (;;) {
    const users = await store.usersAfter(database, applicationId, { email, limit: USERS_A_STEP });
    const asked = users.map(({ userId, lifetimePoints }) => ({ applicationId, userId, lifetimePoints, rules }));
    const standings = await standingsOf(database, asked, now());
    const due = asked.filter(({ userId }) => {
      const standing = standings.get(userId);
      return standing && (standing.isSumDue || changeOf(rules, standing.stored, standing.points) !== null);
    });
    const ids = due.map(({ userId }) => userId);
    for (let i = 0; i < ids.length; i += USERS_A_TX) {
      if (signal.aborted) return changes;
      changes += await settleOrSkip(deps, applicationId, ids.slice(i, i + USERS_A_TX), failures);
    }
    const last = users.at(-1);
    const isFinished = users.length < USERS_A_STEP;
    await store.saveReview(database, { ...review, afterUser: isFinished ? null : last!.userId, isFinished }, now());
    if (isFinished || signal.aborted) return changes;
    email = last!.email;
  }
}

/** The programme has no tiers any more. */
async function endTiers(deps: ReviewDeps, review: Review, signal: AbortSignal): Promise<number> {
  const { database, now } = deps;
  const { applicationId } = review;
  const failures = { left: FAILED_MAX };
  let changes = 0;
  for (let after = LOWEST_ID; ;) {
    const ids = await store.usersWithTier(database, applicationId, { after, limit: USERS_A_TX });
    if (signal.aborted) return changes;
    if (ids.length > 0) changes += await settleOrSkip(deps, applicationId, ids, failures);
    if (ids.length < USERS_A_TX) break;
    after = ids.at(-1)!;
  }
  await store.saveReview(database, { ...review, afterUser: null, isFinished: true }, now());
  return changes;
}

/** Settles users in one tx; if that fails, each alone, so that one of them does not keep the others. */
async function settleOrSkip(
  deps: ReviewDeps,
  applicationId: string,
  userIds: readonly string[],
  failures: { left: number },
): Promise<number> {
  try {
    return await settleUsers(deps, applicationId, userIds);
  } catch (error) {
    if (userIds.length > 1) {
      let changes = 0;
      for (const userId of userIds) changes += await settleOrSkip(deps, applicationId, [userId], failures);
      return changes;
    }
    if (--failures.left < 0) throw error;
    deps.log.error({ err: error, userId: userIds[0] }, "the tier of a user could not be settled");
    return 0;
  }
}

/**
 * Those who are being erased are left out, and those whom another client holds: the next day finds them. By the tiers
 * of now: a version that has started since the look began must not be undone.
 */
async function settleUsers(deps: ReviewDeps, applicationId: string, userIds: readonly string[]): Promise<number> {
  return deps.database.tx(async (tx) => {
    const held = await store.holdUsers(tx, applicationId, userIds);
    const { balances } = await lockBalances(tx, held, []);
    const rules = (await deps.tiersNow(tx, applicationId)) ?? NO_LEVELS;
    const users = [...balances.values()].map(({ userId, lifetimePoints }) => {
      return { applicationId, userId, lifetimePoints, rules };
    });
    return settleTiers(tx, users, deps.now(), deps);
  });
}
