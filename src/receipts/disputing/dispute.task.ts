// Disputes of receipts: read for the hosted page, opened by the person there, rejected by the application. Each change
// is one tx under the lock of the receipt, as a correction is.
import type { Database, Tx } from "../../postgres/postgres.ts";
import { rollback } from "../../postgres/rollback.ts";
import { holdUser } from "../../users/store.ts";
import { newEvent } from "../../webhooks/event.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { isCorrectable } from "../corrections/correction.ts";
import { correctionsOf } from "../corrections/store.ts";
import { disputedEvent } from "../events.ts";
import type { Receipt } from "../receipt.ts";
import { lockAnyReceipt } from "../restart.store.ts";
import { findReceipt, readFindings } from "../store.ts";
import { DISPUTES_MAX, isAlreadyOpen } from "../disputes/dispute.ts";
import type { Dispute, NewDispute } from "../disputes/dispute.ts";
import { disputesOf, insertDispute, rejectStored } from "../disputes/store.ts";
import { presentDispute } from "./present.ts";
import { shownValue } from "./proposal.ts";
import type { DisputeEntry } from "./schema.ts";
import { shownReceipt } from "./shown.ts";
import type { ShownReceipt } from "./shown.ts";

export interface DisputeDeps {
  readonly database: Database;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly publish: (tx: Tx, events: NewEvent[]) => Promise<void>;
}

interface Target {
  readonly applicationId: string;
  readonly receiptId: string;
}

/** A receipt that may be disputed, as it is now. */
export interface DisputedReceipt {
  readonly shown: ShownReceipt;
  readonly disputes: readonly Dispute[];
  /** Nothing more can be disputed. */
  readonly isFull: boolean;
}

/** `opened`: it is stored, now or before. `full`: the receipt has too many. `closed`: it cannot be disputed. */
export type DisputeOutcome = "opened" | "full" | "no such line" | "closed" | "busy";

export interface Disputes {
  /** Null: there is no such receipt, or nothing on it may be disputed. */
  readonly read: (target: Target) => Promise<DisputedReceipt | null>;
  readonly open: (target: Target, dispute: NewDispute) => Promise<DisputeOutcome>;
  /** Rejects an open dispute in the tx. */
  readonly reject: (
    tx: Tx,
    target: Target & { readonly disputeId: string },
    reason: string,
  ) => Promise<DisputeEntry | "unknown" | "not open">;
}

export function createDisputes(deps: DisputeDeps): Disputes {
  return {
    read: async ({ applicationId, receiptId }) => {
      const receipt = await findReceipt(deps.database, applicationId, receiptId);
      return receipt && readDisputed(deps.database, receipt);
    },
    open: (target, dispute) => open(deps, target, dispute),
    reject: (tx, target, reason) => reject(deps, tx, target, reason),
  };
}

async function readDisputed(tx: Tx, receipt: Receipt): Promise<DisputedReceipt | null> {
  const findings = await readFindings(tx, receipt);
  // What a correction can correct may be disputed.
  if (!isCorrectable(receipt.stage, receipt.errorCode, findings.Extracted)) return null;
  const shown = shownReceipt(receipt.id, findings, await correctionsOf(tx, receipt));
  const disputes = await disputesOf(tx, receipt);
  return { shown, disputes, isFull: disputes.length >= DISPUTES_MAX };
}

async function open(deps: DisputeDeps, target: Target, added: NewDispute): Promise<DisputeOutcome> {
  const { database, newId, now, publish } = deps;
  const { applicationId, receiptId } = target;
  const found = await findReceipt(database, applicationId, receiptId);
  if (!found) return "closed";
  const { userId } = found;
  return database.requestTx<DisputeOutcome>(applicationId, async (tx) => {
    const held = await holdUser(tx, applicationId, userId);
    if (held !== "held") return rollback(held === "busy" ? "busy" : "closed");
    const receipt = await lockAnyReceipt(tx, applicationId, receiptId);
    const disputed = receipt && (await readDisputed(tx, receipt));
    if (!receipt || !disputed) return rollback("closed");
    const { shown, disputes, isFull } = disputed;
    // Sent twice, or by two pages: it is reported.
    if (isAlreadyOpen(disputes, added)) return "opened";
    if (isFull) return rollback("full");
    if (added.lineId !== null && !shown.lines.some(({ id }) => id === added.lineId)) return rollback("no such line");
    const at = now();
    const dispute: Dispute = {
      ...added,
      id: newId(),
      shown: shownValue(shown, added),
      openedAt: at,
      state: "open",
      decidedAt: null,
      reason: null,
      correctionId: null,
    };
    await insertDispute(tx, receipt, dispute, disputes.length + 1);
    const event = disputedEvent(receipt, dispute, at);
    await publish(tx, [newEvent(newId(), { applicationId, userId, subject: dispute.id }, event, at)]);
    return "opened";
  });
}

async function reject(
  { now }: DisputeDeps,
  tx: Tx,
  { applicationId, receiptId, disputeId }: Target & { readonly disputeId: string },
  reason: string,
): Promise<DisputeEntry | "unknown" | "not open"> {
  const receipt = await lockAnyReceipt(tx, applicationId, receiptId);
  if (!receipt) return "unknown";
  const isKnown = (await disputesOf(tx, receipt)).some(({ id }) => id === disputeId);
  if (!isKnown) return "unknown";
  if (!(await rejectStored(tx, receipt, disputeId, reason, now()))) return "not open";
  const rejected = (await disputesOf(tx, receipt)).find(({ id }) => id === disputeId)!;
  const shown = shownReceipt(receipt.id, await readFindings(tx, receipt), await correctionsOf(tx, receipt));
  return presentDispute(rejected, shown);
}
