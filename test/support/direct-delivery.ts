// What tests of direct delivery share: a process that stores events and sends them right after the commit.
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { int4, statement } from "../../src/postgres/statement.ts";
import type { Delivery, DeliveryOptions } from "../../src/webhooks/delivery/deliver.task.ts";
import type { EventType } from "../../src/webhooks/event.ts";
import type { Received, WebhookReceiver } from "./webhook-receiver.ts";
import { openWorld } from "./webhooks-under-test.ts";

export const FOUR: readonly EventType[] = ["intake.received", "intake.scored", "intake.completed", "rewards.awarded"];
export const LEASES = statement("test.leases", { one: int4 }, `SELECT 1 AS one FROM delivery_leases`);
export const ENABLE = statement("test.enable", {}, `UPDATE endpoints SET disabled_at = NULL, disabled_reason = NULL`);

/** Opens a world with an application, its endpoint at a receiver, and a started delivery. */
export async function openDirect(
  t: TestContext,
  options: {
    respond?: (received: Received, response: ServerResponse) => void;
    delivery?: Partial<DeliveryOptions>;
  } = {},
) {
  const world = await openWorld(t);
  const receiver = await world.receiver(options.respond);
  const application = await world.application();
  const endpointId = await world.endpoint(application, receiver.url);
  const delivery = await started(world.openDelivery(options.delivery));
  return { world, receiver, application, endpointId, delivery };
}

/** Starts a delivery, and waits until it may store events under its lease. */
export async function started(delivery: Delivery): Promise<Delivery> {
  delivery.start();
  await until(() => delivery.lease() !== null);
  return delivery;
}

export async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 60_000; !(await isDone()); await sleep(5)) {
    assert.ok(Date.now() < deadline, "not within a minute");
  }
}

/** The events of each subject as they arrived. */
export function bySubject(receiver: WebhookReceiver): string[][] {
  const bodies = receiver.received.map(({ body }) => JSON.parse(body) as { event: string; trackId: string });
  return [...Map.groupBy(bodies, ({ trackId }) => trackId).values()].map((each) => each.map(({ event }) => event));
}
