/**
 * Seconds to wait before each attempt (decisions "Events" 2): ten attempts over three days, the first at once.
 * The setting WEBHOOK_RETRY_SCHEDULE replaces it.
 */
export const RETRY_SCHEDULE_SECONDS: readonly number[] = [
  0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
];

/** Each wait is randomised by ±10 %, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;

/** Upper bound of a Retry-After: the longest wait of the schedule. Otherwise an endpoint could postpone for ever. */
const RETRY_AFTER_SECONDS_MAX = 86_400;

/** An endpoint without a successful attempt for five days is disabled; WEBHOOK_DISABLE_AFTER_DAYS replaces it. */
export const DISABLE_AFTER_SECONDS = 5 * 86_400;

/** Length of the lease of claimed deliveries: enough for two attempts of a chain that both time out. */
export function leaseMsFor(attemptTimeoutMs: number): number {
  return 2 * attemptTimeoutMs + 5_000;
}

/**
 * Time after which an event stored under a lease is in progress no more. Its process sends it for the length of a lease
 * after the commit, which comes a while after the event's time.
 */
export function inProgressMs(leaseMs: number): number {
  return 2 * leaseMs;
}

/** Any 2xx, and nothing else: a redirect is a failure. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** 410 (Gone) asks us to send nothing more to this endpoint. */
export function isGone(status: number): boolean {
  return status === 410;
}

/**
 * Milliseconds until the next attempt when `attempts` have failed (at least 1), or null when that was the last.
 * The longer of the schedule's wait and the endpoint's Retry-After applies. `random` is from [0, 1).
 */
export function retryWaitMs(
  attempts: number,
  scheduleSeconds: readonly number[],
  retryAfterSeconds: number | null,
  random: number,
): number | null {
  const scheduled = scheduleSeconds[attempts];
  if (scheduled === undefined) return null;
  const jittered = scheduled * (1 - JITTER + 2 * JITTER * random);
  const requested = Math.min(retryAfterSeconds ?? 0, RETRY_AFTER_SECONDS_MAX);
  return Math.round(Math.max(jittered, requested) * 1_000);
}
