import type { HttpOutcome } from "../../outgoing/http-sender.ts";
import { timeOfId } from "../../ids.ts";
import { endWithin } from "../../reports/figures/deliveries.ts";
import { TEST_EVENT } from "../event.ts";
import type { NewEvent } from "../event.ts";
import { isSuccess, retryWaitMs } from "../retry.ts";

/** The key of a delivery: its event (subject and position of a user) and its endpoint. */
export interface DeliveryKey {
  readonly userId: string;
  readonly subject: string;
  readonly position: number;
  readonly endpointId: string;
}

/** A delivery that is leased to this process until `leasedUntil`, with everything that an attempt needs. */
export interface ClaimedDelivery extends DeliveryKey {
  /** False: the delivery has no row yet. It was leased when its event was stored; see lease.task.ts. */
  readonly hasRow: boolean;
  /** Somebody asked for it: by a replay, or by sending it again. */
  readonly isReplayed: boolean;
  readonly eventId: string;
  readonly type: NewEvent["type"];
  readonly body: string;
  /** The trace that its event is of; null: none. */
  readonly traceparent: string | null;
  readonly url: string;
  /** Generation of the endpoint's signing secret. */
  readonly generation: number;
  /** Until this time, the secret of the previous generation signs too. */
  readonly previousSecretUntil: Date | null;
  /** Finished attempts since the delivery was created or last replayed. */
  readonly attempts: number;
  readonly leasedUntil: Date;
}

/** The result of one attempt. Without a response, `status` is null and `error` gives the reason. */
export interface Attempt {
  readonly at: Date;
  readonly durationMs: number;
  readonly status: number | null;
  /** The beginning of the response body. */
  readonly responseText: string;
  readonly error: string | null;
  /** Value of the header Retry-After; null without one. */
  readonly retryAfterSeconds: number | null;
}

/** The next state of a claimed delivery. Without `attempt` it is released: unchanged, and due at `dueAt`. */
export interface Outcome {
  readonly delivery: ClaimedDelivery;
  readonly state: "pending" | "delivered" | "failed";
  readonly dueAt: Date;
  readonly attempt: Attempt | null;
}

/** Returns the outcome of an attempt: delivered, due again after the wait of the schedule, or failed after the last. */
export function toOutcome(
  delivery: ClaimedDelivery,
  attempt: Attempt,
  { scheduleSeconds, random }: { scheduleSeconds: readonly number[]; random: number },
): Outcome {
  const common = { delivery, dueAt: attempt.at, attempt };
  if (attempt.status !== null && isSuccess(attempt.status)) return { ...common, state: "delivered" };
  const waitMs = retryWaitMs(delivery.attempts + 1, scheduleSeconds, attempt.retryAfterSeconds, random);
  if (waitMs === null) return { ...common, state: "failed" };
  return { ...common, state: "pending", dueAt: new Date(attempt.at.getTime() + attempt.durationMs + waitMs) };
}

/** The end of the figure's name that counts a delivery which has ended; null: it has not, or it is a test. */
export function figureOf({ delivery, state, attempt }: Outcome): string | null {
  if (!attempt || state === "pending" || delivery.type === TEST_EVENT) return null;
  if (state === "failed") return "failed";
  if (delivery.isReplayed) return "replayed";
  const tookMs = attempt.at.getTime() + attempt.durationMs - timeOfId(delivery.eventId);
  return endWithin(delivery.attempts === 0 ? "first" : "later", tookMs);
}

/** Converts an HTTP exchange that began at `at` to an attempt. */
export function toAttempt(exchange: HttpOutcome, at: Date): Attempt {
  const { durationMs } = exchange;
  if (exchange.kind === "responded") {
    const { status, retryAfterSeconds } = exchange;
    return { at, durationMs, status, responseText: printable(exchange.head), error: null, retryAfterSeconds };
  }
  const error = printable(`${exchange.kind}: ${exchange.message}`);
  return { at, durationMs, status: null, responseText: "", error, retryAfterSeconds: null };
}

const PRINTED_LENGTH_MAX = 512;

/**
 * Makes foreign text safe to store and to show on any terminal or page: control characters, characters that change the
 * writing direction and unpaired surrogates are written like \u001b. Line breaks and tabs stay.
 */
export function printable(text: string): string {
  if (text === "") return "";
  const printed = text
    .replaceAll(/[^\P{C}\n\t]/gu, (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`)
    .slice(0, PRINTED_LENGTH_MAX);
  return printed.isWellFormed() ? printed : printed.slice(0, -1);
}

/** Releases a delivery that was not attempted: it is due at once, for any process. */
export function toReleased(delivery: ClaimedDelivery, now: Date): Outcome {
  return { delivery, state: "pending", dueAt: now, attempt: null };
}

/** Groups deliveries that must keep their order: first attempts of one subject at one endpoint. A retry is alone. */
export function toChains(claimed: readonly ClaimedDelivery[]): ClaimedDelivery[][] {
  const groups = Map.groupBy(claimed, ({ attempts, endpointId, subject, position }) =>
    attempts === 0 ? chainKey({ endpointId, subject }) : `${endpointId} ${subject} ${position}`,
  );
  return [...groups.values()].map((chain) => chain.sort((a, b) => a.position - b.position));
}

/** What the deliveries of a chain have in common. */
export function chainKey({ endpointId, subject }: Pick<DeliveryKey, "endpointId" | "subject">): string {
  return `${endpointId} ${subject}`;
}
