// Parts of the document that operations reference.
import { SCOPE_MEANINGS } from "../applications/scope.ts";

type Json = Record<string, unknown>;

const SCOPE_LIST = Object.entries(SCOPE_MEANINGS)
  .map(([scope, meaning]) => `- \`${scope}\`: ${meaning}`)
  .join("\n");

/** The credentials of a call. */
export const SECURITY_SCHEMES = {
  clientId: {
    type: "apiKey",
    in: "header",
    name: "x-client-id",
    description: "The application's public id.",
  },
  clientSecret: {
    type: "apiKey",
    in: "header",
    name: "x-client-secret",
    description: `A secret of the application. It is shown once, when it is created or rotated. Keep it on your servers. It may do everything, or what its scopes allow; none implies another:\n\n${SCOPE_LIST}`,
  },
};

const header = (description: string, schema: Json = { type: "string" }) => ({ description, schema });

/** Response headers. */
export const HEADERS = {
  "x-request-id": header("The request id: yours, or a new one if you sent none."),
  "api-supported-versions": header("The supported versions of the API, separated by commas."),
  "idempotency-replayed": header("`true` if this is the stored response to an earlier request with the same key."),
  ratelimit: header("Sent if your calls are limited: `r` calls are left, `t` seconds until the limit is reset."),
  "ratelimit-policy": header("Sent if your calls are limited: `q` calls in each `w` seconds."),
  "retry-after": header("Seconds to wait before the next attempt.", { type: "integer" }),
  "www-authenticate": header("The required credentials."),
};

/** Headers of every delivery. */
export const SIGNATURE_HEADERS = {
  "webhook-id": header("The event's id, the same on every attempt."),
  "webhook-timestamp": header(
    "The time of this attempt, in seconds since 1970. Refuse a delivery that is more than five minutes off.",
    { type: "integer" },
  ),
  "webhook-signature": header(
    "`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, with the endpoint's secret as the key " +
      "(base64 after `whsec_`). During a rotation there are two signatures, separated by a space. One match is enough.",
  ),
  "webhook-sequence": header(
    "The position of the event among those of its submission, from 1: of two events of one trackId or receiptID, the one " +
      "with the higher number happened later. Positions may have gaps. It is not part of the signature.",
    { type: "integer" },
  ),
};

/** Parameters of every call, and headers of every delivery. */
export function parameters(apiVersion: string): Record<string, Json> {
  const parameter = (
    place: "query" | "header",
    name: string,
    required: boolean,
    description: string,
    schema: Json,
  ) => ({
    name,
    in: place,
    required,
    description,
    schema,
  });
  return {
    "api-version": parameter("query", "api-version", true, "The version of the API that you use.", {
      type: "string",
      pattern: String.raw`^\d{1,4}\.\d{1,4}$`,
      examples: [apiVersion],
    }),
    "x-request-id": parameter(
      "header",
      "x-request-id",
      false,
      "Your id for this request. The response has the same header.",
      {
        type: "string",
        pattern: String.raw`^[\w.:-]{1,100}$`,
      },
    ),
    "idempotency-key": parameter(
      "header",
      "idempotency-key",
      false,
      "A new unique id, such as a UUID. For 24 hours a request with the same key and body is carried out once and gets the " +
        "same response. The same key with another body is refused.",
      { type: "string", minLength: 1, maxLength: 255 },
    ),
    ...Object.fromEntries(
      Object.entries(SIGNATURE_HEADERS).map(([name, { description, schema }]) => [
        name,
        parameter("header", name, true, description, schema),
      ]),
    ),
  };
}
