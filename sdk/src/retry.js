const FIRST_WAIT_MS = 400;
const WAIT_MS_MAX = 20_000;
/** If the service asks for a longer wait, the call fails at once. */
const RETRY_AFTER_MS_MAX = 60_000;

/** Statuses after which a retry may succeed. Every POST has an idempotency key, so none is carried out twice. */
const WORTH_RETRYING = new Set([408, 425, 429, 500, 502, 503, 504]);

/** @param {number} status */
export function isWorthRetrying(status) {
  return WORTH_RETRYING.has(status);
}

/**
 * Returns the wait before the next attempt: exponential backoff with jitter of up to half of it, but never shorter than
 * the service asks for. Null: the service asks for too long a wait.
 * @param {number} attempt number of attempts so far
 * @param {number | null} retryAfterMs
 * @param {number} random from 0 to 1
 * @returns {number | null}
 */
export function retryWaitMs(attempt, retryAfterMs, random) {
  if (retryAfterMs !== null && retryAfterMs > RETRY_AFTER_MS_MAX) return null;
  const fullMs = Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** (attempt - 1));
  return Math.max(retryAfterMs ?? 0, fullMs * (0.5 + random / 2));
}

/**
 * Parses the header Retry-After: seconds or a date.
 * @param {string | null} value
 * @param {number} nowMs
 * @returns {number | null}
 */
export function parseRetryAfter(value, nowMs) {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1_000;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

/**
 * @param {number} ms
 * @param {AbortSignal} [signal] ends the wait with its reason
 * @returns {Promise<void>}
 */
export function sleep(ms, signal) {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
