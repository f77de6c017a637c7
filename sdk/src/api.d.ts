// Written by generate.ts from the service's OpenAPI document: change that, not this.

import type { CallOptions } from "./sdk.d.ts";
import type { AliasAnswer, AliasList, Candidates, NewAlias, NewWord, Removed, WordAnswer, WordList } from "./schemas/catalogue.d.ts";
import type { ExplanationAnswer } from "./schemas/explanations.d.ts";
import type { Accepted, Food, IntakeStatus, Meal } from "./schemas/meals-and-foods.d.ts";
import type { TransactionAnswer, TransactionList } from "./schemas/points.d.ts";
import type { ReceiptAccepted, ReceiptSession, ReceiptStatus, ReceiptUpload } from "./schemas/receipts.d.ts";
import type { Liveness, OpenApi, Readiness } from "./schemas/service.d.ts";
import type { Session } from "./schemas/shared.d.ts";
import type { Enrollment, EnrolmentSession, UserAnswer } from "./schemas/users.d.ts";
import type { NewWebhookEndpoint, RemovedWebhookEndpoint, WebhookDelivery, WebhookDeliveryList, WebhookEndpoint, WebhookEndpointChange, WebhookEndpointList, WebhookEndpointWithSecret, WebhookReplay, WebhookReplayed } from "./schemas/webhook-endpoints.d.ts";

export type * from "./schemas/catalogue.d.ts";
export type * from "./schemas/events.d.ts";
export type * from "./schemas/explanations.d.ts";
export type * from "./schemas/meals-and-foods.d.ts";
export type * from "./schemas/points.d.ts";
export type * from "./schemas/receipts.d.ts";
export type * from "./schemas/service.d.ts";
export type * from "./schemas/shared.d.ts";
export type * from "./schemas/users.d.ts";
export type * from "./schemas/webhook-endpoints.d.ts";

/** Hand in a receipt: what is asked for. */
export interface UploadReceiptQuery {
  /** Sandbox applications only: take this image in place of the uploaded one. `sample:<outcome>` draws one that ends so (`sample:completed`, `sample:completed_de` in German, `sample:not_authentic`, `sample:already_exists`, `sample:no_valid_food_items`, `sample:merchant_name_not_found`, `sample:internal_error`); an https address is fetched where the operator allows its host. */
  readonly testBlobUri?: string | undefined;
}

/** List a user's transactions: what is asked for. */
export interface ListTransactionsQuery {
  /** Entries of a page; 0 is 20, and more than 100 is 100. */
  readonly pageSize?: number | undefined;
  /** Which page, from 1; 0 is 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Only the newest entry. Wins over All. In any letter case. */
  readonly First?: boolean | undefined;
  /** No pages: the newest 5,000 entries at once, and a Link to the next where there are more. In any letter case. */
  readonly All?: boolean | undefined;
  /** Only what was booked, or taught, in this time: `all`, `today`, `yesterday`, `week`, `month`, `year` (to date, UTC, weeks start on Monday), a number of days, weeks, months or years back (`30d`, `4w`, `6m`, `1y`), an ISO 8601 duration back (`P30D`), or an ISO 8601 interval (`2026-01-01/2026-02-01`, an open end is `..`). In any letter case. */
  readonly timeframe?: string | undefined;
}

/** Ask what a name means: what is asked for. */
export interface MatchNameQuery {
  /** The name, as sent or printed. */
  readonly name: string;
  /** Where it is printed. */
  readonly merchantName?: string | undefined;
  /** Where the name is from: what is printed on receipts is abbreviated, and a meal is cooked. */
  readonly source?: "receipt" | "meal" | "food" | undefined;
  /** How many at most. */
  readonly limit?: number | undefined;
}

/** List what names mean: what is asked for. */
export interface ListAliasesQuery {
  /** Entries of a page; 0 is 20, and more than 100 is 100. */
  readonly pageSize?: number | undefined;
  /** Which page, from 1; 0 is 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Only the newest entry. Wins over All. In any letter case. */
  readonly First?: boolean | undefined;
  /** No pages: the newest 5,000 entries at once, and a Link to the next where there are more. In any letter case. */
  readonly All?: boolean | undefined;
  /** Only what was booked, or taught, in this time: `all`, `today`, `yesterday`, `week`, `month`, `year` (to date, UTC, weeks start on Monday), a number of days, weeks, months or years back (`30d`, `4w`, `6m`, `1y`), an ISO 8601 duration back (`P30D`), or an ISO 8601 interval (`2026-01-01/2026-02-01`, an open end is `..`). In any letter case. */
  readonly timeframe?: string | undefined;
}

/** List the words: what is asked for. */
export interface ListWordsQuery {
  /** Entries of a page; 0 is 20, and more than 100 is 100. */
  readonly pageSize?: number | undefined;
  /** Which page, from 1; 0 is 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Only the newest entry. Wins over All. In any letter case. */
  readonly First?: boolean | undefined;
  /** No pages: the newest 5,000 entries at once, and a Link to the next where there are more. In any letter case. */
  readonly All?: boolean | undefined;
  /** Only what was booked, or taught, in this time: `all`, `today`, `yesterday`, `week`, `month`, `year` (to date, UTC, weeks start on Monday), a number of days, weeks, months or years back (`30d`, `4w`, `6m`, `1y`), an ISO 8601 duration back (`P30D`), or an ISO 8601 interval (`2026-01-01/2026-02-01`, an open end is `..`). In any letter case. */
  readonly timeframe?: string | undefined;
}

/** Read the delivery log: what is asked for. */
export interface ListWebhookDeliveriesQuery {
  /** Only what goes to this endpoint. */
  readonly endpointId?: string | undefined;
  /** Only what stands so. */
  readonly state?: "pending" | "delivered" | "failed" | undefined;
  /** Only what comes after this delivery in the list. */
  readonly before?: string | undefined;
  /** How many; 20 without it or with 0, 100 at most. */
  readonly pageSize?: number | undefined;
}

/** Every operation of the interface: the ids of its path, what it sends or asks for, and options of the call. */
export interface Api {
  /** Enrol a user: POST /users/enroll */
  enrollUser(body: Enrollment, options?: CallOptions): Promise<UserAnswer>;
  /** Open the consent page: POST /users/enroll/session */
  openEnrolmentSession(body: EnrolmentSession, options?: CallOptions): Promise<Session>;
  /** Read a user's balance: GET /users/{id}/summary */
  getUserSummary(id: string, options?: CallOptions): Promise<UserAnswer>;
  /** Submit a meal: POST /track/meals */
  trackMeal(body: Meal, options?: CallOptions): Promise<Accepted>;
  /** Submit a food: POST /track/food */
  trackFood(body: Food, options?: CallOptions): Promise<Accepted>;
  /** See how far a meal is: GET /track/meals/{id}/status */
  getMealStatus(id: string, options?: CallOptions): Promise<IntakeStatus>;
  /** See how far a food is: GET /track/food/{id}/status */
  getFoodStatus(id: string, options?: CallOptions): Promise<IntakeStatus>;
  /** Hand in a receipt: POST /track/receipts */
  uploadReceipt(body: ReceiptUpload & UploadReceiptQuery, options?: CallOptions): Promise<ReceiptAccepted>;
  /** Open the upload page: POST /track/receipts/session */
  openReceiptSession(body: ReceiptSession, options?: CallOptions): Promise<Session>;
  /** See how far a receipt is: GET /track/receipts/{id}/status */
  getReceiptStatus(id: string, options?: CallOptions): Promise<ReceiptStatus>;
  /** List a user's transactions: GET /users/{id}/transactions */
  listTransactions(id: string, query?: ListTransactionsQuery, options?: CallOptions): Promise<TransactionList>;
  /** Read a transaction: GET /users/{id}/transactions/{transactionId} */
  getTransaction(id: string, transactionId: string, options?: CallOptions): Promise<TransactionAnswer>;
  /** Explain a transaction: GET /users/{id}/transactions/{transactionId}/explanation */
  explainTransaction(id: string, transactionId: string, options?: CallOptions): Promise<ExplanationAnswer>;
  /** Ask what a name means: GET /catalogue/match */
  matchName(query: MatchNameQuery, options?: CallOptions): Promise<Candidates>;
  /** List what names mean: GET /catalogue/aliases */
  listAliases(query?: ListAliasesQuery, options?: CallOptions): Promise<AliasList>;
  /** Teach what a name means: POST /catalogue/aliases */
  teachAlias(body: NewAlias, options?: CallOptions): Promise<AliasAnswer>;
  /** Forget a name: DELETE /catalogue/aliases/{id} */
  removeAlias(id: string, options?: CallOptions): Promise<Removed>;
  /** List the words: GET /catalogue/words */
  listWords(query?: ListWordsQuery, options?: CallOptions): Promise<WordList>;
  /** Teach a word: POST /catalogue/words */
  teachWord(body: NewWord, options?: CallOptions): Promise<WordAnswer>;
  /** Forget a word: DELETE /catalogue/words/{id} */
  removeWord(id: string, options?: CallOptions): Promise<Removed>;
  /** List endpoints: GET /webhooks/endpoints */
  listWebhookEndpoints(options?: CallOptions): Promise<WebhookEndpointList>;
  /** Register an endpoint: POST /webhooks/endpoints */
  createWebhookEndpoint(body: NewWebhookEndpoint, options?: CallOptions): Promise<WebhookEndpointWithSecret>;
  /** Read one endpoint: GET /webhooks/endpoints/{id} */
  getWebhookEndpoint(id: string, options?: CallOptions): Promise<WebhookEndpoint>;
  /** Change, disable or enable an endpoint: PATCH /webhooks/endpoints/{id} */
  changeWebhookEndpoint(id: string, body: WebhookEndpointChange, options?: CallOptions): Promise<WebhookEndpoint>;
  /** Remove an endpoint: DELETE /webhooks/endpoints/{id} */
  deleteWebhookEndpoint(id: string, options?: CallOptions): Promise<RemovedWebhookEndpoint>;
  /** Rotate the signing secret: POST /webhooks/endpoints/{id}/rotate-secret */
  rotateWebhookSecret(id: string, options?: CallOptions): Promise<WebhookEndpointWithSecret>;
  /** Send a test event: POST /webhooks/endpoints/{id}/test */
  testWebhookEndpoint(id: string, options?: CallOptions): Promise<WebhookDelivery>;
  /** Send events again: POST /webhooks/endpoints/{id}/replay */
  replayWebhooks(id: string, body: WebhookReplay, options?: CallOptions): Promise<WebhookReplayed>;
  /** Read the delivery log: GET /webhooks/deliveries */
  listWebhookDeliveries(query?: ListWebhookDeliveriesQuery, options?: CallOptions): Promise<WebhookDeliveryList>;
  /** Read one delivery: GET /webhooks/deliveries/{id} */
  getWebhookDelivery(id: string, options?: CallOptions): Promise<WebhookDelivery>;
  /** Send one event again: POST /webhooks/deliveries/{id}/retry */
  retryWebhookDelivery(id: string, options?: CallOptions): Promise<WebhookDelivery>;
  /** Is the process alive: GET /health/live */
  getLiveness(options?: CallOptions): Promise<Liveness>;
  /** Can the service serve: GET /health/ready */
  getReadiness(options?: CallOptions): Promise<Readiness>;
  /** Read this document: GET /openapi.json */
  getOpenApi(options?: CallOptions): Promise<OpenApi>;
}
