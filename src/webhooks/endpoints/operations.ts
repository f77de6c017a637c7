import { pathId } from "../../http/members.ts";
import { operation } from "../../http/operation.ts";
import { DeliveryEntry, ENTRY_EXAMPLE } from "../log/schema.ts";
import { ENDPOINTS_MAX } from "./endpoint.ts";
import {
  EndpointAnswer,
  EndpointChangeBody,
  EndpointList,
  EndpointWithSecret,
  NewEndpointBody,
  RemovedEndpoint,
  ReplayBody,
  Replayed,
} from "./schema.ts";

const ENDPOINT = {
  id: "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d70",
  url: "https://example.com/hooks/rewards",
  description: "Production",
  events: ["intake.completed", "receipt_completed"],
  disabled: false,
  disabledAt: null,
  disabledReason: null,
  failingSince: null,
  previousSecretValidUntil: null,
  createdAt: "2026-01-31T12:00:00.000Z",
};
const WITH_SECRET = { ...ENDPOINT, secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDTyaWZj0yTz4=" };

const endpointInPath = pathId("The endpoint's id, as registering it answered it.");
const oneEndpoint = (summary: string, value: object) => ({
  200: { description: "The endpoint.", schema: EndpointAnswer, examples: [{ summary, value }] },
});

/** POST /webhooks/endpoints */
export const createWebhookEndpoint = operation({
  id: "createWebhookEndpoint",
  method: "POST",
  path: "/webhooks/endpoints",
  tag: "Webhook endpoints",
  summary: "Register an endpoint",
  description:
    "Has events sent to an address of yours from now on, signed with a secret that this answer shows and no later one " +
    `does. An application has at most ${ENDPOINTS_MAX} endpoints; each has its own secret, its own choice of events and ` +
    "its own retries. Events from before can be sent with a replay. An address that is not allowed is named in `errors.url`.",
  body: NewEndpointBody,
  examples: [
    { summary: "Every event", value: { url: ENDPOINT.url } },
    {
      summary: "Some events, to be enabled later",
      value: { url: ENDPOINT.url, events: ENDPOINT.events, description: ENDPOINT.description, disabled: true },
    },
  ],
  responses: {
    200: {
      description: "The endpoint with its secret.",
      schema: EndpointWithSecret,
      examples: [{ summary: "A new endpoint", value: WITH_SECRET }],
    },
  },
});

/** GET /webhooks/endpoints */
export const listWebhookEndpoints = operation({
  id: "listWebhookEndpoints",
  method: "GET",
  path: "/webhooks/endpoints",
  tag: "Webhook endpoints",
  summary: "List endpoints",
  description: "All endpoints of your application, with what is wrong with them, and without their secrets.",
  responses: {
    200: {
      description: "The endpoints.",
      schema: EndpointList,
      examples: [{ summary: "One endpoint", value: { endpoints: [ENDPOINT], count: 1 } }],
    },
  },
});

/** GET /webhooks/endpoints/{id} */
export const getWebhookEndpoint = operation({
  id: "getWebhookEndpoint",
  method: "GET",
  path: "/webhooks/endpoints/:id",
  tag: "Webhook endpoints",
  summary: "Read one endpoint",
  description: "The endpoint with what is wrong with it: `failingSince`, `disabledAt` and `disabledReason`.",
  params: endpointInPath,
  responses: oneEndpoint("In order", ENDPOINT),
});

/** PATCH /webhooks/endpoints/{id} */
export const changeWebhookEndpoint = operation({
  id: "changeWebhookEndpoint",
  method: "PATCH",
  path: "/webhooks/endpoints/:id",
  tag: "Webhook endpoints",
  summary: "Change, disable or enable an endpoint",
  description:
    "Changes what is given. The choice of events holds for events from now on. Disabling takes effect within half a " +
    "minute; what happens while an endpoint is disabled is kept and goes out, in order, as soon as it is enabled again " +
    "(up to 30 days later). Enabling also clears `failingSince`.",
  params: endpointInPath,
  body: EndpointChangeBody,
  examples: [
    { summary: "Enable", value: { disabled: false } },
    { summary: "Move, and ask for every event", value: { url: "https://example.com/hooks/new", events: null } },
  ],
  responses: oneEndpoint("Enabled", ENDPOINT),
});

/** DELETE /webhooks/endpoints/{id} */
export const deleteWebhookEndpoint = operation({
  id: "deleteWebhookEndpoint",
  method: "DELETE",
  path: "/webhooks/endpoints/:id",
  tag: "Webhook endpoints",
  summary: "Remove an endpoint",
  description:
    "Within half a minute nothing more is sent there; what waited for it is dropped, and its deliveries leave the log.",
  params: endpointInPath,
  responses: {
    200: {
      description: "The id of the endpoint that was removed.",
      schema: RemovedEndpoint,
      examples: [{ summary: "Removed", value: { id: ENDPOINT.id } }],
    },
  },
});

/** POST /webhooks/endpoints/{id}/rotate-secret */
export const rotateWebhookSecret = operation({
  id: "rotateWebhookSecret",
  method: "POST",
  path: "/webhooks/endpoints/:id/rotate-secret",
  tag: "Webhook endpoints",
  summary: "Rotate the signing secret",
  description:
    "Makes a new secret. Until `previousSecretValidUntil` (24 hours, unless the operator set another time) every " +
    "delivery carries two signatures, of the new secret and of the one before, so that you can change yours without " +
    "refusing anything. Rotating twice within that time ends the oldest secret at once. No body.",
  params: endpointInPath,
  responses: {
    200: {
      description: "The endpoint with its new secret.",
      schema: EndpointWithSecret,
      examples: [
        { summary: "Rotated", value: { ...WITH_SECRET, previousSecretValidUntil: "2026-02-01T12:00:00.000Z" } },
      ],
    },
  },
});

/** POST /webhooks/endpoints/{id}/test */
export const testWebhookEndpoint = operation({
  id: "testWebhookEndpoint",
  method: "POST",
  path: "/webhooks/endpoints/:id/test",
  tag: "Webhook endpoints",
  summary: "Send a test event",
  description:
    "Sends an event `webhook.test` (`event`, `endpointId`, `createdAt`) to this endpoint alone, whatever events it " +
    "chose: signed, retried and logged like any other. Look it up by the id of this answer. To a disabled endpoint it " +
    "goes once that is enabled. No body.",
  params: endpointInPath,
  responses: {
    200: {
      description: "The delivery, which is still to be made.",
      schema: DeliveryEntry,
      examples: [
        { summary: "On its way", value: { ...ENTRY_EXAMPLE, event: "webhook.test", state: "pending", attempts: [] } },
      ],
    },
  },
});

/** POST /webhooks/endpoints/{id}/replay */
export const replayWebhooks = operation({
  id: "replayWebhooks",
  method: "POST",
  path: "/webhooks/endpoints/:id/replay",
  tag: "Webhook endpoints",
  summary: "Send events again",
  description:
    "Has events sent to this endpoint again, with the ids and bodies they had: every one it wants since a time, or " +
    "those that failed. They get all attempts of the schedule anew, the first one now. Events are kept for 30 days. One " +
    "call takes up to 100,000 events; when there are more, `nextSince` says where to go on.",
  params: endpointInPath,
  body: ReplayBody,
  examples: [
    { summary: "Everything since yesterday noon", value: { since: "2026-01-30T12:00:00Z" } },
    { summary: "All that failed", value: { only: "failed" } },
  ],
  responses: {
    200: {
      description: "How much will be sent.",
      schema: Replayed,
      examples: [{ summary: "Twelve events", value: { replayed: 12, nextSince: null } }],
    },
  },
});
