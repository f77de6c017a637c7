import type { Tx } from "../postgres/postgres.ts";
import { bool, statement, text, uuid } from "../postgres/statement.ts";

const FIND = statement("referrals.find-code", { code: text }, "SELECT code FROM referral_codes WHERE user_id = $1");
const ADD = statement(
  "referrals.add-code",
  { code: text },
  // Of two calls at once for one user the second finds the code of the first; a code that another user has is none.
  `INSERT INTO referral_codes (user_id, application_id, code, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING RETURNING code`,
);
const IS_KNOWN = statement(
  "referrals.is-known",
  { isKnown: bool },
  `SELECT EXISTS (SELECT 1 FROM referral_codes JOIN users ON users.id = user_id
                  WHERE referral_codes.application_id = $1 AND code = $2 AND erased_at IS NULL) AS "isKnown"`,
);
const REFER = statement(
  "referrals.refer",
  { userId: uuid },
  // Holds the referring user as a foreign key does: nothing of them is stored behind their erasure.
  `WITH referrer AS MATERIALIZED (
           SELECT users.id FROM referral_codes AS codes JOIN users ON users.id = codes.user_id
           WHERE codes.application_id = $2 AND code = $3 AND erased_at IS NULL AND users.id <> $1
           FOR KEY SHARE OF users
         )
         INSERT INTO referrals (user_id, application_id, referrer_id, created_at)
         SELECT $1, $2, id, $4 FROM referrer RETURNING user_id AS "userId"`,
);
const WAS_REFERRED_BY = statement(
  "referrals.was-referred-by",
  { wasReferred: bool },
  `SELECT EXISTS (SELECT 1 FROM referrals JOIN referral_codes AS codes ON codes.user_id = referrer_id
                  WHERE referrals.user_id = $1 AND code = $2) AS "wasReferred"`,
);

/** The code of a user; null: none was made yet. */
export async function findCode(tx: Tx, userId: string): Promise<string | null> {
  return (await tx.query(FIND, [userId]))[0]?.code ?? null;
}

/** Gives a user a code. False: the user has one, or another user has this one. The caller holds the user. */
export async function addCode(
  tx: Tx,
  { userId, applicationId }: { readonly userId: string; readonly applicationId: string },
  code: string,
  now: Date,
): Promise<boolean> {
  return (await tx.query(ADD, [userId, applicationId, code, now])).length > 0;
}

/** Whether a user of the application has a code. */
export async function isKnownCode(tx: Tx, applicationId: string, code: string): Promise<boolean> {
  return (await tx.query(IS_KNOWN, [applicationId, code]))[0]!.isKnown;
}

/** Notes who has referred a user whom this tx enrols. False: nobody has the code. */
export async function refer(
  tx: Tx,
  { userId, applicationId }: { readonly userId: string; readonly applicationId: string },
  code: string,
  now: Date,
): Promise<boolean> {
  return (await tx.query(REFER, [userId, applicationId, code, now])).length > 0;
}

/** Whether a user was enrolled with this code. */
export async function wasReferredBy(tx: Tx, userId: string, code: string): Promise<boolean> {
  return (await tx.query(WAS_REFERRED_BY, [userId, code]))[0]!.wasReferred;
}
