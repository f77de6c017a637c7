import { timeOfId } from "../../ids.ts";
import type { Log } from "../../log.ts";
import type { Meters } from "../../meters.ts";
import type { Span, Tracing } from "../../tracing/tracing.ts";
import type { HttpOutcome, HttpSender } from "../../outgoing/http-sender.ts";
import type { Database } from "../../postgres/postgres.ts";
import { disableEndpoint } from "../endpoints/store.ts";
import { SEQUENCE_HEADER } from "../event.ts";
import { isGone, isSuccess } from "../retry.ts";
import { rememberedSecrets, signatureHeaders, signingSecrets } from "../sign.ts";
import type { SecretOf } from "../sign.ts";
import type { Backlog } from "./backlog.ts";
import { toAttempt, toOutcome } from "./delivery.ts";
import type { ClaimedDelivery, Outcome } from "./delivery.ts";
import type { Chain, Lanes } from "./lanes.ts";
import type { FailureLog } from "./failure-log.task.ts";
import { logFields } from "./recorder.task.ts";
import type { Recorder } from "./recorder.task.ts";

/** Sends the deliveries of the backlog: chains side by side, the deliveries of a chain one after another. */
export interface Sender {
  /** Attempts made so far. */
  readonly attempts: number;
  /** Starts every chain that may run now. Further ones start when these end. */
  startChains(): void;
  /** Starts no more attempts. */
  stop(): void;
  /** Cuts off the attempts in progress and releases their deliveries. */
  abort(): void;
}

export interface SenderDeps {
  readonly database: Database;
  readonly backlog: Backlog;
  readonly recorder: Recorder;
  readonly http: HttpSender;
  readonly now: () => Date;
  /** Uniform in [0, 1), for the jitter. */
  readonly random: () => number;
  readonly log: Log;
  readonly meters?: Meters;
  readonly tracing?: Tracing | null;
  readonly failures: FailureLog;
  readonly scheduleSeconds: readonly number[];
  readonly installationKey: Uint8Array;
  readonly attemptTimeoutMs: number;
  /** Waits while requests press in, for what is due since `sinceMs`; without it nothing gives way. */
  readonly giveWay?: (sinceMs: number) => Promise<void>;
  readonly onChainEnded: (chain: Chain<ClaimedDelivery>) => void;
}

export function createSender(deps: SenderDeps): Sender {
  const { backlog, recorder, now, attemptTimeoutMs } = deps;
  const secretOf = rememberedSecrets(deps.installationKey);
  const aborter = new AbortController();
  let attempts = 0;
  let isStopping = false;

  const startIn = (lanes: Lanes<ClaimedDelivery>): void => {
    for (let next = lanes.start(); next !== null; next = lanes.start()) void run(lanes, next.key, next.chain);
  };

  const run = async (lanes: Lanes<ClaimedDelivery>, key: string, chain: Chain<ClaimedDelivery>): Promise<void> => {
    if (deps.giveWay && !isStopping) await deps.giveWay(timeOfId(chain[0]!.eventId));
    // The chain may grow meanwhile. When one is released, all later ones are: sent, they would overtake it.
    let isReleasing = false;
    for (const delivery of chain) {
      const isCovered = now().getTime() + attemptTimeoutMs <= delivery.leasedUntil.getTime();
      isReleasing ||= isStopping || !isCovered;
      if (isReleasing) recorder.release(delivery);
      else isReleasing = await attempt(delivery, lanes === backlog.failing ? "failing" : "healthy");
    }
    lanes.finish(key, chain);
    deps.onChainEnded(chain);
    startIn(lanes);
  };

  /**
   * Sends a delivery and records its outcome. Returns whether the later ones are to be released: the endpoint is gone
   * (410), or the attempt was cut off.
   */
  const attempt = async (delivery: ClaimedDelivery, endpoints: "healthy" | "failing"): Promise<boolean> => {
    const at = now();
    const exchange = await send(deps, delivery, headersOf(delivery, at, secretOf), aborter.signal);
    if (exchange.kind !== "responded" && aborter.signal.aborted) {
      // We cut the connection, so this is no failure of the endpoint.
      recorder.release(delivery);
      return true;
    }
    attempts += 1;
    measure(deps.meters, delivery, endpoints, exchange, at);
    const { scheduleSeconds, random } = deps;
    const outcome = toOutcome(delivery, toAttempt(exchange, at), { scheduleSeconds, random: random() });
    const isEndpointGone = exchange.kind === "responded" && isGone(exchange.status);
    if (isEndpointGone) await disableGone(delivery.endpointId, deps);
    if (outcome.state === "delivered") logDelivered(delivery, outcome, deps.log);
    else deps.failures.note(delivery, outcome);
    recorder.record(outcome);
    return isEndpointGone;
  };

  return {
    get attempts() {
      return attempts;
    },
    startChains() {
      startIn(backlog.healthy);
      startIn(backlog.failing);
    },
    stop() {
      isStopping = true;
    },
    abort: () => aborter.abort(),
  };
}

/** Sends a delivery, in a span of its own if there is tracing. */
function send(
  { http, tracing, attemptTimeoutMs: timeoutMs }: SenderDeps,
  delivery: ClaimedDelivery,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<HttpOutcome> {
  const { url, body } = delivery;
  const span = startSpan(tracing, delivery);
  const traceparent = span?.traceparent ?? delivery.traceparent;
  if (traceparent !== null) headers["traceparent"] = traceparent;
  const sending = http.post({ url, headers, body, timeoutMs, signal });
  if (!span) return sending;
  return sending.then((exchange) => {
    endSpan(span, exchange);
    return exchange;
  });
}

/** Starts the span of an attempt. It has neither the address nor anything of the event but its type. */
function startSpan(
  tracing: Tracing | null | undefined,
  { type, traceparent, endpointId, attempts, subject }: ClaimedDelivery,
): Span | null {
  if (!tracing) return null;
  const attributes = {
    "rewards.event.type": type,
    "rewards.event.subject": subject,
    "rewards.endpoint.id": endpointId,
    "rewards.attempt": attempts + 1,
  };
  return tracing.start(`webhook ${type}`, { kind: "client", parent: traceparent, attributes });
}

function endSpan(span: Span, exchange: HttpOutcome): void {
  if (exchange.kind === "responded") span.set({ "http.response.status_code": exchange.status });
  else span.set({ "error.type": exchange.kind });
  span.end(exchange.kind === "responded" && isSuccess(exchange.status) ? "ok" : "failed");
}

/** Measures an attempt, and of one that succeeded the time since its event. */
function measure(
  meters: Meters | undefined,
  { eventId, isReplayed }: ClaimedDelivery,
  endpoints: string,
  exchange: HttpOutcome,
  at: Date,
): void {
  if (!meters) return;
  const { kind, durationMs } = exchange;
  const outcome = kind === "responded" ? `${Math.floor(exchange.status / 100)}xx` : kind;
  meters.time("rewards_webhook_attempt_duration_seconds", { endpoints, outcome }, durationMs / 1_000);
  if (outcome !== "2xx" || isReplayed) return;
  const lagMs = at.getTime() + durationMs - timeOfId(eventId);
  meters.time("rewards_webhook_lag_seconds", {}, Math.max(0, lagMs) / 1_000);
}

function headersOf(delivery: ClaimedDelivery, at: Date, secretOf: SecretOf): Record<string, string> {
  const { eventId: id, body, position } = delivery;
  const content = { id, timestampSeconds: Math.floor(at.getTime() / 1_000), body };
  return {
    "content-type": "application/json",
    "user-agent": "rewards-service",
    [SEQUENCE_HEADER]: `${position}`,
    ...signatureHeaders(content, signingSecrets(secretOf, delivery, at)),
  };
}

/** Disables an endpoint that responded with 410 (Gone) and releases its waiting deliveries. */
async function disableGone(endpointId: string, { database, recorder, now, log }: SenderDeps): Promise<void> {
  try {
    await disableEndpoint(database, endpointId, "gone", now());
    log.warn({ endpointId, reason: "gone" }, "webhook endpoint disabled");
  } catch (error) {
    // The next attempt will get 410 again.
    log.error({ err: error, endpointId }, "webhook endpoint not disabled");
  }
  recorder.releaseWaiting(endpointId);
}

function logDelivered(delivery: ClaimedDelivery, { attempt }: Outcome, log: Log): void {
  const { type, attempts } = delivery;
  const { status, durationMs } = attempt ?? {};
  log.debug({ ...logFields(delivery), type, attempt: attempts + 1, status, durationMs }, "webhook delivered");
}
