// Schemas of the events of hosted sessions; see event-schema.ts. They have no token: nobody opens a page with an event.
import { Type } from "typebox";
import type { Static } from "typebox";
import { instant } from "../http/schema-members.ts";
import { SessionStatus } from "./session-status-schema.ts";

const members = { session: SessionStatus, createdAt: instant("When the session ended.") };

export const SessionCompleted = Type.Object(
  { event: Type.Literal("session.completed"), ...members },
  { title: "SessionCompleted", description: "A user agreed to take part, or uploaded a receipt, on a hosted page." },
);
export type SessionCompleted = Static<typeof SessionCompleted>;

export const SessionDeclined = Type.Object(
  { event: Type.Literal("session.declined"), ...members },
  { title: "SessionDeclined", description: "A user did not agree to take part. Nobody was enrolled." },
);
export type SessionDeclined = Static<typeof SessionDeclined>;

export const SessionExpired = Type.Object(
  { event: Type.Literal("session.expired"), ...members },
  { title: "SessionExpired", description: "Nobody completed the session in time." },
);
export type SessionExpired = Static<typeof SessionExpired>;
