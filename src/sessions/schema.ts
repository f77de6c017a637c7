import { Type } from "typebox";
import type { Static } from "typebox";
import { EnrollmentBody } from "../users/schema.ts";
import { UPLOAD_LIMITS, uploadMembers } from "../receipts/upload-schema.ts";

/** The members that both session requests have. */
const sessionMembers = {
  redirectUri: Type.Optional(
    Type.String({
      maxLength: 2048,
      description:
        "Where the user is redirected afterwards: https, a scheme of your app (`myapp://…`), or http://localhost in a " +
        "sandbox; if you have an allow-list, only addresses on it. Default: the address of your application.",
    }),
  ),
  locale: Type.Optional(
    Type.String({ maxLength: 64, description: "Language of the page, a BCP 47 tag such as en-GB." }),
  ),
};

export const EnrolmentSessionBody = Type.Object(
  { ...EnrollmentBody.properties, ...sessionMembers },
  { title: "EnrolmentSession", description: "A person to ask for consent." },
);
export type EnrolmentSessionBody = Static<typeof EnrolmentSessionBody>;

const { userId, transactionId, amount, transactionTimestamp, cardLastFour } = uploadMembers;

export const ReceiptSessionBody = Type.Object(
  {
    userId,
    transactionId: Type.Optional(transactionId),
    amount: Type.Optional(amount),
    merchantName: Type.Optional(
      Type.String({
        maxLength: UPLOAD_LIMITS.textCharactersMax,
        description: "The shop; compared with the receipt.",
      }),
    ),
    transactionTimestamp: Type.Optional(transactionTimestamp),
    cardLastFour,
    ...sessionMembers,
  },
  {
    title: "ReceiptSession",
    description:
      "A user who will upload a receipt, and what you know of the purchase: more data makes the checks more reliable.",
  },
);
export type ReceiptSessionBody = Static<typeof ReceiptSessionBody>;

/** The response of both. */
export const Session = Type.Object(
  {
    redirectUrl: Type.String({
      format: "uri",
      description: "Redirect the user to this address. It is a secret of this visit: anyone with it can complete it.",
    }),
    id: Type.String({
      description: "Names the session in `GET /sessions/{id}` and in its event. It opens no page: it may be logged.",
    }),
  },
  { title: "Session", description: "A hosted page, open for this user." },
);
