// Gives codes to redemptions and takes them back. The caller holds the row of the reward whose pool it is.
import type { Tx } from "../../postgres/postgres.ts";
import { orNull, statement, text, uuid } from "../../postgres/statement.ts";
import { madeCode } from "./code.ts";

const TAKE = statement(
  "vouchers.take-code",
  { code: text },
  `UPDATE voucher_codes SET is_free = false, user_id = $2, redemption_id = $3
         WHERE (application_id, code) = (
           SELECT application_id, code FROM voucher_codes WHERE reward_id = $1 AND is_free
           ORDER BY place LIMIT 1 FOR UPDATE SKIP LOCKED
         ) RETURNING code`,
);
const MAKE = statement(
  "vouchers.make-code",
  { code: text },
  `INSERT INTO voucher_codes (application_id, code, is_free, user_id, redemption_id) VALUES ($1, $2, false, $3, $4)
         ON CONFLICT DO NOTHING RETURNING code`,
);
const FREE = statement(
  "vouchers.free-code",
  { rewardId: orNull(uuid) },
  // To the end: its user may have noted it, so all others are given before it. A made code stays with its holder.
  `UPDATE voucher_codes SET is_free = true, user_id = NULL, redemption_id = NULL, place = DEFAULT
         WHERE application_id = $1 AND code = $2 AND reward_id IS NOT NULL RETURNING reward_id AS "rewardId"`,
);

export interface CodeHolder {
  readonly applicationId: string;
  readonly userId: string;
  readonly redemptionId: string;
}

/** Takes the next code of a pool; null: there is none. */
export async function takeCode(tx: Tx, holder: CodeHolder, rewardId: string): Promise<string | null> {
  return (await tx.query(TAKE, [rewardId, holder.userId, holder.redemptionId]))[0]?.code ?? null;
}

const ATTEMPTS_MAX = 5;

/** Makes a code that the application does not have yet. */
export async function makeCode(tx: Tx, holder: CodeHolder, newCodeBytes: () => Uint8Array): Promise<string> {
  const { applicationId, userId, redemptionId } = holder;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const [made] = await tx.query(MAKE, [applicationId, madeCode(newCodeBytes()), userId, redemptionId]);
    if (made) return made.code;
  }
  throw new Error("no new code in five attempts: is the source of randomness broken?");
}

/** Puts a code back into its pool and returns the reward of the pool; null: the service has made it. */
export async function freeCode(tx: Tx, applicationId: string, code: string): Promise<string | null> {
  return (await tx.query(FREE, [applicationId, code]))[0]?.rewardId ?? null;
}
