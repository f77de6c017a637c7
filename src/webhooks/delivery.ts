import type { HttpOutcome } from "../outgoing/http-sender.ts";
import type { NewEvent } from "./event.ts";
import { isSuccess, retryWaitMs } from "./retry.ts";

/** Names a delivery: the event by its place, and where it goes. */
export interface DeliveryKey {
  readonly userId: string;
  readonly subject: string;
  readonly position: number;
  readonly endpointId: string;
}

/** A delivery that is ours until `leasedUntil`, with all that an attempt needs. */
export interface ClaimedDelivery extends DeliveryKey {
  readonly eventId: string;
  readonly type: NewEvent["type"];
  readonly body: string;
  readonly url: string;
  /** Of the endpoint's signing secret. */
  readonly generation: number;
  /** Until then the secret of the generation before signs as well. */
  readonly previousSecretUntil: Date | null;
  /** Finished attempts so far, since it was last asked for. */
  readonly attempts: number;
  readonly leasedUntil: Date;
}

/** What one attempt came to. `status` null: no answer, and `error` says why. `answer` is the beginning of its body. */
export interface Attempt {
  readonly at: Date;
  readonly durationMs: number;
  readonly status: number | null;
  readonly answer: string;
  readonly error: string | null;
  /** What the endpoint asked for; null when it didn't. */
  readonly retryAfterSeconds: number | null;
}

/** What becomes of a claimed delivery. Without `attempt` it is handed back as it was, due at `dueAt`. */
export interface Outcome extends DeliveryKey {
  readonly leasedUntil: Date;
  readonly state: "pending" | "delivered" | "failed";
  readonly dueAt: Date;
  readonly attempt: Attempt | null;
}

/** Decides by the attempt: delivered, due again after the wait of the schedule, or failed when that was the last. */
export function toOutcome(
  delivery: ClaimedDelivery,
  attempt: Attempt,
  { scheduleSeconds, random }: { scheduleSeconds: readonly number[]; random: number },
): Outcome {
  const common = { ...keyOf(delivery), leasedUntil: delivery.leasedUntil, dueAt: attempt.at, attempt };
  if (attempt.status !== null && isSuccess(attempt.status)) return { ...common, state: "delivered" };
  const waitMs = retryWaitMs(delivery.attempts + 1, scheduleSeconds, attempt.retryAfterSeconds, random);
  if (waitMs === null) return { ...common, state: "failed" };
  return { ...common, state: "pending", dueAt: new Date(attempt.at.getTime() + attempt.durationMs + waitMs) };
}

/** What an exchange over HTTP, begun at `at`, was as an attempt. */
export function toAttempt(answer: HttpOutcome, at: Date): Attempt {
  const { durationMs } = answer;
  if (answer.kind === "responded") {
    const { status, retryAfterSeconds } = answer;
    return { at, durationMs, status, answer: printable(answer.head), error: null, retryAfterSeconds };
  }
  const error = printable(`${answer.kind}: ${answer.message}`);
  return { at, durationMs, status: null, answer: "", error, retryAfterSeconds: null };
}

const PRINTED_LENGTH_MAX = 512;

/**
 * A stranger's text, fit to be stored and shown on any terminal or page: control characters, those that turn the writing
 * direction and halves of pairs are written like \u001b, line breaks and tabs stay.
 */
export function printable(text: string): string {
  const printed = text
    .replaceAll(/[^\P{C}\n\t]/gu, (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`)
    .slice(0, PRINTED_LENGTH_MAX);
  return printed.isWellFormed() ? printed : printed.slice(0, -1);
}

/** Gives a delivery back unattempted: due at once, for whoever claims it. */
export function toHandedBack(delivery: ClaimedDelivery, now: Date): Outcome {
  return {
    ...keyOf(delivery),
    leasedUntil: delivery.leasedUntil,
    state: "pending",
    dueAt: now,
    attempt: null,
  };
}

/** Groups what must keep its order: first attempts of one subject at one endpoint. Retries wait for nobody. */
export function toChains(claimed: readonly ClaimedDelivery[]): ClaimedDelivery[][] {
  const groups = Map.groupBy(claimed, ({ attempts, endpointId, subject, position }) =>
    attempts === 0 ? `${endpointId} ${subject}` : `${endpointId} ${subject} ${position}`,
  );
  return [...groups.values()].map((chain) => chain.sort((a, b) => a.position - b.position));
}

function keyOf({ userId, subject, position, endpointId }: DeliveryKey): DeliveryKey {
  return { userId, subject, position, endpointId };
}
