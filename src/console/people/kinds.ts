import type { Static } from "typebox";
import { OPERATION, RECORD_STATUS, TRANSACTION_SOURCE } from "../../points/codes.ts";
import type { TransactionRecord } from "../../points/schema.ts";
import type { User, UserResponse } from "../../users/schema.ts";
import { colon } from "../format.ts";
import type { ConsoleLanguage } from "../language.ts";

export type UserSummary = Static<typeof UserResponse>["user"];
/** A page of records. */
export interface ListedTransactions {
  readonly transactions: readonly TransactionRecord[];
  readonly count: number;
}
export type FoundUser = Static<typeof User>;

/** What can be done with a record. */
export type WayBack = "reverse" | "refund";

/** Returns what a record is, in words. */
export function kindOf(language: ConsoleLanguage, record: TransactionRecord): string {
  const { kinds, bonuses } = language.phrases.people;
  const { operation, transaction, relatedTransactionID, bonus } = record;
  if (operation === OPERATION.earn) {
    const { transactionSource } = transaction;
    if (transactionSource === TRANSACTION_SOURCE.receiptScan) return kinds.receipt;
    if (transactionSource === TRANSACTION_SOURCE.mealEntry) return kinds.meal;
    if (transactionSource === TRANSACTION_SOURCE.itemTracking) return kinds.food;
    const reason = bonuses[bonus.type] ?? "";
    return reason === "" ? kinds.bonus : `${kinds.bonus}${colon(language)} ${reason}`;
  }
  if (operation === OPERATION.redeem) return kinds.redeemed;
  if (operation === OPERATION.adjust) return relatedTransactionID === undefined ? kinds.adjusted : kinds.corrected;
  if (operation === OPERATION.refund) return kinds.refunded;
  if (operation === OPERATION.expire) return kinds.expired;
  return operation === OPERATION.reverse ? kinds.reversed : kinds.other;
}

/** Returns what a record is about: a merchant, a reward, a reason; empty without any. */
export function subjectOf({ transaction, reward, reason }: TransactionRecord): string {
  return reward.name || transaction.brand || transaction.items[0]?.cleanedName || reason || "";
}

/** Returns how a record can be taken back; null: it cannot. The API decides again. */
export function wayBackOf({ operation, status, relatedTransactionID }: TransactionRecord): WayBack | null {
  if (status !== RECORD_STATUS.completed) return null;
  if (operation === OPERATION.redeem) return "refund";
  const isFirst = operation === OPERATION.adjust && relatedTransactionID === undefined;
  return operation === OPERATION.earn || isFirst ? "reverse" : null;
}
