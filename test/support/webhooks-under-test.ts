import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { TestContext } from "node:test";
import { createHttpSender } from "../../src/outgoing/http-sender.ts";
import { insertApplication } from "../../src/applications/store.ts";
import { uuidv7 } from "../../src/ids.ts";
import { isAllowedAddress, parseCidrs } from "../../src/webhooks/address.ts";
import type { Database } from "../../src/postgres/postgres.ts";
import type { DirectDelivery } from "../../src/webhooks/delivery/direct.task.ts";
import { createOutbox } from "../../src/webhooks/outbox.task.ts";
import { addEndpoint, findEndpoint } from "../../src/webhooks/endpoints/store.ts";
import { newEvent } from "../../src/webhooks/event.ts";
import type { EventType, IntakeEvent, NewEvent } from "../../src/webhooks/event.ts";
import type { LogQuery } from "../../src/webhooks/log/entry.ts";
import { createDelivery } from "../../src/webhooks/delivery/deliver.task.ts";
import type { DeliveryOptions } from "../../src/webhooks/delivery/deliver.task.ts";
import { newApplication } from "./applications.ts";
import { createTestDatabase, silent } from "./database.ts";
import { startWebhookReceiver } from "./webhook-receiver.ts";
import type { Received, WebhookReceiver } from "./webhook-receiver.ts";

export const KEY = randomBytes(32);
export const SCHEDULE = [0, 5, 300];
export const START = Date.parse("2026-05-01T12:00:00.000Z");
export const TYPES: EventType[] = ["intake.received", "intake.scored", "intake.completed"];

let ids = 0;

/** An id of the time START, above those before it. */
export function newId(): string {
  ids += 1;
  return uuidv7(START, Buffer.concat([Buffer.from([ids >> 8, ids & 0xff]), randomBytes(8)]));
}

const allowNets = (() => {
  const list = parseCidrs("127.0.0.0/8");
  return list.kind === "ok" ? list.nets : assert.fail();
})();

/** A service with an empty database and a stopped clock, and functions to set up and read deliveries. */
export async function openWorld(t: TestContext) {
  const testDatabase = await createTestDatabase();
  const { database } = testDatabase;
  const closers = [() => testDatabase.drop()];
  t.after(async () => {
    // The database is closed last, since the others may still write to it.
    for (const close of closers.reverse()) await close();
  });
  const sender = createHttpSender({
    isAllowedAddress: (address, target) => isAllowedAddress(address, target, allowNets),
    now: () => new Date(),
  });
  closers.push(() => sender.close());
  const clock = { ms: START };
  let hints = 0;
  const outbox = createOutbox({
    scheduleSeconds: SCHEDULE,
    hint: async () => {
      hints += 1;
    },
    newId: randomUUID,
  });
  return {
    database,
    clock,
    hints: () => hints,
    openDelivery: (changes: Partial<DeliveryOptions> = {}) => {
      const delivery = createDelivery({
        database,
        sender,
        now: () => new Date(clock.ms),
        random: () => 0.5,
        log: silent,
        scheduleSeconds: SCHEDULE,
        installationKey: KEY,
        ...changes,
      });
      closers.push(() => delivery.stop(0));
      return delivery;
    },
    receiver: async (respond?: (received: Received, response: ServerResponse) => void): Promise<WebhookReceiver> => {
      const receiver = await startWebhookReceiver(respond);
      closers.push(() => receiver.close());
      return receiver;
    },
    application: async (): Promise<string> => {
      const id = newId();
      await insertApplication(database, newApplication(id, { isSandbox: true }).application, new Date(clock.ms));
      return id;
    },
    endpoint: async (applicationId: string, url: string, eventTypes: EventType[] | null = null): Promise<string> => {
      const id = newId();
      const createdAt = new Date(clock.ms);
      const endpoint = { id, applicationId, url, description: "", eventTypes, createdAt, disabledAt: null };
      await database.tx((tx) => addEndpoint(tx, endpoint));
      return id;
    },
    endpointNow: async (id: string) => (await findEndpoint(database, id, null)) ?? assert.fail("the endpoint is gone"),
    append: (events: readonly NewEvent[]) => database.tx((tx) => outbox.append(tx, events)),
    appendWith: (delivery: DirectDelivery, events: readonly NewEvent[]) => appendWith(database, delivery, events),
    deliveries: () =>
      database.query<{ state: string; attempts: number; dueAt: Date; lastStatus: number | null; lastError: string }>({
        name: "test.deliveries",
        text: `SELECT state, attempts, due_at AS "dueAt", last_status AS "lastStatus", last_error AS "lastError"
               FROM deliveries ORDER BY subject, position`,
      }),
  };
}

/** Appends events as the process does that has this delivery. */
async function appendWith(database: Database, delivery: DirectDelivery, events: readonly NewEvent[]): Promise<void> {
  const outbox = createOutbox({ scheduleSeconds: SCHEDULE, hint: async () => {}, newId: randomUUID, delivery });
  await database.tx((tx) => outbox.append(tx, events));
}

/** The events of one submission, in order; the types given, by default all of a meal that is credited. */
export function story(applicationId: string, types: readonly EventType[] = TYPES, subject = newId()): NewEvent[] {
  const userId = newId();
  return types.map((type) => {
    const event = { event: type, trackId: subject, transactionId: "order-1", userId, source: "meal" } as IntakeEvent;
    return newEvent(newId(), { applicationId, userId, subject }, event, new Date(START));
  });
}

/** A page of the log with everything. */
export const ALL: LogQuery = {
  endpointId: null,
  state: null,
  event: null,
  userId: null,
  subjectId: null,
  transactionId: null,
  since: null,
  until: null,
  before: null,
  pageSize: 100,
};

/** The event names of the received deliveries, in the order of arrival. */
export function types(receiver: WebhookReceiver): string[] {
  return receiver.received.map(({ body }) => (JSON.parse(body) as { event: string }).event);
}
