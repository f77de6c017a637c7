import { Type } from "typebox";
import type { Static } from "typebox";
import { count, instant, nullable, oneOf, text } from "../../http/schema-members.ts";
import { EVENT_TYPES } from "../event.ts";
import { DISABLED_REASONS } from "./endpoint.ts";

const EVENTS_DESCRIPTION =
  "The events to send. null, the default: all events, also those that later versions of the service add.";

const Url = Type.String({
  maxLength: 2048,
  description:
    "The address that events are posted to: https, on a public network, without user name and password, on port 443 or " +
    "above 1023. The operator may allow private networks, and plain http there.",
});
const Description = Type.String({ maxLength: 255, description: "Your own note." });
const Disabled = Type.Boolean({
  description: "A disabled endpoint receives nothing. Its events are stored and sent when it is enabled.",
});
const EventFilter = nullable(
  Type.Array(oneOf(EVENT_TYPES, "The name of an event."), {
    minItems: 1,
    maxItems: EVENT_TYPES.length,
    description: EVENTS_DESCRIPTION,
  }),
);

export const NewEndpointBody = Type.Object(
  {
    url: Url,
    events: Type.Optional(EventFilter),
    description: Type.Optional(Description),
    disabled: Type.Optional(Disabled),
  },
  { title: "NewWebhookEndpoint", description: "An address to receive events." },
);

export const EndpointChangeBody = Type.Object(
  {
    url: Type.Optional(Url),
    events: Type.Optional(EventFilter),
    description: Type.Optional(Description),
    disabled: Type.Optional(Disabled),
  },
  {
    title: "WebhookEndpointChange",
    description: "Changes to an endpoint; members that are left out stay as they are.",
  },
);

const ENDPOINT_MEMBERS = {
  id: text("The endpoint's id."),
  url: text("The address that events are posted to, in its normal form."),
  description: text("Your note; empty when there is none."),
  events: nullable(Type.Array(oneOf(EVENT_TYPES, "The name of an event."), { description: EVENTS_DESCRIPTION })),
  disabled: Type.Boolean({ description: "Whether the endpoint is disabled." }),
  disabledAt: nullable(instant("When it was disabled.")),
  disabledReason: nullable(
    oneOf(
      DISABLED_REASONS,
      "Why it is disabled. gone: it responded with 410. failing: no delivery succeeded for five days. requested: by you " +
        "or the operator.",
    ),
  ),
  failingSince: nullable(
    instant("The first failed attempt after the last successful one. Five days later the endpoint is disabled."),
  ),
  previousSecretValidUntil: nullable(instant("After a rotation: until then, deliveries carry both signatures.")),
  createdAt: instant("When it was registered."),
};

export const EndpointResponse = Type.Object(ENDPOINT_MEMBERS, {
  title: "WebhookEndpoint",
  description: "An address that receives events.",
});
export type EndpointResponse = Static<typeof EndpointResponse>;

const Secret = text("The signing secret, `whsec_` and 32 bytes in base64. It is shown here and never again.");

export const EndpointWithSecret = Type.Object(
  { ...ENDPOINT_MEMBERS, secret: Secret },
  { title: "WebhookEndpointWithSecret", description: "An endpoint with its signing secret, which is shown only here." },
);

export const EndpointList = Type.Object(
  {
    endpoints: Type.Array(EndpointResponse, { description: "In the order of their registration." }),
    count: count("Number of endpoints."),
  },
  { title: "WebhookEndpointList", description: "All endpoints of your application." },
);

export const RemovedEndpoint = Type.Object(
  { id: text("The endpoint's id.") },
  { title: "RemovedWebhookEndpoint", description: "The endpoint was removed." },
);

export const ReplayBody = Type.Object(
  {
    since: Type.Optional(
      Type.String({ format: "date-time", description: "Events from this moment on. RFC 3339, with its zone." }),
    ),
    only: Type.Optional(
      oneOf(
        ["failed"],
        "failed: only events whose delivery was attempted without success. Without it: also events that were delivered, " +
          "and events that were never sent to this endpoint.",
      ),
    ),
  },
  { title: "WebhookReplay", description: "The events to send again: `since`, `only`, or both." },
);

export const Replayed = Type.Object(
  {
    replayed: count("Number of deliveries that will be made; while the replay is not finished, those made due so far."),
    nextSince: nullable(instant("Always null: the replay continues by itself until all events are sent again.")),
    id: text("The replay's id: read its progress with it."),
    endpointId: text("The endpoint."),
    state: oneOf(
      ["waiting", "running", "finished"],
      "waiting: after the earlier replays of your application. running: it continues in the background. finished: all " +
        "deliveries are due.",
    ),
    createdAt: instant("When it was requested."),
    finishedAt: nullable(instant("When all deliveries were due; null before.")),
  },
  { title: "WebhookReplayed", description: "A replay and its progress." },
);
export type Replayed = Static<typeof Replayed>;
