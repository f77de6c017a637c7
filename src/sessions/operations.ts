import { operation } from "../http/operation.ts";
import { EnrolmentSessionBody, ReceiptSessionBody, Session } from "./schema.ts";

const AFTERWARDS =
  "The page is open for 30 minutes (a setting of the service) and can be completed once; afterwards it responds 404.";

const sessionResponse = (page: string) =>
  ({
    200: {
      description: "The address to redirect the user to.",
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
    "Redirect the user to `redirectUrl`. Afterwards the page redirects them to your `redirectUri` with `status` (`completed` or " +
    `\`declined\`), \`sessionId\` and, when they accepted, \`userId\` in its query. ${AFTERWARDS}`,
  body: EnrolmentSessionBody,
  examples: [
    {
      summary: "A page that redirects to your app",
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
    "Opens a hosted page on which the user takes a photo of a receipt and sees it being read. Redirect the user to " +
    "`redirectUrl`. Afterwards the page redirects them to your `redirectUri` with `status` (`completed` or `failed`), `sessionId` and " +
    `\`receiptId\` in its query; without an address the page closes itself. ${AFTERWARDS}`,
  body: ReceiptSessionBody,
  examples: [
    {
      summary: "A purchase with all details",
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
