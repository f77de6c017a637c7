import { Type } from "@fastify/type-provider-typebox";

/** What its members may be; a form is read by them too (upload.ts). */
export const UPLOAD_LIMITS = { amountMin: 0.01, amountMax: 1e9, textCharactersMax: 255 } as const;

/** What is said of a purchase, in an upload as in a session. */
export const uploadMembers = {
  userId: Type.String({
    pattern: "\\S",
    maxLength: UPLOAD_LIMITS.textCharactersMax,
    description: "The user's id, as enrolment answered it.",
  }),
  transactionId: Type.String({
    pattern: "\\S",
    maxLength: UPLOAD_LIMITS.textCharactersMax,
    description: "Your own reference, unique among your receipts.",
  }),
  amount: Type.Number({
    minimum: UPLOAD_LIMITS.amountMin,
    maximum: UPLOAD_LIMITS.amountMax,
    description: "What was paid, in major units; compared with what the receipt says.",
  }),
  merchantName: Type.String({
    pattern: "\\S",
    maxLength: UPLOAD_LIMITS.textCharactersMax,
    description: "The shop; compared with what the receipt says.",
  }),
  transactionTimestamp: Type.String({
    format: "date-time",
    maxLength: 64,
    description: "When it was bought, with its zone; compared with what the receipt says.",
  }),
};
