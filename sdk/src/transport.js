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
 * @property {readonly number[]} answers the statuses that are answers and no problems
 * @property {boolean} isOpen wants no credentials
 * @property {CallOptions} options
 */

const API_VERSION = "1.0";
const TIMEOUT_MS = 30_000;
const RETRIES_MAX = 4;

/**
 * What sends calls: each attempt has its time, what may succeed another time is tried again, and all attempts of a POST
 * carry one idempotency key, by which the service does it once.
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
      answers: call.answers,
    };
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      const outcome = await attemptOnce(fetch, request, timeoutMs, signal);
      if ("answer" in outcome) return outcome.answer;
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
 * @property {readonly number[]} answers
 */

/**
 * @param {typeof globalThis.fetch} fetch
 * @param {Request} request
 * @param {number} timeoutMs
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<{ answer: unknown } | { error: ProblemError | ConnectionError | TimeoutError }>}
 */
async function attemptOnce(fetch, { method, url, headers, body, contentType, answers }, timeoutMs, signal) {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(contentType && { "content-type": contentType }) },
      ...(body !== undefined && { body }),
      // Another address must not be handed the credentials.
      redirect: "error",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await response.text();
    if (answers.includes(response.status)) return { answer: JSON.parse(text) };
    return { error: new ProblemError(problemIn(response, text), retryAfterOf(response)) };
  } catch (error) {
    if (timeout.aborted) return { error: new TimeoutError(`no answer within ${timeoutMs} ms`, { cause: error }) };
    return { error: new ConnectionError(`no answer that can be read: ${reasonOf(error)}`, { cause: error }) };
  }
}

/**
 * What a failed fetch says of its reason stands in its cause.
 * @param {unknown} error
 */
function reasonOf(error) {
  const { message, cause } = /** @type {Error} */ (error);
  const { code, message: because } = /** @type {{ code?: string, message?: string }} */ (cause ?? {});
  return code ?? because ?? message;
}

/** @param {Response} response */
function retryAfterOf({ headers }) {
  return parseRetryAfter(headers.get("retry-after"), Date.now());
}

/**
 * The problem document of an answer; where something between us and the service answered, one of its status.
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
      // As if there were none.
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
