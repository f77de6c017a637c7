import { idAtPosition } from "../ids.ts";
import { packEvent } from "./packed-event.ts";
import type { RewardsAwarded, TestEvent } from "./event-schema.ts";
import type { IntakeCompleted, IntakeFailed, IntakeReceived, IntakeScored } from "./intake-event-schema.ts";
import type {
  BonusAwarded,
  PointsAdjusted,
  PointsExpired,
  PointsExpiring,
  PointsRedeemed,
  PointsRefunded,
  PointsReversed,
  RedemptionConfirmed,
  TierChanged,
  VoucherUsed,
} from "./points-event-schema.ts";
import type {
  ReceiptCompleted,
  ReceiptCorrected,
  ReceiptDisputed,
  ReceiptExtracted,
  ReceiptFailed,
  ReceiptHeld,
  ReceiptUploaded,
  ReceiptValidated,
} from "./receipt-event-schema.ts";
import type { SessionCompleted, SessionDeclined, SessionExpired } from "./session-event-schema.ts";

export type * from "./event-schema.ts";
export type * from "./intake-event-schema.ts";
export type * from "./points-event-schema.ts";
export type * from "./receipt-event-schema.ts";
export type * from "./session-event-schema.ts";
export { INTAKE_ERROR_TYPES } from "./intake-event-schema.ts";
export { DISPUTE_KINDS, RECEIPT_ERROR_CODES } from "./receipt-event-schema.ts";

/**
 * The events of the specification and of decisions "Events", member for member. Every member is always present; times
 * are RFC 3339 in UTC with milliseconds; money is in major units, CO2e in kg.
 */
export type WebhookEvent = IntakeEvent | ReceiptEvent | PointsEvent | SessionEvent | RewardsAwarded;

export type IntakeEvent = IntakeReceived | IntakeScored | IntakeCompleted | IntakeFailed;

export type ReceiptEvent =
  | ReceiptUploaded
  | ReceiptExtracted
  | ReceiptValidated
  | ReceiptCompleted
  | ReceiptFailed
  | ReceiptCorrected
  | ReceiptHeld
  | ReceiptDisputed;

/** Events of points that no submission earned, and of what follows from points. */
export type PointsEvent =
  | BonusAwarded
  | PointsAdjusted
  | PointsReversed
  | PointsRedeemed
  | RedemptionConfirmed
  | VoucherUsed
  | PointsRefunded
  | PointsExpiring
  | PointsExpired
  | TierChanged;

export type SessionEvent = SessionCompleted | SessionDeclined | SessionExpired;

export type EventType =
  | (ReceiptEvent | IntakeEvent | PointsEvent | SessionEvent)["event"]
  | RewardsAwarded["eventType"];

/**
 * The position of each event among those of its subject. A submission only moves forward and passes each position at
 * most once, so the position follows from the type: neither a clock nor a counter decides the order of delivery.
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
  // After it the receipt only goes on by a decision, which begins another run.
  receipt_held: 6,
  // Its subject is the correction.
  receipt_corrected: 1,
  // Its subject is the dispute.
  receipt_disputed: 1,
  "bonus.awarded": 1,
  "points.adjusted": 1,
  "points.reversed": 1,
  // Of one redemption, each at most once.
  "points.redeemed": 1,
  "redemption.confirmed": 2,
  "voucher.used": 3,
  "points.refunded": 4,
  "points.expiring": 1,
  "points.expired": 1,
  "tier.changed": 1,
  // A session ends once: its one event has the only position.
  "session.completed": 1,
  "session.declined": 1,
  "session.expired": 1,
};

/** Events of a receipt that is set going again come after all earlier ones: each run has this many positions. */
const POSITIONS_OF_RUN = 10;

/** The header of a delivery that has the position of its event. */
export const SEQUENCE_HEADER = "webhook-sequence";

/** All types that an endpoint's filter may name. */
export const EVENT_TYPES = Object.keys(POSITIONS) as readonly EventType[];

/** Not a type that endpoints subscribe to: it is sent on request only. */
export const TEST_EVENT = "webhook.test";

/**
 * An event to be stored. `body` has the exact bytes of every attempt, so that one id never has two bodies; it is stored
 * as `packed`, unless that is null. `subject` is its trackId, receiptID or session id, or the id of an adjustment,
 * bonus, reversal, redemption, expiry, correction, dispute or change of tier (UUID); `position` is its place among the
 * events of that subject.
 */
export interface NewEvent {
  readonly id: string;
  readonly applicationId: string;
  readonly userId: string;
  readonly subject: string;
  readonly position: number;
  readonly type: EventType | typeof TEST_EVENT;
  readonly body: string;
  readonly packed: Buffer | null;
  readonly createdAt: Date;
  /** Its place in a trace (W3C): deliveries continue it. Absent: it is not traced. */
  readonly traceparent?: string | undefined;
}

/** The application, user and subject of an event. */
export interface EventOwner {
  readonly applicationId: string;
  readonly userId: string;
  /** The trackId, receiptID or session id. It is not taken from the event, since rewards.awarded has neither. */
  readonly subject: string;
  /** How often the subject was set going again; absent: never. */
  readonly run?: number;
  /** The trace of what writes the event; absent: none. */
  readonly traceparent?: string | undefined;
}

/**
 * Prepares `event` for the outbox. Its `webhook-id` is made of `id`, a UUIDv7: the events that one tx writes for a
 * subject have one millisecond, and their ids sort by position in it.
 */
export function newEvent(id: string, owner: EventOwner, event: WebhookEvent, createdAt: Date): NewEvent {
  const type = "event" in event ? event.event : event.eventType;
  const { applicationId, userId, subject, run = 0, traceparent } = owner;
  const position = run * POSITIONS_OF_RUN + POSITIONS[type];
  const body = JSON.stringify(event);
  const packed = packEvent(event, { userId, subject, createdAt });
  const stored = { id: idAtPosition(id, position), applicationId, userId, subject, position };
  return { ...stored, type, body, packed, createdAt, ...(traceparent !== undefined && { traceparent }) };
}

/** Creates a test event for one endpoint. It has no user: the endpoint's id takes that place. Its subject is itself. */
export function newTestEvent(
  id: string,
  { applicationId, endpointId }: { readonly applicationId: string; readonly endpointId: string },
  createdAt: Date,
): NewEvent {
  const event: TestEvent = { event: TEST_EVENT, endpointId, createdAt: createdAt.toISOString() };
  const owner = { applicationId, userId: endpointId, subject: id };
  return { id, ...owner, position: 1, type: TEST_EVENT, body: JSON.stringify(event), packed: null, createdAt };
}
