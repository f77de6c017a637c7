import { Type } from "@fastify/type-provider-typebox";
import type { Static } from "@fastify/type-provider-typebox";
import { operation } from "../http/operation.ts";
import { EnrollmentBody } from "../users/schema.ts";
import { UPLOAD_LIMITS, uploadMembers } from "../receipts/upload-schema.ts";

/** What both session requests have beside their own members. */
const sessionMembers = {
  redirectUri: Type.Optional(
    Type.String({
      maxLength: 2048,
      description:
        "Where the user is led afterwards: https, or a scheme of your app (`myapp://…`), or http://localhost in a " +
        "sandbox; only what is on your allow-list where you have one. Left out: your application's own.",
    }),
  ),
  locale: Type.Optional(
    Type.String({ maxLength: 64, description: "Language of the page, a BCP 47 tag such as en-GB." }),
  ),
};

export const EnrolmentSessionBody = Type.Object(
  { ...EnrollmentBody.properties, ...sessionMembers },
  { title: "EnrolmentSession", description: "A person who is to be asked for their consent." },
);
export type EnrolmentSessionBody = Static<typeof EnrolmentSessionBody>;

const { userId, transactionId, amount, transactionTimestamp } = uploadMembers;

export const ReceiptSessionBody = Type.Object(
  {
    userId,
    transactionId: Type.Optional(transactionId),
    amount: Type.Optional(amount),
    merchantName: Type.Optional(
      Type.String({
        maxLength: UPLOAD_LIMITS.textCharactersMax,
        description: "The shop; compared with what the receipt says.",
      }),
    ),
    transactionTimestamp: Type.Optional(transactionTimestamp),
    ...sessionMembers,
  },
  {
    title: "ReceiptSession",
    description: "A user who is to hand in a receipt, and what you know of the purchase: more makes its checks surer.",
  },
);
export type ReceiptSessionBody = Static<typeof ReceiptSessionBody>;

/** What both answer. */
export const Session = Type.Object(
  { redirectUrl: Type.String({ format: "uri", description: "Lead the user here; it holds the session." }) },
  { title: "Session", description: "A hosted page that is open for this user." },
);

const AFTERWARDS =
  "The page is open for 30 minutes (a setting of the service) and can be completed once; afterwards it answers 404.";

const sessionResponse = (page: string) =>
  ({
    200: {
      description: "Where to lead the user.",
      schema: Session,
      examples: [
        {
          summary: "An open page",
          value: {
            redirectUrl: `https://rewards.example.com/${page}?sessionId=q8ZrT3vJ0bX5mYc1kLw7Ue2HsD9gFa4Pn6Ri-_KoVtM`,
          },
        },
      ],
    },
  }) as const;

/** POST /users/enroll/session */
export const openEnrolmentSession = operation({
  id: "openEnrolmentSession",
  method: "POST",
  path: "/users/enroll/session",
  tag: "Users",
  summary: "Open the consent page",
  description:
    "Opens a hosted page that shows the user what is shared and why, and asks for their consent; accepting enrols them. " +
    "Lead the user to `redirectUrl`. Afterwards they are led to your `redirectUri` with `status` (`completed` or " +
    `\`declined\`), \`sessionId\` and, when they accepted, \`userId\` in its query. ${AFTERWARDS}`,
  body: EnrolmentSessionBody,
  examples: [
    {
      summary: "A page that leads back to your app",
      value: { email: "ada@example.com", firstName: "Ada", lastName: "Lovelace", redirectUri: "myapp://joined" },
    },
  ],
  responses: sessionResponse("enroll"),
});

/** POST /track/receipts/session */
export const openReceiptSession = operation({
  id: "openReceiptSession",
  method: "POST",
  path: "/track/receipts/session",
  tag: "Receipts",
  summary: "Open the upload page",
  description:
    "Opens a hosted page on which the user takes a photo of a receipt and sees it being read. Lead the user to " +
    "`redirectUrl`. Afterwards they are led to your `redirectUri` with `status` (`completed` or `failed`), `sessionId` and " +
    `\`receiptId\` in its query; without one the page closes itself. ${AFTERWARDS}`,
  body: ReceiptSessionBody,
  examples: [
    {
      summary: "What is known of the purchase",
      value: {
        userId: "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d70",
        transactionId: "receipt-311",
        amount: 22.68,
        merchantName: "Larkmeadow Market",
        transactionTimestamp: "2026-02-02T10:41:00Z",
        redirectUri: "myapp://receipt-sent",
      },
    },
  ],
  responses: sessionResponse("receipts"),
});
