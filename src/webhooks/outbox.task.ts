import type { Tx } from "../postgres/postgres.ts";
import { newEvent } from "./event.ts";
import type { EventOwner, NewEvent, WebhookEvent } from "./event.ts";
import { appendEvents } from "./store.ts";

/** Stores events and their deliveries, in the tx of the change that they report. */
export interface Outbox {
  append(tx: Tx, events: readonly NewEvent[]): Promise<void>;
  /** Stores one event that happened at `at`, under an id of its own. */
  publish(tx: Tx, owner: EventOwner, event: WebhookEvent, at: Date): Promise<void>;
  /** Seconds before a first attempt, for a store that writes events by `outboxInserts` itself. */
  readonly firstWaitSeconds: number;
}

/**
 * Creates the outbox. `hint` runs in the same tx, once for all events of a call, and notifies a sending process after
 * the commit. It only saves waiting: due deliveries are also found by polling.
 */
export function createOutbox(options: {
  scheduleSeconds: readonly number[];
  hint: (tx: Tx) => Promise<void>;
  newId: () => string;
}): Outbox {
  const { scheduleSeconds, hint, newId } = options;
  const firstWaitSeconds = scheduleSeconds[0] ?? 0;
  const append: Outbox["append"] = async (tx, events) => {
    const deliveries = await appendEvents(tx, events, firstWaitSeconds);
    if (deliveries > 0) await hint(tx);
  };
  return {
    firstWaitSeconds,
    append,
    publish: (tx, owner, event, at) => append(tx, [newEvent(newId(), owner, event, at)]),
  };
}
