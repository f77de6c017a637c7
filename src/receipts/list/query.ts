// The query of the list of receipts. Pure: parameters in, a filter or its errors out.
import { filtersOf } from "../../lists/filters.ts";
import { timeRange } from "../../lists/timeframe.ts";
import type { Errors } from "../../problems.ts";
import { RECEIPT_ERROR_CODES } from "../../webhooks/event.ts";
import type { ReceiptErrorCode } from "../../webhooks/event.ts";
import { CHECK_NAMES } from "../checks/check.ts";
import type { CheckName } from "../checks/check.ts";
import { STAGES } from "../receipt.ts";

/** The states of a receipt as the list shows them. */
export const RECEIPT_STATES = [...STAGES, "Failed"] as const;
export type ReceiptState = (typeof RECEIPT_STATES)[number];

/** The orders of the list: by acceptance. */
export const RECEIPT_ORDERS = ["newest", "oldest"] as const;

/** What is asked of the list; null: any. */
export interface ReceiptQuery {
  readonly status: ReceiptState | null;
  readonly errorCode: ReceiptErrorCode | null;
  /** Only receipts that are held for review, or only others. */
  readonly held: "true" | "false" | null;
  /** Only receipts that are disputed still, or only others. */
  readonly disputed: "true" | "false" | null;
  /** Only receipts with this check failed or doubtful. */
  readonly check: CheckName | null;
  /** A part of the merchant's name, as read or corrected, in any letter case. */
  readonly merchant: string | null;
  readonly userId: string | null;
  readonly transactionId: string | null;
  /** Only receipts accepted from then on, and before `until`. */
  readonly since: Date | null;
  readonly until: Date | null;
  /** Only receipts after this one in the list. */
  readonly before: string | null;
  readonly order: (typeof RECEIPT_ORDERS)[number];
  readonly pageSize: number;
}

/** Reads the query of the list. Returns an error for each wrong parameter. */
export function readReceiptQuery(query: URLSearchParams, now: Date): ReceiptQuery | { errors: Errors } {
  const filters = filtersOf(query);
  const { errors } = filters;
  const range = filters.read(
    "timeframe",
    (text) => timeRange(text, now),
    "must be all, today, yesterday, week, month, year, like 30d, 4w, 6m, 1y, or an ISO 8601 duration or interval",
  );
  const [since, until] = [filters.time("since"), filters.time("until")];
  if (query.has("timeframe") && (query.has("since") || query.has("until"))) {
    errors["timeframe"] = ["cannot be combined with since or until"];
  }
  const read: ReceiptQuery = {
    status: filters.word("status", RECEIPT_STATES),
    errorCode: filters.word("errorCode", RECEIPT_ERROR_CODES),
    held: filters.word("held", ["true", "false"]),
    disputed: filters.word("disputed", ["true", "false"]),
    check: filters.word("check", CHECK_NAMES),
    merchant: filters.text("merchant")?.trim() ?? null,
    userId: filters.id("userId", "a user"),
    transactionId: filters.text("transactionId"),
    since: since ?? range?.from ?? null,
    until: until ?? range?.before ?? null,
    before: filters.id("before", "a receipt"),
    order: filters.word("order", RECEIPT_ORDERS) ?? "newest",
    pageSize: filters.pageSize(),
  };
  return Object.keys(errors).length > 0 ? { errors } : read;
}

/** Whether the filter needs the findings of each receipt that is read, and not only its own row. */
export function needsFindings({ check, merchant }: ReceiptQuery): boolean {
  return check !== null || merchant !== null;
}
