import type { Tx } from "../postgres/postgres.ts";
import type { DirectDelivery } from "./delivery/direct.task.ts";
import { newEvent } from "./event.ts";
import type { EventOwner, NewEvent, WebhookEvent } from "./event.ts";
import { appendEvents } from "./outbox.store.ts";

/** Stores events and their deliveries, in the tx of the change that they report. */
export interface Outbox {
  append(tx: Tx, events: readonly NewEvent[]): Promise<void>;
  /** Stores one event that happened at `at`, under an id of its own. */
  publish(tx: Tx, owner: EventOwner, event: WebhookEvent, at: Date): Promise<void>;
  /** Stores events that happened at `at`, each under an id of its own, which is its subject, too. */
  publishAll(tx: Tx, events: readonly OwnedEvent[], at: Date): Promise<void>;
  /** To be awaited before many events are stored: waits a little while this process has many unsent. */
  catchUp(): Promise<void>;
}

/** An event that is its own subject. */
export interface OwnedEvent {
  readonly owner: Omit<EventOwner, "subject">;
  readonly event: WebhookEvent;
}

export interface OutboxOptions {
  readonly scheduleSeconds: readonly number[];
  /** Notifies a sending process after the commit. It only saves waiting: due deliveries are also found by polling. */
  readonly hint: (tx: Tx) => Promise<void>;
  readonly newId: () => string;
  /** The delivery of this process. Absent: this process sends nothing. */
  readonly delivery?: DirectDelivery;
}

/** Creates the outbox. */
export function createOutbox({ scheduleSeconds, hint, newId, delivery }: OutboxOptions): Outbox {
  const firstWaitSeconds = scheduleSeconds[0] ?? 0;

  const outbox: Outbox = {
    async append(tx, events) {
      const parameters = { firstWaitSeconds, lease: firstWaitSeconds === 0 ? (delivery?.lease() ?? null) : null };
      const { queued, leased } = await appendEvents(tx, events, parameters);
      if (delivery && leased.length > 0) tx.afterCommit(() => delivery.send(events, leased), delivery.abandon);
      if (queued === 0) return;
      if (parameters.lease) tx.afterCommit(() => delivery?.wake());
      else await hint(tx);
    },
    publish: (tx, owner, event, at) => outbox.append(tx, [newEvent(newId(), owner, event, at)]),
    publishAll: (tx, events, at) =>
      outbox.append(
        tx,
        events.map(({ owner, event }) => {
          const id = newId();
          return newEvent(id, { ...owner, subject: id }, event, at);
        }),
      ),
    catchUp: async () => delivery?.catchUp(),
  };
  return outbox;
}
