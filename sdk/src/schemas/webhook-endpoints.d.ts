// Written by generate.ts from the service's OpenAPI document: change that, not this.

/** An address that is to receive events. */
export interface NewWebhookEndpoint {
  /** Where events are posted to: an https address on a public network, without user name and password, on port 443 or one above 1023. An operator may open private networks, there also for http. */
  readonly url: string;
  /** Which events it wants. null, as where registration names none: all of them, also those that later versions of the service may add. */
  readonly events?: readonly ("intake.received" | "intake.scored" | "intake.completed" | "intake.failed" | "receipt_uploaded" | "receipt_extracted" | "receipt_validated" | "receipt_completed" | "receipt_failed" | "rewards.awarded")[] | null | undefined;
  /** A note of your own. */
  readonly description?: string | undefined;
  /** While disabled nothing is sent here; what happens meanwhile is kept, and goes out when it is enabled. */
  readonly disabled?: boolean | undefined;
}

/** The endpoint is gone. */
export interface RemovedWebhookEndpoint {
  /** The endpoint's id. */
  readonly id: string;
}

/** One attempt at a delivery. */
export interface WebhookAttempt {
  /** When it began. RFC 3339, UTC, milliseconds. */
  readonly at: string;
  /** Until the answer, or until it was given up. */
  readonly durationMs: number;
  /** The status of your answer; null: there was none. */
  readonly status: number | null;
  /** The beginning of your answer's body, at most 512 characters; control characters are written as \u001b. */
  readonly answer: string;
  /** Why there was no answer: timeout, network or refused_address, and more in words. */
  readonly error: string | null;
}

/** One event on its way to one endpoint. */
export interface WebhookDelivery {
  /** The delivery's id. */
  readonly id: string;
  /** The event's id: `webhook-id` of every attempt. */
  readonly eventId: string;
  /** Where it goes. */
  readonly endpointId: string;
  /** The name of the event. */
  readonly event: string;
  /** The trackId or receiptID it tells of. */
  readonly subjectId: string;
  /** pending: an attempt is to come. failed: all attempts of the schedule failed. */
  readonly state: "pending" | "delivered" | "failed";
  /** When it happened. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** When the next attempt is due; null when there is none to come. RFC 3339, UTC, milliseconds. */
  readonly nextAttemptAt: string | null;
  /** The last 50, the earliest first. */
  readonly attempts: readonly (WebhookAttempt)[];
}

/** A page of the delivery log. */
export interface WebhookDeliveryList {
  /** Newest event first. */
  readonly deliveries: readonly (WebhookDelivery)[];
  /** `before` of the next page; null on the last one. */
  readonly next: string | null;
}

/** An address that receives events. */
export interface WebhookEndpoint {
  /** The endpoint's id. */
  readonly id: string;
  /** Where events are posted to, in its normal form. */
  readonly url: string;
  /** Your note; empty when there is none. */
  readonly description: string;
  /** Which events it wants. null, as where registration names none: all of them, also those that later versions of the service may add. */
  readonly events: readonly ("intake.received" | "intake.scored" | "intake.completed" | "intake.failed" | "receipt_uploaded" | "receipt_extracted" | "receipt_validated" | "receipt_completed" | "receipt_failed" | "rewards.awarded")[] | null;
  /** Whether nothing is sent here for now. */
  readonly disabled: boolean;
  /** Since when it is disabled. RFC 3339, UTC, milliseconds. */
  readonly disabledAt: string | null;
  /** Why it is disabled. gone: it answered 410. failing: for five days no delivery succeeded. requested: you or the operator wished it. */
  readonly disabledReason: "gone" | "failing" | "requested" | null;
  /** The first failed attempt since the last that succeeded. A notice: five days later it is disabled. RFC 3339, UTC, milliseconds. */
  readonly failingSince: string | null;
  /** After a rotation: until then deliveries carry both signatures. RFC 3339, UTC, milliseconds. */
  readonly previousSecretValidUntil: string | null;
  /** When it was registered. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
}

/** What is to change of an endpoint; what is left out stays. */
export interface WebhookEndpointChange {
  /** Where events are posted to: an https address on a public network, without user name and password, on port 443 or one above 1023. An operator may open private networks, there also for http. */
  readonly url?: string | undefined;
  /** Which events it wants. null, as where registration names none: all of them, also those that later versions of the service may add. */
  readonly events?: readonly ("intake.received" | "intake.scored" | "intake.completed" | "intake.failed" | "receipt_uploaded" | "receipt_extracted" | "receipt_validated" | "receipt_completed" | "receipt_failed" | "rewards.awarded")[] | null | undefined;
  /** A note of your own. */
  readonly description?: string | undefined;
  /** While disabled nothing is sent here; what happens meanwhile is kept, and goes out when it is enabled. */
  readonly disabled?: boolean | undefined;
}

/** All endpoints of your application. */
export interface WebhookEndpointList {
  /** In the order they were made. */
  readonly endpoints: readonly (WebhookEndpoint)[];
  /** How many there are. */
  readonly count: number;
}

/** An endpoint with its signing secret, which is shown this once. */
export interface WebhookEndpointWithSecret {
  /** The endpoint's id. */
  readonly id: string;
  /** Where events are posted to, in its normal form. */
  readonly url: string;
  /** Your note; empty when there is none. */
  readonly description: string;
  /** Which events it wants. null, as where registration names none: all of them, also those that later versions of the service may add. */
  readonly events: readonly ("intake.received" | "intake.scored" | "intake.completed" | "intake.failed" | "receipt_uploaded" | "receipt_extracted" | "receipt_validated" | "receipt_completed" | "receipt_failed" | "rewards.awarded")[] | null;
  /** Whether nothing is sent here for now. */
  readonly disabled: boolean;
  /** Since when it is disabled. RFC 3339, UTC, milliseconds. */
  readonly disabledAt: string | null;
  /** Why it is disabled. gone: it answered 410. failing: for five days no delivery succeeded. requested: you or the operator wished it. */
  readonly disabledReason: "gone" | "failing" | "requested" | null;
  /** The first failed attempt since the last that succeeded. A notice: five days later it is disabled. RFC 3339, UTC, milliseconds. */
  readonly failingSince: string | null;
  /** After a rotation: until then deliveries carry both signatures. RFC 3339, UTC, milliseconds. */
  readonly previousSecretValidUntil: string | null;
  /** When it was registered. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** The signing secret, `whsec_` and 32 bytes in base64. It is shown here and never again. */
  readonly secret: string;
}

/** Which events are to be sent again: give `since`, `only`, or both. */
export interface WebhookReplay {
  /** Events from this moment on. RFC 3339, with its zone. */
  readonly since?: string | undefined;
  /** failed: only what has not been delivered although it was tried; without it also what was delivered and what this endpoint was never sent. */
  readonly only?: "failed" | undefined;
}

/** What was asked for again. */
export interface WebhookReplayed {
  /** Deliveries that will be made. */
  readonly replayed: number;
  /** `since` of the next call when this one could not take all; else null. RFC 3339, UTC, milliseconds. */
  readonly nextSince: string | null;
}
