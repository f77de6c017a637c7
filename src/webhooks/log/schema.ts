import { Type } from "@fastify/type-provider-typebox";
import type { Static } from "@fastify/type-provider-typebox";
import { instant, nullable, oneOf, pathId, text } from "../../http/members.ts";
import { operation } from "../../http/operation.ts";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../../lists/page.ts";
import { DELIVERY_STATES } from "./entry.ts";

const AttemptEntry = Type.Object(
  {
    at: instant("When it began."),
    durationMs: Type.Integer({ minimum: 0, description: "Until the answer, or until it was given up." }),
    status: nullable(Type.Integer({ description: "The status of your answer; null: there was none." })),
    answer: text(
      "The beginning of your answer's body, at most 512 characters; control characters are written as \\u001b.",
    ),
    error: nullable(text("Why there was no answer: timeout, network or refused_address, and more in words.")),
  },
  { title: "WebhookAttempt", description: "One attempt at a delivery." },
);

export const DeliveryEntry = Type.Object(
  {
    id: text("The delivery's id."),
    eventId: text("The event's id: `webhook-id` of every attempt."),
    endpointId: text("Where it goes."),
    event: text("The name of the event."),
    subjectId: text("The trackId or receiptID it tells of."),
    state: oneOf(DELIVERY_STATES, "pending: an attempt is to come. failed: all attempts of the schedule failed."),
    createdAt: instant("When it happened."),
    nextAttemptAt: nullable(instant("When the next attempt is due; null when there is none to come.")),
    attempts: Type.Array(AttemptEntry, { description: "The last 50, the earliest first." }),
  },
  { title: "WebhookDelivery", description: "One event on its way to one endpoint." },
);
export type DeliveryEntry = Static<typeof DeliveryEntry>;

export const ENTRY_EXAMPLE = {
  id: "019e8f2d-0b12-7a54-8c3f-1d2e3f405162.019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d70",
  eventId: "019e8f2d-0b12-7a54-8c3f-1d2e3f405162",
  endpointId: "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d70",
  event: "intake.completed",
  subjectId: "019e8f2d-0a01-7b22-9c4d-6e7f80910213",
  state: "pending",
  createdAt: "2026-01-31T12:00:00.000Z",
  nextAttemptAt: "2026-01-31T12:05:05.120Z",
  attempts: [
    { at: "2026-01-31T12:00:00.015Z", durationMs: 42, status: 500, answer: "out of order", error: null },
    {
      at: "2026-01-31T12:00:05.090Z",
      durationMs: 15000,
      status: null,
      answer: "",
      error: "timeout: no response in 15000 ms",
    },
  ],
};

/** GET /webhooks/deliveries */
export const listWebhookDeliveries = operation({
  id: "listWebhookDeliveries",
  method: "GET",
  path: "/webhooks/deliveries",
  tag: "Webhook endpoints",
  summary: "Read the delivery log",
  description:
    "What was and is to be sent to your endpoints, newest event first, with every attempt. Kept for 30 days, as the " +
    "events are. The next page is the one before the last delivery of this one: `before`, as in `next` and in the header Link.",
  query: Type.Object({
    endpointId: Type.Optional(text("Only what goes to this endpoint.")),
    state: Type.Optional(oneOf(DELIVERY_STATES, "Only what stands so.")),
    before: Type.Optional(text("Only what comes after this delivery in the list.")),
    pageSize: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: `How many; ${PAGE_SIZE_DEFAULT} without it or with 0, ${PAGE_SIZE_MAX} at most.`,
      }),
    ),
  }),
  responses: {
    200: {
      description: "A page of the log.",
      schema: Type.Object(
        {
          deliveries: Type.Array(DeliveryEntry, { description: "Newest event first." }),
          next: nullable(text("`before` of the next page; null on the last one.")),
        },
        { title: "WebhookDeliveryList", description: "A page of the delivery log." },
      ),
      headers: { link: 'Where the next page is: `<…>; rel="next"`; absent on the last.' },
      examples: [{ summary: "One delivery", value: { deliveries: [ENTRY_EXAMPLE], next: null } }],
    },
  },
});

const deliveryInPath = pathId("The delivery's id, as the log shows it.");

/** GET /webhooks/deliveries/{id} */
export const getWebhookDelivery = operation({
  id: "getWebhookDelivery",
  method: "GET",
  path: "/webhooks/deliveries/:id",
  tag: "Webhook endpoints",
  summary: "Read one delivery",
  description: "One event on its way to one endpoint, with every attempt.",
  params: deliveryInPath,
  responses: {
    200: {
      description: "The delivery.",
      schema: DeliveryEntry,
      examples: [{ summary: "Failed twice so far", value: ENTRY_EXAMPLE }],
    },
  },
});

/** POST /webhooks/deliveries/{id}/retry */
export const retryWebhookDelivery = operation({
  id: "retryWebhookDelivery",
  method: "POST",
  path: "/webhooks/deliveries/:id/retry",
  tag: "Webhook endpoints",
  summary: "Send one event again",
  description:
    "Has this event sent to its endpoint now, also when it was delivered before, with the id and body it had and with " +
    "all attempts of the schedule anew. No body.",
  params: deliveryInPath,
  responses: {
    200: {
      description: "The delivery, due now.",
      schema: DeliveryEntry,
      examples: [{ summary: "Due now", value: ENTRY_EXAMPLE }],
    },
  },
});
