// What a correction would book: the correction itself, and the booking of a receipt that is not credited yet, in a tx
// that is undone. Therefore a preview and what follows are the same, but for what happens in between.
import type { Rollback } from "../../postgres/rollback.ts";
import { rollback } from "../../postgres/rollback.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { holdUserInPath } from "../../users/store.ts";
import type { ItemRater } from "../../foods/lookup/item-rater.ts";
import { bookReceipt } from "../book-receipt.task.ts";
import { composeReceiptRecord } from "../receipt-record.ts";
import type { Receipt } from "../receipt.ts";
import { lockAnyReceipt } from "../restart.store.ts";
import type { StageDeps } from "../stages/stage.ts";
import { findingsOf } from "../stages/stage.ts";
import { readFindings } from "../store.ts";
import { correctionState } from "./corrected-record.ts";
import { stateAsRead } from "./corrected-reading.ts";
import { currentRecord } from "./current.ts";
import type { CorrectOutcome, CorrectReceipt } from "./correct.task.ts";
import { isCorrectable } from "./correction.ts";
import type { Correction } from "./correction.ts";
import type { PreviewResponse } from "./schema.ts";
import { correctionsOf } from "./store.ts";

export type PreviewOutcome =
  | { readonly kind: "previewed"; readonly response: PreviewResponse }
  | Exclude<CorrectOutcome, { readonly kind: "corrected" }>;

/** Returns what a correction would do; one that changes nothing shows what the receipt earns as it is. */
export type PreviewCorrection = (
  receipt: Receipt,
  correction: Correction,
  rate: ItemRater["rate"],
) => Promise<PreviewOutcome>;

/** Creates the preview of corrections. */
export function createPreviews(deps: StageDeps, correct: CorrectReceipt): PreviewCorrection {
  return async (receipt, correction, rate) => {
    const { applicationId, userId } = receipt;
    const scorable = { ...receipt, source: "receipt" } as const;
    const terms = (await deps.termsFor([scorable]))(scorable);
    return deps.database.requestTx(applicationId, async (tx): Promise<Rollback<PreviewOutcome>> => {
      await holdUserInPath(tx, applicationId, userId);
      return rollback(await preview({ ...deps, correct, terms }, tx, receipt, correction, rate));
    });
  };
}

type PreviewDeps = StageDeps & {
  readonly correct: CorrectReceipt;
  readonly terms: Parameters<typeof composeReceiptRecord>[4];
};

async function preview(
  deps: PreviewDeps,
  tx: Tx,
  { id: receiptID, applicationId }: Receipt,
  correction: Correction,
  rate: ItemRater["rate"],
): Promise<PreviewOutcome> {
  const receipt = await lockAnyReceipt(tx, applicationId, receiptID);
  if (!receipt) return { kind: "unknown" };
  const isChanged = Object.keys(correction).some((member) => member !== "reason" && member !== "disputeIds");
  const outcome = isChanged ? await deps.correct(tx, { applicationId, receiptId: receiptID }, correction, rate) : null;
  if (outcome && outcome.kind !== "corrected") return outcome;
  const findings = await readFindings(tx, receipt);
  const isOpen = receipt.heldAt !== null || isCorrectable(receipt.stage, receipt.errorCode, findings.Extracted);
  if (!isOpen) return { kind: "not correctable" };
  if (receipt.stage === "Completed") {
    const asBooked = outcome?.response;
    const body = currentRecord(findings, await correctionsOf(tx, receipt));
    // Erased meanwhile.
    if (!body) return { kind: "unknown" };
    const now = correctionState(body);
    const { before = now, after = now, waivedPoints = 0, transaction } = asBooked ?? {};
    const points = transaction?.totalPoints ?? 0;
    return { kind: "previewed", response: { receiptID, points, waivedPoints, before, after: after ?? now } };
  }
  if (!findings.Enriched) return { kind: "not correctable" };
  const { reading, name } = findingsOf(findings.Extracted);
  const { catalogueVersion, ...enriched } = findings.Enriched.data;
  const { currency, lines } = enriched;
  const record = composeReceiptRecord(receipt, reading, { ...enriched, catalogueVersion }, name, deps.terms);
  const booked = await bookReceipt(deps, tx, receipt, { record, catalogueVersion }, deps.now());
  const after = correctionState(booked.record.body);
  const before = outcome?.response.before ?? stateAsRead(reading, currency, lines);
  return { kind: "previewed", response: { receiptID, points: after.totalPoints, waivedPoints: 0, before, after } };
}
