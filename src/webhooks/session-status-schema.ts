import { Type } from "typebox";
import type { Static } from "typebox";
import { instant, nullable, oneOf, text } from "../http/schema-members.ts";

export const SESSION_STATES = ["open", "completed", "declined", "expired"] as const;

/** What became of a session: the response of its lookup, and the content of its events. */
export const SessionStatus = Type.Object(
  {
    id: text("The session's id. It opens no page, unlike the `sessionId` in the page's address."),
    kind: oneOf(["enrolment", "receipt"], "The page: consent, or the upload of a receipt."),
    state: oneOf(
      SESSION_STATES,
      "open: not used yet. completed: the user agreed, or uploaded a receipt. declined: the user did not agree. expired: " +
        "nobody completed it in time.",
    ),
    userId: nullable(
      text("The user: of an enrolment once completed, of a receipt session from the start; null otherwise."),
    ),
    receiptId: nullable(text("The receiptID of the uploaded receipt; null otherwise.")),
    createdAt: instant("When the session was opened."),
    expiresAt: instant("When it ends, or ended, if nobody completes it."),
    endedAt: nullable(instant("When it was completed or declined, or when it expired; null while it is open.")),
  },
  { title: "SessionStatus", description: "A visit to a hosted page, and its outcome." },
);
export type SessionStatus = Static<typeof SessionStatus>;
