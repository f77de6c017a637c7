import type { Tx } from "../postgres/postgres.ts";
import { code, int4, json, oneOf, orNull, statement, text, timestamptz, uuid } from "../postgres/statement.ts";
import { CODE_KINDS } from "./reward.ts";
import type { Reward, RewardDetails, RewardTerms } from "./reward.ts";
import { REWARDS_EVER_MAX, REWARDS_MAX } from "./schema.ts";
import { CODES_OF_APPLICATION_MAX, CODES_OF_REWARD_MAX } from "./codes/code.ts";

const REWARD = {
  id: uuid,
  applicationId: uuid,
  details: json<RewardDetails>(),
  points: int4,
  tier: code<Reward["tier"]>(),
  codes: oneOf(CODE_KINDS),
  validFrom: orNull(timestamptz),
  validTill: orNull(timestamptz),
  stock: orNull(int4),
  freeCodes: int4,
  createdAt: timestamptz,
  updatedAt: timestamptz,
};
const COLUMNS = `id, application_id AS "applicationId", details, points, tier, codes, valid_from AS "validFrom",
  valid_till AS "validTill", stock, free_codes AS "freeCodes", created_at AS "createdAt", updated_at AS "updatedAt"`;
const ADD = statement(
  "rewards.add",
  REWARD,
  `INSERT INTO rewards (id, application_id, details, points, tier, codes, valid_from, valid_till, stock, supply,
                              supplied_at, created_at, updated_at)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce($9, 0), $10, $10, $10
         WHERE (SELECT count(*) FROM rewards WHERE application_id = $2) < ${REWARDS_EVER_MAX}
           AND (SELECT count(*) FROM rewards WHERE application_id = $2 AND archived_at IS NULL) < ${REWARDS_MAX}
         RETURNING ${COLUMNS}`,
);
const LOCK_APPLICATION = statement(
  "rewards.lock-application",
  { id: uuid },
  // Of several additions at once none goes over the limit. Foreign keys don't wait for this lock.
  "SELECT id FROM applications WHERE id = $1 FOR NO KEY UPDATE",
);
const FIND = statement(
  "rewards.find",
  REWARD,
  `SELECT ${COLUMNS} FROM rewards WHERE id = $2 AND application_id = $1 AND archived_at IS NULL`,
);
const LOCK = statement(
  "rewards.lock",
  REWARD,
  `SELECT ${COLUMNS} FROM rewards WHERE id = $2 AND application_id = $1 AND archived_at IS NULL FOR NO KEY UPDATE`,
);
const CHANGE = statement(
  "rewards.change",
  REWARD,
  // A process of an earlier release may have changed the stock without the supply: then that is unknown from now on.
  `UPDATE rewards SET details = $2, points = $3, tier = $4, valid_from = $5, valid_till = $6, stock = $7, updated_at = $8,
                supply = CASE WHEN supplied_at = updated_at THEN supply + coalesce($7, 0) - coalesce(stock, 0) END,
                supplied_at = $8
         WHERE id = $1 RETURNING ${COLUMNS}`,
);
const ARCHIVE = statement(
  "rewards.archive",
  { id: uuid },
  `UPDATE rewards SET archived_at = $3, updated_at = $3,
                supplied_at = CASE WHEN supplied_at = updated_at THEN $3::timestamptz END
         WHERE id = $2 AND application_id = $1 AND archived_at IS NULL RETURNING id`,
);

/** $1 to $3: the application, and when they were added. $4, $5: the moment and tier of who can have them, or null. */
const MATCHING = `application_id = $1 AND archived_at IS NULL
  AND ($2::timestamptz IS NULL OR created_at >= $2) AND ($3::timestamptz IS NULL OR created_at < $3)
  AND ($4::timestamptz IS NULL OR ((valid_from IS NULL OR valid_from <= $4) AND (valid_till IS NULL OR valid_till > $4)
    AND tier <= $5::int AND stock IS DISTINCT FROM 0 AND (codes <> 'pool' OR free_codes > 0)))`;
const COUNT = statement(
  "rewards.count",
  { count: int4 },
  `SELECT count(*)::int AS count FROM rewards WHERE ${MATCHING}`,
);
const LIST = statement(
  "rewards.list",
  REWARD,
  `SELECT ${COLUMNS} FROM rewards WHERE ${MATCHING} ORDER BY id DESC OFFSET $6 LIMIT $7`,
);

/** Adds a reward. Null: the application has too many. */
export async function addReward(
  tx: Tx,
  reward: RewardTerms & { readonly id: string; readonly applicationId: string },
  now: Date,
): Promise<Reward | null> {
  const { id, applicationId, details, points, tier, codes, validFrom, validTill, stock } = reward;
  const values = [id, applicationId, JSON.stringify(details), points, tier, codes, validFrom, validTill, stock, now];
  await tx.query(LOCK_APPLICATION, [applicationId]);
  return (await tx.query(ADD, values))[0] ?? null;
}

/** A reward of this application; null for an unknown, archived or foreign one. */
export async function findReward(tx: Tx, applicationId: string, id: string): Promise<Reward | null> {
  return (await tx.query(FIND, [applicationId, id]))[0] ?? null;
}

/** The same, and nobody changes it, or takes one of a limited reward, until the tx ends. */
export async function lockReward(tx: Tx, applicationId: string, id: string): Promise<Reward | null> {
  return (await tx.query(LOCK, [applicationId, id]))[0] ?? null;
}

/** Writes the terms of a locked reward. */
export async function changeReward(tx: Tx, id: string, terms: RewardTerms, now: Date): Promise<Reward> {
  const { details, points, tier, validFrom, validTill, stock } = terms;
  const values = [id, JSON.stringify(details), points, tier, validFrom, validTill, stock, now];
  const [changed] = await tx.query(CHANGE, values);
  if (!changed) throw new Error("a locked reward was not found");
  return changed;
}

/** Takes a reward out of the catalogue; false: it is not in it. Redemptions keep what they were made with. */
export async function archiveReward(tx: Tx, applicationId: string, id: string, now: Date): Promise<boolean> {
  return (await tx.query(ARCHIVE, [applicationId, id, now])).length > 0;
}

/** Which rewards to list: of an application, of a time, and those that a member can have at a moment. */
export interface RewardFilter {
  readonly applicationId: string;
  readonly from: Date | null;
  readonly before: Date | null;
  readonly canHave: { readonly at: Date; readonly tier: number } | null;
}

export async function countRewards(tx: Tx, filter: RewardFilter): Promise<number> {
  return (await tx.query(COUNT, valuesOf(filter)))[0]?.count ?? 0;
}

/** Some rewards, the newest first. */
export async function listRewards(tx: Tx, filter: RewardFilter, offset: number, limit: number): Promise<Reward[]> {
  return tx.query(LIST, [...valuesOf(filter), offset, limit]);
}

function valuesOf({ applicationId, from, before, canHave }: RewardFilter): unknown[] {
  return [applicationId, from, before, canHave?.at ?? null, canHave?.tier ?? null];
}

const COUNT_CODES = statement(
  "rewards.count-codes",
  { ofReward: int4, ofApplication: int4 },
  `SELECT coalesce(sum(loaded_codes) FILTER (WHERE id = $2), 0)::int AS "ofReward",
                coalesce(sum(loaded_codes), 0)::int AS "ofApplication"
         FROM rewards WHERE application_id = $1`,
);
const LOAD_CODES = statement(
  "rewards.load-codes",
  { code: text },
  // Ascending, so that two loads of the same codes wait for each other in one order.
  `INSERT INTO voucher_codes (application_id, code, reward_id, is_free)
         SELECT $1, sent, $2, true FROM unnest($3::text[]) AS sent ORDER BY sent
         ON CONFLICT DO NOTHING RETURNING code`,
);
const ADD_FREE_CODES = statement(
  "rewards.add-free-codes",
  { freeCodes: int4 },
  `UPDATE rewards SET free_codes = free_codes + $2, loaded_codes = loaded_codes + $2 WHERE id = $1
         RETURNING free_codes AS "freeCodes"`,
);

export type LoadedCodes =
  | { readonly kind: "loaded"; readonly added: ReadonlySet<string>; readonly freeCodes: number }
  | { readonly kind: "unknown" | "no pool" | "too many of reward" | "too many of application" };

/** Loads different codes into the pool of a reward. Those that the application has already are left out. */
export async function loadCodes(
  tx: Tx,
  applicationId: string,
  rewardId: string,
  codes: readonly string[],
): Promise<LoadedCodes> {
  const reward = await lockReward(tx, applicationId, rewardId);
  if (!reward) return { kind: "unknown" };
  if (reward.codes !== "pool") return { kind: "no pool" };
  const [counts] = await tx.query(COUNT_CODES, [applicationId, rewardId]);
  if (counts!.ofReward + codes.length > CODES_OF_REWARD_MAX) return { kind: "too many of reward" };
  if (counts!.ofApplication + codes.length > CODES_OF_APPLICATION_MAX) return { kind: "too many of application" };
  const rows = await tx.query(LOAD_CODES, [applicationId, rewardId, codes]);
  const [counted] = await tx.query(ADD_FREE_CODES, [rewardId, rows.length]);
  return { kind: "loaded", added: new Set(rows.map((row) => row.code)), freeCodes: counted!.freeCodes };
}
