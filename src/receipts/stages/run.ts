import { setTimeout as sleep } from "node:timers/promises";
import { OcrFailure } from "../../ocr/ocr.ts";
import type { Findings } from "../findings.ts";
import { INTERNAL_FAILURE, RECEIPT_QUEUE, isFinished } from "../receipt.ts";
import type { Receipt, Stage } from "../receipt.ts";
import * as store from "../store.ts";
import { complete } from "./complete.ts";
import { enrich } from "./enrich.ts";
import { extract } from "./extract.ts";
import { score } from "./score.ts";
import { failLocked } from "./stage.ts";
import type { NextReceipt, StageDeps } from "./stage.ts";
import { validate } from "./validate.ts";

/** A receipt whose next stage did not finish in this number of attempts ends as INTERNAL_ERROR. */
const ATTEMPTS_MAX = 5;
/** A receipt without progress for this time gets another job. */
const UNFINISHED_SECONDS = 15;
const SWEEP_ROWS_MAX = 200;

/** The next stage, by the last finished one. */
const NEXT_STAGES: Record<Stage, (deps: StageDeps, receipt: Receipt, findings: Findings) => Promise<NextReceipt>> = {
  Uploaded: extract,
  Extracted: enrich,
  Enriched: validate,
  Validated: score,
  Scored: complete,
  Completed: async () => null,
};

/**
 * Runs the stages that a receipt has not finished; does nothing for a finished one. The attempt is counted before it
 * starts, so that a receipt which ends the process each time ends as INTERNAL_ERROR. An attempt that the process's own
 * stop interrupts is not counted. Throws when a stage failed and may be retried.
 */
export async function processReceipt(deps: StageDeps, id: string): Promise<void> {
  const { database } = deps;
  const counted = await store.countAttempt(database, id);
  if (!counted) return;
  if (counted.attempts > ATTEMPTS_MAX) return giveUp(deps, counted);
  try {
    let receipt: NextReceipt = counted;
    while (receipt) {
      const findings = await store.readFindings(database, receipt);
      receipt = await NEXT_STAGES[receipt.stage](deps, receipt, findings);
    }
  } catch (error) {
    await handleFailedAttempt(deps, counted, error);
  }
}

/** Ends the receipt if a retry is of no use; else rethrows the error, for a retry. */
async function handleFailedAttempt(deps: StageDeps, counted: Receipt, error: unknown): Promise<void> {
  const { database, log } = deps;
  const { id } = counted;
  const kind = error instanceof OcrFailure ? error.kind : null;
  if (kind === "closed") {
    await store.uncountAttempt(database, counted);
    throw error;
  }
  const receipt = await store.readReceipt(database, id);
  log.error({ err: error, receiptId: id, stage: receipt?.stage, attempts: receipt?.attempts }, "receipt failed");
  if (!receipt || isFinished(receipt)) return;
  if (kind === "unreadable" || receipt.attempts >= ATTEMPTS_MAX) return giveUp(deps, receipt);
  throw error;
}

function giveUp(deps: StageDeps, { id, stage }: Receipt): Promise<void> {
  return deps.database.tx(async (tx) => {
    const locked = await store.lockReceipt(tx, id, stage);
    if (locked) await failLocked(deps, tx, locked, INTERNAL_FAILURE, null, deps.now());
  });
}

/** Sends a job for each receipt without progress. The queue drops it if the receipt still has one. */
export async function sweepReceipts({ database, jobs, now }: StageDeps): Promise<void> {
  const before = new Date(now().getTime() - UNFINISHED_SECONDS * 1_000);
  const ids = await store.unfinishedReceipts(database, before, SWEEP_ROWS_MAX);
  if (ids.length === 0) return;
  await database.tx(async (tx) => {
    for (const id of ids) await jobs.send(tx, RECEIPT_QUEUE, { id }, { singletonKey: id });
  });
}

/** The handler of the queue's jobs, which knows those in progress. */
export interface ReceiptRunner {
  runJob(data: unknown): Promise<void>;
  /** Resolves when no job is in progress, at the latest after `graceMs`. */
  idle(graceMs: number): Promise<void>;
}

/** Creates the handler of the queue's jobs. */
export function createReceiptRunner(deps: StageDeps): ReceiptRunner {
  const running = new Set<Promise<void>>();
  return {
    runJob: async (data) => {
      const job = processReceipt(deps, (data as { id: string }).id);
      running.add(job);
      try {
        await job;
      } finally {
        running.delete(job);
      }
    },
    idle: async (graceMs) => {
      await Promise.race([Promise.allSettled(running), sleep(graceMs, undefined, { ref: false })]);
    },
  };
}
