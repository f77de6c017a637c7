import { OcrFailure } from "../../ocr/ocr.ts";
import { StorageUnavailable } from "../../storage-failures.ts";
import type { Findings } from "../findings.ts";
import { INTERNAL_FAILURE, STAGES, isFinished } from "../receipt.ts";
import type { Receipt, Stage } from "../receipt.ts";
import * as store from "../store.ts";
import { countTimeout, uncountAttempt } from "../turns.store.ts";
import { within } from "../../tracing/tracing.ts";
import { complete } from "./complete.ts";
import { enrich } from "./enrich.ts";
import { extract } from "./extract.ts";
import { score } from "./score.ts";
import { failLocked } from "./stage.ts";
import type { NextReceipt, StageDeps } from "./stage.ts";
import { validate } from "./validate.ts";

/** A receipt whose next stage did not finish in this number of attempts ends as INTERNAL_ERROR. */
const ATTEMPTS_MAX = 5;
/** A second reading may succeed on a machine that was busy; a third would only cost the others their turns. */
const TIMEOUTS_MAX = 2;

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
 * Runs the stages that a claimed receipt has not finished. The attempt was counted when it was claimed, so that a
 * receipt which ends the process each time ends as INTERNAL_ERROR. An attempt is uncounted that the process's own stop
 * interrupts, or a store of images that is away. Throws when a stage failed and may be retried.
 */
export async function processReceipt(deps: StageDeps, claimed: Receipt): Promise<void> {
  const { database } = deps;
  if (claimed.attempts > ATTEMPTS_MAX) return giveUp(deps, claimed);
  try {
    let receipt: NextReceipt = claimed;
    while (receipt) {
      const findings = await store.readFindings(database, receipt);
      receipt = await runStage(deps, receipt, findings);
    }
  } catch (error) {
    await handleFailedAttempt(deps, claimed, error);
  }
}

/** Runs the stage after the last finished one, measures it, and traces it as a part of its upload's trace. */
async function runStage(deps: StageDeps, receipt: Receipt, findings: Findings): Promise<NextReceipt> {
  const { meters, tracing } = deps;
  const { stage: last, id, applicationId, declared, attempts } = receipt;
  const stage = `receipt.${(STAGES[STAGES.indexOf(last) + 1] ?? last).toLowerCase()}`;
  const attributes = {
    "rewards.application.id": applicationId,
    "rewards.submission.id": id,
    "rewards.attempt": attempts,
  };
  const startedMs = performance.now();
  let outcome = "error";
  try {
    const parent = declared.traceparent ?? null;
    const next = await within(tracing, stage, { parent, attributes }, (traceparent) =>
      NEXT_STAGES[last](traceparent === null ? deps : tracedDeps(deps, traceparent), receipt, findings),
    );
    outcome = "ok";
    return next;
  } finally {
    meters.time("rewards_stage_duration_seconds", { stage, outcome }, (performance.now() - startedMs) / 1_000);
  }
}

/** For a stage in this span: its events continue it, and reading the image is a span in it. */
function tracedDeps(deps: StageDeps, traceparent: string): StageDeps {
  const readImage: StageDeps["readImage"] = (imageKey) =>
    within(deps.tracing, "read image", { parent: traceparent }, () => deps.readImage(imageKey));
  return { ...deps, traceparent, readImage };
}

/** Ends the receipt if a retry is of no use; else rethrows the error, for a retry. */
async function handleFailedAttempt(deps: StageDeps, claimed: Receipt, error: unknown): Promise<void> {
  const { database, log } = deps;
  const { id } = claimed;
  const kind = error instanceof OcrFailure ? error.kind : null;
  // No attempt at the receipt: it waits until its image can be read.
  if (kind === "closed" || error instanceof StorageUnavailable) {
    await uncountAttempt(database, claimed);
    throw error;
  }
  const receipt = await store.readReceipt(database, id);
  log.error({ err: error, receiptId: id, stage: receipt?.stage, attempts: receipt?.attempts }, "receipt failed");
  if (!receipt || isFinished(receipt)) return;
  const isTooSlow = kind === "timeout" && (await countTimeout(database, receipt)) >= TIMEOUTS_MAX;
  if (kind === "unreadable" || isTooSlow || receipt.attempts >= ATTEMPTS_MAX) return giveUp(deps, receipt);
  throw error;
}

function giveUp(deps: StageDeps, { id, stage }: Receipt): Promise<void> {
  return deps.database.tx(async (tx) => {
    const locked = await store.lockReceipt(tx, id, stage);
    if (locked) await failLocked(deps, tx, locked, INTERNAL_FAILURE, null, deps.now());
  });
}
