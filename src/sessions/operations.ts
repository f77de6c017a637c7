import { operation } from "../http/operation.ts";
import { pathId } from "../http/schema-members.ts";
import { EnrolmentSessionBody, ReceiptSessionBody, Session } from "./schema.ts";
import { SessionStatus } from "../webhooks/session-status-schema.ts";

const AFTERWARDS =
  "The page is open for 30 minutes (a setting of the service) and can be completed once; afterwards it responds 404. " +
  "However it ends, one event says so: `session.completed`, `session.declined` or `session.expired`, each with the `id` " +
  "of this response.";

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
            id: "019e8f2d-4c31-7f02-9a6b-3d5e7f091b2c",
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
  scope: "users.write",
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
  scope: "track.write",
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

/** GET /sessions/{id} */
export const getSession = operation({
  id: "getSession",
  method: "GET",
  path: "/sessions/:id",
  tag: "Users",
  scope: "users.read",
  summary: "Read the outcome of a hosted page",
  description:
    "What became of a session that you opened: for a user who agreed but never returned to your app, or after a lost " +
    "webhook. `id` is that of the response which opened it, not the `sessionId` in the page's address. A session can be " +
    "read until a day after it would have expired; then, and for any other id, the response is 404.",
  params: pathId("The session's id, as the response that opened it had it."),
  responses: {
    200: {
      description: "The session.",
      schema: SessionStatus,
      examples: [
        {
          summary: "A user who agreed",
          value: {
            id: "019e8f2d-4c31-7f02-9a6b-3d5e7f091b2c",
            kind: "enrolment",
            state: "completed",
            userId: "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d70",
            receiptId: null,
            createdAt: "2026-02-02T08:00:00.000Z",
            expiresAt: "2026-02-02T08:30:00.000Z",
            endedAt: "2026-02-02T08:01:12.000Z",
          },
        },
      ],
    },
  },
});
