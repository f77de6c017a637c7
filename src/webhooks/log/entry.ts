import { isUuid } from "../../ids.ts";
import { filtersOf } from "../../lists/filters.ts";
import type { Errors } from "../../problems.ts";
import { EVENT_TYPES, TEST_EVENT } from "../event.ts";
import type { DeliveryEntry } from "./schema.ts";

export const DELIVERY_STATES = ["pending", "delivered", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** An attempt as stored. `answer`: the beginning of the response body. */
export interface LoggedAttempt {
  readonly at: Date | string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly answer: string;
  readonly error: string | null;
}

/** A delivery as stored; `last` is null before the first attempt. */
export interface Entry {
  readonly eventId: string;
  readonly endpointId: string;
  readonly event: string;
  readonly subjectId: string;
  readonly sequence: number;
  readonly state: DeliveryState;
  readonly createdAt: Date;
  readonly dueAt: Date;
  readonly earlierAttempts: readonly LoggedAttempt[];
  readonly last: LoggedAttempt | null;
}

/** The key of a delivery: its event and its endpoint. */
export interface EntryKey {
  readonly eventId: string;
  readonly endpointId: string;
}

/** The public id of a delivery. */
export function entryId({ eventId, endpointId }: EntryKey): string {
  return `${eventId}.${endpointId}`;
}

/** Reads a public id; null for any other text. */
export function parseEntryId(id: string): EntryKey | null {
  const [eventId = "", endpointId = "", ...rest] = id.split(".");
  return isUuid(eventId) && isUuid(endpointId) && rest.length === 0 ? { eventId, endpointId } : null;
}

/** The public form of a delivery. */
export function presentEntry(entry: Entry): DeliveryEntry {
  const { eventId, endpointId, event, subjectId, sequence, state, createdAt, dueAt, earlierAttempts, last } = entry;
  return {
    id: entryId(entry),
    eventId,
    endpointId,
    event,
    subjectId,
    sequence,
    state,
    createdAt: createdAt.toISOString(),
    nextAttemptAt: state === "pending" ? dueAt.toISOString() : null,
    attempts: [...earlierAttempts, ...(last === null ? [] : [last])].map(presentAttempt),
  };
}

function presentAttempt({ at, durationMs, status, answer, error }: LoggedAttempt) {
  return { at: new Date(at).toISOString(), durationMs, status, answer, error };
}

/** The parameters of a page of the log. */
export interface LogQuery {
  readonly endpointId: string | null;
  readonly state: DeliveryState | null;
  readonly event: string | null;
  readonly userId: string | null;
  readonly subjectId: string | null;
  readonly transactionId: string | null;
  /** Only events from then on, and before `until`. */
  readonly since: Date | null;
  readonly until: Date | null;
  readonly before: EntryKey | null;
  readonly pageSize: number;
}

const EVENT_NAMES: readonly string[] = [...EVENT_TYPES, TEST_EVENT];

/** Reads the query of the log. Returns an error for each wrong parameter. */
export function readLogQuery(query: URLSearchParams): LogQuery | { errors: Errors } {
  const filters = filtersOf(query);
  const { errors } = filters;
  const read: LogQuery = {
    endpointId: filters.id("endpointId", "an endpoint"),
    state: filters.word("state", DELIVERY_STATES),
    event: filters.word("event", EVENT_NAMES),
    userId: filters.id("userId", "a user"),
    subjectId: filters.id("subjectId", "a submission or session"),
    transactionId: filters.text("transactionId"),
    since: filters.time("since"),
    until: filters.time("until"),
    before: filters.read("before", parseEntryId, "must be the id of a delivery"),
    pageSize: filters.pageSize(),
  };
  return Object.keys(errors).length > 0 ? { errors } : read;
}

/**
 * Returns the beginning of a page, with all entries up to the one that exceeds `bytesMax`: at least one. An entry with
 * 50 attempts may have 100 kB.
 */
export function withinBytes<Row>(rows: readonly Row[], bytesMax: number): Row[] {
  let bytes = 0;
  const end = rows.findIndex((row) => (bytes += JSON.stringify(row).length) > bytesMax);
  return end < 0 ? [...rows] : rows.slice(0, end + 1);
}
