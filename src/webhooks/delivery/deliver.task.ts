import type { Log } from "../../log.ts";
import type { Meters } from "../../meters.ts";
import type { Tracing } from "../../tracing/tracing.ts";
import type { HttpSender } from "../../outgoing/http-sender.ts";
import type { Database } from "../../postgres/postgres.ts";
import { createWakeableSleep } from "../../queue/wakeable-sleep.ts";
import { createDirect, createUnstored } from "./direct.task.ts";
import type { DirectDelivery } from "./direct.task.ts";
import { createProcessLease } from "./lease.task.ts";
import { HEALTHY_LIMITS, createBacklog, isEmpty } from "./backlog.ts";
import { CLAIM_AGAIN_MS, claimDeliveries } from "./claimer.task.ts";
import type { LaneLimits } from "./lanes.ts";
import { createFailureLog } from "./failure-log.task.ts";
import { createRecorder } from "./recorder.task.ts";
import { createSender } from "./sender.task.ts";
import { DISABLE_AFTER_SECONDS, leaseMsFor } from "../retry.ts";

export interface DeliveryOptions {
  readonly database: Database;
  readonly sender: HttpSender;
  readonly now: () => Date;
  /** Uniform in [0, 1), for the jitter. */
  readonly random: () => number;
  readonly log: Log;
  readonly meters?: Meters;
  readonly tracing?: Tracing | null;
  /** Seconds to wait before each attempt; its length is the number of attempts. */
  readonly scheduleSeconds: readonly number[];
  /** 32 bytes; the signing secrets are derived from them. */
  readonly installationKey: Uint8Array;
  readonly attemptTimeoutMs?: number;
  /** An endpoint without a successful attempt for this long is disabled. */
  readonly disableAfterSeconds?: number;
  readonly limits?: LaneLimits;
  /** Waits while requests press in, for what is due since `sinceMs`; without it nothing gives way. */
  readonly giveWay?: (sinceMs: number) => Promise<void>;
}

/** Sends events to endpoints. */
export interface Delivery extends DirectDelivery {
  /** Attempts all due deliveries, until none is left and all outcomes are written. Returns the number of attempts. */
  deliverDue(): Promise<number>;
  /** Delivers everything that becomes due, until `stop`. */
  start(): void;
  /** Starts no more attempts, lets those in progress run for `drainMs`, and releases the other claimed deliveries. */
  stop(drainMs?: number): Promise<void>;
}

const ATTEMPT_TIMEOUT_MS = 15_000;
const CLAIM_RETRY_MS = 1_000;

/**
 * Creates the delivery of events to endpoints: at least once, with the same id and body on every attempt, at most
 * `limits` at a time. Any number of processes may run it on one database.
 *
 * The life of a delivery (a row of `deliveries`; its state in quotes):
 *
 *   no row: its event was stored under the lease of this process (lease.task.ts)
 *      │ direct: after the commit, into the backlog        process killed, stop, no room ──┐
 *      │                                                                                   v
 *      │   "pending", due at … <───────────────────────────────────────────────────────────┤
 *      │      │ claimer: due, and the backlog has room                                     │
 *      │      v                                                                            │
 *      │   "pending", claimed: due again when the lease ends ── process killed ───────────>│ at the end of the lease
 *      │      │                                              ── stop, endpoint disabled ──>│ now (released by recorder)
 *      v      v                                                 or lease too short         │
 *   sender: an attempt, only while the lease covers its time-out                           │
 *   response, or none in time                                                              │
 *      │ recorder: writes the outcome, if the lease is still this process's                │
 *      ├── other than 2xx, attempts left ─────────────────────────────────────────────────>┘ retry at …
 *      ├── 2xx ──────────────────────────────> "delivered"
 *      └── other than 2xx, no attempts left ─> "failed"
 *
 * 410 (Gone), or no success for `disableAfterSeconds`, also disables the endpoint. Its deliveries stay pending and are
 * claimed again after it is enabled.
 */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { log } = options;
  const pause = createWakeableSleep();
  let isStopping = false;
  let loop: Promise<void> | undefined;
  const wake = (): void => pause.wake();
  const { backlog, claim, recorder, sender, failures, direct, processLease, unstored } = connectParts(options, {
    wake,
    isStopping: () => isStopping,
  });

  const isIdle = (): boolean => isEmpty(backlog) && recorder.unwritten === 0;

  const claimAndSend = async (): Promise<number> => {
    const waitMs = await claim();
    sender.startChains();
    return waitMs;
  };

  const deliverUntilStopped = async (): Promise<void> => {
    while (!isStopping) {
      const waitMs = await claimAndSend().catch((error: unknown) => {
        log.error({ err: error }, "webhooks not claimed");
        return CLAIM_RETRY_MS;
      });
      await pause.sleep(waitMs);
    }
  };

  return {
    async deliverDue() {
      const attemptsBefore = sender.attempts;
      for (;;) {
        const waitMs = await claimAndSend();
        if (isIdle()) return sender.attempts - attemptsBefore;
        await pause.sleep(waitMs);
      }
    },
    start() {
      processLease.start();
      loop ??= deliverUntilStopped();
    },
    lease: direct.lease,
    send: direct.send,
    abandon: direct.abandon,
    wake,
    catchUp: direct.catchUp,
    async stop(drainMs = 5_000) {
      isStopping = true;
      sender.stop();
      pause.wake();
      await loop;
      recorder.releaseWaiting();
      const drain = setTimeout(() => sender.abort(), drainMs);
      while (!isIdle()) await pause.sleep(CLAIM_AGAIN_MS);
      clearTimeout(drain);
      await processLease.stop(unstored.oldest() === null);
      // The lease was closed after the last tx under it was committed: what that sent since is released here.
      while (!isIdle()) await pause.sleep(CLAIM_AGAIN_MS);
      failures.stop();
    },
  };
}

/** Creates the parts of the delivery, each with those that it needs. */
function connectParts(options: DeliveryOptions, { wake, isStopping }: { wake: () => void; isStopping: () => boolean }) {
  const { sender: http, disableAfterSeconds = DISABLE_AFTER_SECONDS, limits = HEALTHY_LIMITS, log } = options;
  const { attemptTimeoutMs = ATTEMPT_TIMEOUT_MS } = options;
  const backlog = createBacklog(limits);
  const behind = new Set<string>();
  const leaseMs = leaseMsFor(attemptTimeoutMs);
  const common = {
    ...options,
    attemptTimeoutMs,
    disableAfterSeconds,
    backlog,
    http,
    leaseMs,
    behind,
    wake,
    isStopping,
  };
  const unstored = createUnstored(options.now);
  const recorder = createRecorder({
    ...common,
    batchMax: limits.heldMax,
    onReleased: unstored.released,
    onWritten: ({ delivery, state }) => {
      unstored.settled(delivery);
      // What succeeds at once leaves nothing to claim.
      if (delivery.hasRow || state === "pending" || behind.size > 0 || isStopping()) wake();
    },
    onLost: (delivery) => {
      unstored.settled(delivery);
      if (!delivery.hasRow) processLease.abandon();
      wake();
    },
  });
  const failures = createFailureLog({ log });
  const sender = createSender({ ...common, recorder, failures, onChainEnded: unstored.chainEnded });
  const processLease = createProcessLease({ ...common, oldestUnstored: unstored.oldest, onTakenOver: wake });
  const { startChains } = sender;
  const direct = createDirect({ ...common, unstored, processLease, startChains, release: recorder.release });
  const claim = () => claimDeliveries({ ...common, leaseSeconds: leaseMs / 1_000 });
  return { backlog, claim, recorder, sender, failures, direct, processLease, unstored };
}
