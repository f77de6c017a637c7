// What a later record does to the items of an award: it takes items back, and credits others. Pure.
import { OPERATION, RECORD_STATUS } from "./codes.ts";
import { totalPoints } from "./entry.ts";
import type { Amounts, Entry } from "./entry.ts";
import { recordTotals } from "./record.ts";
import type { ComposedRecord, RecordBody, RecordItem } from "./record.ts";
import { waivedOf, waivedOrKept } from "./waived.ts";
import type { Coverage } from "./waived.ts";

/** Items that are taken back as they are credited, and items that are credited in their place. */
export interface ItemsMoved {
  readonly taken: readonly RecordItem[];
  readonly given: readonly RecordItem[];
}

/**
 * The items that a record and the records after it leave credited. A later record has an item again to take it back,
 * and items of new ids to credit them.
 */
export function itemsLeft(records: readonly { readonly body: Pick<RecordBody, "items"> }[]): RecordItem[] {
  const left = new Map<string, RecordItem>();
  for (const item of records.flatMap(({ body }) => body.items)) {
    if (!left.delete(item.id)) left.set(item.id, item);
  }
  return [...left.values()];
}

/** The items of the record: those taken back have negative points and CO2e; ratings, quantity and price stay. */
export function itemsMoved({ taken, given }: ItemsMoved): RecordItem[] {
  return [...taken.map(negated), ...given];
}

function negated(item: RecordItem): RecordItem {
  const { healthPoints, carbonPoints, bonusPoints, co2eMg } = item;
  return {
    ...item,
    healthPoints: 0 - healthPoints,
    carbonPoints: 0 - carbonPoints,
    bonusPoints: 0 - bonusPoints,
    co2eMg: 0 - co2eMg,
  };
}

/**
 * The amounts of the record, with points that are `apart` from its items. `waivedPoints` were spent already and are not
 * taken, where the balance may not become negative.
 */
export function amountsMoved(
  { taken, given }: ItemsMoved,
  coverage: Coverage,
  apart: { readonly bonusPoints?: number; readonly otherPoints?: number } = {},
): { readonly amounts: Amounts; readonly waivedPoints: number } {
  const { bonusPoints = 0, otherPoints = 0 } = apart;
  const [before, after] = [recordTotals({ items: taken }), recordTotals({ items: given })];
  const amounts = {
    healthPoints: after.healthPoints - before.healthPoints,
    carbonPoints: after.carbonPoints - before.carbonPoints,
    bonusPoints: after.bonusPoints - before.bonusPoints + bonusPoints,
    otherPoints,
    greenProducts: after.greenProducts - before.greenProducts,
    healthyProducts: after.healthyProducts - before.healthyProducts,
    co2eMg: after.co2eMg - before.co2eMg,
  };
  const waivedPoints = waivedOf(totalPoints(amounts), coverage);
  return { amounts: { ...amounts, otherPoints: otherPoints + waivedPoints }, waivedPoints };
}

/** A correction of an award: its items, the record that the award would be now, and the body without its items. */
export interface AwardCorrection extends ItemsMoved, Coverage {
  /** The id (UUIDv7) of the correction. */
  readonly id: string;
  readonly record: ComposedRecord;
  readonly body: RecordBody;
  /** Further inputs that explain the record later. */
  readonly evidence: object;
  readonly catalogueVersion: string;
  /** Points that earlier corrections of the award have waived. */
  readonly earlierWaived: number;
}

/** The entry that books the difference between an award and what it is now. It counts as earned. */
export function correcting(
  award: { readonly id: string; readonly applicationId: string; readonly userId: string },
  correction: AwardCorrection,
): { readonly entry: Entry; readonly waivedPoints: number } {
  const { id, record, body, evidence, catalogueVersion, overdraws } = correction;
  const { amounts } = amountsMoved(correction, { ...correction, overdraws: true });
  const otherPoints = waivedOrKept(totalPoints(amounts), correction.earlierWaived, correction);
  const { awardItems, award: awarded, bases } = record;
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
    body: { ...body, items: itemsMoved(correction) },
    ruleUse: {
      rule: awarded.rule,
      inputs: JSON.stringify({ items: awardItems, award: awarded, bases, ...evidence }),
      catalogueVersion,
    },
    mayOverdraw: overdraws,
  };
  return { entry, waivedPoints: Math.max(0, otherPoints) };
}
