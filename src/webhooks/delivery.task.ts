import { createWakeableSleep } from "../queue/wakeable-sleep.ts";
import { createBatcher } from "../queue/batcher.ts";
import type { HttpSender } from "../outgoing/http-sender.ts";
import type { Log } from "../log.ts";
import { isRowError } from "../postgres/postgres.ts";
import type { Database, Tx } from "../postgres/postgres.ts";
import { toAttempt, toChains, toHandedBack, toOutcome } from "./delivery.ts";
import type { ClaimedDelivery, Outcome } from "./delivery.ts";
import { disableEndpoint } from "./endpoints/store.ts";
import type { NewEvent } from "./event.ts";
import { createLanes } from "./lanes.ts";
import type { Chain, LaneLimits, Lanes } from "./lanes.ts";
import { DISABLE_AFTER_SECONDS, isGone, leaseMsFor } from "./retry.ts";
import { signatureHeaders, signingSecrets } from "./sign.ts";
import { appendEvents, claimDue, findNextDue, recordOutcomes } from "./store.ts";

/** Where other stages leave their events, in the tx in which they happened. */
export interface Outbox {
  append(tx: Tx, events: readonly NewEvent[]): Promise<void>;
  /** For a store that writes events by `outboxInserts` itself. */
  readonly firstWaitSeconds: number;
}

/**
 * `hint` is sent in the same tx, once for all events of a call, and arrives when they are visible; it only saves
 * waiting, since due deliveries are looked for every few seconds anyway.
 */
export function createOutbox(options: { scheduleSeconds: readonly number[]; hint: (tx: Tx) => Promise<void> }): Outbox {
  const { scheduleSeconds, hint } = options;
  const firstWaitSeconds = scheduleSeconds[0] ?? 0;
  return {
    firstWaitSeconds,
    async append(tx, events) {
      const deliveries = await appendEvents(tx, events, firstWaitSeconds);
      if (deliveries > 0) await hint(tx);
    },
  };
}

/** What a delivery is made of. */
export interface DeliveryOptions {
  readonly database: Database;
  readonly sender: HttpSender;
  readonly now: () => Date;
  /** Uniform in [0, 1), for the jitter. */
  readonly random: () => number;
  readonly log: Log;
  /** Seconds to wait before each attempt; its length is the number of attempts. */
  readonly scheduleSeconds: readonly number[];
  /** 32 bytes from which the signing secrets are derived. */
  readonly installationKey: Uint8Array;
  readonly attemptTimeoutMs?: number;
  /** An endpoint none of whose attempts succeeded for so long is disabled. */
  readonly disableAfterSeconds?: number;
  readonly limits?: LaneLimits;
}

/** What sends events to endpoints. */
export interface Delivery {
  /** Attempts all that is due, until nothing is left to claim and all outcomes are written. Gives the attempts made. */
  deliverDue(): Promise<number>;
  /** Delivers whatever becomes due, until `stop`. */
  start(): void;
  /** Says that something may be due now. */
  wake(): void;
  /** Starts no more attempts, gives those under way `drainMs`, and hands the rest back. */
  stop(drainMs?: number): Promise<void>;
}

const ATTEMPT_TIMEOUT_MS = 15_000;
// A claim fills a lane with several rounds of work: claiming 64 rows costs little more than claiming one.
const LIMITS: LaneLimits = { atOnceMax: 128, perLaneMax: 16, heldPerLaneMax: 64, heldMax: 1_024 };
// Endpoints whose last attempt failed have lanes apart, and few places in them: an attempt that times out holds its place
// for 15 s, and however many do, they hold up only one another.
const FAILING_LIMITS: LaneLimits = { atOnceMax: 64, perLaneMax: 4, heldPerLaneMax: 16, heldMax: 512 };

// How often to look without a hint: also finds what a killed process had claimed.
const POLL_MS = 5_000;
const AFTER_FAULT_MS = 1_000;
// What is due but cannot be claimed (its lane is full, or another process is at it) is asked for again no faster.
const LOOK_AGAIN_MS = 250;

// Outcomes are gathered this long and written together (one UPDATE each costs three times as much), and no longer,
// since what is not written when the process is killed is sent again. The last one under way waits for no other.
const GATHER_MS = 20;
const WRITE_TRIES_MAX = 5;

/**
 * Delivers events to endpoints: at least once, the same id and body on every attempt, at most `limits` at a time.
 * Any number of processes may do so on one database. A claim is a lease: an attempt starts only when the lease covers
 * its whole time-out, and what a killed process had claimed is due again when its lease ends.
 */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { database, sender, now, random, log, scheduleSeconds, installationKey } = options;
  const { attemptTimeoutMs = ATTEMPT_TIMEOUT_MS, disableAfterSeconds = DISABLE_AFTER_SECONDS } = options;
  const { limits = LIMITS } = options;
  // What a chain of two time-outs leaves of a claim is claimed again.
  const leaseSeconds = leaseMsFor(attemptTimeoutMs) / 1_000;
  const healthy = createLanes<ClaimedDelivery>(limits);
  const failing = createLanes<ClaimedDelivery>(FAILING_LIMITS);
  const alarm = createWakeableSleep();
  const cutOff = new AbortController();
  let attemptsMade = 0;
  let unwritten = 0;
  let isStopping = false;
  let loop: Promise<void> | undefined;

  const recorder = createBatcher<Outcome, void>({
    async flush(outcomes) {
      await write(outcomes);
      if (healthy.running + failing.running > 0) await pause(GATHER_MS);
      return outcomes.map(() => undefined);
    },
    isPoison: isRowError,
    batchMax: limits.heldMax,
    waitingMax: Infinity,
  });

  const write = async (outcomes: readonly Outcome[]): Promise<void> => {
    for (let tries = 1; ; tries++) {
      try {
        for (const endpointId of await recordOutcomes(database, outcomes, disableAfterSeconds)) {
          log.warn({ endpointId, reason: "failing" }, "webhook endpoint disabled");
          clear(endpointId);
        }
        return;
      } catch (error) {
        if (isRowError(error) || tries >= WRITE_TRIES_MAX) throw error;
        log.error({ err: error, outcomes: outcomes.length }, "webhook outcomes not written yet");
        await pause(AFTER_FAULT_MS);
      }
    }
  };

  const settle = (outcome: Outcome): void => {
    unwritten += 1;
    recorder
      .add(outcome)
      // The lease will end and the delivery be made again: more than once is allowed, not at all is not.
      .catch((error: unknown) => log.error({ err: error, ...nameOf(outcome) }, "webhook outcome lost"))
      .finally(() => {
        unwritten -= 1;
        alarm.wake();
      });
  };

  /** Claims what is due as far as the lanes have room. Gives when to look again at the latest, in ms. */
  const claim = async (): Promise<number> => {
    const nextDue = await findNextDue(database);
    const at = now();
    const dueIds = nextDue.filter(({ dueAt }) => dueAt <= at).map(({ endpointId }) => endpointId);
    const failingIds = new Set(nextDue.filter(({ isFailing }) => isFailing).map(({ endpointId }) => endpointId));
    const rooms = [
      ...healthy.rooms(dueIds.filter((id) => !failingIds.has(id))),
      ...failing.rooms(dueIds.filter((id) => failingIds.has(id))),
    ];
    const shares = rooms.map(({ key, room }) => ({ endpointId: key, room }));
    const claimed = shares.length === 0 ? [] : await claimDue(database, shares, at, leaseSeconds);
    for (const chain of toChains(claimed)) {
      const { endpointId } = chain[0]!;
      (failingIds.has(endpointId) ? failing : healthy).add(endpointId, chain);
    }
    startChains(healthy);
    startChains(failing);
    const waits = nextDue.map(({ dueAt }) => Math.max(LOOK_AGAIN_MS, dueAt.getTime() - at.getTime()));
    return Math.min(POLL_MS, ...waits);
  };

  const startChains = (lanes: Lanes<ClaimedDelivery>): void => {
    for (let next = lanes.start(); next !== null; next = lanes.start()) void run(lanes, next.key, next.chain);
  };

  /** One subject's deliveries to one endpoint, one after the other. */
  const run = async (lanes: Lanes<ClaimedDelivery>, key: string, chain: Chain<ClaimedDelivery>): Promise<void> => {
    let isGoingOn = true;
    for (const delivery of chain) {
      const isCovered = now().getTime() + attemptTimeoutMs <= delivery.leasedUntil.getTime();
      if (isGoingOn && isCovered && !isStopping) isGoingOn = await attempt(delivery);
      else handBack(delivery);
    }
    lanes.finish(key, chain);
    startChains(lanes);
  };

  /** Sends a delivery and settles it. False when the rest of its chain should not be sent. */
  const attempt = async (delivery: ClaimedDelivery): Promise<boolean> => {
    const { endpointId, eventId: id, body, url } = delivery;
    const at = now();
    const secrets = signingSecrets(installationKey, delivery, at);
    const signature = signatureHeaders({ id, timestampSeconds: Math.floor(at.getTime() / 1_000), body }, secrets);
    const headers = { "content-type": "application/json", "user-agent": "rewards-service", ...signature };
    const answer = await sender.post({ url, headers, body, timeoutMs: attemptTimeoutMs, signal: cutOff.signal });
    if (answer.kind !== "responded" && cutOff.signal.aborted) {
      // We hung up, so the endpoint is not to blame.
      handBack(delivery);
      return false;
    }
    attemptsMade += 1;
    const outcome = toOutcome(delivery, toAttempt(answer, at), { scheduleSeconds, random: random() });
    const isGoneForGood = answer.kind === "responded" && isGone(answer.status);
    if (isGoneForGood) await disable(endpointId);
    logAttempt(delivery, outcome);
    settle(outcome);
    return !isGoneForGood;
  };

  const disable = async (endpointId: string): Promise<void> => {
    try {
      await disableEndpoint(database, endpointId, "gone", now());
      log.warn({ endpointId, reason: "gone" }, "webhook endpoint disabled");
    } catch (error) {
      // It will say 410 again at the next attempt.
      log.error({ err: error, endpointId }, "webhook endpoint not disabled");
    }
    clear(endpointId);
  };

  /** Hands back what waits for one endpoint, or for all. */
  const clear = (endpointId?: string): void =>
    [healthy, failing].flatMap((lanes) => lanes.clear(endpointId).flat()).forEach(handBack);

  const handBack = (delivery: ClaimedDelivery): void => settle(toHandedBack(delivery, now()));

  const logAttempt = (delivery: ClaimedDelivery, { state, attempt }: Outcome): void => {
    const { type, attempts } = delivery;
    const { status = null, error = null, durationMs } = attempt ?? {};
    const fields = { ...nameOf(delivery), type, attempt: attempts + 1, state, status, error, durationMs };
    if (state === "delivered") log.debug(fields, "webhook attempted");
    else log.warn(fields, "webhook attempted");
  };

  const isIdle = (): boolean => healthy.held + failing.held === 0 && unwritten === 0;

  const deliverUntilStopped = async (): Promise<void> => {
    for (;;) {
      if (isStopping) return;
      const waitMs = await claim().catch((error: unknown) => {
        log.error({ err: error }, "webhooks not claimed");
        return AFTER_FAULT_MS;
      });
      await alarm.sleep(waitMs);
    }
  };

  return {
    async deliverDue() {
      const attemptsBefore = attemptsMade;
      for (;;) {
        const waitMs = await claim();
        if (isIdle()) return attemptsMade - attemptsBefore;
        await alarm.sleep(waitMs);
      }
    },
    start() {
      loop ??= deliverUntilStopped();
    },
    wake: () => alarm.wake(),
    async stop(drainMs = 5_000) {
      isStopping = true;
      alarm.wake();
      await loop;
      clear();
      const drain = setTimeout(() => cutOff.abort(), drainMs);
      while (!isIdle()) await alarm.sleep(LOOK_AGAIN_MS);
      clearTimeout(drain);
    },
  };
}

function nameOf({ subject, position, endpointId }: Outcome | ClaimedDelivery): object {
  return { subject, position, endpointId };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
