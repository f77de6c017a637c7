import type { Tag } from "../http/operation.ts";

/** The introduction of the reference, in Markdown. */
export const INTRODUCTION = `Rewards people for buying and eating food that is better for them and for the climate.

Your application enrols users and submits what they bought or ate: photos of receipts, meals, single foods. The service recognises each item, rates it for health (Nutri-Score) and climate (CO2e), credits points, and sends you webhooks.

## First steps

1. Get the credentials of an application from the operator: a client id and a client secret. Start with a sandbox application.
2. Enrol a user: \`POST /users/enroll\`.
3. Submit a meal: \`POST /track/meals\`. The response is 202: the meal is stored and will be rated in a moment.
4. Receive the webhooks \`intake.completed\` and \`rewards.awarded\`, or poll the status.
5. Read the balance: \`GET /users/{id}/summary\`, and the transactions: \`GET /users/{id}/transactions\`.

## Every call

- needs \`x-client-id\` and \`x-client-secret\`. Send them from your server, never from a browser or an app. A secret may do everything, or what its scopes allow: each operation says which one it needs;
- needs the query parameter \`api-version=1.0\`;
- may have \`x-request-id\`, which is returned in the response and written to the operator's log;
- may have \`Idempotency-Key\` if it is a POST: for 24 hours a request with the same key and body is carried out once and gets the same response. If a response is lost, send the request again.

In the JSON of a POST, null is the same as leaving a member out. In a PATCH, a member that is left out stays unchanged, and null is allowed only where the schema says so.

All operations exist at \`/\` and at \`/issuers\`. Health checks and this document need neither credentials nor a version.

## Responses

Ids are strings; do not rely on their format. Times are RFC 3339 in UTC. Money is in major units, CO2e in kilograms, points are whole numbers. Members that do not apply are present and empty. New members and new events may be added within a version: ignore those that you do not know.

Errors are problem documents (RFC 9457): \`type\` is the address of a page that explains the problem, \`code\` is for programs, \`errors\` lists all validation errors of the request at once. A known path with another method returns \`MethodNotAllowed\`. After a 429 or 503, wait for the time in \`Retry-After\`.

## Webhooks

Events are posted to your endpoints as JSON, signed according to Standard Webhooks. Delivery is at least once, with retries for up to three days until your endpoint returns a 2xx within 15 seconds. Verify the signature over the raw body, then respond at once and process the event later. The same \`webhook-id\` may arrive again. The events of one submission arrive in order.`;

/** The description of each chapter. */
export const CHAPTERS: Readonly<Record<Tag, string>> = {
  Users: "The people who earn points. Your application enrols them, and no other application sees them.",
  "Meals and foods": "Food that users ate: accepted at once, rated and credited in the background.",
  Receipts: "Photos of till receipts, from your application or from a hosted page.",
  Points: "Points that users earned, with explanations.",
  Rewards: "What users can have for their points: your catalogue, redemptions, and vouchers for the till.",
  Reports: "Figures of your application by day, week or month, for you and your finance department.",
  Catalogue: "Foods that names match. Ask for matches, and add aliases and words of your own.",
  "Webhook endpoints": "Addresses where your application receives events, and the log of all deliveries.",
  Service: "Health checks and the description of the API. Open to everyone.",
};
