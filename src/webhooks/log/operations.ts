import { Type } from "typebox";
import { instant, oneOf, pathId, text } from "../../http/schema-members.ts";
import { operation } from "../../http/operation.ts";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../../lists/page.ts";
import { DELIVERY_STATES } from "./entry.ts";
import { EVENT_TYPES, TEST_EVENT } from "../event.ts";
import examples from "../../openapi-examples/events.json" with { type: "json" };
import { DeliveryDetails, DeliveryEntry, DeliveryList, ENTRY_EXAMPLE } from "./schema.ts";

/** GET /webhooks/deliveries */
export const listWebhookDeliveries = operation({
  id: "listWebhookDeliveries",
  method: "GET",
  path: "/webhooks/deliveries",
  tag: "Webhook endpoints",
  scope: "webhooks.read",
  summary: "Read the delivery log",
  description:
    "The deliveries to your endpoints, finished and pending, newest event first, with every attempt. A delivery is in it " +
    "once its first attempt has ended, or if that attempt has to wait. Events and deliveries are kept for 30 days. " +
    "For the next page, send the value of `next` as `before`; the header Link has the whole address. A request " +
    "reads at most 2,000 events and returns about 1 MB: with a filter a page may be short, or even empty, and have a " +
    "`next`. An unknown parameter is a 400.",
  query: Type.Object({
    endpointId: Type.Optional(text("Only deliveries to this endpoint.")),
    state: Type.Optional(oneOf(DELIVERY_STATES, "Only deliveries in this state.")),
    event: Type.Optional(oneOf([...EVENT_TYPES, TEST_EVENT], "Only deliveries of this event.")),
    userId: Type.Optional(text("Only deliveries of events about this user.")),
    subjectId: Type.Optional(text("Only deliveries of events of this subject, as the entries show it.")),
    transactionId: Type.Optional(
      text(
        "Only deliveries of events with this reference, your own, as `transactionId` or `externalTransactionID`, or of the " +
          "submission that has it.",
      ),
    ),
    since: Type.Optional(instant("Only events from then on.")),
    until: Type.Optional(instant("Only events before then.")),
    before: Type.Optional(text("Only deliveries after this one in the list.")),
    pageSize: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: `Deliveries of a page; ${PAGE_SIZE_DEFAULT} without it or with 0, ${PAGE_SIZE_MAX} at most.`,
      }),
    ),
  }),
  responses: {
    200: {
      description: "A page of the log.",
      schema: DeliveryList,
      headers: { link: 'Address of the next page: `<…>; rel="next"`; absent on the last.' },
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
  scope: "webhooks.read",
  summary: "Read one delivery",
  description: "The delivery of one event to one endpoint, with every attempt and the event itself.",
  params: deliveryInPath,
  responses: {
    200: {
      description: "The delivery.",
      schema: DeliveryDetails,
      examples: [
        { summary: "Failed twice so far", value: { ...ENTRY_EXAMPLE, payload: examples["intake.completed"] } },
      ],
    },
  },
});

/** POST /webhooks/deliveries/{id}/retry */
export const retryWebhookDelivery = operation({
  id: "retryWebhookDelivery",
  method: "POST",
  path: "/webhooks/deliveries/:id/retry",
  tag: "Webhook endpoints",
  scope: "webhooks.write",
  summary: "Send one event again",
  description:
    "Sends this event to its endpoint again, even if it was delivered before, with the same id and body. The schedule " +
    "of attempts starts again, now. No body.",
  params: deliveryInPath,
  responses: {
    200: {
      description: "The delivery, due now.",
      schema: DeliveryEntry,
      examples: [{ summary: "Due now", value: ENTRY_EXAMPLE }],
    },
  },
});
