// The checks of what belongs to no user: stocks of rewards, and codes. They read whole tables, in pages or as sums.
import { statement, text, uuid } from "../../postgres/statement.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { DIFFERENCES_MAX, DIFFERENCE_OF_NONE, breaks, brokenOf } from "./check.ts";
import type { Difference, Rules } from "./check.ts";

/** `supply` counts what was put into a stock, so what is left and what was taken add up to it. */
const REWARD: Rules = {
  "what is left and what was taken are not its stock":
    "supplied_at = updated_at AND supply <> coalesce(stock, 0) + coalesce(taken, 0)",
  "not the number of its free codes": "free_codes <> coalesce(free, 0)",
  "not the number of its loaded codes": "loaded_codes <> coalesce(loaded, 0)",
};
const FIND_REWARDS = statement(
  "ledger.verify-rewards",
  DIFFERENCE_OF_NONE,
  // A process of an earlier release changes a reward without its supply: then the times differ, and it is not compared.
  `WITH live AS (
           SELECT reward_id, count(*) AS taken FROM redemptions
           WHERE took_stock AND state IN ('pending', 'completed') GROUP BY reward_id
         ), pools AS (
           SELECT reward_id, count(*) AS loaded, count(*) FILTER (WHERE is_free) AS free
           FROM voucher_codes WHERE reward_id IS NOT NULL GROUP BY reward_id
         )
         SELECT NULL::uuid AS "userId", 'reward ' || rewards.id || ': ' || ${brokenOf(REWARD)} AS what
         FROM rewards LEFT JOIN live ON live.reward_id = rewards.id LEFT JOIN pools ON pools.reward_id = rewards.id
         WHERE ${breaks(REWARD)} ORDER BY rewards.id LIMIT ${DIFFERENCES_MAX}`,
);

const CODES_A_PAGE = 50_000;
const LAST_OF_PAGE = statement(
  "ledger.verify-page-of-codes",
  { applicationId: uuid, code: text },
  `SELECT application_id AS "applicationId", code FROM (
           SELECT application_id, code FROM voucher_codes WHERE (application_id, code) > ($1::uuid, $2)
           ORDER BY application_id, code LIMIT ${CODES_A_PAGE}
         ) AS page ORDER BY application_id DESC, code DESC LIMIT 1`,
);
const CODE: Rules = {
  "its holder has no such redemption": "held.user_id IS NOT NULL AND redemptions.id IS NULL",
  "its redemption has another code": "redemptions.code IS DISTINCT FROM held.code AND redemptions.id IS NOT NULL",
  "of another application than its redemption": "redemptions.application_id <> held.application_id",
  "of a pool, and its redemption has ended":
    "held.reward_id IS NOT NULL AND redemptions.state NOT IN ('pending', 'completed')",
  "of the pool of another reward": "held.reward_id <> redemptions.reward_id",
  "free, and it has a holder or no pool": "held.is_free AND (held.user_id IS NOT NULL OR held.reward_id IS NULL)",
};
const FIND_CODES = statement(
  "ledger.verify-codes",
  DIFFERENCE_OF_NONE,
  // A report is logged: it must not have the code itself.
  `SELECT held.user_id AS "userId", 'code in place ' || place || coalesce(' of reward ' || held.reward_id, '') || ': '
                  || ${brokenOf(CODE)} AS what
         FROM voucher_codes AS held
         LEFT JOIN redemptions ON redemptions.user_id = held.user_id AND redemptions.id = held.redemption_id
         WHERE (held.application_id, held.code) > ($1::uuid, $2) AND (held.application_id, held.code) <= ($3::uuid, $4)
           AND (${breaks(CODE)})
         ORDER BY place LIMIT ${DIFFERENCES_MAX}`,
);

/** The differences of all rewards: their stock and the numbers of their codes. */
export async function differencesOfRewards(tx: Tx): Promise<Difference[]> {
  return tx.query(FIND_REWARDS);
}

/** The differences of all codes: each is that of one redemption, which has not given it back. */
export async function differencesOfCodes(tx: Tx, signal?: AbortSignal): Promise<Difference[]> {
  const differences: Difference[] = [];
  let after: readonly unknown[] = ["00000000-0000-0000-0000-000000000000", ""];
  for (;;) {
    signal?.throwIfAborted();
    const [last] = await tx.query(LAST_OF_PAGE, after);
    if (!last) return differences;
    const upTo = [last.applicationId, last.code];
    const found = await tx.query(FIND_CODES, [...after, ...upTo]);
    differences.push(...found.slice(0, DIFFERENCES_MAX - differences.length));
    after = upTo;
  }
}
