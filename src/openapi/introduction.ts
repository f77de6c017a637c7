import type { Tag } from "../http/operation.ts";

/** What a newcomer reads first; Markdown. */
export const INTRODUCTION = `Rewards people for buying and eating food that is better for them and for the climate.

Your application enrols users and hands in what they bought or ate: photos of receipts, meals, single foods. The service reads and rates each item for health (Nutri-Score) and climate (CO2e), credits points, and tells you by webhook.

## First steps

1. Get the credentials of an application from the operator: a client id and a client secret. Begin with a sandbox application.
2. Enrol a user: \`POST /users/enroll\`.
3. Hand in a meal: \`POST /track/meals\`. Its answer is 202: it is stored, and rated a moment later.
4. Take the webhooks \`intake.completed\` and \`rewards.awarded\`, or ask for its status.
5. Read the balance: \`GET /users/{id}/summary\`, and the record: \`GET /users/{id}/transactions\`.

## Every call

- carries \`x-client-id\` and \`x-client-secret\`, from a server of yours: never from a browser or an app;
- carries the query parameter \`api-version=1.0\`;
- may carry \`x-request-id\`, which is answered and stands in the operator's log;
- may, where it is a POST, carry \`Idempotency-Key\`: the same key and body is carried out once and answered alike for 24 hours, so a request whose answer was lost can simply be sent again.

In the JSON of a POST, null says of a member that it is left out. In that of a PATCH, what is left out stays as it is, and null is taken only where the schema has it.

Everything answers at \`/\` and at \`/issuers\` alike. Health and this document want neither credentials nor version.

## What is answered

Ids are texts; rely on nothing else about them. Times are RFC 3339 in UTC. Money is in major units, CO2e in kilograms, points are whole numbers. Members that do not apply are there and empty. New members, and new events, may be added within a version: ignore what you do not know.

Errors are problem documents (RFC 9457): \`type\` leads to a page that says what to do, \`code\` is for programs, \`errors\` names every error of the request at once. A path that exists answers another method with \`MethodNotAllowed\`. Wait as long as \`Retry-After\` says after a 429 or 503.

## Webhooks

Events are posted to your endpoints as JSON, signed by Standard Webhooks, at least once, and again for up to three days until a 2xx is answered within 15 seconds. Verify the signature over the bytes as received, then answer at once and work later; the same \`webhook-id\` may come again. The events of one submission come in order.`;

/** What each chapter is about. */
export const CHAPTERS: Readonly<Record<Tag, string>> = {
  Users: "The people who earn points, enrolled by your application and visible to no other.",
  "Meals and foods": "What users ate: accepted at once, rated and credited in the background.",
  Receipts: "Photos of till receipts, from your application or from a hosted page.",
  Points: "What was earned, and why.",
  Catalogue: "What names mean: ask, and teach names and words of your own.",
  "Webhook endpoints": "Where your application receives events, and what became of each delivery.",
  Service: "Is it alive, and what does it offer. Open to everyone.",
};
