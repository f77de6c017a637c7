import { setTimeout as sleep } from "node:timers/promises";
import type { Jobs, QueueOptions } from "../../queue/jobs.ts";
import type { Log } from "../../log.ts";
import { OcrFailure } from "../../ocr/ocr.ts";
import type { Database, Tx } from "../../postgres/postgres.ts";
import type { RaterFor } from "../../foods/lookup/item-rater.ts";
import { awardedEvent } from "../../points/awarded-event.ts";
import { recordTotals } from "../../points/record.ts";
import { book } from "../../points/store.ts";
import { DAY_MS } from "../../time.ts";
import { newEvent } from "../../webhooks/event.ts";
import type { NewEvent, WebhookEvent } from "../../webhooks/event.ts";
import { ageCheck } from "../checks/age.ts";
import {
  checksOfSample,
  fingerprint,
  closestMatch,
  paceCheck,
  pictureCheck,
  uniquenessCheck,
} from "../duplicates/duplicate-checks.ts";
import type { DuplicateMatch } from "../duplicates/duplicate-checks.ts";
import { authenticate, isAmountPrinted } from "../checks/authenticate.ts";
import type { Check } from "../checks/check.ts";
import { nameEvidence } from "../checks/name.ts";
import { claimFacts, claimUpload } from "../duplicates/claims.store.ts";
import { completedEvent, extractedEvent, failedEvent, validatedEvent } from "../events.ts";
import { likenessKeys, purchaseKeys } from "../duplicates/likeness.ts";
import type { CompareWithEarlier } from "../duplicates/compare.task.ts";
import { DUPLICATE_CANDIDATES_MAX, findDuplicateCandidates, keepLikeness, lockLikeness } from "../duplicates/store.ts";
import type { MerchantDictionary } from "../parsing/header/merchants.ts";
import { parseReceipt } from "../parsing/parse.ts";
import { rowsOf } from "../parsing/rows/rows.ts";
import type { OcrPage } from "../../ocr/page.ts";
import { withDecimals } from "../parsing/rows/zero-decimal-amounts.ts";
import { INTERNAL_FAILURE, RECEIPT_QUEUE, failure, isFinished } from "../receipt.ts";
import type { Failure, Receipt, Stage } from "../receipt.ts";
import { rejectionOf, uploadRejection } from "../rejections.ts";
import { ASSUMED_CURRENCY, lookupItemsOf, enrich, scoreReceipt } from "../score.ts";
import type { Findings } from "../findings.ts";
import * as store from "../store.ts";

/** How the queue of receipts is to be declared: at most one job of a receipt at a time. */
export const RECEIPT_QUEUE_OPTIONS: QueueOptions = {
  policy: "exclusive",
  retryLimit: 20,
  retryDelaySeconds: 1,
  retryDelayMaxSeconds: 5,
  // Waiting for a reading process, reading, and the stages after it.
  expireInSeconds: 600,
  heartbeatSeconds: 10,
};

/** A receipt tried this often without finishing its next stage ends as INTERNAL_ERROR. */
const ATTEMPTS_MAX = 5;
/** What stands unfinished longer is hinted at again. */
const UNFINISHED_SECONDS = 15;
const SWEEP_ROWS_MAX = 200;

export interface ReceiptStageDeps {
  database: Database;
  jobs: Pick<Jobs, "send">;
  /** Reads the stored image; throws when it cannot, OcrFailure where another try is of no use or the process stops. */
  readImage: (imageKey: string) => Promise<OcrPage>;
  /** Compares a receipt with earlier ones; see duplicates/compare.task.ts. */
  compareWithEarlier: CompareWithEarlier;
  /** Receipts of one user within 24 hours; 0: any number. */
  perUserPerDayMax: number;
  /** A purchase longer ago earns nothing; 0: any age does. */
  ageMaxDays: number;
  merchants: MerchantDictionary;
  /** One look-up for all lines of a receipt. */
  raterFor: RaterFor;
  catalogueVersion: string;
  now: () => Date;
  newId: () => string;
  /** Writes events to the outbox, and the hint that they are due. */
  publish: (tx: Tx, events: NewEvent[]) => Promise<void>;
  log: Log;
}

/** What ends a stage: its findings and events, or a failure with what is to be shown of it. */
type StageResult =
  | { readonly kind: "finished"; readonly found: unknown; readonly events: readonly WebhookEvent[] }
  | { readonly kind: "rejected"; readonly failure: Failure; readonly checks?: readonly Check[] };

/** The background half of receipts: each stage stored in one tx with its events, whoever runs it and however often. */
export function createReceiptStages(deps: ReceiptStageDeps) {
  const { database, jobs, now, newId, log } = deps;

  const publish = (tx: Tx, receipt: Receipt, events: readonly WebhookEvent[], at: Date): Promise<void> => {
    const owner = { applicationId: receipt.applicationId, userId: receipt.userId, subject: receipt.id };
    return deps.publish(
      tx,
      events.map((event) => newEvent(newId(), owner, event, at)),
    );
  };

  /**
   * Ends a stage in one tx: what `conclude` gives is stored, told, and the receipt moved on. Gives the receipt as it
   * stands then, or null when it is finished or somebody else has moved it on meanwhile.
   */
  const finishStage = (
    receipt: Receipt,
    next: Stage,
    conclude: (tx: Tx, at: Date) => Promise<StageResult> | StageResult,
  ): Promise<Receipt | null> =>
    database.tx(async (tx) => {
      const at = now();
      const locked = await store.lockReceipt(tx, receipt.id, receipt.stage);
      if (!locked) return null;
      const result = await conclude(tx, at);
      if (result.kind === "rejected") {
        await fail(tx, locked, result.failure, result.checks ?? null, at);
        return null;
      }
      await store.advance(tx, locked, next, result.found, at);
      await publish(tx, locked, result.events, at);
      return next === "Completed" ? null : { ...locked, stage: next, attempts: 0 };
    });

  const fail = async (tx: Tx, locked: Receipt, failure: Failure, checks: readonly Check[] | null, at: Date) => {
    await store.failReceipt(tx, locked, failure, checks && { checks }, at);
    await publish(tx, locked, [failedEvent(locked, failure, at)], at);
  };

  /** Uploaded → Extracted: nobody else has its reference or image, and the picture is read and is a receipt. */
  const extract = async (receipt: Receipt): Promise<Receipt | null> => {
    const isRefused = await database.tx(async (tx) => {
      const locked = await store.lockReceipt(tx, receipt.id, "Uploaded");
      if (!locked) return true;
      const refusal = uploadRejection(locked, await claimUpload(tx, locked));
      if (refusal) await fail(tx, locked, refusal, null, now());
      return refusal !== null;
    });
    if (isRefused) return null;
    const page = await deps.readImage(receipt.imageKey);
    const reading = parseReceipt(page, deps.merchants, receipt.acceptedAt.toISOString().slice(0, 10));
    const texts = withDecimals(rowsOf(page)).map(({ text }) => text);
    // A chain may be known by its VAT id alone, and its name stand nowhere.
    const names = [reading.businessName, reading.merchantName].filter((name) => name !== null);
    const { merchantName, amount } = receipt.declared;
    const found = {
      reading,
      page,
      name: nameEvidence([...texts, ...names], merchantName, deps.merchants),
      isAmountPrinted: isAmountPrinted(texts, amount, reading.currency ?? ASSUMED_CURRENCY),
    };
    return finishStage(receipt, "Extracted", (_tx, at) =>
      reading.isReceipt
        ? { kind: "finished", found, events: [extractedEvent(receipt, reading, at)] }
        : { kind: "rejected", failure: failure("NOT_AUTHENTIC", "the picture doesn't show a receipt") },
    );
  };

  /** Extracted → Enriched: who sold, and which foods. */
  const enrichLines = async (receipt: Receipt, { Extracted }: Findings): Promise<Receipt | null> => {
    const { reading, name } = present(Extracted);
    const declaredName = name.isNamed ? receipt.declared.merchantName : null;
    const { applicationId } = receipt;
    const raterOf = await deps.raterFor(lookupItemsOf(applicationId, reading, declaredName));
    const { rate } = raterOf(applicationId);
    const enriched = enrich(receipt.id, reading, declaredName, { rate, catalogueVersion: deps.catalogueVersion });
    return finishStage(receipt, "Enriched", () =>
      "kind" in enriched ? { kind: "rejected", failure: enriched } : { kind: "finished", found: enriched, events: [] },
    );
  };

  /** Enriched → Validated: nothing contradicts what was declared, and neither picture nor purchase was handed in before. */
  const validate = async (receipt: Receipt, { Extracted, Enriched }: Findings): Promise<Receipt | null> => {
    const { reading, page, ...inText } = present(Extracted);
    const { businessName, currency } = present(Enriched);
    const { declared, isSample, acceptedAt, traces } = receipt;
    const about = { declared, isSample, acceptedAt, traces };
    const { checks, failure: contradiction } = authenticate({ ...about, reading, ...inText, currency });
    // The same sample may be sent as often as one likes.
    const facts = isSample ? null : fingerprint(businessName, reading, declared);
    const keys = isSample || !page ? [] : [...likenessKeys(page), ...purchaseKeys(reading, page)];
    const perDayMax = isSample ? 0 : deps.perUserPerDayMax;
    const compared = new Map<string, DuplicateMatch>();

    const conclude = async (tx: Tx, at: Date): Promise<StageResult> => {
      if (contradiction) return { kind: "rejected", failure: contradiction, checks };
      // Nobody else decides on a receipt like this one until this tx ends, so what is here now is all there is.
      await lockLikeness(tx, keys);
      const lookalikes = await findDuplicateCandidates(tx, receipt, keys);
      if (lookalikes.some(({ id }) => !compared.has(id))) throw new LookalikesChanged();
      const since = new Date(acceptedAt.getTime() - DAY_MS);
      const earlier = perDayMax === 0 ? 0 : await store.countRecent(tx, receipt, since);
      const likest = closestMatch([...compared.values()]);
      const isNew = facts === null ? null : await claimFacts(tx, receipt, facts);
      const amongOthers = isSample
        ? checksOfSample()
        : [
            pictureCheck(keys.length > 0, likest),
            uniquenessCheck(isNew),
            paceCheck(earlier, perDayMax),
            ageCheck({ declared, date: reading.date, acceptedAt }, deps.ageMaxDays),
          ];
      const all = [...checks, ...amongOthers];
      const refusal = rejectionOf(all, likest);
      if (refusal) return { kind: "rejected", failure: refusal, checks: all };
      await keepLikeness(tx, receipt, keys);
      return { kind: "finished", found: { checks: all }, events: [validatedEvent(receipt, businessName, all, at)] };
    };

    for (let tries = 0; ; tries++) {
      if (page && !contradiction) await deps.compareWithEarlier(receipt, page, keys, compared);
      try {
        return await finishStage(receipt, "Validated", conclude);
      } catch (error) {
        if (!(error instanceof LookalikesChanged) || tries >= DUPLICATE_CANDIDATES_MAX) throw error;
      }
    }
  };

  /** Validated → Scored: the points of each line. */
  const score = (receipt: Receipt, { Extracted, Enriched }: Findings): Promise<Receipt | null> => {
    const record = scoreReceipt(receipt, present(Extracted).reading, present(Enriched));
    return finishStage(receipt, "Scored", () => ({ kind: "finished", found: record, events: [] }));
  };

  /** Scored → Completed: booked, told and marked, all of it or nothing. */
  const complete = (receipt: Receipt, { Enriched, Scored }: Findings): Promise<Receipt | null> => {
    const record = present(Scored);
    const { catalogueVersion } = present(Enriched);
    const { id: submissionId, applicationId, userId } = receipt;
    return finishStage(receipt, "Completed", async (tx, at) => {
      const booking = { applicationId, userId, source: "receipt", submissionId, record, catalogueVersion } as const;
      const booked = (await book(tx, [booking], at, newId))[0]!;
      // A limit a day has cut it: what it scored is what it earned.
      if (booked.record !== record) await store.replaceFinding(tx, receipt, "Scored", booked.record);
      const events: WebhookEvent[] = [completedEvent(receipt, booked.record, at)];
      if (recordTotals(booked.record.body).points > 0) events.push(awardedEvent(userId, booked));
      return { kind: "finished", found: { transactionId: booked.id }, events };
    });
  };

  /** What has to be done next, by the last finished stage. */
  const nextStages: Record<Stage, (receipt: Receipt, findings: Findings) => Promise<Receipt | null>> = {
    Uploaded: extract,
    Extracted: enrichLines,
    Enriched: validate,
    Validated: score,
    Scored: complete,
    Completed: async () => null,
  };

  /**
   * Takes a receipt through the stages that it has not finished; a finished one is left alone. The try is counted
   * before it starts, so that a receipt which ends the process each time ends as INTERNAL_ERROR itself; one that the
   * process's own stop cut off is taken back. Throws when a stage could not be done and may be tried again.
   */
  const processReceipt = async (id: string): Promise<void> => {
    const counted = await store.countAttempt(database, id);
    if (!counted) return;
    if (counted.attempts > ATTEMPTS_MAX) return giveUp(counted);
    try {
      let receipt: Receipt | null = counted;
      while (receipt) {
        const findings = await store.readFindings(database, receipt);
        receipt = await nextStages[receipt.stage](receipt, findings);
      }
    } catch (error) {
      const kind = error instanceof OcrFailure ? error.kind : null;
      if (kind === "closed") {
        await store.takeBackAttempt(database, counted);
        throw error;
      }
      const standing = await store.readReceipt(database, id);
      log.error({ err: error, receiptId: id, stage: standing?.stage, attempts: standing?.attempts }, "receipt failed");
      if (!standing || isFinished(standing)) return;
      if (kind === "unreadable" || standing.attempts >= ATTEMPTS_MAX) return giveUp(standing);
      throw error;
    }
  };

  const giveUp = ({ id, stage }: Receipt): Promise<void> =>
    database.tx(async (tx) => {
      const locked = await store.lockReceipt(tx, id, stage);
      if (locked) await fail(tx, locked, INTERNAL_FAILURE, null, now());
    });

  /** Hints again at what no job speaks of any more; where one does, the queue drops the hint. */
  const sweep = async (): Promise<void> => {
    const before = new Date(now().getTime() - UNFINISHED_SECONDS * 1_000);
    const ids = await store.unfinishedReceipts(database, before, SWEEP_ROWS_MAX);
    if (ids.length === 0) return;
    await database.tx(async (tx) => {
      for (const id of ids) await jobs.send(tx, RECEIPT_QUEUE, { id }, { singletonKey: id });
    });
  };

  const inHand = new Set<Promise<void>>();

  const runJob = async (data: unknown): Promise<void> => {
    const running = processReceipt((data as { id: string }).id);
    inHand.add(running);
    try {
      await running;
    } finally {
      inHand.delete(running);
    }
  };

  /** Resolves when no job is in hand any more, at the latest after so long. */
  const idle = async (graceMs: number): Promise<void> => {
    await Promise.race([Promise.allSettled(inHand), sleep(graceMs, undefined, { ref: false })]);
  };

  return {
    processReceipt,
    runJob,
    idle,
    sweep,
  };
}

/** Somebody else has finished a receipt like this one meanwhile. */
class LookalikesChanged extends Error {}

/** What a finished stage found; that it is missing is a error of ours. */
function present<Data>(found: { readonly data: Data } | undefined): Data {
  if (!found) throw new Error("a finished stage has left no findings");
  return found.data;
}
