import { Type } from "@fastify/type-provider-typebox";
import type { Static } from "@fastify/type-provider-typebox";
import { count, instant, nullable, oneOf, text } from "../../http/members.ts";
import { EVENT_TYPES } from "../event.ts";
import { DISABLED_REASONS } from "./endpoint.ts";

const EVENTS_ABOUT =
  "Which events it wants. null, as where registration names none: all of them, also those that later versions of the service may add.";

const Url = Type.String({
  maxLength: 2048,
  description:
    "Where events are posted to: an https address on a public network, without user name and password, on port 443 " +
    "or one above 1023. An operator may open private networks, there also for http.",
});
const Description = Type.String({ maxLength: 255, description: "A note of your own." });
const Disabled = Type.Boolean({
  description: "While disabled nothing is sent here; what happens meanwhile is kept, and goes out when it is enabled.",
});
const EventFilter = nullable(
  Type.Array(oneOf(EVENT_TYPES, "The name of an event."), {
    minItems: 1,
    maxItems: EVENT_TYPES.length,
    description: EVENTS_ABOUT,
  }),
);

export const NewEndpointBody = Type.Object(
  {
    url: Url,
    events: Type.Optional(EventFilter),
    description: Type.Optional(Description),
    disabled: Type.Optional(Disabled),
  },
  { title: "NewWebhookEndpoint", description: "An address that is to receive events." },
);

export const EndpointChangeBody = Type.Object(
  {
    url: Type.Optional(Url),
    events: Type.Optional(EventFilter),
    description: Type.Optional(Description),
    disabled: Type.Optional(Disabled),
  },
  { title: "WebhookEndpointChange", description: "What is to change of an endpoint; what is left out stays." },
);

const ENDPOINT_MEMBERS = {
  id: text("The endpoint's id."),
  url: text("Where events are posted to, in its normal form."),
  description: text("Your note; empty when there is none."),
  events: nullable(Type.Array(oneOf(EVENT_TYPES, "The name of an event."), { description: EVENTS_ABOUT })),
  disabled: Type.Boolean({ description: "Whether nothing is sent here for now." }),
  disabledAt: nullable(instant("Since when it is disabled.")),
  disabledReason: nullable(
    oneOf(
      DISABLED_REASONS,
      "Why it is disabled. gone: it answered 410. failing: for five days no delivery succeeded. requested: you or the " +
        "operator wished it.",
    ),
  ),
  failingSince: nullable(
    instant("The first failed attempt since the last that succeeded. A notice: five days later it is disabled."),
  ),
  previousSecretValidUntil: nullable(instant("After a rotation: until then deliveries carry both signatures.")),
  createdAt: instant("When it was registered."),
};

export const EndpointAnswer = Type.Object(ENDPOINT_MEMBERS, {
  title: "WebhookEndpoint",
  description: "An address that receives events.",
});
export type EndpointAnswer = Static<typeof EndpointAnswer>;

const Secret = text("The signing secret, `whsec_` and 32 bytes in base64. It is shown here and never again.");

export const EndpointWithSecret = Type.Object(
  { ...ENDPOINT_MEMBERS, secret: Secret },
  { title: "WebhookEndpointWithSecret", description: "An endpoint with its signing secret, which is shown this once." },
);

export const EndpointList = Type.Object(
  {
    endpoints: Type.Array(EndpointAnswer, { description: "In the order they were made." }),
    count: count("How many there are."),
  },
  { title: "WebhookEndpointList", description: "All endpoints of your application." },
);

export const RemovedEndpoint = Type.Object(
  { id: text("The endpoint's id.") },
  { title: "RemovedWebhookEndpoint", description: "The endpoint is gone." },
);

export const ReplayBody = Type.Object(
  {
    since: Type.Optional(
      Type.String({ format: "date-time", description: "Events from this moment on. RFC 3339, with its zone." }),
    ),
    only: Type.Optional(
      oneOf(
        ["failed"],
        "failed: only what has not been delivered although it was tried; without it also what was delivered and what " +
          "this endpoint was never sent.",
      ),
    ),
  },
  { title: "WebhookReplay", description: "Which events are to be sent again: give `since`, `only`, or both." },
);

export const Replayed = Type.Object(
  {
    replayed: count("Deliveries that will be made."),
    nextSince: nullable(instant("`since` of the next call when this one could not take all; else null.")),
  },
  { title: "WebhookReplayed", description: "What was asked for again." },
);
