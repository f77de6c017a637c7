// The corrected receipt as a record, and the entry that books its difference. Pure.
import type { Entry } from "../../points/entry.ts";
import type { CorrectionEvidence, CorrectionState } from "../../points/explanation.ts";
import { storedSettled } from "../../points/extras.ts";
import { correcting } from "../../points/item-changes.ts";
import type { Coverage } from "../../points/waived.ts";
import { fromMinor } from "../../points/money.ts";
import { recordTotals } from "../../points/record.ts";
import type { ComposedRecord, RecordBody } from "../../points/record.ts";
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
  const { body, bases, settled } = record;
  return {
    lines: renamed(lines),
    record: {
      ...record,
      body: { ...body, items: renamed(body.items), excludedItems: renamed(body.excludedItems) },
      bases: bases.map((basis) => ({ ...basis, itemId: idOf(basis.itemId) })),
      ...(settled && { settled: storedSettled(settled) }),
    },
  };
}

/** What a correction books. */
export interface Booking extends Coverage {
  readonly id: string;
  readonly award: RecordRow;
  readonly reason: string;
  readonly before: RecordBody;
  readonly after: ComposedRecord;
  readonly difference: ItemDifference;
  readonly catalogueVersion: string;
  readonly receiptId: string;
  /** Points that earlier corrections have waived. */
  readonly earlierWaived: number;
}

/** The entry of a correction: each changed item taken back, and what it is now. `waivedPoints` were spent already. */
export function correctionEntry(booking: Booking): { readonly entry: Entry; readonly waivedPoints: number } {
  const { award, reason, before, after, difference, receiptId, ...rest } = booking;
  const correction: CorrectionEvidence = {
    receiptId,
    body: after.body,
    before: correctionState(before),
    after: correctionState(after.body),
  };
  const totalAmountMinor = after.body.totalAmountMinor - before.totalAmountMinor;
  return correcting(award, {
    ...rest,
    record: after,
    taken: difference.removed,
    given: difference.added,
    body: { ...after.body, totalAmountMinor, excludedItems: [], reason },
    evidence: { dayCut: after.dayCut, spendCut: after.spendCut, settled: after.settled, correction },
  });
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
