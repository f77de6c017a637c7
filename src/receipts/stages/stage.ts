// The common parts of the stages: their dependencies, and the tx that ends a stage.
import type { RaterFor } from "../../foods/lookup/item-rater.ts";
import type { Log } from "../../log.ts";
import type { Meters } from "../../meters.ts";
import type { OcrPage } from "../../ocr/page.ts";
import type { Database, Tx } from "../../postgres/postgres.ts";
import type { TermsByRule } from "../../points/terms.ts";
import type { TierKeeper } from "../../points/tiers/keeper.store.ts";
import type { TermsFor } from "../../programs/terms.task.ts";
import type { Jobs } from "../../queue/jobs.ts";
import type { Tracing } from "../../tracing/tracing.ts";
import { newEvent } from "../../webhooks/event.ts";
import type { NewEvent, WebhookEvent } from "../../webhooks/event.ts";
import type { Check } from "../checks/check.ts";
import type { CompareWithEarlier } from "../duplicates/compare.task.ts";
import { failedEvent } from "../events.ts";
import type { MerchantDictionary } from "../parsing/header/merchant-dictionary.ts";
import type { Failure, Receipt, Stage } from "../receipt.ts";
import { holdReceipt } from "../holding/store.ts";
import * as store from "../store.ts";

export interface StageDeps {
  readonly database: Database;
  readonly jobs: Pick<Jobs, "send">;
  /** Reads a stored image. Throws when it fails; OcrFailure if a retry is of no use or the process stops. */
  readonly readImage: (imageKey: string) => Promise<OcrPage>;
  readonly compareWithEarlier: CompareWithEarlier;
  /** Key of the fingerprints of an application's purchases. */
  readonly purchaseKey: Uint8Array;
  readonly limits: ReceiptLimits;
  readonly merchants: MerchantDictionary;
  /** One lookup for all lines of a receipt. */
  readonly raterFor: RaterFor;
  readonly catalogueVersion: string;
  readonly termsFor: TermsFor;
  readonly termsByRule: TermsByRule;
  readonly tiers: TierKeeper;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Writes events to the outbox, with a job for their delivery. */
  readonly publish: (tx: Tx, events: NewEvent[]) => Promise<void>;
  readonly log: Log;
  readonly meters: Meters;
  readonly tracing: Tracing | null;
  /** The span of the stage that runs; its events continue that. Absent: none. */
  readonly traceparent?: string | undefined;
}

/** The operator's limits on receipts that are read. */
export interface ReceiptLimits {
  /** Receipts of one user within 24 hours; 0: no limit. */
  readonly perUserPerDayMax: number;
  /** Age of the purchase in days; an older one earns nothing; 0: no limit. */
  readonly ageMaxDays: number;
}

/** The result of a stage: its findings and events, or a failure, with the checks to show for it. */
export type StageResult =
  | {
      readonly kind: "finished";
      readonly found: unknown;
      readonly events: readonly WebhookEvent[];
      /** The reasons to hold the receipt for review, and the earlier receipt that it was found to be the same as. */
      readonly held?: { readonly because: readonly string[]; readonly similarTo: string | null };
    }
  | { readonly kind: "rejected"; readonly failure: Failure; readonly checks?: readonly Check[] };

/** The receipt at its next stage; null: it is completed or failed, or another process has advanced it meanwhile. */
export type NextReceipt = Receipt | null;

/** Ends a stage in a tx of its own: stores the result of `conclude` and its events, and advances the receipt. */
export function finishStage(
  deps: StageDeps,
  receipt: Receipt,
  next: Stage,
  conclude: (tx: Tx, at: Date) => Promise<StageResult> | StageResult,
): Promise<NextReceipt> {
  return deps.database.tx(async (tx) => {
    const at = deps.now();
    const locked = await store.lockReceipt(tx, receipt.id, receipt.stage);
    return locked && storeResult(deps, tx, locked, next, await conclude(tx, at), at);
  });
}

/** Stores the result of a stage and its events, and advances the locked receipt. */
export async function storeResult(
  deps: StageDeps,
  tx: Tx,
  locked: Receipt,
  next: Stage,
  result: StageResult,
  at: Date,
): Promise<NextReceipt> {
  if (result.kind === "rejected") {
    await failLocked(deps, tx, locked, result.failure, result.checks ?? null, at);
    return null;
  }
  await store.advance(tx, locked, next, result.found, at);
  await publish(deps, tx, locked, result.events, at);
  if (result.held) {
    await holdReceipt(tx, locked, result.held, at);
    return null;
  }
  return next === "Completed" ? null : { ...locked, stage: next, attempts: 0 };
}

/** Ends the locked receipt as failed, with its event. */
export async function failLocked(
  deps: StageDeps,
  tx: Tx,
  locked: Receipt,
  failure: Failure,
  checks: readonly Check[] | null,
  at: Date,
): Promise<void> {
  const { similarTo } = failure;
  await store.failReceipt(tx, locked, failure, checks && { checks, ...(similarTo && { similarTo }) }, at);
  await publish(deps, tx, locked, [failedEvent(locked, failure, at)], at);
}

/** Stores events of the locked receipt. */
export function publish(
  { publish: append, newId, traceparent }: StageDeps,
  tx: Tx,
  { applicationId, userId, id, runs }: Receipt,
  events: readonly WebhookEvent[],
  at: Date,
): Promise<void> {
  const owner = { applicationId, userId, subject: id, run: runs, traceparent };
  return append(
    tx,
    events.map((event) => newEvent(newId(), owner, event, at)),
  );
}

/** Returns the findings of a finished stage. They are always there; anything else is an error of the service. */
export function findingsOf<Data>(found: { readonly data: Data } | undefined): Data {
  if (!found) throw new Error("a finished stage has left no findings");
  return found.data;
}
