import { Type } from "@fastify/type-provider-typebox";

/** What is said of a purchase, in an upload as in a session. */
export const uploadMembers = {
  userId: Type.String({
    pattern: "\\S",
    maxLength: 255,
    description: "The user's id, as enrolment answered it.",
  }),
  transactionId: Type.String({
    pattern: "\\S",
    maxLength: 255,
    description: "Your own reference, unique among your receipts.",
  }),
  amount: Type.Number({
    minimum: 0.01,
    maximum: 1e9,
    description: "What was paid, in major units; compared with what the receipt says.",
  }),
  merchantName: Type.String({
    pattern: "\\S",
    maxLength: 255,
    description: "The shop; compared with what the receipt says.",
  }),
  transactionTimestamp: Type.String({
    format: "date-time",
    maxLength: 64,
    description: "When it was bought, with its zone; compared with what the receipt says.",
  }),
};
