import { Type } from "typebox";
import type { Static } from "typebox";
import { instant, nullable, oneOf, text } from "../http/schema-members.ts";

export const ACTORS = ["credential", "person", "command"] as const;

export const AuditEntrySchema = Type.Object(
  {
    id: text("The entry's id."),
    at: instant("When it began."),
    actor: oneOf(
      ACTORS,
      "Who changed it: a client secret of the application by the API, a person in the console, or an operator's command.",
    ),
    credentialId: nullable(
      text("The id of the client secret; that of the first one is the application's. Null for another actor."),
    ),
    consoleUserId: nullable(text("The id of the person of the console; null for another actor.")),
    action: text(
      "The operation (`adjustPoints`), or in the console and of a command a noun and a verb (`endpoint.add`).",
    ),
    targetId: nullable(text("The id of what was changed; null if it did not exist before, or the address had no id.")),
    madeId: nullable(text("The id of what was made; null if nothing was.")),
    status: nullable(
      Type.Integer({
        description:
          "The HTTP status of the response: from 400 on nothing was changed. Null: it is in progress, or was interrupted and may be done.",
      }),
    ),
  },
  { title: "AuditEntry", description: "A change, without personal data." },
);
export type PresentedEntry = Static<typeof AuditEntrySchema>;

export const AuditList = Type.Object({
  entries: Type.Array(AuditEntrySchema, { description: "The newest first." }),
  next: nullable(text("Send it as `before` for the next page; null on the last one.")),
});
