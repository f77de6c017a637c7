// A voucher: the code that a redemption has, until it is used. Pure.
import type { Reward as RewardSnapshot } from "../../points/schema.ts";
import type { RedemptionStatus } from "../redemptions/redemption.ts";

export const VOUCHER_STATES = ["reserved", "usable", "used", "expired", "void"] as const;
export type VoucherState = (typeof VOUCHER_STATES)[number];

/** A voucher with its redemption. */
export interface Voucher extends RedemptionStatus {
  readonly code: string;
  readonly userId: string;
  readonly recordId: string;
  readonly redemptionId: string;
  readonly usedTill: string | null;
  readonly usedReference: string | null;
}

export function voucherState({ state, usedAt, validTill }: RedemptionStatus, at: Date): VoucherState {
  if (usedAt !== null) return "used";
  if (state === "pending") return "reserved";
  if (state !== "completed") return "void";
  return validTill !== null && at >= validTill ? "expired" : "usable";
}

/** The public form of a voucher. */
export function presentVoucher(voucher: Voucher, reward: RewardSnapshot, at: Date) {
  return {
    code: voucher.code,
    state: voucherState(voucher, at),
    userId: voucher.userId,
    transactionID: voucher.recordId,
    reward,
    validTill: voucher.validTill?.toISOString() ?? null,
    usedAt: voucher.usedAt?.toISOString() ?? null,
    till: voucher.usedTill ?? "",
    reference: voucher.usedReference ?? "",
  };
}
