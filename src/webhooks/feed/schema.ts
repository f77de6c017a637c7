import { Type } from "typebox";
import { instant, text } from "../../http/schema-members.ts";

export const FeedEvent = Type.Object(
  {
    id: text("The event's id: the `webhook-id` of its deliveries."),
    event: text("The name of the event."),
    subjectId: text("What the event is about: a trackId, receiptID or session id; of points, an id of its own."),
    sequence: Type.Integer({ minimum: 1, description: "Position of the event among those of its subject." }),
    createdAt: instant("When the event happened."),
    payload: Type.Object({}, { additionalProperties: true, description: "The event, as deliveries have it." }),
  },
  { title: "FeedEvent", description: "An event, with its content." },
);

export const FeedPage = Type.Object(
  {
    events: Type.Array(FeedEvent, { description: "In the order of their ids; those of one submission in order." }),
    next: text("`after` of the next call."),
  },
  { title: "FeedPage", description: "The next events of an application." },
);
