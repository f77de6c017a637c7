import { isUuid } from "../../ids.ts";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../../lists/page.ts";
import type { Errors } from "../../problems.ts";
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
  const { eventId, endpointId, event, subjectId, state, createdAt, dueAt, earlierAttempts, last } = entry;
  return {
    id: entryId(entry),
    eventId,
    endpointId,
    event,
    subjectId,
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
  readonly before: EntryKey | null;
  readonly pageSize: number;
}

/** Reads the query of the log. Returns an error for each wrong parameter. */
export function readLogQuery(query: URLSearchParams): LogQuery | { errors: Errors } {
  const errors: Errors = {};
  const read = <Value>(name: string, parse: (text: string) => Value | null, error: string): Value | null => {
    const text = query.get(name);
    if (text === null) return null;
    const value = parse(text);
    if (value === null) errors[name] = [error];
    return value;
  };
  const endpointId = read("endpointId", (text) => (isUuid(text) ? text : null), "must be the id of an endpoint");
  const state = read(
    "state",
    (text) => DELIVERY_STATES.find((state) => state === text) ?? null,
    `must be one of ${DELIVERY_STATES.join(", ")}`,
  );
  const before = read("before", parseEntryId, "must be the id of a delivery");
  const size = read("pageSize", (text) => (/^\d{1,9}$/.test(text) ? Number(text) : null), "must be a whole number");
  if (Object.keys(errors).length > 0) return { errors };
  return { endpointId, state, before, pageSize: Math.min(size || PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX) };
}
