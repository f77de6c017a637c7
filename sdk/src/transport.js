/** @import { CallOptions, ProblemDocument, RewardsOptions } from "./sdk.d.ts" */
import { ConnectionError, ProblemError, TimeoutError } from "./errors.js";
import { multipart } from "./form.js";
import { isWorthRetrying, parseRetryAfter, retryWaitMs, sleep } from "./retry.js";

/**
 * @typedef {object} Call
 * @property {"GET" | "POST" | "PATCH" | "DELETE"} method
 * @property {string} path
 * @property {Readonly<Record<string, string>>} query
 * @property {{ kind: "json" | "form", value: Record<string, unknown> } | null} body
 * @property {readonly number[]} statuses of successful responses
 * @property {boolean} isOpen needs no credentials
 * @property {CallOptions} options
 */

const API_VERSION = "1.0";
const TIMEOUT_MS = 30_000;
const RETRIES_MAX = 4;

/**
 * Creates the function that sends calls. Each attempt has a timeout, and is repeated if it may succeed later. All
 * attempts of a POST have the same idempotency key, so that the service carries it out once.
 * @param {RewardsOptions} options
 * @returns {(call: Call) => Promise<unknown>}
 */
export function createTransport(options) {
  const { baseUrl, clientId, clientSecret, fetch = globalThis.fetch.bind(globalThis), random = Math.random } = options;
  const pause = options.sleep ?? sleep;
  if (clientSecret !== undefined && isBrowserPage()) {
    throw new TypeError("a client secret must not be in a browser: let your own server add the credentials");
  }
  const base = baseUrl.replace(/\/+$/, "");
  const credentials = {
    ...(clientId && { "x-client-id": clientId }),
    ...(clientSecret && { "x-client-secret": clientSecret }),
  };

  return async (call) => {
    const { signal, idempotencyKey, requestId } = call.options;
    const timeoutMs = call.options.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS;
    const retriesMax = call.options.retriesMax ?? options.retriesMax ?? RETRIES_MAX;
    const request = {
      method: call.method,
      url: `${base}${call.path}?${new URLSearchParams({ "api-version": API_VERSION, ...call.query })}`,
      headers: {
        accept: "application/json",
        ...(!call.isOpen && credentials),
        ...(call.method === "POST" && { "idempotency-key": idempotencyKey ?? crypto.randomUUID() }),
        ...(requestId && { "x-request-id": requestId }),
      },
      ...(await encode(call.body)),
      statuses: call.statuses,
    };
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      const outcome = await attemptOnce(fetch, request, timeoutMs, signal);
      if ("result" in outcome) return outcome.result;
      signal?.throwIfAborted();
      const { error } = outcome;
      const isFinal = error instanceof ProblemError && !isWorthRetrying(error.status);
      const waitMs = retryWaitMs(attempt, error instanceof ProblemError ? error.retryAfterMs : null, random());
      if (isFinal || attempt > retriesMax || waitMs === null) throw error;
      await pause(waitMs, signal);
    }
  };
}

/**
 * @param {Call["body"]} body
 * @returns {Promise<{ body?: string | Uint8Array<ArrayBuffer>, contentType?: string }>}
 */
async function encode(body) {
  if (body === null) return {};
  if (body.kind === "form") return multipart(body.value);
  return { body: JSON.stringify(body.value), contentType: "application/json" };
}

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} url
 * @property {Record<string, string>} headers
 * @property {string | Uint8Array<ArrayBuffer>} [body]
 * @property {string} [contentType]
 * @property {readonly number[]} statuses
 */

/**
 * @param {typeof globalThis.fetch} fetch
 * @param {Request} request
 * @param {number} timeoutMs
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<{ result: unknown } | { error: ProblemError | ConnectionError | TimeoutError }>}
 */
async function attemptOnce(fetch, { method, url, headers, body, contentType, statuses }, timeoutMs, signal) {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(contentType && { "content-type": contentType }) },
      ...(body !== undefined && { body }),
      // A redirect must not send the credentials to another address.
      redirect: "error",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await response.text();
    if (statuses.includes(response.status)) {
      if (response.status === 204) return { result: null };
      const isCsv = response.headers.get("content-type")?.startsWith("text/csv");
      return { result: isCsv ? text : JSON.parse(text) };
    }
    return { error: new ProblemError(problemIn(response, text), retryAfterOf(response)) };
  } catch (error) {
    if (timeout.aborted) return { error: new TimeoutError(`no response within ${timeoutMs} ms`, { cause: error }) };
    return { error: new ConnectionError(`no readable response: ${reasonOf(error)}`, { cause: error }) };
  }
}

/**
 * Returns the reason of a failed fetch, which is in its cause.
 * @param {unknown} error
 */
function reasonOf(error) {
  const { message, cause } = /** @type {Error} */ (error);
  const { code, message: causeMessage } = /** @type {{ code?: string, message?: string }} */ (cause ?? {});
  return code ?? causeMessage ?? message;
}

/** @param {Response} response */
function retryAfterOf({ headers }) {
  return parseRetryAfter(headers.get("retry-after"), Date.now());
}

/**
 * Returns the problem document of a response. A proxy sends none; then one is created from the status.
 * @param {Response} response
 * @param {string} text
 * @returns {ProblemDocument}
 */
function problemIn(response, text) {
  const { status, statusText, headers } = response;
  if (headers.get("content-type")?.startsWith("application/problem+json")) {
    try {
      return JSON.parse(text);
    } catch {
      // Handled like a missing one.
    }
  }
  return {
    type: "about:blank",
    title: statusText || "No problem document",
    status,
    detail: "",
    instance: "",
    code: "Unknown",
    requestId: headers.get("x-request-id") ?? "",
  };
}

function isBrowserPage() {
  return "window" in globalThis && "document" in globalThis;
}
