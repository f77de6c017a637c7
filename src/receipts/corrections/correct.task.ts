// Corrects a receipt in one tx, under the lock of its row: a credited one by a record of the difference, a failed one
// by processing it again with what was corrected, one that is held by changing what waits for the decision.
import { lockBalances } from "../../points/ledger.store.ts";
import { withinAllLimitsAgain } from "../../points/limits/store.ts";
import { OPERATION, RECORD_STATUS } from "../../points/codes.ts";
import { totalPoints } from "../../points/entry.ts";
import { move } from "../../points/move.store.ts";
import { composeRecord } from "../../points/record.ts";
import type { ComposedRecord, RecordBody } from "../../points/record.ts";
import { itemsLeft } from "../../points/item-changes.ts";
import { waivedBy } from "../../points/waived.ts";
import { firstId } from "../../points/rescore/rescore.ts";
import { settledAgain } from "../../points/settlement/settle.ts";
import { pointsSettings } from "../../points/settings/store.ts";
import { findRecordOf, relatedRecords } from "../../points/store.ts";
import type { ScoredLine } from "../../points/scored-line.ts";
import type { Tx } from "../../postgres/postgres.ts";
import type { Errors } from "../../problems.ts";
import { newEvent } from "../../webhooks/event.ts";
import type { ItemRater } from "../../foods/lookup/item-rater.ts";
import { nameEvidence } from "../checks/name.ts";
import { claimPurchase } from "../duplicates/claims.store.ts";
import { purchaseFingerprint } from "../duplicates/duplicate-checks.ts";
import { ASSUMED_CURRENCY, earnsPoints, enrichedOf, merchantsOf, rateLines } from "../enrichment.ts";
import { acceptDisputes, disputesOf } from "../disputes/store.ts";
import { correctedEvent } from "../events.ts";
import type { Findings } from "../findings.ts";
import { goodsLanguageOf } from "../goods-language.ts";
import type { ReceiptReading } from "../parsing/parse.ts";
import { RECEIPT_QUEUE } from "../receipt.ts";
import type { Receipt } from "../receipt.ts";
import { claimAgain, lockAnyReceipt } from "../restart.store.ts";
import type { StageDeps } from "../stages/stage.ts";
import { findingsOf } from "../stages/stage.ts";
import { readFindings } from "../store.ts";
import {
  correctedHead,
  correctedReading,
  namesOfMerchant,
  readingNow,
  stateAsRead,
  timestampOf,
} from "./corrected-reading.ts";
import { changedLines, isCorrectable, itemDifference, namesToLookUp } from "./correction.ts";
import type { Correction } from "./correction.ts";
import { correctionEntry, correctionState, withNewIds } from "./corrected-record.ts";
import type { Corrected } from "./corrected-record.ts";
import type { CorrectionResponse } from "./schema.ts";
import { currentLines, lastCorrected } from "./current.ts";
import { correctionsOf, insertCorrection, replaceFindings, restartEnriched } from "./store.ts";
import type { StoredCorrection } from "./store.ts";

/** Bounds what one receipt can store, and the records that a correction has to read. */
const CORRECTIONS_MAX = 50;

export type CorrectDeps = StageDeps;

export type CorrectOutcome =
  | { readonly kind: "corrected"; readonly response: CorrectionResponse }
  | { readonly kind: "unknown" | "not correctable" | "taken" }
  | { readonly kind: "invalid"; readonly errors: Errors };

/** A locked receipt with all that is known of it. */
interface Subject {
  readonly receipt: Receipt;
  readonly findings: Findings;
  readonly earlier: readonly StoredCorrection[];
  readonly correction: Correction;
  readonly rate: ItemRater["rate"];
  readonly correctionId: string;
  readonly at: Date;
}

/** Looks up the foods of a correction, before its tx. */
export type LookUpFoods = (receipt: Receipt, correction: Correction) => Promise<ItemRater["rate"]>;

/** Corrects a receipt in the tx. Nothing is changed unless it is `corrected`; then the event is stored, too. */
export type CorrectReceipt = (
  tx: Tx,
  target: { readonly applicationId: string; readonly receiptId: string },
  correction: Correction,
  rate: ItemRater["rate"],
) => Promise<CorrectOutcome>;

/** Creates the correction of receipts. */
export function createCorrections(deps: CorrectDeps): { lookUpFoods: LookUpFoods; correct: CorrectReceipt } {
  return {
    lookUpFoods: (receipt, correction) => raterOf(deps, receipt, correction),
    correct: (tx, target, correction, rate) => correct(deps, tx, target, correction, rate),
  };
}

async function raterOf(deps: CorrectDeps, receipt: Receipt, correction: Correction): Promise<ItemRater["rate"]> {
  const { applicationId } = receipt;
  const findings = await readFindings(deps.database, receipt);
  const earlier = await correctionsOf(deps.database, receipt);
  const reading = findings.Extracted?.data.reading;
  const merchants = namesOfMerchant(correction, reading);
  const own = currentLines(findings, earlier);
  const items = namesToLookUp(own, correction).map((item) => ({ applicationId, merchants, ...item }));
  const read = own.length > 0 ? [] : (reading?.lines ?? []);
  const asRead = read.map(({ description: name }) => ({ applicationId, foodId: null, name, merchants }));
  return (await deps.raterFor([...items, ...asRead]))(applicationId).rate;
}

async function correct(
  deps: CorrectDeps,
  tx: Tx,
  target: { readonly applicationId: string; readonly receiptId: string },
  correction: Correction,
  rate: ItemRater["rate"],
): Promise<CorrectOutcome> {
  const receipt = await lockAnyReceipt(tx, target.applicationId, target.receiptId);
  if (!receipt) return { kind: "unknown" };
  const findings = await readFindings(tx, receipt);
  const earlier = await correctionsOf(tx, receipt);
  if (earlier.length >= CORRECTIONS_MAX) return { kind: "not correctable" };
  const wrongIds = await wrongDisputeIds(tx, receipt, correction.disputeIds ?? []);
  if (Object.keys(wrongIds).length > 0) return { kind: "invalid", errors: wrongIds };
  const subject = { receipt, findings, earlier, correction, rate, correctionId: deps.newId(), at: deps.now() };
  const isHeld = receipt.heldAt !== null;
  if (!isHeld && !isCorrectable(receipt.stage, receipt.errorCode, findings.Extracted)) {
    return { kind: "not correctable" };
  }
  return receipt.stage === "Completed" ? correctCompleted(deps, tx, subject) : correctUncredited(deps, tx, subject);
}

async function correctCompleted(deps: CorrectDeps, tx: Tx, subject: Subject): Promise<CorrectOutcome> {
  const { receipt, findings, earlier, correction, rate, correctionId } = subject;
  const { id: receiptId, applicationId, userId } = receipt;
  const scored = findingsOf(findings.Scored);
  const { reading } = findingsOf(findings.Extracted);
  const before = lastCorrected(earlier)?.record.body ?? scored.body;
  // Claims before the balance, as in the stages.
  const current = readingNow(reading, scored.body, before);
  if (!(await claimCorrectedPurchase(tx, receipt, before.brand, current, correction))) return { kind: "taken" };
  const locked = await lockBalances(tx, [userId], [applicationId]);
  const award = await findRecordOf(tx, userId, "receipt", receiptId);
  if (!award || award.status === RECORD_STATUS.reversed) return { kind: "not correctable" };
  const later = await relatedRecords(tx, userId, award.id);
  const credited = itemsLeft([award, ...later]);
  // An award that was scored again has its lines under the ids of their versions.
  const creditedIds = new Map(credited.map(({ id }) => [firstId(id), id]));
  const everCredited = new Set([award, ...later].flatMap(({ body }) => body.items.map(({ id }) => firstId(id))));
  // What was reversed on its own is not there any more.
  const lines = currentLines(findings, earlier).filter(({ id }) => creditedIds.has(id) || !everCredited.has(id));
  const merchants = namesOfMerchant(correction, reading);
  const language = goodsLanguageOf(reading.country);
  const context = { currency: before.currency, merchants, language, rate, correctionId };
  const changes = (correction.items ?? []).map(({ id, ...change }) =>
    id === undefined ? change : { ...change, id: lines.some((line) => line.id === id) ? id : firstId(id) },
  );
  const changed = changedLines(lines, changes, context);
  if ("errors" in changed) return { kind: "invalid", errors: changed.errors };
  const ownPoints = [award, ...later.filter(({ operation }) => operation === OPERATION.adjust)].reduce(
    (sum, each) => sum + totalPoints(each),
    0,
  );
  const isLimited = locked.isAnyLimited;
  const record = await recordNow(deps, tx, subject, changed.lines, { scored, before, ownPoints, isLimited });
  const renamed = (ids: ReadonlyMap<string, string>) => withNewIds({ lines: changed.lines, record }, ids);
  const { changedIds } = itemDifference(credited, renamed(creditedIds).record.body.items);
  // Items whose points change with those of others get new ids, too: an id has one amount in the ledger.
  const newIds = new Map(changedIds.map((id, i) => [firstId(id), `${correctionId}-r${i + 1}`]));
  const { record: corrected } = renamed(new Map([...creditedIds, ...newIds]));
  const after = { lines: renamed(newIds).lines, record: corrected };
  const { reversalOverdraws: overdraws } = await pointsSettings(tx, applicationId);
  const { availablePoints = 0 } = locked.balances.get(userId) ?? {};
  const { entry, waivedPoints } = correctionEntry({
    id: correctionId,
    award,
    reason: correction.reason,
    before,
    after: after.record,
    difference: itemDifference(credited, after.record.body.items),
    catalogueVersion: deps.catalogueVersion,
    receiptId,
    availablePoints,
    overdraws,
    earlierWaived: waivedBy(later),
  });
  const publish = async () => {};
  const { transaction, balance } = await move(tx, locked, entry, { ...deps, publish });
  const response: CorrectionResponse = {
    correctionId,
    receiptID: receiptId,
    status: "Completed",
    transaction,
    balance,
    waivedPoints,
    before: correctionState(before),
    after: correctionState(after.record.body),
  };
  await store(deps, tx, subject, response, after);
  return { kind: "corrected", response };
}

/** The record that the receipt would have with these lines: tier and campaigns are those of its booking. */
async function recordNow(
  deps: CorrectDeps,
  tx: Tx,
  { receipt, correction }: Subject,
  lines: readonly ScoredLine[],
  then: {
    readonly scored: ComposedRecord;
    readonly before: RecordBody;
    readonly ownPoints: number;
    readonly isLimited: boolean;
  },
): Promise<ComposedRecord> {
  const owner = ownerOf(receipt);
  const terms = await deps.termsByRule(tx, { ...owner, rule: then.scored.award.rule });
  const base = composeRecord("receipt", correctedHead(then.before, correction), lines, terms);
  const uncut = settledAgain({ ...owner, record: base, terms }, then.scored.settled);
  return withinAllLimitsAgain(tx, { ...owner, record: uncut, limits: terms.limits }, then.ownPoints, then.isLimited);
}

function ownerOf({ id: submissionId, applicationId, userId }: Receipt) {
  return { applicationId, userId, source: "receipt", submissionId } as const;
}

/** Corrects a receipt that has failed, which is processed again, or one that is held, which waits on. */
async function correctUncredited(deps: CorrectDeps, tx: Tx, subject: Subject): Promise<CorrectOutcome> {
  const { receipt, findings, correction, rate, correctionId } = subject;
  const extracted = findingsOf(findings.Extracted);
  const reading = correctedReading(extracted.reading, correction);
  const [businessName] = merchantsOf(reading, extracted.name.isNamed ? receipt.declared.merchantName : null);
  if (businessName === undefined) return { kind: "invalid", errors: { merchantName: ["is required: none was read"] } };
  const currency = reading.currency ?? ASSUMED_CURRENCY;
  const merchants = namesOfMerchant(correction, extracted.reading);
  const asRead = findings.Enriched?.data.lines ?? rateLines(receipt.id, reading, merchants, rate);
  const context = { currency, merchants, language: goodsLanguageOf(reading.country), rate, correctionId };
  const changed = changedLines(asRead, correction.items ?? [], context);
  if ("errors" in changed) return { kind: "invalid", errors: changed.errors };
  if (!changed.lines.some(earnsPoints)) {
    return { kind: "invalid", errors: { items: ["no line is a food that earns points"] } };
  }
  const enriched = enrichedOf(reading, businessName, changed.lines, deps.catalogueVersion);
  const { merchantName } = correction;
  const name = merchantName
    ? nameEvidence([merchantName], receipt.declared.merchantName, deps.merchants)
    : extracted.name;
  const goesOn = await goOn(deps, tx, subject, { extracted: { ...extracted, reading, name }, enriched });
  if (!goesOn) return { kind: "taken" };
  const response: CorrectionResponse = {
    correctionId,
    receiptID: receipt.id,
    status: receipt.heldAt === null ? "Enriched" : receipt.stage,
    transaction: null,
    balance: null,
    waivedPoints: 0,
    before: stateAsRead(extracted.reading, currency, asRead),
    after: null,
  };
  await store(deps, tx, subject, response, null);
  return { kind: "corrected", response };
}

/** Stores what was corrected, and lets a failed receipt go on. False: another receipt has taken what it claims. */
async function goOn(
  deps: CorrectDeps,
  tx: Tx,
  { receipt, findings, correction, at }: Subject,
  found: Parameters<typeof restartEnriched>[2],
): Promise<boolean> {
  if (receipt.heldAt === null) {
    if (!(await claimAgain(tx, receipt))) return false;
    await restartEnriched(tx, receipt, found, at);
    await deps.jobs.send(tx, RECEIPT_QUEUE, { id: receipt.id }, { singletonKey: receipt.id });
    return true;
  }
  const { reading } = findingsOf(findings.Extracted);
  const { businessName, purchasedAt: earlier } = findingsOf(findings.Enriched);
  if (!(await claimCorrectedPurchase(tx, receipt, businessName, reading, correction))) return false;
  const purchasedAt = timestampOf(correction) ?? earlier;
  const enriched = { ...found.enriched, ...(purchasedAt !== undefined && { purchasedAt }) };
  await replaceFindings(tx, receipt, { ...found, enriched }, at);
  return true;
}

/** Returns an error for each id that names no open dispute of the receipt. */
async function wrongDisputeIds(tx: Tx, receipt: Receipt, ids: readonly string[]): Promise<Errors> {
  if (ids.length === 0) return {};
  const disputes = await disputesOf(tx, receipt);
  const open = new Set(disputes.filter(({ state }) => state === "open").map(({ id }) => id));
  const errors = ids.flatMap((id, i) =>
    open.has(id) ? [] : [[`disputeIds[${i}]`, ["is no open dispute of this receipt"]]],
  );
  return Object.fromEntries(errors) as Errors;
}

/** Stores the correction, the disputes that it accepts, and its event. */
async function store(
  deps: CorrectDeps,
  tx: Tx,
  { receipt, correction, correctionId, earlier, at }: Subject,
  response: CorrectionResponse,
  after: Corrected | null,
): Promise<void> {
  const { transaction, before } = response;
  const stored = {
    id: correctionId,
    number: earlier.length + 1,
    reason: correction.reason,
    before,
    after,
    recordId: transaction?.id ?? null,
    points: transaction?.totalPoints ?? 0,
  };
  await insertCorrection(tx, receipt, stored, at);
  const { disputeIds = [] } = correction;
  if (disputeIds.length > 0) await acceptDisputes(tx, receipt, disputeIds, correctionId, at);
  const { applicationId, userId } = receipt;
  const event = correctedEvent(receipt, response, correction, at);
  await deps.publish(tx, [newEvent(deps.newId(), { applicationId, userId, subject: correctionId }, event, at)]);
}

/** Claims the purchase as corrected. False: another receipt of the user is of this purchase. */
async function claimCorrectedPurchase(
  tx: Tx,
  receipt: Receipt,
  brand: string,
  reading: ReceiptReading,
  correction: Correction,
): Promise<boolean> {
  const { merchantName, transactionTimestamp, totalAmount } = correction;
  if (receipt.isSample || (merchantName ?? transactionTimestamp ?? totalAmount) === undefined) return true;
  const corrected = correctedReading(reading, correction);
  const fingerprint = purchaseFingerprint(merchantName ?? brand, corrected, receipt.declared);
  return fingerprint === null || claimPurchase(tx, receipt, fingerprint);
}
