import type { RewardsAwarded, TestEvent } from "./event-schema.ts";
import type { IntakeCompleted, IntakeFailed, IntakeReceived, IntakeScored } from "./intake-event-schema.ts";
import type {
  ReceiptCompleted,
  ReceiptExtracted,
  ReceiptFailed,
  ReceiptUploaded,
  ReceiptValidated,
} from "./receipt-event-schema.ts";

export type * from "./event-schema.ts";
export type * from "./intake-event-schema.ts";
export type * from "./receipt-event-schema.ts";
export { INTAKE_ERROR_TYPES } from "./intake-event-schema.ts";
export { RECEIPT_ERROR_CODES } from "./receipt-event-schema.ts";

/**
 * What integrators are told, member for member: the events of the specification and decisions "Events".
 * Every member is always present; times are RFC 3339 in UTC with milliseconds; money is in major units, CO2e in kg.
 */
export type WebhookEvent = IntakeEvent | ReceiptEvent | RewardsAwarded;

export type IntakeEvent = IntakeReceived | IntakeScored | IntakeCompleted | IntakeFailed;

export type ReceiptEvent = ReceiptUploaded | ReceiptExtracted | ReceiptValidated | ReceiptCompleted | ReceiptFailed;

export type EventType = (ReceiptEvent | IntakeEvent)["event"] | RewardsAwarded["eventType"];

/**
 * Where each event stands among those of its subject. A submission only moves forward and passes each place
 * at most once, so the place is known from the type: no clock and no counter decides the order of delivery.
 */
const POSITIONS: Readonly<Record<EventType, number>> = {
  "intake.received": 1,
  "intake.scored": 2,
  "intake.completed": 3,
  "intake.failed": 3,
  receipt_uploaded: 1,
  receipt_extracted: 2,
  receipt_validated: 3,
  receipt_completed: 4,
  receipt_failed: 4,
  "rewards.awarded": 5,
};

/** All types, as an endpoint's filter may name them. */
export const EVENT_TYPES = Object.keys(POSITIONS) as readonly EventType[];

/** Not one that an endpoint chooses: it is sent because someone asked for it. */
export const TEST_EVENT = "webhook.test";

/**
 * An event as it is stored: `body` holds the very bytes of every attempt, so that one id never has two bodies.
 * `subject` is the trackId or receiptID it speaks of (UUID), `position` its place among the events of that subject.
 */
export interface NewEvent {
  readonly id: string;
  readonly applicationId: string;
  readonly userId: string;
  readonly subject: string;
  readonly position: number;
  readonly type: EventType | typeof TEST_EVENT;
  readonly body: string;
  readonly createdAt: Date;
}

/** Which user of which application an event belongs to, and what it speaks of. */
export interface EventOwner {
  readonly applicationId: string;
  readonly userId: string;
  /** The trackId or receiptID: rewards.awarded names neither, so it is said here for all. */
  readonly subject: string;
}

/** Makes `event` ready for the outbox under an id (UUIDv7) that will be its `webhook-id`. */
export function newEvent(id: string, owner: EventOwner, event: WebhookEvent, createdAt: Date): NewEvent {
  const type = "event" in event ? event.event : event.eventType;
  const { applicationId, userId, subject } = owner;
  const body = JSON.stringify(event);
  return { id, applicationId, userId, subject, position: POSITIONS[type], type, body, createdAt };
}

/** A test event for one endpoint. No user is its subject: it stands alone, under the endpoint's id and its own. */
export function newTestEvent(
  id: string,
  { applicationId, endpointId }: { readonly applicationId: string; readonly endpointId: string },
  createdAt: Date,
): NewEvent {
  const event: TestEvent = { event: TEST_EVENT, endpointId, createdAt: createdAt.toISOString() };
  const owner = { applicationId, userId: endpointId, subject: id };
  return { id, ...owner, position: 1, type: TEST_EVENT, body: JSON.stringify(event), createdAt };
}
