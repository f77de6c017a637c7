import { Type } from "typebox";
import { operation } from "../../http/operation.ts";
import { instant, text } from "../../http/schema-members.ts";
import examples from "../../openapi-examples/events.json" with { type: "json" };
import { FeedPage } from "./schema.ts";

export const FEED_EVENTS_MAX = 100;
export const WAIT_SECONDS_MAX = 25;
export const WAITING_PER_APPLICATION_MAX = 2;

/** GET /events */
export const listEvents = operation({
  id: "listEvents",
  method: "GET",
  path: "/events",
  tag: "Webhook endpoints",
  scope: "webhooks.read",
  summary: "Read new events",
  description:
    "The events of your application without an endpoint, for development and for checks. The first call returns no event " +
    "but a place (`next`); each further call with it as `after` returns what has happened since, at most " +
    `${FEED_EVENTS_MAX} events and about 1 MB. With \`wait\` a response without events waits for one. At most ` +
    `${WAITING_PER_APPLICATION_MAX} calls of an application may wait at once; more get a 429. Production servers should ` +
    "use endpoints, which are faster and retry.",
  query: Type.Object({
    after: Type.Optional(text("`next` of an earlier response. Without it: from now on.")),
    since: Type.Optional(instant("Without `after`: events from then on, of the last 30 days.")),
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: WAIT_SECONDS_MAX,
        default: 0,
        description: "Seconds to wait for an event if there is none.",
      }),
    ),
  }),
  responses: {
    200: {
      description: "The events; none if none came in time.",
      schema: FeedPage,
      examples: [
        {
          summary: "One event",
          value: {
            events: [
              {
                id: "019e8f2d-0b12-7003-8c3f-1d2e3f405162",
                event: "intake.completed",
                subjectId: "019e8f2d-0a01-7b22-9c4d-6e7f80910213",
                sequence: 3,
                createdAt: "2026-01-31T12:00:00.000Z",
                payload: examples["intake.completed"],
              },
            ],
            next: "AZ6PLNBieiK8TW5_gJECEwGejy0LEnADjD8dLj9AUWI",
          },
        },
      ],
    },
  },
});
