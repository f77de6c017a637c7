import type { ExcludedItem, Item } from "../points/transaction.ts";

/**
 * What integrators are told, member for member: the events of the specification and decisions "Events".
 * Every member is always present; times are RFC 3339 in UTC with milliseconds; money is in major units, CO2e in kg.
 */
export type WebhookEvent = IntakeEvent | ReceiptEvent | RewardsAwarded;

export type IntakeEvent = IntakeReceived | IntakeScored | IntakeCompleted | IntakeFailed;

export type ReceiptEvent = ReceiptUploaded | ReceiptExtracted | ReceiptValidated | ReceiptCompleted | ReceiptFailed;

export type IntakeSource = "meal" | "food";

export type IntakeErrorType =
  | "NO_VALID_FOOD_ITEMS"
  | "OLD_MEAL_LOG"
  | "DUPLICATE_MEAL"
  | "DATA_INCOMPLETE"
  | "INTERNAL_ERROR";

export type ReceiptErrorCode =
  | "MERCHANT_NAME_NOT_FOUND"
  | "NO_VALID_FOOD_ITEMS"
  | "NOT_AUTHENTIC"
  | "ALREADY_EXISTS"
  | "INTERNAL_ERROR";

/** Names the submission an intake event speaks of: `transactionId` is the integrator's reference, `trackId` our id. */
interface IntakeSubject {
  readonly source: IntakeSource;
  readonly transactionId: string;
  readonly trackId: string;
  readonly userId: string;
}

export interface IntakeReceived extends IntakeSubject {
  readonly event: "intake.received";
  readonly loggedAt: string;
  readonly country: string;
  readonly createdAt: string;
}

/** One rated ingredient: `name` as sent, `weight` and `unit` as sent or the portion assumed, `co2e` in kg. */
export interface ScoredIngredient {
  readonly foodId: string;
  readonly name: string;
  readonly imageUrl: string;
  readonly weight: number;
  readonly unit: string;
  readonly quantity: number;
  readonly amount: number;
  readonly currency: string;
  readonly carbonImpactRating: number;
  readonly healthImpactRating: number;
  readonly co2e: number;
}

export interface CreditedIngredient extends ScoredIngredient {
  readonly totalPoints: number;
  readonly totalCarbonPoints: number;
  readonly totalHealthPoints: number;
}

/** Both ratings are the meal's own, or the food's; a food is the one entry of `ingredients` and has `mealType` "". */
export interface IntakeScored extends IntakeSubject {
  readonly event: "intake.scored";
  readonly name: string;
  readonly imageUrl: string;
  readonly mealType: string;
  readonly ingredients: readonly ScoredIngredient[];
  readonly loggedAt: string;
  readonly country: string;
  readonly totalAmount: number;
  readonly currency: string;
  readonly totalCo2e: number;
  readonly carbonImpactRating: number;
  readonly healthImpactRating: number;
  readonly createdAt: string;
}

export interface IntakeCompleted extends IntakeSubject {
  readonly event: "intake.completed";
  readonly totalAmount: number;
  readonly currency: string;
  readonly ingredients: readonly CreditedIngredient[];
  readonly totalPoints: number;
  readonly totalGreenProducts: number;
  readonly totalHealthyProducts: number;
  readonly totalCo2e: number;
  readonly totalHealthPoints: number;
  readonly totalCarbonPoints: number;
  readonly createdAt: string;
}

/** `errorMessage` of DATA_INCOMPLETE names the path of the missing field. */
export interface IntakeFailed extends IntakeSubject {
  readonly event: "intake.failed";
  readonly errorType: IntakeErrorType;
  readonly errorMessage: string;
  readonly failedAt: string;
}

/** `receiptId` and `receiptID` are equal: both spellings are in use. */
interface ReceiptSubject {
  readonly receiptId: string;
  readonly receiptID: string;
  readonly transactionId: string;
  readonly userId: string;
  readonly createdAt: string;
}

export interface ReceiptUploaded extends ReceiptSubject {
  readonly event: "receipt_uploaded";
  readonly merchantName: string;
  readonly amount: number;
  readonly transactionTimestamp: string;
}

/** One line as printed; `accuracy` from 0 to 1. Null is what could not be read. */
export interface ExtractedItem {
  readonly description: string;
  readonly quantity: number | null;
  readonly totalPrice: number | null;
  readonly accuracy: number;
  readonly cleanedName: string;
  readonly category: string | null;
}

/** What the receipt's image says; `transactionDate` YYYY-MM-DD, `transactionTime` HH:MM:SS. Null is what could not be read. */
export interface ExtractedData {
  readonly userID: string;
  readonly receiptID: string;
  readonly merchantName: string | null;
  readonly merchantAddress: string | null;
  readonly country: string | null;
  readonly currency: string | null;
  readonly receiptType: string | null;
  readonly items: readonly ExtractedItem[];
  readonly subTotal: number | null;
  readonly total: number | null;
  readonly accuracy: number;
  readonly transactionDate: string | null;
  readonly transactionTime: string | null;
  readonly receiptSource: string;
}

export interface ReceiptExtracted extends ReceiptSubject {
  readonly event: "receipt_extracted";
  readonly extractedData: ExtractedData;
}

/** One check of authenticity: `score` from 0 to 1, `reason` in plain words. */
export interface ReceiptCheck {
  readonly name: string;
  readonly outcome: string;
  readonly score: number;
  readonly reason: string;
}

export interface ReceiptValidated extends ReceiptSubject {
  readonly event: "receipt_validated";
  readonly businessName: string;
  readonly checks: readonly ReceiptCheck[];
}

/** `items` and `excludedItems` are those of the record that endpoint 10 shows. */
export interface ReceiptCompleted extends ReceiptSubject {
  readonly event: "receipt_completed";
  readonly totalAmount: number;
  readonly currency: string;
  readonly items: readonly Item[];
  readonly excludedItems: readonly ExcludedItem[];
  readonly totalPoints: number;
  readonly totalCarbonPoints: number;
  readonly totalHealthPoints: number;
  readonly totalGreenProducts: number;
  readonly totalHealthyProducts: number;
  readonly totalCo2e: number;
}

/** `stage` is the last finished one: what was found until then stays in the status document. */
export interface ReceiptFailed extends ReceiptSubject {
  readonly event: "receipt_failed";
  readonly errorCode: ReceiptErrorCode;
  readonly errorMessage: string;
  readonly stage: "Uploaded" | "Extracted" | "Enriched" | "Validated" | "Scored";
  readonly failedAt: string;
}

/** Sent once for each credited record with points above 0, after its intake.completed or receipt_completed. */
export interface RewardsAwarded {
  readonly eventType: "rewards.awarded";
  readonly data: {
    readonly user: { readonly id: string; readonly availablePoints: number; readonly lifetimePoints: number };
    readonly transaction: {
      readonly transactionID: string;
      readonly totalPoints: number;
      readonly items: readonly {
        readonly name: string;
        readonly carbonImpactRating: number;
        readonly healthImpactRating: number;
        readonly totalServicePoints: number;
      }[];
    };
  };
}

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
  readonly type: EventType;
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
