import { setTimeout as sleep } from "node:timers/promises";
import { OcrFailure } from "../../ocr/ocr.ts";
import { createWakeableSleep } from "../../queue/wakeable-sleep.ts";
import { StorageUnavailable } from "../../storage-failures.ts";
import type { Receipt } from "../receipt.ts";
import { claimNext, claimOne, leaseUntil, settleTurn } from "../turns.store.ts";
import type { Turn } from "../turns.store.ts";
import { processReceipt } from "./run.ts";
import type { StageDeps } from "./stage.ts";

/** Longest time between two claims: finds receipts whose job was lost, whose process was killed, or due for a retry. */
const POLL_MS = 2_000;
/** The receipts of a killed process are claimed again after this time. */
const LEASE_MS = 25_000;
const RENEWAL_MS = 8_000;
/** Wait before the next attempt, by the number of attempts so far. */
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 5_000];
/** Time without claims after the store of images was away: otherwise all waiting receipts would be claimed in turn. */
const AWAY_MS = 2_000;

/** Takes receipts by turn, as many at once as there are processes that read them. */
export interface ReceiptReaders {
  start(): void;
  /** Looks for receipts now: one was accepted. */
  wake(): void;
  /** Runs the stages of this receipt now, out of turn. Throws when it may be retried. */
  runNow(id: string): Promise<void>;
  /** Claims no more, and waits for those in progress, at most `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** Creates the readers, at most `concurrency` receipts at once. Nothing runs until `start`. */
export function createReceiptReaders(deps: StageDeps, concurrency: number): ReceiptReaders {
  const { database, log, now } = deps;
  const running = new Map<string, Promise<void>>();
  const { wake, sleep: sleepOrWake } = createWakeableSleep();
  let isStopping = false;
  let claiming: Promise<void> | null = null;
  let pausedUntilMs = 0;

  const track = async (receipt: Receipt, work: () => Promise<void>): Promise<void> => {
    const renewal = setInterval(() => void renewLease(deps, receipt), RENEWAL_MS);
    const done = work();
    running.set(receipt.id, done);
    try {
      await done;
    } finally {
      clearInterval(renewal);
      running.delete(receipt.id);
    }
  };

  const startTurn = (turn: Turn): void => {
    // A failure here is one of the database. The lease ends by itself.
    track(turn.receipt, async () => {
      if ((await runTurn(deps, turn)) === "store away") pausedUntilMs = performance.now() + AWAY_MS;
    })
      .catch((error: unknown) => log.error({ err: error, receiptId: turn.receipt.id }, "receipt was not released"))
      .finally(wake);
  };

  const claim = async (): Promise<void> => {
    while (!isStopping && running.size < concurrency && performance.now() >= pausedUntilMs) {
      const turn = await claimNext(database, now(), after(now(), LEASE_MS), [...running.keys()]);
      if (!turn) return;
      startTurn(turn);
    }
  };

  const claimUntilStopped = async (): Promise<void> => {
    while (!isStopping) {
      await claim().catch((error: unknown) => log.error({ err: error }, "claiming receipts failed"));
      if (!isStopping) await sleepOrWake(POLL_MS);
    }
  };

  return {
    start: () => void (claiming ??= claimUntilStopped()),
    wake,
    runNow: async (id) => {
      const receipt = await claimOne(database, id, after(now(), LEASE_MS));
      if (receipt) await track(receipt, () => processReceipt(deps, receipt));
    },
    stop: async (graceMs) => {
      isStopping = true;
      wake();
      await claiming;
      const ended = Promise.allSettled(running.values());
      await Promise.race([ended, sleep(graceMs, undefined, { ref: false })]);
    },
  };
}

/**
 * Runs a claimed receipt, and charges its application the time that it took, also of a failed attempt. Returns whether
 * the store of images was away.
 */
async function runTurn(deps: StageDeps, turn: Turn): Promise<"done" | "store away"> {
  const { database, log, now } = deps;
  const { receipt } = turn;
  const startedMs = performance.now();
  try {
    await processReceipt(deps, receipt);
    return "done";
  } catch (error) {
    const isAway = error instanceof StorageUnavailable;
    if (isAway) log.warn({ receiptId: receipt.id, reason: error.message }, "a receipt waits for its image");
    if (!isInterrupted(error)) await leaseUntil(database, receipt, after(now(), retryDelayMs(receipt)));
    return isAway ? "store away" : "done";
  } finally {
    await settleTurn(database, turn, performance.now() - startedMs);
  }
}

async function renewLease({ database, now, log }: StageDeps, receipt: Receipt): Promise<void> {
  await leaseUntil(database, receipt, after(now(), LEASE_MS)).catch((error: unknown) => {
    log.warn({ err: error, receiptId: receipt.id }, "the lease of a receipt was not renewed");
  });
}

function after(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}

/** The process stops. The attempt is uncounted and the receipt released. */
function isInterrupted(error: unknown): boolean {
  return error instanceof OcrFailure && error.kind === "closed";
}

function retryDelayMs({ attempts }: Receipt): number {
  return RETRY_DELAYS_MS[attempts - 1] ?? RETRY_DELAYS_MS.at(-1)!;
}
