// The corrected receipt as a record, and the entry that books its difference. Pure.
import { OPERATION, RECORD_STATUS } from "../../points/codes.ts";
import { NO_AMOUNTS, totalPoints } from "../../points/entry.ts";
import type { Amounts, Entry } from "../../points/entry.ts";
import type { CorrectionEvidence, CorrectionState } from "../../points/explanation.ts";
import { fromMinor } from "../../points/money.ts";
import { recordTotals } from "../../points/record.ts";
import type { ComposedRecord, RecordBody } from "../../points/record.ts";
import { negated } from "../../points/reversals/reversal.ts";
import { waivedOrKept } from "../../points/reversals/waived.ts";
import type { ScoredLine } from "../../points/scored-line.ts";
import type { RecordRow } from "../../points/transaction.ts";
import type { ItemDifference } from "./correction.ts";

/** A receipt as corrected: its lines, and the record that it would have if it had been read so. */
export interface Corrected {
  readonly lines: readonly ScoredLine[];
  readonly record: ComposedRecord;
}

/** Gives items new ids, in the lines and in all of the record. */
export function withNewIds({ lines, record }: Corrected, newIds: ReadonlyMap<string, string>): Corrected {
  const idOf = (id: string) => newIds.get(id) ?? id;
  const renamed = <Item extends { readonly id: string }>(items: readonly Item[]): Item[] =>
    items.map((item) => ({ ...item, id: idOf(item.id) }));
  const { body, bases } = record;
  return {
    lines: renamed(lines),
    record: {
      ...record,
      body: { ...body, items: renamed(body.items), excludedItems: renamed(body.excludedItems) },
      bases: bases.map((basis) => ({ ...basis, itemId: idOf(basis.itemId) })),
    },
  };
}

export interface Booking {
  readonly id: string;
  readonly award: RecordRow;
  readonly reason: string;
  readonly before: RecordBody;
  readonly after: ComposedRecord;
  readonly difference: ItemDifference;
  readonly catalogueVersion: string;
  readonly receiptId: string;
  readonly availablePoints: number;
  readonly overdraws: boolean;
  /** Points that earlier corrections have waived. */
  readonly earlierWaived: number;
}

/** The entry of a correction: each changed item taken back, and what it is now. `waivedPoints` were spent already. */
export function correctionEntry(booking: Booking): { readonly entry: Entry; readonly waivedPoints: number } {
  const { id, award, reason, before, after, difference, overdraws } = booking;
  const [taken, given] = [recordTotals({ items: difference.removed }), recordTotals({ items: difference.added })];
  const amounts: Amounts = {
    ...NO_AMOUNTS,
    healthPoints: given.healthPoints - taken.healthPoints,
    carbonPoints: given.carbonPoints - taken.carbonPoints,
    bonusPoints: given.bonusPoints - taken.bonusPoints,
    greenProducts: given.greenProducts - taken.greenProducts,
    healthyProducts: given.healthyProducts - taken.healthyProducts,
    co2eMg: given.co2eMg - taken.co2eMg,
  };
  const otherPoints = waivedOrKept(totalPoints(amounts), booking.earlierWaived, booking);
  const evidence: CorrectionEvidence = {
    receiptId: booking.receiptId,
    body: after.body,
    before: correctionState(before),
    after: correctionState(after.body),
  };
  const { award: awarded, awardItems, bases, dayCut } = after;
  const entry: Entry = {
    applicationId: award.applicationId,
    userId: award.userId,
    operation: OPERATION.adjust,
    status: RECORD_STATUS.completed,
    source: "manual",
    submissionId: id,
    relatedId: award.id,
    isLifetime: true,
    amounts: { ...amounts, otherPoints },
    body: {
      ...after.body,
      totalAmountMinor: after.body.totalAmountMinor - before.totalAmountMinor,
      items: [...difference.removed.map(negated), ...difference.added],
      excludedItems: [],
      reason,
    },
    ruleUse: {
      rule: awarded.rule,
      inputs: JSON.stringify({ items: awardItems, award: awarded, bases, dayCut, correction: evidence }),
      catalogueVersion: booking.catalogueVersion,
    },
    mayOverdraw: overdraws,
  };
  return { entry, waivedPoints: Math.max(0, otherPoints) };
}

/** A receipt before or after a correction, as it is shown. */
export function correctionState(body: RecordBody): CorrectionState {
  const { brand, timestamp, currency, totalAmountMinor, items, excludedItems } = body;
  return {
    merchantName: brand,
    transactionTimestamp: timestamp,
    totalAmount: fromMinor(totalAmountMinor, currency),
    currency,
    totalPoints: recordTotals(body).points,
    items: [
      ...items.map((item) => ({
        id: item.id,
        name: item.name,
        qty: item.quantity,
        matchedIngredientName: item.matchedName,
        totalServicePoints: item.healthPoints + item.carbonPoints + item.bonusPoints,
        exclusionReason: null,
      })),
      ...excludedItems.map((item) => ({
        id: item.id,
        name: item.name,
        qty: item.quantity,
        matchedIngredientName: item.matchedName,
        totalServicePoints: 0,
        exclusionReason: item.exclusionReason,
      })),
    ],
  };
}
