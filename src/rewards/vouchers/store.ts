import type { MoveDeps } from "../../points/moved-event.ts";
import type { Reward } from "../../points/schema.ts";
import { findRecord } from "../../points/store.ts";
import type { RecordRow } from "../../points/transaction.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { neverNull, oneOf, orNull, statement, text, timestamptz, uuid } from "../../postgres/statement.ts";
import { REDEMPTION_STATES } from "../redemptions/redemption.ts";
import { voucherState } from "./voucher.ts";
import type { Voucher, VoucherState } from "./voucher.ts";

const VOUCHER = {
  code: text,
  userId: uuid,
  recordId: uuid,
  redemptionId: uuid,
  state: oneOf(REDEMPTION_STATES),
  holdUntil: orNull(timestamptz),
  validTill: orNull(timestamptz),
  usedAt: orNull(timestamptz),
  usedTill: orNull(text),
  usedReference: orNull(text),
};
const SELECT = `SELECT codes.code, redemptions.user_id AS "userId", record_id AS "recordId", id AS "redemptionId", state,
    hold_until AS "holdUntil", valid_till AS "validTill", used_at AS "usedAt", used_till AS "usedTill",
    used_reference AS "usedReference"
  FROM voucher_codes AS codes
  JOIN redemptions ON redemptions.user_id = codes.user_id AND redemptions.id = codes.redemption_id
  WHERE codes.application_id = $1 AND codes.code = $2`;
const FIND = statement("vouchers.find", VOUCHER, SELECT);
const HOLDER = statement(
  "vouchers.holder",
  { userId: neverNull(uuid) },
  `SELECT user_id AS "userId" FROM voucher_codes WHERE application_id = $1 AND code = $2 AND user_id IS NOT NULL`,
);
const LOCK = statement("vouchers.lock", VOUCHER, `${SELECT} FOR UPDATE OF redemptions`);
const USE = statement(
  "vouchers.use",
  {},
  `UPDATE redemptions SET used_at = $3, used_till = $4, used_reference = $5 WHERE user_id = $1 AND id = $2`,
);

/** A code that a user of this application has; null for one that nobody has, an unknown and a foreign one. */
export async function findVoucher(tx: Tx, applicationId: string, code: string): Promise<Voucher | null> {
  return (await tx.query(FIND, [applicationId, code]))[0] ?? null;
}

/** The user who has a code, or null. */
export async function holderOf(tx: Tx, applicationId: string, code: string): Promise<string | null> {
  return (await tx.query(HOLDER, [applicationId, code]))[0]?.userId ?? null;
}

/** As `findVoucher`, and nobody uses it, or undoes its redemption, until the tx ends. */
async function lockVoucher(tx: Tx, applicationId: string, code: string): Promise<Voucher | null> {
  return (await tx.query(LOCK, [applicationId, code]))[0] ?? null;
}

export type Used =
  | { readonly kind: "done"; readonly voucher: Voucher; readonly reward: Reward; readonly at: Date }
  | { readonly kind: Exclude<VoucherState, "usable"> };

/** Uses a code that a held user had, in the tx, and publishes `voucher.used`. Other outcomes change nothing. */
export async function useCode(
  tx: Tx,
  { applicationId, userId, code }: { readonly applicationId: string; readonly userId: string; readonly code: string },
  { till, reference }: { readonly till: string; readonly reference: string },
  { publish, now }: Pick<MoveDeps, "publish" | "now">,
): Promise<Used> {
  const voucher = await lockVoucher(tx, applicationId, code);
  // Its redemption was undone in this moment, and somebody else may have it.
  if (voucher?.userId !== userId) return { kind: "void" };
  const at = now();
  const state = voucherState(voucher, at);
  if (state !== "usable") return { kind: state };
  const { redemptionId: subject, recordId } = voucher;
  const { reward, reference: externalTransactionID = "" } = (await recordOf(tx, voucher))?.body ?? {};
  if (!reward) return { kind: "void" };
  await tx.query(USE, [userId, subject, at, till, reference]);
  const about = { userId, transactionID: recordId, externalTransactionID, code };
  const event = { event: "voucher.used" as const, ...about, usedAt: at.toISOString(), till, reference };
  await publish(tx, { applicationId, userId, subject }, event, at);
  return { kind: "done", voucher: { ...voucher, usedAt: at, usedTill: till, usedReference: reference }, reward, at };
}

/** The record of a voucher's redemption; null while its user is being erased. */
export async function recordOf(tx: Tx, { userId, recordId }: Voucher): Promise<RecordRow | null> {
  return findRecord(tx, userId, recordId);
}
