import { Type } from "typebox";
import type { Static } from "typebox";
import { instant, nullable, oneOf, text } from "../../http/schema-members.ts";
import { DELIVERY_STATES } from "./entry.ts";

const AttemptEntry = Type.Object(
  {
    at: instant("When the attempt began."),
    durationMs: Type.Integer({
      minimum: 0,
      description: "Time until your response, or until the attempt was given up.",
    }),
    status: nullable(Type.Integer({ description: "The status of your response; null when there was none." })),
    answer: text(
      "The beginning of your response's body, at most 512 characters; control characters are written as \\u001b.",
    ),
    error: nullable(text("Why there was no response: timeout, network or refused_address, then details in words.")),
  },
  { title: "WebhookAttempt", description: "One attempt at a delivery." },
);

export const DeliveryEntry = Type.Object(
  {
    id: text("The delivery's id."),
    eventId: text("The event's id: `webhook-id` of every attempt."),
    endpointId: text("The endpoint's id."),
    event: text("The name of the event."),
    subjectId: text("What the event is about: a trackId, receiptID or session id; of points, an id of its own."),
    sequence: Type.Integer({
      minimum: 1,
      description: "Position of the event among those of its subject: `webhook-sequence` of every attempt.",
    }),
    state: oneOf(DELIVERY_STATES, "pending: another attempt will follow. failed: all attempts of the schedule failed."),
    createdAt: instant("When the event happened."),
    nextAttemptAt: nullable(instant("When the next attempt is due; null when none will follow.")),
    attempts: Type.Array(AttemptEntry, { description: "The last 50 attempts, earliest first." }),
  },
  { title: "WebhookDelivery", description: "The delivery of one event to one endpoint." },
);
export type DeliveryEntry = Static<typeof DeliveryEntry>;

export const DeliveryDetails = Type.Object(
  {
    ...DeliveryEntry.properties,
    payload: Type.Object({}, { additionalProperties: true, description: "The event, as every attempt sends it." }),
  },
  { title: "WebhookDeliveryDetails", description: "The delivery of one event to one endpoint, with the event." },
);

export const DeliveryList = Type.Object(
  {
    deliveries: Type.Array(DeliveryEntry, { description: "Newest event first." }),
    next: nullable(text("`before` of the next page; null on the last one. A page may be short and have a next one.")),
  },
  { title: "WebhookDeliveryList", description: "A page of the delivery log." },
);

export const ENTRY_EXAMPLE = {
  id: "019e8f2d-0b12-7a54-8c3f-1d2e3f405162.019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d70",
  eventId: "019e8f2d-0b12-7a54-8c3f-1d2e3f405162",
  endpointId: "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d70",
  event: "intake.completed",
  subjectId: "019e8f2d-0a01-7b22-9c4d-6e7f80910213",
  sequence: 3,
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
