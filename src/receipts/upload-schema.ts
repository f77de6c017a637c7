import { Type } from "typebox";
import { FOUR_DIGITS } from "../http/formats.ts";

/** Limits of the members. The upload form is checked against them too (upload.ts). */
export const UPLOAD_LIMITS = { amountMin: 0.01, amountMax: 1e9, textCharactersMax: 255 } as const;

/** The members about a purchase, in an upload and in a session. */
export const uploadMembers = {
  userId: Type.String({
    pattern: "\\S",
    maxLength: UPLOAD_LIMITS.textCharactersMax,
    description: "The user's id, as enrolment returned it.",
  }),
  transactionId: Type.String({
    pattern: "\\S",
    maxLength: UPLOAD_LIMITS.textCharactersMax,
    description: "Your own reference, unique among your receipts.",
  }),
  amount: Type.Number({
    minimum: UPLOAD_LIMITS.amountMin,
    maximum: UPLOAD_LIMITS.amountMax,
    description: "The amount paid, in major units; compared with the receipt.",
  }),
  merchantName: Type.String({
    pattern: "\\S",
    maxLength: UPLOAD_LIMITS.textCharactersMax,
    description: "The shop; compared with the receipt.",
  }),
  transactionTimestamp: Type.String({
    format: "date-time",
    maxLength: 64,
    description: "Time of the purchase, with its zone; compared with the receipt.",
  }),
  cardLastFour: Type.Optional(
    Type.String({
      pattern: FOUR_DIGITS,
      maxLength: 4,
      description:
        "The last four digits of the card, as the receipt prints them (a phone has a number of its own); compared with " +
        "the receipt.",
    }),
  ),
};
