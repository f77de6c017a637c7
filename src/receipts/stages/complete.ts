import { awardedEvent } from "../../points/awarded-event.ts";
import { recordTotals } from "../../points/record.ts";
import { book } from "../../points/store.ts";
import type { WebhookEvent } from "../../webhooks/event.ts";
import { completedEvent } from "../events.ts";
import type { Findings } from "../findings.ts";
import type { Receipt } from "../receipt.ts";
import { recordUnknownNames } from "../../unknown-names/store.ts";
import { replaceFinding } from "../store.ts";
import { unknownLinesOf } from "../unknown-lines.ts";
import { findingsOf, finishStage } from "./stage.ts";
import type { NextReceipt, StageDeps } from "./stage.ts";

/** Scored → Completed: credits the points; record, balance, state and events in one tx. */
export function complete(deps: StageDeps, receipt: Receipt, { Enriched, Scored }: Findings): Promise<NextReceipt> {
  const record = findingsOf(Scored);
  const { catalogueVersion } = findingsOf(Enriched);
  const { id: submissionId, applicationId, userId } = receipt;
  return finishStage(deps, receipt, "Completed", async (tx, at) => {
    const booking = { applicationId, userId, source: "receipt", submissionId, record, catalogueVersion } as const;
    const booked = (await book(tx, [booking], at, deps.newId))[0]!;
    // A daily limit has reduced the points: the finding of the stage before must show the record as booked.
    if (booked.record !== record) await replaceFinding(tx, receipt, "Scored", booked.record);
    const { excludedItems, brand: merchantName, currency } = booked.record.body;
    await recordUnknownNames(tx, [unknownLinesOf(receipt, excludedItems, { merchantName, currency })], at);
    const events: WebhookEvent[] = [completedEvent(receipt, booked.record, at)];
    if (recordTotals(booked.record.body).points > 0) events.push(awardedEvent(userId, booked));
    return { kind: "finished", found: { transactionId: booked.id }, events };
  });
}
