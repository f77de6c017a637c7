// The query of the list of receipts. Pure: parameters in, a filter or its errors out.
import { parseInstant } from "../../http/formats.ts";
import { isUuid } from "../../ids.ts";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../../lists/page.ts";
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
  /** A part of the merchant's name, in any letter case. */
  readonly merchant: string | null;
  readonly userId: string | null;
  readonly transactionId: string | null;
  /** Only receipts accepted from then on, and before `until`. */
  readonly from: Date | null;
  readonly until: Date | null;
  /** Only receipts after this one in the list. */
  readonly before: string | null;
  readonly pageSize: number;
}

const TEXT_LENGTH_MAX = 255;

/** Reads the query of the list. Returns an error for each wrong parameter. */
export function readReceiptQuery(query: URLSearchParams, now: Date): ReceiptQuery | { errors: Errors } {
  const errors: Errors = {};
  const read = <Value>(name: string, parse: (text: string) => Value | null, error: string): Value | null => {
    const text = query.get(name);
    if (text === null) return null;
    const value = parse(text);
    if (value === null) errors[name] = [error];
    return value;
  };
  const word = <Word extends string>(name: string, words: readonly Word[]) =>
    read(name, (text) => words.find((each) => each === text) ?? null, `must be one of ${words.join(", ")}`);
  const id = (name: string, of: string) =>
    read(name, (text) => (isUuid(text) ? text : null), `must be the id of ${of}`);
  const time = (name: string) => read(name, dateOf, "must be a time, as in 2026-01-31T12:00:00Z");
  const words = (name: string) =>
    read(
      name,
      (text) => (text.trim() !== "" && text.length <= TEXT_LENGTH_MAX && !text.includes("\0") ? text : null),
      `must have 1 to ${TEXT_LENGTH_MAX} characters`,
    );
  const range = read(
    "timeframe",
    (text) => timeRange(text, now),
    "must be all, today, yesterday, week, month, year, like 30d, 4w, 6m, 1y, or an ISO 8601 duration or interval",
  );
  const [from, until] = [time("from"), time("until")];
  if (query.has("timeframe") && (query.has("from") || query.has("until"))) {
    errors["timeframe"] = ["cannot be combined with from or until"];
  }
  const filter = {
    status: word("status", RECEIPT_STATES),
    errorCode: word("errorCode", RECEIPT_ERROR_CODES),
    held: word("held", ["true", "false"]),
    disputed: word("disputed", ["true", "false"]),
    check: word("check", CHECK_NAMES),
    merchant: words("merchant")?.trim() ?? null,
    userId: id("userId", "a user"),
    transactionId: words("transactionId"),
    from: from ?? range?.from ?? null,
    until: until ?? range?.before ?? null,
    before: id("before", "a receipt"),
  };
  const size = read("pageSize", (text) => (/^\d{1,9}$/.test(text) ? Number(text) : null), "must be a whole number");
  if (Object.keys(errors).length > 0) return { errors };
  return { ...filter, pageSize: Math.min(size || PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX) };
}

/** Whether the filter needs the findings of each receipt that is read, and not only its own row. */
export function needsFindings({ check, merchant }: ReceiptQuery): boolean {
  return check !== null || merchant !== null;
}

function dateOf(text: string): Date | null {
  // An unescaped + in a query is decoded as a space.
  const ms = parseInstant(text.replace(/ (?=\d\d:\d\d$)/, "+"));
  return ms === null ? null : new Date(ms);
}
