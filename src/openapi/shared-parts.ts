// Parts of the document that its operations refer to.

type Json = Record<string, unknown>;

/** How a call names its application. */
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
    description: "The application's secret. It is shown once, when it is made or rotated; keep it on your servers.",
  },
};

const header = (description: string, schema: Json = { type: "string" }) => ({ description, schema });

/** Headers of answers. */
export const HEADERS = {
  "x-request-id": header("The request's id: the one you sent, or one that was made for it."),
  "api-supported-versions": header("The versions of the interface that are answered, separated by commas."),
  "idempotency-replayed": header("`true` where this is the stored answer to an earlier request of the same key."),
  ratelimit: header("Where your calls are limited: `r` is what is left, `t` the seconds until it is whole again."),
  "ratelimit-policy": header("Where your calls are limited: `q` calls in each `w` seconds."),
  "retry-after": header("Seconds to wait before the next try.", { type: "integer" }),
  "www-authenticate": header("Which credentials are wanted."),
};

/** What every delivery carries. */
export const SIGNATURE_HEADERS = {
  "webhook-id": header("The event's id, the same on every attempt."),
  "webhook-timestamp": header(
    "When this attempt was made, in seconds since 1970. Refuse what is more than five minutes off.",
    { type: "integer" },
  ),
  "webhook-signature": header(
    "`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the endpoint's secret (base64 " +
      "after `whsec_`). While a secret is rotated there are two, with a space between; one that fits is enough.",
  ),
};

/** What every call may carry, and what every delivery carries. */
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
    "api-version": parameter("query", "api-version", true, "The version of the interface that you speak.", {
      type: "string",
      pattern: String.raw`^\d{1,4}\.\d{1,4}$`,
      examples: [apiVersion],
    }),
    "x-request-id": parameter("header", "x-request-id", false, "An id of yours for this request; it is answered.", {
      type: "string",
      pattern: String.raw`^[\w.:-]{1,100}$`,
    }),
    "idempotency-key": parameter(
      "header",
      "idempotency-key",
      false,
      "A fresh id of yours, such as a UUID. The same key with the same body is carried out once and answered alike for 24 " +
        "hours; with another body it is refused.",
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
