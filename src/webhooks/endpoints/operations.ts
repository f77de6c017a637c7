import { pathId } from "../../http/schema-members.ts";
import { operation } from "../../http/operation.ts";
import { DeliveryEntry, ENTRY_EXAMPLE } from "../log/schema.ts";
import { ENDPOINTS_MAX } from "./endpoint.ts";
import {
  EndpointResponse,
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

const REPLAYED = {
  replayed: 12,
  nextSince: null,
  id: "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d71",
  endpointId: ENDPOINT.id,
  state: "finished",
  createdAt: "2026-01-31T12:00:00.000Z",
  finishedAt: "2026-01-31T12:00:00.000Z",
};

const endpointInPath = pathId("The endpoint's id, as the response to its registration had it.");
const oneEndpoint = (summary: string, value: object) => ({
  200: { description: "The endpoint.", schema: EndpointResponse, examples: [{ summary, value }] },
});

/** POST /webhooks/endpoints */
export const createWebhookEndpoint = operation({
  id: "createWebhookEndpoint",
  method: "POST",
  path: "/webhooks/endpoints",
  tag: "Webhook endpoints",
  scope: "webhooks.write",
  isAudited: true,
  summary: "Register an endpoint",
  description:
    "Events are sent to your address from now on, signed with a secret that only this response shows. An application has " +
    `at most ${ENDPOINTS_MAX} endpoints; each has its own secret, its own choice of events and its own retries. A replay ` +
    "sends earlier events. If the address is not allowed, `errors.url` says why.",
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
  scope: "webhooks.read",
  summary: "List endpoints",
  description: "All endpoints of your application with their failures, without their secrets.",
  problems: ["validation"],
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
  scope: "webhooks.read",
  summary: "Read one endpoint",
  description: "The endpoint with its failures: `failingSince`, `disabledAt` and `disabledReason`.",
  params: endpointInPath,
  responses: oneEndpoint("In order", ENDPOINT),
});

/** PATCH /webhooks/endpoints/{id} */
export const changeWebhookEndpoint = operation({
  id: "changeWebhookEndpoint",
  method: "PATCH",
  path: "/webhooks/endpoints/:id",
  tag: "Webhook endpoints",
  scope: "webhooks.write",
  isAudited: true,
  summary: "Change, disable or enable an endpoint",
  description:
    "Changes the members that you send. A choice of events applies to events from now on. Disabling takes effect within " +
    "half a minute. Events that happen while an endpoint is disabled are stored and sent, in order, as soon as it is " +
    "enabled again (up to 30 days later). Enabling also clears `failingSince`.",
  params: endpointInPath,
  body: EndpointChangeBody,
  examples: [
    { summary: "Enable", value: { disabled: false } },
    { summary: "A new address, and every event", value: { url: "https://example.com/hooks/new", events: null } },
  ],
  responses: oneEndpoint("Enabled", ENDPOINT),
});

/** DELETE /webhooks/endpoints/{id} */
export const deleteWebhookEndpoint = operation({
  id: "deleteWebhookEndpoint",
  method: "DELETE",
  path: "/webhooks/endpoints/:id",
  tag: "Webhook endpoints",
  scope: "webhooks.write",
  isAudited: true,
  summary: "Remove an endpoint",
  description:
    "Within half a minute nothing more is sent there. Its pending deliveries are dropped, and its deliveries are removed " +
    "from the log.",
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
  scope: "webhooks.write",
  isAudited: true,
  summary: "Rotate the signing secret",
  description:
    "Creates a new secret. Until `previousSecretValidUntil` (24 hours, unless the operator set another time) every " +
    "delivery carries two signatures, one of each secret, so that you can change yours without refusing a delivery. A " +
    "second rotation within that time ends the oldest secret at once. No body.",
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
  scope: "webhooks.write",
  summary: "Send a test event",
  description:
    "Sends an event `webhook.test` (`event`, `endpointId`, `createdAt`) to this endpoint alone, independent of its " +
    "choice of events. It is signed, retried and logged like any other; read its delivery with the id of this response. " +
    "A disabled endpoint gets it when it is enabled. No body.",
  params: endpointInPath,
  responses: {
    200: {
      description: "The pending delivery.",
      schema: DeliveryEntry,
      examples: [
        { summary: "Pending", value: { ...ENTRY_EXAMPLE, event: "webhook.test", state: "pending", attempts: [] } },
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
  scope: "webhooks.write",
  isAudited: true,
  summary: "Send events again",
  description:
    "Sends events to this endpoint again, with the same ids and bodies: all of its choice since a time, or those that " +
    "failed. The schedule of attempts starts again, now. Events are kept for 30 days. A large replay goes on in the " +
    "background, one at a time for an application; read its progress with its `id`. An application may have 20 " +
    "unfinished replays; more get 503 with Retry-After.",
  params: endpointInPath,
  body: ReplayBody,
  examples: [
    { summary: "Everything since yesterday noon", value: { since: "2026-01-30T12:00:00Z" } },
    { summary: "All that failed", value: { only: "failed" } },
  ],
  responses: {
    200: {
      description: "The replay, with the number of deliveries.",
      schema: Replayed,
      examples: [
        { summary: "Twelve events", value: REPLAYED },
        { summary: "Many events", value: { ...REPLAYED, replayed: 1_000, state: "running", finishedAt: null } },
      ],
    },
  },
});

/** GET /webhooks/replays/{id} */
export const getWebhookReplay = operation({
  id: "getWebhookReplay",
  method: "GET",
  path: "/webhooks/replays/:id",
  tag: "Webhook endpoints",
  scope: "webhooks.read",
  summary: "Read the progress of a replay",
  description: "The replay with the number of deliveries made due so far. Finished replays are kept for 30 days.",
  params: pathId("The replay's id, as the response to its request had it."),
  responses: {
    200: {
      description: "The replay.",
      schema: Replayed,
      examples: [{ summary: "Finished", value: REPLAYED }],
    },
  },
});
