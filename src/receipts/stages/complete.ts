import { awardedEvent } from "../../points/awarded-event.ts";
import { bonusEvent } from "../../points/bonuses/event.ts";
import { recordTotals } from "../../points/record.ts";
import type { WebhookEvent } from "../../webhooks/event.ts";
import { bookReceipt } from "../book-receipt.task.ts";
import { completedEvent } from "../events.ts";
import type { Findings } from "../findings.ts";
import type { Receipt } from "../receipt.ts";
import { recordUnknownNames } from "../../unknown-names/store.ts";
import { packFindings } from "../packed-findings.ts";
import { completeReceipt, lockReceipt } from "../store.ts";
import { unknownLinesOf } from "../unknown-lines.ts";
import { findingsOf, publish } from "./stage.ts";
import type { NextReceipt, StageDeps } from "./stage.ts";

/** Scored → Completed: credits the points; record, balance, state and events in one tx. */
export function complete(deps: StageDeps, receipt: Receipt, findings: Findings): Promise<NextReceipt> {
  const { Extracted, Enriched, Validated, Scored } = findings;
  const record = findingsOf(Scored);
  const { catalogueVersion } = findingsOf(Enriched);
  if (!Extracted || !Enriched || !Validated || !Scored) throw new Error("a finished stage has left no findings");
  const { userId } = receipt;
  return deps.database.tx(async (tx) => {
    const at = deps.now();
    const locked = await lockReceipt(tx, receipt.id, receipt.stage);
    if (!locked) return null;
    const booked = await bookReceipt(deps, tx, receipt, { record, catalogueVersion }, at);
    const found = { Extracted, Enriched, Validated, Scored };
    await completeReceipt(tx, locked, packFindings(found, booked.record, booked.id), at);
    const { excludedItems, brand: merchantName, currency } = booked.record.body;
    await recordUnknownNames(tx, [unknownLinesOf(receipt, excludedItems, { merchantName, currency })], at);
    const events: WebhookEvent[] = [completedEvent(receipt, booked.record, at)];
    if (recordTotals(booked.record.body).points > 0) events.push(awardedEvent(userId, booked));
    await publish(deps, tx, locked, events, at);
    const bonuses = booked.bonuses.map((bonus) => bonusEvent(bonus, deps.newId(), at));
    if (bonuses.length > 0) await deps.publish(tx, bonuses);
    return null;
  });
}
